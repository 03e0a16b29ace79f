//! A room and the screens that are shared in it: what the watch needs to know of the room, and the room of the watch.

use settings::Settings;
use vocabulary::{AskOutcome, Glimpse, Message, Now, Share, ShareEnd, ShareId};

use super::room::TextRoom;
use super::turn::{Stage, Turn};
use crate::effect::Wake;
use crate::journal::{JournalEvent, Scope};
use crate::memory::gems::scrub::ScrubBrief;
use crate::parcel::{Errand, Parcel, Report};
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;
use crate::watch::commentary::FloorState;
use crate::watch::screen_question::asks_about_screen;
use crate::watch::view::WatchView;
use crate::watch::{Comment, FrameAttached, Scene};

impl TextRoom {
    pub fn share_started(&mut self, share: Share, step: &mut StepContext<'_>) {
        self.watch.share_started(share, step);
    }

    pub fn share_ended(&mut self, share: &ShareId, reason: ShareEnd, step: &mut StepContext<'_>) {
        self.watch.share_ended(&self.id, share, reason, step);
    }

    pub fn frame_arrived(&mut self, share: &ShareId, glimpse: Glimpse, step: &mut StepContext<'_>) {
        self.watch.frame_arrived(share, glimpse, step);
    }

    pub fn watch_chosen(&mut self, share: Option<&ShareId>, step: &mut StepContext<'_>) {
        self.watch.chosen(&self.id, share, step);
    }

    /// Something that was asked about a screen came back; what is worth saying is said.
    pub fn screen_ask_ended(&mut self, flight: &Flight, outcome: &AskOutcome, step: &mut StepContext<'_>) {
        let floor = self.surroundings(step.now(), step.settings);
        let comment = self.watch.ask_ended(&self.id, flight, outcome, &floor, step);
        if let Some(comment) = comment {
            self.say_comment(comment, step);
        }
    }

    fn say_comment(&mut self, comment: Comment, step: &mut StepContext<'_>) {
        let parcel = Parcel {
            errand: Errand::Comment,
            room: self.id.clone(),
            turn: comment.turn,
            ask: comment.ask,
            text: comment.text,
            reply_to: None,
            answered: None,
            attachments: Vec::new(),
            scope: Scope::room(&self.id).turn(comment.turn),
        };
        self.say(parcel, step);
    }

    /// A comment is in the room, as its last message; or the room did not take it, and it is too late to say it again.
    pub(super) fn comment_said(
        &mut self,
        report: &Report,
        last: Option<&Message>,
        step: &mut StepContext<'_>,
    ) {
        match (last, &report.lost) {
            (Some(message), None) => self.watch.comment_spoken(message, step),
            (_, lost) => {
                let detail = lost.as_deref().unwrap_or_default();
                self.watch.comment_lost(&self.id, detail, step);
            }
        }
    }

    /// Does what time has made due. Notes go by the screen alone; a comment looks at the room first.
    pub(super) fn advance_watch(&mut self, step: &mut StepContext<'_>) {
        self.watch.advance(&self.id, step);
        let surroundings = self.surroundings(step.now(), step.settings);
        if let Some(trigger) = self.watch.commentary_due(&self.id, &surroundings, step) {
            self.compaction.consider(step);
            let scene = Scene {
                summary: self.compaction.summary_shown(step.settings),
                window: self.compaction.window(step.settings),
            };
            self.watch.consider_commentary(&self.id, trigger, scene, step);
        }
        self.take_evicted_notes(step);
    }

    /// Notes that have left the rolling ones wait to be folded into the summary.
    pub(super) fn take_evicted_notes(&mut self, step: &mut StepContext<'_>) {
        for note in self.watch.take_evicted() {
            self.compaction.hold_note(&note.shared_by, &note.with_why(), step);
        }
    }

    pub(super) fn watch_wake(&self, settings: &Settings) -> Option<Wake> {
        let now = Now {
            moment: self.watch.gates_looked_at().unwrap_or_default(),
            ..Now::default()
        };
        self.watch.next_wake(&self.surroundings(now, settings), settings)
    }

    pub fn watch_view(&self, now: Now, settings: &Settings) -> WatchView {
        self.watch.view(now, &self.surroundings(now, settings), settings)
    }

    /// How the room is, as far as a comment has to mind.
    fn surroundings(&self, now: Now, settings: &Settings) -> FloorState {
        let delivering = |turn: &Turn| matches!(turn.stage, Stage::Delivering {});
        let replies = &settings.replies;
        let contains = |list: &[String]| list.iter().any(|entry| entry == self.id.as_str());
        let allowed = replies.allowed_channel_ids.is_empty() || contains(&replies.allowed_channel_ids);
        let activity = &settings.activity;
        FloorState {
            enabled: settings.stream_watch.autonomous_commentary_enabled,
            channel_allowed: allowed && !contains(&replies.blocked_channel_ids),
            hour_full: self.outbox.pace().hour_is_full(now.moment, activity),
            hour_full_until: self.outbox.pace().hour_full_until(activity),
            playback: self.outbox.is_sending(Errand::Reply) || self.outbox.is_sending(Errand::Comment),
            queued_work: !self.bursts.is_empty() || self.turn.as_ref().is_some_and(|turn| !delivering(turn)),
            last_heard: self.watch.last_heard(),
            typing_until: self.typing.until(),
            spaced_at: self.outbox.pace().next_allowed(activity),
        }
    }

    /// The current frame, where a turn is about the screen: somebody asks about it, or the model wanted to look.
    pub(super) fn frame_for(&self, turn: &mut Turn, step: &mut StepContext<'_>) -> Option<(Glimpse, String)> {
        let (glimpse, shared_by) = self
            .watch
            .in_view()
            .map(|(glimpse, name)| (glimpse, name.to_owned()))?;
        let asked = self
            .current(turn)
            .iter()
            .any(|message| asks_about_screen(&message.text, turn.address.triggered));
        let because = match (turn.looks_at_screen, asked) {
            (true, _) => FrameAttached::LookAtScreen,
            (false, true) => FrameAttached::ScreenQuestion,
            (false, false) => return None,
        };
        let event = JournalEvent::FrameAttached {
            frame: glimpse.frame,
            because,
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        Some((glimpse, shared_by))
    }

    /// Lets go of what was noted of somebody who is forgotten.
    pub(super) fn forget_seen(&mut self, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) {
        self.watch.forget(&self.id, brief, step);
    }
}
