//! What stands word for word is in the prompt, all of it, or the prompt says how much of it is not.

use mind::{Effect, JournalEvent};
use vocabulary::{AskPurpose, SectionFate};

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    for step in &trace.steps {
        for effect in &step.effects {
            let Effect::Ask(asking) = effect else { continue };
            let is_reply = matches!(
                asking.request.purpose,
                AskPurpose::TextReply
                    | AskPurpose::TextReplyFollowup
                    | AskPurpose::VoiceReply
                    | AskPurpose::VoiceReplyFollowup
                    | AskPurpose::VoiceThought
            );
            // The session is as it is after the step: what was folded in it still stood in the prompt.
            let folds = step.journal().any(|entry| {
                matches!(entry.event, JournalEvent::CompactionCompleted { .. })
                    && entry.scope.room.as_ref() == Some(&asking.room)
            });
            if folds {
                continue;
            }
            let session = step.sessions.iter().find(|session| session.room == asking.room);
            let Some(session) = session.filter(|session| is_reply && session.folds) else {
                continue;
            };
            let mut sections = asking.request.sections.iter();
            let Some(recent) = sections.find(|section| section.name == "recent_messages") else {
                continue;
            };
            // Further lines of a message are indented.
            let shown = recent.text.lines().filter(|line| !line.starts_with("  ")).count();
            let whole = matches!(recent.fate, SectionFate::Kept | SectionFate::Empty);
            if whole && shown != session.verbatim.len() {
                let what = format!(
                    "{}: ask {} shows {shown} turns of {}, and does not say so",
                    asking.room,
                    asking.ask,
                    session.verbatim.len()
                );
                report.add("prompts_hold_the_whole_window", step.now.moment, what);
            }
        }
    }
}
