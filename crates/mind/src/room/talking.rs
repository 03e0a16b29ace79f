//! What happens in the voice of a room, handed to its voice with the other parts of the room as they may be used.

use vocabulary::{AuthorKind, JournalSeq, Message, PersonId, Span};

use super::arrival::{judged, limits};
use super::command::listening_wish;
use super::{Room, Voice, VoiceContext, name_of, realtime};
use crate::input::RoomEvent;
use crate::journal::{JournalEvent, Scope};
use crate::memory::command::Command;
use crate::parcel::{Errand, Parcel};
use crate::reasons::{SpendingPurpose, UtteranceDrop, VoiceEndCause, VoiceJoinCause};
use crate::step_context::StepContext;
use crate::voice::remarks::{self, Remark};
use crate::voice::{Clip, VoiceTurnKind, listening, playing, sounds, staying};
use crate::watch::Comment;

/// What is typed counts as said for so long: nobody clears their throat by typing.
const TYPED: Span = Span::seconds(2);

/// Has the voice do something, and says in the room what it wants told.
pub(super) fn talk(
    room: &mut Room,
    step: &mut StepContext<'_>,
    act: impl FnOnce(&mut Voice, &mut VoiceContext<'_>, &mut StepContext<'_>),
) {
    if room.voice.is_in() {
        room.log.goes_on_aloud();
    }
    let mut context = VoiceContext {
        room: &room.id,
        name: name_of(room.facts.as_ref(), &room.id),
        log: &mut room.log,
        watch: &room.watch,
        answers_in_text: room.replies.is_busy(),
        is_quiet: room.quiet.is_some_and(|quiet| quiet.holds(step.moment())),
        signs: Vec::new(),
        answers: Vec::new(),
    };
    act(&mut room.voice, &mut context, step);
    let (signs, answers) = (context.signs, context.answers);
    for (text, cause) in signs {
        tell(room, Errand::Sign, &text, Some(cause), step);
    }
    for answer in answers {
        let turn = step.counters.turn.take_next();
        let mut parcel = Parcel::new(Errand::Notice, &room.id, turn, answer.ask, answer.text);
        parcel.reply_to = answer.reply_to;
        parcel.scope.cause = Some(answer.cause);
        room.say(parcel, step);
    }
    let comment = room.watch.comment_aloud();
    if comment.is_some_and(|turn| !remarks::is_under_way(&room.voice, turn)) {
        room.watch.comment_unheard(&room.id, step);
    }
}

/// Says something that no model wrote, because of what a line tells.
pub(super) fn tell(
    room: &mut Room,
    errand: Errand,
    text: &str,
    cause: Option<JournalSeq>,
    step: &mut StepContext<'_>,
) {
    let (turn, ask) = (step.counters.turn.take_next(), step.counters.ask);
    let mut parcel = Parcel::new(errand, &room.id, turn, ask, text.to_owned());
    parcel.scope.cause = cause;
    room.say(parcel, step);
}

/// Says a comment on a screen: aloud where somebody listens, else in the text of the room.
pub(super) fn comment(room: &mut Room, comment: Comment, step: &mut StepContext<'_>) {
    let Comment {
        ask,
        turn,
        text,
        cause,
    } = comment;
    if room.watch.comment_aloud() != Some(turn) {
        return room.say(Parcel::new(Errand::Comment, &room.id, turn, ask, text), step);
    }
    let remark = Remark {
        kind: VoiceTurnKind::Comment,
        turn: Some(turn),
        ask,
        text,
        cause,
    };
    talk(room, step, |voice, context, step| {
        remarks::remark(voice, remark, context, step);
    });
}

/// Takes in what happened in the voice of the room.
pub(super) fn voice_event(room: &mut Room, event: RoomEvent, step: &mut StepContext<'_>) {
    listening::learn_choices(&mut room.voice, step);
    match event {
        RoomEvent::UtteranceHeard {
            message,
            spoken,
            silence,
            took,
        } => {
            let clip = Clip {
                spoken,
                silence,
                took,
            };
            utterance_heard(room, message, clip, step);
        }
        RoomEvent::PersonJoined(author) => {
            room.people.introduce(&author.id, &author.name, step.identity);
            talk(room, step, |voice, context, step| {
                voice.person_joined(&author, context, step)
            });
        }
        RoomEvent::PersonLeft { person } => {
            talk(room, step, |voice, context, step| {
                voice.person_left(&person, context, step)
            });
        }
        RoomEvent::SpeechStarted { person } => talk(room, step, |voice, context, step| {
            voice.speech_started(&person, context, step);
        }),
        RoomEvent::SpeechContinues { person, spoken } => talk(room, step, |voice, context, step| {
            voice.speech_continues(&person, spoken, context, step);
        }),
        RoomEvent::SpeechPartial { person, text } => talk(room, step, |voice, context, step| {
            voice.speech_partial(&person, &text, context, step);
        }),
        RoomEvent::SpeechEnded { person } => {
            talk(room, step, |voice, context, step| {
                voice.speech_ended(&person, context, step)
            });
        }
        RoomEvent::UtteranceMissed {
            person,
            reason,
            detail,
            spoken,
        } => talk(room, step, |voice, context, step| {
            voice.missed(&person, reason, &detail, spoken, context, step);
        }),
        RoomEvent::VoiceAsked { person, come } => talk(room, step, |voice, context, step| {
            if !come {
                voice.leave(VoiceEndCause::Page, context, step);
            } else {
                let _ = voice.join(VoiceJoinCause::Page, person.as_ref(), None, context, step);
            }
        }),
        RoomEvent::SpeechPaid {
            engine,
            cost_micro_dollars,
        } => speech_paid(room, engine, cost_micro_dollars, step),
        RoomEvent::VoiceLoads => staying::loads(&mut room.voice, step.moment()),
        RoomEvent::VoiceJoined {
            hears,
            speaks,
            sounds,
        } => talk(room, step, |voice, context, step| {
            voice.joined(hears, speaks, sounds, context, step);
        }),
        event @ (RoomEvent::VoiceServiceStands { .. }
        | RoomEvent::VoiceServiceKnows(_)
        | RoomEvent::SpeakersOverlapped { .. }) => realtime::service_event(room, event, step),
        RoomEvent::VoiceLeft { reason, detail } => talk(room, step, |voice, context, step| {
            voice.left(reason, &detail, context, step);
        }),
        RoomEvent::ListeningChosen { person, listen } => talk(room, step, |voice, context, step| {
            let _ = listening::listening_chosen(voice, &person, listen, context, step);
        }),
        RoomEvent::SoundPlayed { person, name } => talk(room, step, |voice, context, step| {
            voice.sound_played(person.as_ref(), &name, context, step);
        }),
        RoomEvent::SoundFailed { name, detail } => {
            let event = JournalEvent::VoiceSoundFailed { sound: name, detail };
            step.ledger.write(Scope::room(&room.id), event);
            sounds::failed(&mut room.voice);
        }
        RoomEvent::PlaybackStarted { delivery } => talk(room, step, |voice, context, step| {
            playing::started(voice, &delivery, context, step);
        }),
        RoomEvent::PlaybackEnded { delivery, cut_after } => talk(room, step, |voice, context, step| {
            playing::ended(voice, &delivery, cut_after, context, step);
        }),
        RoomEvent::PlaybackProgressed { delivery, characters } => {
            playing::progressed(&mut room.voice, &delivery, characters);
        }
        RoomEvent::PlaybackFailed { delivery, detail } => talk(room, step, |voice, context, step| {
            playing::failed(voice, &delivery, &detail, context, step);
        }),
        _ => {}
    }
}

/// Ears or a voice were paid for: where nothing is left of the day, it does not stay.
fn speech_paid(room: &mut Room, engine: String, cost: Option<u64>, step: &mut StepContext<'_>) {
    let event = JournalEvent::VoiceSpeechPaid {
        engine,
        cost_micro_dollars: cost,
    };
    let cause = step.ledger.write(Scope::room(&room.id), event);
    step.spending.paid_for_speech(cost);
    staying::paid(&mut room.voice, step.settings);
    if !step
        .spending
        .has_no_dollars(SpendingPurpose::Replies, step.settings)
    {
        return;
    }
    talk(room, step, |voice, context, step| {
        if voice.leave(VoiceEndCause::Unaffordable, context, step) {
            let text = "Nothing is left of what I may spend today, so I leave the voice of this room. Whoever runs me can raise spending.perDay.dollars, or choose ears and a voice that cost nothing.";
            context.signs.push((text.to_owned(), cause));
        }
    });
}

/// Somebody typed that it should come into the voice of the room, or leave it.
pub(super) fn come_or_go(
    room: &mut Room,
    command: &Command,
    by: &PersonId,
    cause: JournalSeq,
    step: &mut StepContext<'_>,
) {
    let mut text = "";
    listening::learn_choices(&mut room.voice, step);
    talk(room, step, |voice, context, step| {
        text = match *command == Command::Join {
            true => match voice.join(VoiceJoinCause::Command, Some(by), Some(cause), context, step) {
                Ok(()) => "I am coming into the voice of this room.",
                Err(why) => why.words(),
            },
            false => match voice.leave(VoiceEndCause::Command, context, step) {
                true => "I leave the voice of this room.",
                false => "I am not in the voice of this room.",
            },
        };
    });
    tell(room, Errand::Sign, text, Some(cause), step);
}

/// Somebody wants to be listened to, or not: that is so from now on, and they are told once.
pub(super) fn choose_listening(
    room: &mut Room,
    person: &PersonId,
    listen: bool,
    cause: JournalSeq,
    step: &mut StepContext<'_>,
) {
    let mut changed = false;
    listening::learn_choices(&mut room.voice, step);
    talk(room, step, |voice, context, step| {
        changed = listening::listening_chosen(voice, person, listen, context, step);
    });
    let text = match (listen, changed) {
        (false, true) => {
            "I do not listen to you any more: nothing of what you say in the voice of this room is written down. `/listen on` changes that."
        }
        (false, false) => "I do not listen to you as it is. `/listen on` changes that.",
        (true, true) => {
            "I listen to you again: what I understand of you in the voice of this room I keep in writing. `/listen off` changes that."
        }
        (true, false) => {
            "I listen to you as it is, when I am in the voice of this room. `/listen off` changes that."
        }
    };
    tell(room, Errand::Sign, text, Some(cause), step);
}

/// Somebody said aloud that they do not want to be listened to, and is told so aloud; whether that is what they said.
fn heard_a_wish(room: &mut Room, message: &Message, cause: JournalSeq, step: &mut StepContext<'_>) -> bool {
    let is_alone = room.voice.view().people.len() == 1;
    let Some(command) = listening_wish(&message.text, is_alone, step.settings) else {
        return false;
    };
    let Command::Listen(listen) = command else {
        return false;
    };
    let scope = Scope::room(&room.id).about(&message.id).because(Some(cause));
    let event = JournalEvent::CommandTaken {
        command: command.name().to_owned(),
    };
    let cause = step.ledger.write(scope, event);
    let person = &message.author.id;
    let mut told = false;
    talk(room, step, |voice, context, step| {
        listening::listening_chosen(voice, person, listen, context, step);
        let words = match listen {
            false => "All right, I do not listen to you any more. Type /listen on to change that.",
            true => "All right, I listen to you.",
        };
        told = remarks::tell(voice, words.to_owned(), cause, step);
    });
    if !told {
        choose_listening(room, person, listen, cause, step);
    }
    true
}

/// Somebody said something aloud: it goes into the log, and is decided on.
fn utterance_heard(room: &mut Room, message: Message, clip: Clip, step: &mut StepContext<'_>) {
    let scope = Scope::room(&room.id).about(&message.id);
    let ignored = match () {
        () if message.author.kind != AuthorKind::Person => Some(UtteranceDrop::NotAPerson),
        // What was not to be listened to is not kept either.
        () if !room.voice.is_listened_to(&message.author.id) => Some(UtteranceDrop::NotListenedTo),
        () if message.text.trim().is_empty() => Some(UtteranceDrop::Empty),
        () if !room.seen.insert(&message.id) => Some(UtteranceDrop::Duplicate),
        () => None,
    };
    if let Some(reason) = ignored {
        step.ledger
            .write(scope, JournalEvent::UtteranceIgnored { reason });
        return;
    }
    let event = JournalEvent::UtteranceHeard {
        author: message.author.id.clone(),
        author_name: message.author.name.clone(),
        characters: message.text.chars().count(),
        spoken: clip.spoken,
        silence: clip.silence,
        took: clip.took,
    };
    let cause = step.ledger.write(scope.clone(), event);
    room.floor.spoke(&message.author.id, step.moment());
    if !room.voice.is_in() {
        room.take_in(message, step);
        let reason = UtteranceDrop::NotInVoice;
        let scope = scope.because(Some(cause));
        step.ledger
            .write(scope, JournalEvent::UtteranceIgnored { reason });
        return;
    }
    if !heard_a_wish(room, &message, cause, step) {
        hand_to_voice(room, message, clip, cause, step);
    }
}

/// Somebody in voice typed, where nobody understands speech: it stands in for what they would have said.
pub(super) fn typed_in_voice(
    room: &mut Room,
    message: Message,
    cause: JournalSeq,
    step: &mut StepContext<'_>,
) {
    let clip = Clip {
        spoken: TYPED,
        silence: Span::ZERO,
        took: Span::ZERO,
    };
    hand_to_voice(room, message, clip, cause, step);
}

fn hand_to_voice(
    room: &mut Room,
    message: Message,
    clip: Clip,
    cause: JournalSeq,
    step: &mut StepContext<'_>,
) {
    let signal = judged(room, &message, limits(step.settings), step);
    room.take_in(message.clone(), step);
    talk(room, step, |voice, context, step| {
        voice.heard(&message, clip, &signal, cause, context, step);
    });
}
