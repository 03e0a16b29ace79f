//! Runs that fold: each ends once and in time, succeeds only with something done, keeps nobody waiting, and its
//! summary stays short.

use std::collections::BTreeMap;

use mind::context::compaction::{CompactionSkip, SUMMARY_CHARS_MAX};
use mind::reply::SkipReason;
use mind::{Answer, Effect, Input, JournalEvent, RoomEvent, ShellEvent};
use settings::Settings;
use vocabulary::{AskId, AskPurpose, Moment, RoomId, Span};

use super::Report;
use crate::trace::{Stepped, Trace};

/// Three questions, each with its time: the first, one because it invented, one because it was too long.
fn longest_run(settings: &Settings) -> Span {
    Span::seconds(3 * settings.compaction.timeout_seconds)
}

#[derive(Debug, Default)]
struct Room {
    /// When the run under way was begun.
    open: Option<Moment>,
    /// It was said to fall back on the offline summariser.
    falls_back: bool,
    /// The newest line about compaction, if it is a first skip.
    skipped: Option<CompactionSkip>,
    asks: Vec<AskId>,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut rooms: BTreeMap<RoomId, Room> = BTreeMap::new();
    for step in &trace.steps {
        let at = step.now.moment;
        for sketch in &step.sessions {
            if sketch.summary_chars > SUMMARY_CHARS_MAX {
                let what = format!("{}: {} characters", sketch.room, sketch.summary_chars);
                report.add("summary_capped", at, what);
            }
        }
        keeps_nobody_waiting(step, &rooms, report);
        offers_what_it_says(step, report);
        for effect in &step.effects {
            match effect {
                Effect::Ask(asking) if asking.request.purpose == AskPurpose::ContextCompaction => {
                    let room = rooms.entry(asking.room.clone()).or_default();
                    room.asks.push(asking.ask);
                }
                Effect::Journal(entry) => {
                    if let Some(room) = &entry.scope.room {
                        let state = rooms.entry(room.clone()).or_default();
                        state.line(&entry.event, room, at, report);
                    }
                }
                _ => {}
            }
        }
        for (name, room) in &mut rooms {
            if std::mem::take(&mut room.falls_back) {
                let what = format!("{name}: it was to be written without a model, and was not");
                report.add("runs_end_once", at, what);
            }
            // While the process is down, no time is counted.
            let restarted = matches!(step.input, Input::Shell(ShellEvent::Restarted { .. }));
            if room
                .open
                .is_some_and(|since| at.since(since) > longest_run(&step.settings))
                && !restarted
            {
                report.add(
                    "runs_end_in_time",
                    at,
                    format!("{name}: a run is still under way"),
                );
                room.open = None;
            }
        }
    }
    for (name, room) in &rooms {
        if let Some(since) = room.open {
            report.add("runs_end_once", since, format!("{name}: this run never ended"));
        }
    }
}

impl Room {
    fn line(&mut self, event: &JournalEvent, name: &RoomId, at: Moment, report: &mut Report) {
        let skipped = self.skipped.take();
        match event {
            JournalEvent::CompactionSkipped { reason, repeated, .. } => {
                if skipped == Some(*reason) && *repeated == 0 {
                    report.add("skips_folded", at, format!("{name}: {reason:?} twice in a row"));
                }
                self.skipped = (*repeated == 0).then_some(*reason);
            }
            JournalEvent::CompactionStarted { .. } => {
                if self.open.replace(at).is_some() {
                    let what = format!("{name}: a run is begun while another is under way");
                    report.add("runs_end_once", at, what);
                }
            }
            JournalEvent::CompactionCompleted {
                old_cursor,
                cursor,
                folded_note_count,
                summary_chars,
                ..
            } => {
                self.falls_back = false;
                self.ends("completed", name, at, report);
                if cursor <= old_cursor && *folded_note_count == 0 {
                    report.add(
                        "success_means_progress",
                        at,
                        format!("{name}: nothing was folded"),
                    );
                }
                if *summary_chars > SUMMARY_CHARS_MAX {
                    report.add(
                        "summary_capped",
                        at,
                        format!("{name}: {summary_chars} characters"),
                    );
                }
            }
            JournalEvent::CompactionFailed { falls_back: true, .. } => self.falls_back = true,
            JournalEvent::CompactionFailed { .. } => self.ends("failed", name, at, report),
            JournalEvent::ContextTurnsDropped { .. }
            | JournalEvent::ContextSessionEnded { .. }
            | JournalEvent::ContextNotesDropped { .. } => {}
            // Lines about anything else do not come between two skips.
            _ => self.skipped = skipped,
        }
    }

    fn ends(&mut self, how: &str, name: &RoomId, at: Moment, report: &mut Report) {
        if self.open.take().is_none() {
            report.add(
                "runs_end_once",
                at,
                format!("{name}: {how}, and none was under way"),
            );
        }
    }
}

/// A run is begun beside a reply that is asked for in the same step, or on an occasion that no reply waits for: a note,
/// a message too many, the end of the run before it.
fn keeps_nobody_waiting(step: &Stepped, rooms: &BTreeMap<RoomId, Room>, report: &mut Report) {
    let begun = step.journal().filter_map(|entry| match &entry.event {
        JournalEvent::CompactionStarted { .. } => entry.scope.room.as_ref(),
        _ => None,
    });
    for room in begun {
        // A comment on a screen is a prompt like a reply.
        let replies = |effect: &Effect| {
            matches!(effect, Effect::Ask(asking) if asking.room == *room
            && matches!(
                asking.request.purpose,
                AskPurpose::TextReply
                    | AskPurpose::TextReplyFollowup
                    | AskPurpose::ScreenCommentary
                    | AskPurpose::VoiceReply
                    | AskPurpose::VoiceReplyFollowup
                    | AskPurpose::VoiceThought
            ))
        };
        let follows_a_run = match &step.input {
            Input::Answer(Answer::AskEnded { ask, .. }) => {
                rooms.get(room).is_some_and(|room| room.asks.contains(ask))
            }
            Input::Shell(ShellEvent::WakeReached) | Input::Shell(ShellEvent::Restarted { .. }) => {
                let ends = |event: &JournalEvent| matches!(event, JournalEvent::CompactionCompleted { .. });
                step.journal().any(|entry| ends(&entry.event))
            }
            _ => false,
        };
        let outgrown = step.journal().any(|entry| {
            entry.scope.room.as_ref() == Some(room)
                && matches!(entry.event, JournalEvent::ContextOutgrown { .. })
        });
        let by_note = matches!(&step.input, Input::Room(of, RoomEvent::NoteTaken { .. }) if of == room)
            || step.journal().any(|entry| {
                entry.scope.room.as_ref() == Some(room)
                    && matches!(entry.event, JournalEvent::NotesEvicted { .. })
            });
        // The reply is over and waits for nothing: its model is left alone, or its prompt cannot be made shorter. That was
        // found out after the run was begun.
        let is_over = step.journal().any(|entry| {
            let is_skipped = matches!(
                entry.event,
                JournalEvent::ReplySkipped {
                    reason: SkipReason::ModelResting | SkipReason::ModelFailed,
                    ..
                }
            );
            entry.scope.room.as_ref() == Some(room) && is_skipped
        });
        let has_occasion = follows_a_run || by_note || outgrown || is_over;
        if !step.effects.iter().any(replies) && !has_occasion {
            let what = format!("{room}: a run is begun, and the reply it was begun for is not asked for");
            report.add("replies_never_wait_for_folding", step.now.moment, what);
        }
    }
}

/// What a session's end says was offered to memory was offered.
fn offers_what_it_says(step: &Stepped, report: &mut Report) {
    let said = step.journal().filter_map(|entry| match &entry.event {
        JournalEvent::ContextSessionEnded { offered_chars, .. } => Some(*offered_chars),
        JournalEvent::WatchEnded { recap_characters, .. } => Some(*recap_characters),
        _ => None,
    });
    let said: usize = said.sum();
    let offered = step.effects.iter().filter_map(|effect| match effect {
        Effect::OfferToMemory { text, .. } => Some(text.chars().count()),
        _ => None,
    });
    let offered: usize = offered.sum();
    if said != offered {
        let what = format!("{offered} characters were offered to memory, and the journal says {said}");
        report.add("summary_offered_at_the_end", step.now.moment, what);
    }
}
