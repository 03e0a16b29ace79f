//! What the lines about the voice of a room mean, in plain words.

use mind::admission::VoiceAdmissionReason;
use mind::journal::JournalEvent;
use mind::reasons::{
    BargeInReason, UtteranceDrop, VoiceEndCause, VoiceJoinCause, VoiceJoinRefusal, VoiceThoughtLoss,
    VoiceThoughtOutcome, VoiceTurnOutcome, VoiceTurnReason,
};
use vocabulary::UnheardReason;
use vocabulary::text::counted;

use crate::gates::voice_gate;
use crate::spoken::plain_detail;
use crate::words::{span, utterance, with_detail};

/// The sentence for a line about the voice of a room; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::VoiceSessionRequested { because, .. } => {
            format!("It goes into the voice of the room: {}.", joined(*because))
        }
        JournalEvent::VoiceSessionDeclined { reason, .. } => {
            format!(
                "It does not go into the voice of the room: {}.",
                declined(*reason)
            )
        }
        JournalEvent::VoiceHearingChanged { hears } => match hears {
            true => "It understands what is said from now on: its ears were changed.".to_owned(),
            false => "It does not understand what is said any more: its ears were changed.".to_owned(),
        },
        JournalEvent::VoiceEarsChanged { failing, detail } => match failing {
            true => with_detail("Its ears fail again and again, and the room was told.", detail),
            false => "Its ears have understood something again, and the room was told.".to_owned(),
        },
        JournalEvent::VoiceSessionStarted { people, .. } => format!(
            "It is in the voice of the room and listens to {}.",
            counted(*people, "person").replace("persons", "people")
        ),
        JournalEvent::VoiceSessionWarned { left } => format!(
            "It leaves the voice of the room in {} (voice.maxSessionMinutes).",
            span(*left)
        ),
        JournalEvent::VoiceSessionEnded {
            because,
            lasted,
            heard,
            spoken,
            detail,
        } => with_detail(
            &format!(
                "It is not in the voice of the room: {}. In {} it heard {heard} utterances and spoke {spoken} times.",
                ended(*because),
                span(*lasted)
            ),
            detail,
        ),
        JournalEvent::VoicePersonJoined {
            person_name, people, ..
        } => {
            format!("{person_name} came into the voice of the room; {people} are there.")
        }
        JournalEvent::VoicePersonLeft {
            person_name, people, ..
        } => {
            format!("{person_name} left the voice of the room; {people} are there.")
        }
        JournalEvent::VoiceListeningChosen { person, listen } => match listen {
            true => format!("{person} is listened to again."),
            false => format!("{person} does not want to be listened to: what they say is not written down."),
        },
        JournalEvent::VoiceSoundPlayed { person, sound } => match person {
            Some(person) => format!("{person} played the sound {sound}."),
            None => format!("It played the sound {sound}."),
        },
        JournalEvent::UtteranceHeard {
            author_name,
            characters,
            spoken,
            silence,
            took,
            ..
        } => utterance(author_name, *characters, *spoken, *silence, *took),
        JournalEvent::UtteranceMissed {
            person,
            reason,
            detail,
            spoken,
        } => with_detail(
            &format!(
                "{person} was heard for {}, and no words came of it: {}.",
                span(*spoken),
                unheard(*reason)
            ),
            detail,
        ),
        JournalEvent::UtteranceIgnored { reason } => match reason {
            UtteranceDrop::Duplicate => "It was heard before.".to_owned(),
            UtteranceDrop::NotListenedTo => {
                "Whoever said it does not want to be listened to, so it is let go of.".to_owned()
            }
            UtteranceDrop::Empty => "It has no words.".to_owned(),
            UtteranceDrop::NotInVoice => "Denizen is not in the voice of the room.".to_owned(),
            UtteranceDrop::NotAPerson => "No person said it.".to_owned(),
        },
        JournalEvent::VoiceTurnAddressing { .. } => return voice_gate(event),
        JournalEvent::VoiceTurnOpened {
            speakers,
            trigger_message_ids,
            required,
            waited,
        } => format!(
            "After {} an answer to {} of {} is attempted{}.",
            span(*waited),
            counted(trigger_message_ids.len(), "utterance"),
            counted(speakers.len(), "speaker"),
            if *required {
                "; silence is not an option"
            } else {
                ""
            }
        ),
        JournalEvent::VoiceAnswerHeard {
            decided,
            asked,
            first_sentence,
            heard,
            ..
        } => format!(
            "Its first words are heard {} after the end of what was said: decided after {}, asked after {}, first sentence written after {}.",
            span(*heard),
            span(*decided),
            span(*asked),
            span(*first_sentence)
        ),
        JournalEvent::VoiceTurnEnded {
            outcome,
            reason,
            detail,
            took,
        } => {
            let ended = match outcome {
                VoiceTurnOutcome::Spoken => "with something said",
                VoiceTurnOutcome::Written => "with an answer in text",
                VoiceTurnOutcome::Skipped => "in silence",
                VoiceTurnOutcome::Failed => "in failure",
                VoiceTurnOutcome::Superseded => "before a sentence of it was heard",
            };
            with_detail(
                &format!(
                    "The attempt ended after {} {ended}: {}.",
                    span(*took),
                    turn_reason(*reason)
                ),
                &plain_detail(*reason, detail),
            )
        }
        JournalEvent::ReplySpoken {
            written_characters,
            heard_characters,
            cut,
            took,
            ..
        } => match cut {
            false => format!(
                "It said {} aloud in {}.",
                counted(*heard_characters, "character"),
                span(*took)
            ),
            true => format!(
                "Of {} that it wrote, {heard_characters} were heard before it fell silent.",
                counted(*written_characters, "character")
            ),
        },
        JournalEvent::VoiceSoundFailed { sound, detail } => {
            with_detail(&format!("The sound “{sound}” could not be played."), detail)
        }
        JournalEvent::VoiceSpeechFailed { detail, .. } => {
            with_detail("What it wanted to say could not be made heard.", detail)
        }
        JournalEvent::VoiceSpeechPaid {
            engine,
            cost_micro_dollars,
        } => match cost_micro_dollars {
            Some(cost) => format!("{engine} was paid {:.4} dollars.", *cost as f64 / 1e6),
            None => format!("{engine} was used, and nobody knows what it costs."),
        },
        JournalEvent::BargeInDecided {
            person,
            stop,
            reason,
            spoken,
        } => format!(
            "{person} spoke for {} while it did, and it {}: {}.",
            span(*spoken),
            if *stop { "falls silent" } else { "goes on" },
            barge_in(*reason)
        ),
        JournalEvent::VoiceGreetingStarted { attempt } => match attempt {
            1 => "It says hello to whoever is there.".to_owned(),
            _ => "Its hello came to nothing, so it tries once more.".to_owned(),
        },
        JournalEvent::VoiceThoughtStarted { silence, reconsiders } => format!(
            "Everybody has been silent for {}: it {}.",
            span(*silence),
            if *reconsiders {
                "thinks again about what it wanted to say"
            } else {
                "thinks of something to say"
            }
        ),
        JournalEvent::VoiceThoughtEnded { outcome, detail, .. } => with_detail(
            match outcome {
                VoiceThoughtOutcome::Spoken => "It said what it thought.",
                VoiceThoughtOutcome::Held => "It keeps the thought for a better moment.",
                VoiceThoughtOutcome::Dropped => "It lets the thought go.",
                VoiceThoughtOutcome::Invalidated => "The room moved on, so the thought is considered anew.",
                VoiceThoughtOutcome::Failed => "No thought came of it.",
                VoiceThoughtOutcome::Interrupted => "The thought was not thought to its end.",
            },
            detail,
        ),
        JournalEvent::VoiceThoughtStopped {
            gate,
            silence,
            roll,
            below,
        } => {
            let rolled = match (roll, below) {
                (Some(roll), Some(below)) => format!(" It rolled {roll}, and needed less than {below}."),
                _ => String::new(),
            };
            format!(
                "Everybody has been silent for {}, and it thinks of nothing to say: {}.{rolled}",
                span(*silence),
                gate.words()
            )
        }
        JournalEvent::VoiceThoughtInvalidated { change, held_for } => format!(
            "It had carried a thought for {}, and {}: the thought is considered anew before it is said.",
            span(*held_for),
            change.words()
        ),
        JournalEvent::VoiceThoughtLetGo { reason, held_for, .. } => format!(
            "A thought that it had carried for {} is gone: {}.",
            span(*held_for),
            match reason {
                VoiceThoughtLoss::Expired => "it was carried for too long",
                VoiceThoughtLoss::SessionEnded => "it is not in the voice of the room any more",
                VoiceThoughtLoss::ConversationEnded => "a new conversation began in the room",
                VoiceThoughtLoss::Restarted => "the process was started anew",
                VoiceThoughtLoss::Forgotten => "it spoke of something that is forgotten now",
                VoiceThoughtLoss::NotListenedTo => "nobody who is there wants to be listened to",
                VoiceThoughtLoss::SwitchedOff => "voice.thoughts.enabled is off",
            }
        ),
        _ => return None,
    })
}

fn declined(reason: VoiceJoinRefusal) -> &'static str {
    match reason {
        VoiceJoinRefusal::SwitchedOff => "voice is switched off (voice.enabled)",
        VoiceJoinRefusal::Already => "it is there, or on its way",
        VoiceJoinRefusal::NotInThisRoom => {
            "it may not speak in this room (permissions.replies.allowedChannelIds, …blockedChannelIds)"
        }
        VoiceJoinRefusal::NotForThem => {
            "whoever wants it there is not answered (permissions.replies.allowedUserIds, …blockedUserIds)"
        }
        VoiceJoinRefusal::Unaffordable => {
            "its ears and voice are paid for, and nothing is left of the day's dollars (spending.perDay.dollars)"
        }
    }
}

fn joined(because: VoiceJoinCause) -> &'static str {
    match because {
        VoiceJoinCause::WithPeople => "somebody is there (voice.joinPolicy is with_people)",
        VoiceJoinCause::Command => "somebody typed /join",
        VoiceJoinCause::Page => "somebody asked for it, on the page of the room or by a command",
        VoiceJoinCause::Reconnect => "the connection was lost, and it comes back",
        VoiceJoinCause::Brought => "whoever runs it brought it in",
    }
}

fn ended(because: VoiceEndCause) -> &'static str {
    match because {
        VoiceEndCause::Command => "somebody typed /leave",
        VoiceEndCause::Page => "somebody sent it away, on the page of the room or by a command",
        VoiceEndCause::Unaffordable => "its ears or voice cost more than is left of spending.perDay.dollars",
        VoiceEndCause::NobodyLeft => "nobody is there any more",
        VoiceEndCause::Inactive => "nobody has spoken for long (voice.inactivitySeconds)",
        VoiceEndCause::TooLong => "it was there for as long as it may be (voice.maxSessionMinutes)",
        VoiceEndCause::Lost => "the connection was lost",
        VoiceEndCause::Refused => "it was not let in",
        VoiceEndCause::SwitchedOff => "voice.enabled is false",
        VoiceEndCause::Restarted => "the process was started anew",
        VoiceEndCause::RoomEnded => "the room is gone",
    }
}

fn unheard(reason: UnheardReason) -> &'static str {
    match reason {
        UnheardReason::Empty => "the ears understood nothing",
        UnheardReason::TooShort => "it was too short",
        UnheardReason::NoVoice => "it was no voice",
        UnheardReason::Hallucinated => "the ears made words up that were not said",
        UnheardReason::TimedOut => "the ears took too long",
        UnheardReason::Failed => "the ears failed",
        UnheardReason::NoEars => "nothing is there that understands speech",
        UnheardReason::GivenUp => "Denizen left, or was given other ears, before it was understood",
    }
}

/// Why something that was said is answered or not, to follow "because".
pub(super) fn addressing(reason: VoiceAdmissionReason) -> &'static str {
    match reason {
        VoiceAdmissionReason::MissingTranscript => "no words came of what was said",
        VoiceAdmissionReason::BotTurnOpen => "Denizen is speaking, or about to",
        VoiceAdmissionReason::LowSignalFragment => "too little was said to mean anything",
        VoiceAdmissionReason::DirectAddressWakePing => "its bare name was called",
        VoiceAdmissionReason::LowSignalRecentReplyClip => "it was a scrap of sound right after its own words",
        VoiceAdmissionReason::DirectAddressFastPath => "it was called by name",
        VoiceAdmissionReason::FocusedSpeakerFollowup => "whoever it is talking with goes on",
        VoiceAdmissionReason::BotRecentReplyFollowup => "whoever it just answered speaks again",
        VoiceAdmissionReason::AloneWithDenizen => {
            "nobody else is there to be meant (voice.relaxGateWhenAlone)"
        }
        VoiceAdmissionReason::EagernessDisabledWithoutDirectAddress => {
            "it was not called, and voice.replyEagerness is 0"
        }
        VoiceAdmissionReason::AwaitingNonDirectSilenceWindow => {
            "it was not called, and people may go on talking"
        }
        VoiceAdmissionReason::AskClassifier => {
            "it is unclear whether Denizen is meant: the classifier is asked"
        }
        VoiceAdmissionReason::LlmYes => "the classifier said yes",
        VoiceAdmissionReason::LlmNo => "the classifier said no",
        VoiceAdmissionReason::LlmContractViolation => "the classifier said neither yes nor no",
        VoiceAdmissionReason::LlmError => "the classifier did not answer",
        VoiceAdmissionReason::LlmGenerateUnavailable => "the classifier could not be asked",
        VoiceAdmissionReason::ClassifierDisabled => {
            "it was not called, and voice.replyDecisionLlm.enabled is false"
        }
        VoiceAdmissionReason::Quiet => "somebody wants nothing said in the room for a while (`/quiet`)",
        VoiceAdmissionReason::NotPermitted => "permissions.replies does not allow it",
        VoiceAdmissionReason::Stale => "it has waited for too long to be answered now",
        VoiceAdmissionReason::SessionEnded => "Denizen left, or was started anew, before it was decided on",
    }
}

/// Why an attempt to answer aloud ended as it did.
pub(super) fn turn_reason(reason: VoiceTurnReason) -> &'static str {
    match reason {
        VoiceTurnReason::Said => "all of it was heard",
        VoiceTurnReason::CutShort => "somebody spoke over it",
        VoiceTurnReason::NotAdmitted => "the gate did not let it pass",
        VoiceTurnReason::LlmSkip => "the model chose silence",
        VoiceTurnReason::EmptyReply => "the model wrote nothing that can be said",
        VoiceTurnReason::Stale => "the answer would have come too late",
        VoiceTurnReason::NewerTurn => "something newer was said",
        VoiceTurnReason::SpokenOver => "somebody spoke first",
        VoiceTurnReason::AskFailed => "the model did not answer",
        VoiceTurnReason::ServiceGone => "the realtime service was not there any more",
        VoiceTurnReason::BudgetSpent => "nothing may be spent on it, or its model rests",
        VoiceTurnReason::SpeechFailed => "it could not be made heard",
        VoiceTurnReason::NoVoice => "it had no voice to say it with",
        VoiceTurnReason::SessionEnded => "it left the voice of the room",
        VoiceTurnReason::NobodyLeft => "the last who was there had left",
        VoiceTurnReason::Restarted => "the process was started anew",
        VoiceTurnReason::Forgotten => "what it was about is forgotten",
        VoiceTurnReason::Quiet => "somebody wanted it quiet in the room",
    }
}

fn barge_in(reason: BargeInReason) -> &'static str {
    match reason {
        BargeInReason::SpokenOver => "that is as long as it lets itself be spoken over (voice.bargeInMs)",
        BargeInReason::TooShort => "not long enough to mean it (voice.bargeInMs)",
        BargeInReason::Backchannel => "they only show that they listen",
        BargeInReason::NotListenedTo => "they do not want to be listened to",
        BargeInReason::NotSpeaking => "it was not heard at that moment",
    }
}
