//! One plain sentence (or two) for a journal line. The match has no catch-all: a new event needs its words.

use mind::admission::Gate;
use mind::journal::{JournalEntry, JournalEvent};
use mind::reasons::{DelayReason, TurnOutcome};
use vocabulary::text::counted;

use crate::gates::text_gate;
use crate::words::{self, changed, dollars, lower_first, part_of, percent, span, with_detail};
use crate::{ambient, folding, memory, process, profile, realtime, screen, spending, voice};

/// Says what a journal line means to somebody who has read nothing else.
pub fn sentence(entry: &JournalEntry) -> String {
    match &entry.event {
        JournalEvent::MessageReceived {
            author_name,
            characters,
            images,
            ..
        } => words::received(author_name, *characters, *images),
        JournalEvent::MessageIgnored { reason } => words::dropped(*reason).into(),
        JournalEvent::MessageEdited {
            while_waiting,
            while_answering,
        } => changed("changed", *while_waiting, *while_answering),
        JournalEvent::MessageDeleted {
            while_waiting,
            while_answering,
        } => changed("took back", *while_waiting, *while_answering),
        JournalEvent::AdmissionDecided { gate, .. } => {
            let decided = text_gate(&entry.event).unwrap_or_default();
            match gate {
                Gate::BeforeQueueing => decided,
                Gate::BeforeGeneration => format!("Looked at once more right before asking: {decided}"),
            }
        }
        JournalEvent::ReplyRequested { refused } => words::requested(*refused).into(),
        JournalEvent::ReplySkipped { reason, detail } => with_detail(
            &format!("No reply: {}", lower_first(words::skip(*reason))),
            detail,
        ),
        JournalEvent::MessageQueued {
            burst_messages,
            queue_length,
            closes_in,
            behind_reply,
        } => format!(
            "It waits up to {} for more by the same author{} ({} so far, {} waiting in the room).",
            span(*closes_in),
            words::behind(*behind_reply),
            counted(*burst_messages, "message"),
            queue_length
        ),
        JournalEvent::TurnOpened {
            trigger_message_ids,
            forced,
            waited,
            ..
        } => format!(
            "After {} a reply to {} is attempted{}.",
            span(*waited),
            counted(trigger_message_ids.len(), "message"),
            if *forced { "; silence is not an option" } else { "" }
        ),
        JournalEvent::TurnDelayed { reason, delay } => match reason {
            DelayReason::Spacing => format!(
                "Denizen wrote here a moment ago, so it waits {} (activity.minSecondsBetweenMessages).",
                span(*delay)
            ),
            DelayReason::Retry => format!("The failed attempt is made again in {}.", span(*delay)),
        },
        JournalEvent::TurnEnded { outcome, took, .. } => {
            let ended = match outcome {
                TurnOutcome::Sent => "with a reply sent",
                TurnOutcome::Reacted => "with a reaction",
                TurnOutcome::Skipped => "without a reply",
                TurnOutcome::Failed => "in failure",
                TurnOutcome::Superseded => {
                    "to begin anew, because its messages changed or more of them came,"
                }
            };
            format!("The attempt ended {ended} after {}.", span(*took))
        }
        JournalEvent::DiceRolled {
            purpose,
            roll,
            below,
            hit,
        } => format!(
            "The dice for {purpose} showed {roll}; below {below} was needed: {}.",
            if *hit { "a hit" } else { "a miss" }
        ),
        JournalEvent::RecallStarted { .. } => {
            "Older messages and memories that might fit are being looked for.".into()
        }
        JournalEvent::RecallCompleted {
            messages,
            user_facts,
            relevant_facts,
            unsure,
            took,
            failure,
            ..
        } => match failure {
            None => {
                let unsure = match unsure {
                    0 => String::new(),
                    unsure => format!(" ({unsure} more were not sure enough to be brought up)"),
                };
                format!(
                    "The look-up found {}, {} about who is answered and {} that fit{unsure} in {}.",
                    counted(*messages, "older message"),
                    counted(*user_facts, "memory").replace("memorys", "memories"),
                    relevant_facts,
                    span(*took)
                )
            }
            Some(why) => with_detail("The look-up failed, and the reply goes on without it.", why),
        },
        JournalEvent::RecallAbandoned { after, .. } => {
            format!(
                "The look-up took longer than {}; the reply goes on without it.",
                span(*after)
            )
        }
        JournalEvent::PlainProfileTaken { because } => profile::taken(*because),
        JournalEvent::ReplyModelChanged {
            provider,
            model,
            plain,
        } => profile::reply_model(provider, model, *plain),
        JournalEvent::AskStarted {
            ask,
            purpose,
            provider,
            model,
            attempt,
            prompt_characters,
            sections_trimmed,
            sections_dropped,
        } => {
            let mut text = format!(
                "{} is asked {} with a prompt of {} (call {ask}{}).",
                words::model(provider, model),
                words::purpose(*purpose),
                counted(*prompt_characters, "character"),
                if *attempt > 1 {
                    format!(", attempt {attempt}")
                } else {
                    String::new()
                }
            );
            if !sections_trimmed.is_empty() {
                text.push_str(&format!(" Shortened to fit: {}.", sections_trimmed.join(", ")));
            }
            if !sections_dropped.is_empty() {
                text.push_str(&format!(" Left out to fit: {}.", sections_dropped.join(", ")));
            }
            text
        }
        JournalEvent::AskCompleted {
            ask,
            purpose,
            provider,
            model,
            took,
            input_tokens,
            cached_tokens,
            output_tokens,
            cost_micro_dollars,
            cut_at,
            ..
        } => {
            let cut = cut_at.map_or(String::new(), |tokens| {
                format!(" {}", words::cut(*purpose, tokens))
            });
            let cached = cached_tokens.map_or(String::new(), |cached| format!(", {cached} of them cached"));
            let cost = cost_micro_dollars.map_or(String::new(), |micro| format!(", {}", dollars(micro)));
            format!(
                "{} answered after {} (call {ask}: {input_tokens} tokens in{cached}, {output_tokens} out{cost}).{cut}",
                words::model(provider, model),
                span(*took)
            )
        }
        JournalEvent::AskFailed {
            ask,
            kind,
            detail,
            retry_in,
            input_tokens,
            output_tokens,
            ..
        } => {
            let mut next = match retry_in {
                Some(wait) => format!("it is tried again in {}", span(*wait)),
                None => "it is not tried again".into(),
            };
            if let (Some(read), Some(written)) = (input_tokens, output_tokens) {
                next = format!("{next}, and {} tokens were used all the same", read + written);
            }
            with_detail(
                &format!(
                    "The model did not answer, because {} (call {ask}); {next}.",
                    words::failure(*kind)
                ),
                detail,
            )
        }
        spent @ (JournalEvent::SpendingRefused { .. }
        | JournalEvent::ModelRestBegun { .. }
        | JournalEvent::ModelRestsLifted { .. }
        | JournalEvent::ReplyHeldUp { .. }) => spending::sentence(spent).unwrap_or_default(),
        JournalEvent::AskDiscarded { ask } => words::discarded(*ask),
        JournalEvent::AskCancelled { ask, why } => {
            with_detail(&format!("The model call {ask} was given up."), why.words())
        }
        JournalEvent::AnswerRepaired { ask, what } => with_detail(
            &format!("The answer of call {ask} was not in the agreed form and was put right."),
            what,
        ),
        JournalEvent::AddressClassified {
            confidence,
            threshold,
            addressed,
        } => format!(
            "The classifier was {} sure that it was meant for Denizen; {} is needed, so it {}.",
            percent(*confidence),
            percent(*threshold),
            if *addressed {
                "counts as addressed"
            } else {
                "does not count as addressed"
            }
        ),
        JournalEvent::ToolStarted { tool, .. } => format!("The model asked for the tool {tool}."),
        JournalEvent::ToolCompleted {
            tool,
            failed,
            characters,
            took,
            ..
        } => match failed {
            false => format!(
                "The tool {tool} gave {} in {}.",
                counted(*characters, "character"),
                span(*took)
            ),
            true => format!(
                "The tool {tool} failed after {}; the model was told so.",
                span(*took)
            ),
        },
        JournalEvent::ToolRefused { tool, why } => with_detail(
            &format!("The tool {tool} was not run, and the model was told so."),
            why,
        ),
        JournalEvent::DeliveryStarted {
            part,
            parts,
            characters,
            ..
        } => format!(
            "{} of {} is on its way into the room.",
            part_of(*part, *parts),
            counted(*characters, "character")
        ),
        JournalEvent::DeliveryFailed { detail, retry_in, .. } => {
            let next = match retry_in {
                Some(wait) => format!("it is tried again in {}", span(*wait)),
                None => "it is not tried again".into(),
            };
            with_detail(&format!("It could not be put into the room; {next}."), detail)
        }
        JournalEvent::SentReply {
            reply_to,
            part,
            parts,
            ..
        } => {
            format!(
                "{} was sent, in reply to message {reply_to}.",
                part_of(*part, *parts)
            )
        }
        JournalEvent::SentMessage { part, parts, .. } => {
            format!("{} was sent to the room.", part_of(*part, *parts))
        }
        folding @ (JournalEvent::CompactionSkipped { .. }
        | JournalEvent::ContextOutgrown { .. }
        | JournalEvent::CompactionStarted { .. }
        | JournalEvent::CompactionCompleted { .. }
        | JournalEvent::CompactionFailed { .. }
        | JournalEvent::SummarySuspected { .. }
        | JournalEvent::SummaryRecompacted { .. }
        | JournalEvent::SummaryTrimmed { .. }
        | JournalEvent::SummaryOutdone { .. }
        | JournalEvent::ContextTurnsDropped { .. }
        | JournalEvent::ContextNotesDropped { .. }
        | JournalEvent::ContextSessionEnded { .. }) => folding::sentence(folding).unwrap_or_default(),
        JournalEvent::CommandTaken { command } => words::command_taken(command),
        JournalEvent::CommandHeld { command, reason } => words::command_held(command, *reason),
        screen @ (JournalEvent::ShareStarted { .. }
        | JournalEvent::ShareEnded { .. }
        | JournalEvent::WatchStarted { .. }
        | JournalEvent::WatchEnded { .. }
        | JournalEvent::WatchTargetUnclear { .. }
        | JournalEvent::FrameRefused { .. }
        | JournalEvent::NoteStarted { .. }
        | JournalEvent::NoteTaken { .. }
        | JournalEvent::NoteFailed { .. }
        | JournalEvent::NotesEvicted { .. }
        | JournalEvent::CommentaryDeferred { .. }
        | JournalEvent::CommentaryStarted { .. }
        | JournalEvent::CommentarySkipped { .. }
        | JournalEvent::CommentaryWritten { .. }
        | JournalEvent::CommentarySpoken { .. }
        | JournalEvent::CommentaryUnheard { .. }
        | JournalEvent::CommentaryFailed { .. }
        | JournalEvent::FrameAttached { .. }) => screen::sentence(screen).unwrap_or_default(),
        service @ (JournalEvent::VoiceServiceChanged { .. }
        | JournalEvent::RealtimeReplyRequested { .. }
        | JournalEvent::RealtimeReplySkipped { .. }
        | JournalEvent::RealtimeReplyTruncated { .. }
        | JournalEvent::RealtimeReplyMarked { .. }
        | JournalEvent::RealtimeInstructed { .. }
        | JournalEvent::RealtimeConversationBegun { .. }
        | JournalEvent::RealtimeSpeakersOverlapped { .. }) => realtime::sentence(service).unwrap_or_default(),
        voice @ (JournalEvent::VoiceSessionRequested { .. }
        | JournalEvent::VoiceSessionDeclined { .. }
        | JournalEvent::VoiceSessionStarted { .. }
        | JournalEvent::VoiceHearingChanged { .. }
        | JournalEvent::VoiceEarsChanged { .. }
        | JournalEvent::VoiceSessionWarned { .. }
        | JournalEvent::VoiceSessionEnded { .. }
        | JournalEvent::VoicePersonJoined { .. }
        | JournalEvent::VoicePersonLeft { .. }
        | JournalEvent::VoiceListeningChosen { .. }
        | JournalEvent::VoiceSoundPlayed { .. }
        | JournalEvent::VoiceSoundFailed { .. }
        | JournalEvent::UtteranceHeard { .. }
        | JournalEvent::UtteranceMissed { .. }
        | JournalEvent::UtteranceIgnored { .. }
        | JournalEvent::VoiceTurnAddressing { .. }
        | JournalEvent::VoiceTurnOpened { .. }
        | JournalEvent::VoiceAnswerHeard { .. }
        | JournalEvent::VoiceTurnEnded { .. }
        | JournalEvent::ReplySpoken { .. }
        | JournalEvent::VoiceSpeechFailed { .. }
        | JournalEvent::VoiceSpeechPaid { .. }
        | JournalEvent::BargeInDecided { .. }
        | JournalEvent::VoiceGreetingStarted { .. }
        | JournalEvent::VoiceThoughtStarted { .. }
        | JournalEvent::VoiceThoughtEnded { .. }
        | JournalEvent::VoiceThoughtStopped { .. }
        | JournalEvent::VoiceThoughtInvalidated { .. }
        | JournalEvent::VoiceThoughtLetGo { .. }) => voice::sentence(voice).unwrap_or_default(),
        ambient @ (JournalEvent::AmbientTickDecided { .. }
        | JournalEvent::AmbientRunStarted { .. }
        | JournalEvent::AmbientChannelsUnknown { .. }
        | JournalEvent::AmbientRunGathered { .. }
        | JournalEvent::AmbientRunEnded { .. }
        | JournalEvent::InitiativePost { .. }
        | JournalEvent::InitiativeSkip { .. }
        | JournalEvent::AmbientMediaWanted { .. }
        | JournalEvent::AmbientMediaMade { .. }
        | JournalEvent::AmbientMediaFailed { .. }
        | JournalEvent::ReplyMediaWanted { .. }
        | JournalEvent::ReplyMediaMade { .. }
        | JournalEvent::ReplyMediaFailed { .. }
        | JournalEvent::AmbientOutcomeCounted { .. }
        | JournalEvent::AmbientSourceAdded { .. }
        | JournalEvent::AmbientSourceRemoved { .. }
        | JournalEvent::CapabilitiesChanged { .. }
        | JournalEvent::QuietBegun { .. }
        | JournalEvent::QuietEnded { .. }
        | JournalEvent::ReactionSent { .. }
        | JournalEvent::ReactionChanged { .. }) => ambient::sentence(ambient).unwrap_or_default(),
        memory @ (JournalEvent::MemoryExtractionStarted { .. }
        | JournalEvent::MemoryExtractionSkipped { .. }
        | JournalEvent::MemoryExtractionCompleted { .. }
        | JournalEvent::MemoryExtractionFailed { .. }
        | JournalEvent::MemoryExtractionDropped { .. }
        | JournalEvent::MemoryGemsStored { .. }
        | JournalEvent::MemoryStoringFailed { .. }
        | JournalEvent::MemoryForgotten { .. }) => memory::sentence(memory).unwrap_or_default(),
        JournalEvent::RoomEnded { because } => words::room_ended(*because).to_owned(),
        process @ (JournalEvent::StateSalvaged { .. }
        | JournalEvent::RequestRefused { .. }
        | JournalEvent::SettingsChanged { .. }
        | JournalEvent::ModelMoved { .. }
        | JournalEvent::Restarted { .. }
        | JournalEvent::CatalogueChanged { .. }
        | JournalEvent::ShutdownRequested { .. }) => process::sentence(process).unwrap_or_default(),
    }
}
