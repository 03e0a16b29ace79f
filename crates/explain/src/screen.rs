//! What the lines about shared screens mean, in plain words.

use std::collections::BTreeMap;

use mind::journal::JournalEvent;
use mind::reasons::{
    CommentaryGate, CommentarySkip, CommentaryTrigger, FrameAttached, NoteHold, NoteOutcome, NoteTrigger,
    UnwatchCause, WatchCause,
};
use vocabulary::text::counted;
use vocabulary::{ShareEnd, ShareSource, Span};

use crate::words::{failure, model, span, with_detail};

/// The sentence for a line about a shared screen; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::ShareStarted {
            shared_by,
            source: by,
            shares,
            ..
        } => {
            let others = match shares {
                1 => String::new(),
                shares => format!(" Now {shares} people share."),
            };
            format!("{shared_by} shares a screen {}.{others}", source(*by))
        }
        JournalEvent::ShareEnded {
            reason,
            lasted,
            frames,
            ..
        } => {
            let seen = counted(usize::try_from(*frames).unwrap_or(usize::MAX), "frame");
            format!(
                "The share is over after {}: {}. Of it {seen} were seen.",
                span(*lasted),
                ended(*reason)
            )
        }
        JournalEvent::WatchStarted {
            shared_by, because, ..
        } => match because {
            WatchCause::OnlyOne => format!("{shared_by}'s screen is watched: nobody else shares one."),
            WatchCause::Chosen => format!("{shared_by}'s screen is watched: somebody chose it."),
        },
        JournalEvent::WatchEnded {
            because,
            lasted,
            notes,
            recap_characters,
            ..
        } => {
            let why = match because {
                UnwatchCause::ShareEnded => "the share is over",
                UnwatchCause::Retargeted => "somebody chose so",
                UnwatchCause::SharerBlocked => {
                    "whoever shares it is among permissions.replies.blockedUserIds"
                }
                UnwatchCause::SwitchedOff => "voice.streamWatch.enabled was switched off",
                UnwatchCause::Restarted => "the process ended",
            };
            let memory = match recap_characters {
                0 => "There was nothing to remember".to_owned(),
                length => format!(
                    "Its recap ({}) was offered to memory",
                    counted(*length, "character")
                ),
            };
            let notes = counted(usize::try_from(*notes).unwrap_or(usize::MAX), "note");
            format!(
                "The screen is not watched any more, after {}: {why}. {memory}; {notes} were taken.",
                span(*lasted)
            )
        }
        JournalEvent::WatchTargetUnclear { shares } => {
            format!(
                "{shares} people share a screen and nobody has said whose to watch, so none is: choose one on the watch page."
            )
        }
        JournalEvent::FrameRefused { detail, folded, .. } => {
            let more = match folded {
                0 => String::new(),
                folded => format!(" ({folded} more before it)"),
            };
            format!("A frame was refused{more}. {detail}")
        }
        JournalEvent::NoteStarted {
            trigger,
            score,
            ema,
            held,
            provider,
            model: name,
            ..
        } => {
            let why = looks_because(*trigger);
            let before = held_frames(held);
            format!(
                "{} was asked for a note, because {why} (score {score:.4}, smoothed {ema:.4}).{before}",
                model(provider, name)
            )
        }
        JournalEvent::NoteTaken {
            outcome,
            characters,
            took,
            ..
        } => match outcome {
            NoteOutcome::Added => format!(
                "A note of {} was taken in {}.",
                counted(*characters, "character"),
                span(*took)
            ),
            NoteOutcome::Refreshed => format!(
                "The note says what the newest one says, which holds still (after {}).",
                span(*took)
            ),
            NoteOutcome::NothingNew => format!(
                "The model saw nothing new, after {}; the newest note holds still.",
                span(*took)
            ),
        },
        JournalEvent::NoteFailed {
            error,
            detail,
            next_in,
            ..
        } => {
            let again = match next_in {
                Some(wait) => format!(" It is tried again in {}.", span(*wait)),
                None => String::new(),
            };
            format!(
                "{}{again}",
                with_detail(
                    &format!("No note was taken, because {}.", failure(*error)),
                    detail
                )
            )
        }
        JournalEvent::NotesEvicted {
            notes,
            to_be_folded: false,
            ..
        } => {
            format!(
                "{} left: no summary is kept here that they could be folded into (context.compaction.textChannels).",
                counted(*notes, "note")
            )
        }
        JournalEvent::NotesEvicted { notes, .. } => {
            format!(
                "{} made room for newer ones, to be folded into the summary.",
                counted(*notes, "note")
            )
        }
        JournalEvent::CommentaryDeferred { trigger, gate } => {
            format!(
                "A comment would be due because {}; it waits, because {}.",
                comments_because(*trigger),
                shut_because(*gate)
            )
        }
        JournalEvent::CommentaryStarted {
            trigger,
            waited,
            held,
            provider,
            model: name,
            ..
        } => {
            let before = self::waited(*waited, held);
            format!(
                "{} was asked whether something is worth saying about the screen, because {}.{before}",
                model(provider, name),
                comments_because(*trigger)
            )
        }
        JournalEvent::CommentarySkipped { reason, detail, .. } => {
            let why = match reason {
                CommentarySkip::LlmSkip => "It had nothing to say about the screen.",
                CommentarySkip::RoomMovedOn => "The moment for a comment had passed.",
                CommentarySkip::SwitchedOff => "Commentary was switched off meanwhile.",
                CommentarySkip::RepeatsItself => "It had said the same a few minutes before.",
            };
            with_detail(why, detail)
        }
        JournalEvent::CommentaryWritten { characters, took, .. } => {
            format!(
                "It comments on the screen, in {} written in {}.",
                counted(*characters, "character"),
                span(*took)
            )
        }
        JournalEvent::CommentarySpoken { .. } => "The comment is in the room.".to_owned(),
        JournalEvent::CommentaryUnheard { .. } => {
            "Nobody heard a word of the comment; the moment for it has passed.".to_owned()
        }
        JournalEvent::CommentaryFailed { error, detail, .. } => with_detail(
            &format!("No comment came of it, because {}.", failure(*error)),
            detail,
        ),
        JournalEvent::FrameAttached { because, .. } => match because {
            FrameAttached::ScreenQuestion => {
                "Somebody asks about the screen, so the reply sees its current picture.".to_owned()
            }
            FrameAttached::LookAtScreen => {
                "The model wanted to look at the screen, so it sees its current picture.".to_owned()
            }
        },
        _ => return None,
    })
}

fn source(source: ShareSource) -> &'static str {
    match source {
        ShareSource::SharePage => "from the share page",
        ShareSource::Whip => "as a video stream",
        ShareSource::FrameApi => "through the frame API",
        ShareSource::File => "from a file",
    }
}

fn ended(reason: ShareEnd) -> &'static str {
    match reason {
        ShareEnd::Stopped => "whoever shared stopped it",
        ShareEnd::Lost => "nothing came any more",
        ShareEnd::SharerLeft => "whoever shared has left",
        ShareEnd::EndedByOperator => "an operator ended it",
        ShareEnd::AccessEnded => "what whoever shared came in with was taken back, or is over",
        ShareEnd::Restarted => "the process ended, and a link does not outlive it",
        ShareEnd::RoomEnded => "the room is gone",
    }
}

fn looks_because(trigger: NoteTrigger) -> &'static str {
    match trigger {
        NoteTrigger::FirstFrame => "it sees this screen for the first time",
        NoteTrigger::SceneCut => "the whole screen became another",
        NoteTrigger::Change => "much changed",
        NoteTrigger::Interval => "the screen is moving and the last note is old",
        NoteTrigger::IdleInterval => "the last note is very old, although little moves",
        NoteTrigger::Commentary => "a comment was considered",
    }
}

pub(super) fn comments_because(trigger: CommentaryTrigger) -> &'static str {
    match trigger {
        CommentaryTrigger::ShareStart => "a screen is seen for the first time",
        CommentaryTrigger::ChangeDetected => "much changed on the screen",
        CommentaryTrigger::Interval => "something new was seen since it last considered one",
    }
}

fn shut_because(gate: CommentaryGate) -> &'static str {
    match gate {
        CommentaryGate::CommentaryOff => "voice.streamWatch.autonomousCommentaryEnabled is false",
        CommentaryGate::ChannelNotAllowed => "it may not write in this channel",
        CommentaryGate::HourlyCap => "it has written as often as activity.maxMessagesPerHour allows",
        CommentaryGate::CallCap => {
            "as many comments were considered as voice.streamWatch.maxCallsPerHour allows"
        }
        CommentaryGate::Playback => "a message of its own is on its way",
        CommentaryGate::QueuedWork => "somebody waits for a reply",
        CommentaryGate::QuietWindow => "somebody spoke or typed a moment ago",
        CommentaryGate::Spacing => "it wrote a moment ago",
    }
}

/// The frames before this one that led to no note.
fn held_frames(held: &BTreeMap<NoteHold, u64>) -> String {
    if held.is_empty() {
        return String::new();
    }
    let phrases: Vec<String> = held
        .iter()
        .map(|(hold, frames)| format!("{frames} {}", held_because(*hold)))
        .collect();
    format!(" Frames before it that led to no note: {}.", phrases.join(", "))
}

fn held_because(hold: NoteHold) -> &'static str {
    match hold {
        NoteHold::NoFrame => "before anything was seen",
        NoteHold::InFlight => "while a note was being taken",
        NoteHold::Cooldown => "within the cooldown",
        NoteHold::Interval => "within the interval",
        NoteHold::IdleInterval => "within the idle interval",
        NoteHold::BudgetSpent => "while nothing could be spent on it",
        NoteHold::Frozen => "on which nothing at all had changed",
        NoteHold::HourlyCap => "beyond voice.streamWatch.maxCallsPerHour",
    }
}

/// How long a comment had to wait, and for what; nothing where it had not.
pub(super) fn waited(waited: Span, held: &BTreeMap<CommentaryGate, Span>) -> String {
    if waited == Span::ZERO {
        return String::new();
    }
    format!(" It had waited {}{}.", span(waited), held_gates(held))
}

fn held_gates(held: &BTreeMap<CommentaryGate, Span>) -> String {
    let longest = held.iter().max_by_key(|(_, length)| **length);
    longest.map_or_else(String::new, |(gate, length)| {
        format!(", {} of it because {}", span(*length), shut_because(*gate))
    })
}
