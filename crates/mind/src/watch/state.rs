//! A room's watch, put together of its parts: the screens, the note-taker, the commentator, and what is counted.

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskOutcome, AskPurpose, Glimpse, Message, Moment, Now, RoomId, Share, ShareEnd, ShareId, TurnId, WallTime,
};

use super::commentary::{CommentaryTrigger, FloorState};
use super::commentator::{Comment, Commentator, Considered, Hearing, Scene, Sight};
use super::note::{NoteTrigger, ScreenNote};
use super::note_taker::NoteTaker;
use super::prompt::age;
use super::reading::read_commentary;
use super::screens::{Screens, Turn};
use super::tally::Tally;
use super::view::{MarkKind, WatchView};
use crate::effect::{Effect, RoomWish, Wake};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::speaker;
use crate::reasons::{CancelReason, UnwatchCause, WatchCause};
use crate::reply::whole_words;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, cancel};

/// What is watched in one room, and what was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Watch {
    screens: Screens,
    note_taker: NoteTaker,
    commentator: Commentator,
    tally: Tally,
    /// The screen that was seen last, while none is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<Over>,
}

/// A screen that is not in view any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Over {
    shared_by: String,
    at: WallTime,
    /// The share is over; else it is only not watched.
    ended: bool,
}

impl Watch {
    pub fn share_started(&mut self, share: Share, step: &mut StepContext<'_>) {
        let room = share.room.clone();
        if self.screens.begin(share, step) {
            self.settle(&room, step);
        }
    }

    pub fn share_ended(&mut self, room: &RoomId, id: &ShareId, reason: ShareEnd, step: &mut StepContext<'_>) {
        if self.screens.is_watched(id) {
            let cause = match reason {
                ShareEnd::Restarted => UnwatchCause::Restarted,
                _ => UnwatchCause::ShareEnded,
            };
            self.unwatch(room, cause, step);
        }
        self.screens.end(room, id, reason, step);
        self.settle(room, step);
    }

    /// Somebody chose whose screen is watched.
    pub fn chosen(&mut self, room: &RoomId, id: Option<&ShareId>, step: &mut StepContext<'_>) {
        if !self.screens.choose(id, step.settings) {
            return;
        }
        if self.screens.watched_share() != id {
            self.unwatch(room, UnwatchCause::Retargeted, step);
        }
        if let Some(id) = id.filter(|_| step.settings.stream_watch.enabled) {
            self.watch(room, id, WatchCause::Chosen, step);
        }
    }

    /// The process is back; a link does not outlive it, and what was asked and said is lost.
    pub fn restarted(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.note_taker.give_up();
        self.commentator.restarted();
        self.end_shares(room, ShareEnd::Restarted, step);
    }

    /// The room is gone, and with it every screen that was shared there.
    pub fn room_ended(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.end_shares(room, ShareEnd::RoomEnded, step);
    }

    fn end_shares(&mut self, room: &RoomId, reason: ShareEnd, step: &mut StepContext<'_>) {
        for share in self.screens.outlived() {
            self.share_ended(room, &share, reason, step);
        }
        self.screens.anybody_again();
    }

    /// Whether a screen is shared here, watched or not.
    pub fn has_shares(&self) -> bool {
        !self.screens.is_empty()
    }

    /// Brings what is watched in line with who shares and with the settings.
    fn settle(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        match self.screens.turn_to(room, step) {
            Turn::Stay => {}
            Turn::Watch(id, because) => self.watch(room, &id, because, step),
            Turn::Unwatch(because) => self.unwatch(room, because, step),
        }
    }

    fn watch(&mut self, room: &RoomId, id: &ShareId, because: WatchCause, step: &mut StepContext<'_>) {
        if let Some(shared_by) = self.screens.watch(room, id, because, step) {
            let kind = MarkKind::WatchStarted;
            self.tally.mark_event(step.now(), kind, None, &shared_by);
            self.over = None;
            self.note_taker.begin_watch();
            self.commentator.begin_watch();
        }
    }

    /// Stops watching: what is under way belongs to the watch that ends, and its recap is offered to memory.
    fn unwatch(&mut self, room: &RoomId, because: UnwatchCause, step: &mut StepContext<'_>) {
        let Some(watched) = self.screens.unwatch() else {
            return;
        };
        self.give_up(room, CancelReason::Unwatched, step);
        self.over = Some(Over {
            shared_by: watched.shared_by.clone(),
            at: step.now().wall,
            ended: matches!(because, UnwatchCause::ShareEnded | UnwatchCause::Restarted),
        });
        let lasted = step.took(watched.since);
        let (notes, recap) = self.note_taker.end_watch(&watched.shared_by, lasted);
        let event = JournalEvent::WatchEnded {
            share: watched.share,
            generation: self.screens.generation(),
            because,
            lasted,
            notes,
            recap_characters: recap.as_ref().map_or(0, |text| text.chars().count()),
        };
        step.ledger.write(Scope::room(room), event);
        let wish = RoomWish::UnwatchScreen;
        step.ledger.want(Effect::Room(room.clone(), wish));
        let kind = MarkKind::WatchEnded;
        self.tally.mark_event(step.now(), kind, None, &watched.shared_by);
        if let Some(text) = recap {
            step.ledger.want(Effect::OfferToMemory {
                room: room.clone(),
                text,
                seen_with: Some(watched.shared_by),
            });
        }
    }

    /// Nobody waits for what was asked any more.
    fn give_up(&mut self, room: &RoomId, why: CancelReason, step: &mut StepContext<'_>) {
        let asks = [self.note_taker.give_up(), self.commentator.give_up()];
        for ask in asks.into_iter().flatten() {
            cancel(ask, why, Scope::room(room), step);
        }
    }

    pub fn frame_arrived(&mut self, share: &ShareId, glimpse: Glimpse, step: &mut StepContext<'_>) {
        if self.screens.see(share, glimpse, step.now())
            && let Some(screen) = self.screens.screen()
        {
            let judged = self.note_taker.see(screen, &glimpse, step);
            self.commentator.saw(step.moment(), &glimpse.change, judged);
        }
    }

    /// Does what time has made due, comments aside.
    pub fn advance(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.settle(room, step);
        self.note_taker.advance(room, self.screens.screen(), step);
    }

    /// Something that was asked about a screen came back; what is to be said in the room.
    pub fn ask_ended(
        &mut self,
        room: &RoomId,
        flight: &Flight,
        outcome: &AskOutcome,
        hearing: &Hearing<'_>,
        step: &mut StepContext<'_>,
    ) -> Option<Comment> {
        flight.closed(outcome, step);
        if flight.purpose == AskPurpose::ScreenNote {
            let (screen, landed) = (self.screens.screen(), (flight.ask, outcome));
            let tally = &mut self.tally;
            if let Some(frame) = self.note_taker.ask_ended(room, landed, screen, tally, step) {
                self.commentator.saw_note(frame);
            }
            return None;
        }
        let run = self.commentator.landed(flight.ask)?;
        let answer = match outcome {
            AskOutcome::Failed(failure) => {
                self.commentator
                    .failed(room, &run, failure, &mut self.tally, step);
                return None;
            }
            AskOutcome::Answered(answer) => answer,
        };
        let mut reading = read_commentary(whole_words(answer), &step.settings.identity.name);
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask: flight.ask,
                what: what.to_owned(),
            };
            step.ledger.write(flight.scope.clone(), event);
        }
        // What a comment noted itself is no reason to consider another one.
        let noted = std::mem::take(&mut reading.notes);
        let notes = noted.len();
        let shared_by = self.screens.screen().map_or("", |screen| screen.shared_by);
        for note in noted {
            self.note_taker
                .keep(shared_by, note, NoteTrigger::Commentary, step);
        }
        self.note_taker.evict(&step.settings.stream_watch);
        let considered = Considered {
            run,
            answer,
            reading,
            notes,
        };
        self.commentator
            .answered(room, considered, hearing, &mut self.tally, step)
    }

    /// What is to be considered now, if the gates are open.
    pub fn commentary_due(
        &mut self,
        room: &RoomId,
        floor: &FloorState,
        step: &mut StepContext<'_>,
    ) -> Option<CommentaryTrigger> {
        let has_frame = self.in_view().is_some();
        self.commentator
            .due(room, has_frame, floor, &mut self.tally, step)
    }

    /// Asks whether something is worth saying.
    pub fn consider_commentary(
        &mut self,
        room: &RoomId,
        trigger: CommentaryTrigger,
        scene: Scene<'_>,
        step: &mut StepContext<'_>,
    ) {
        if let Some(screen) = self.screens.screen()
            && let Some(glimpse) = screen.newest
        {
            let sight = Sight {
                shared_by: screen.shared_by,
                glimpse,
                notes: self.note_taker.notes().collect(),
            };
            self.commentator
                .consider(room, trigger, sight, scene, &mut self.tally, step);
        }
    }

    /// The comment is in the room.
    pub fn comment_spoken(&mut self, message: &Message, step: &mut StepContext<'_>) {
        self.commentator.spoken(message, &mut self.tally, step);
    }

    /// Whose screen is watched.
    pub fn shared_by(&self) -> Option<&str> {
        self.screens.screen().map(|screen| screen.shared_by)
    }

    /// The turn of a comment that is being said aloud.
    pub fn comment_aloud(&self) -> Option<TurnId> {
        self.commentator.aloud()
    }

    /// Nobody heard a word of it.
    pub fn comment_unheard(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.commentator.unheard(room, &mut self.tally, step);
    }

    /// The room did not take the comment.
    pub fn comment_lost(&mut self, room: &RoomId, detail: &str, step: &mut StepContext<'_>) {
        self.commentator.lost(room, detail, &mut self.tally, step);
    }

    /// The conversation is over: what was noted belongs to it.
    pub fn session_ended(&mut self) {
        self.note_taker.session_ended();
    }

    /// The notes, oldest first.
    pub fn notes(&self) -> impl Iterator<Item = &ScreenNote> {
        self.note_taker.notes()
    }

    /// Notes that have left the rolling ones since the last time somebody asked.
    pub fn take_evicted(&mut self) -> Vec<ScreenNote> {
        self.note_taker.take_evicted()
    }

    /// The frame that can be looked at now, and whose screen it is.
    pub fn in_view(&self) -> Option<(Glimpse, &str)> {
        let screen = self.screens.screen()?;
        Some((screen.newest?, screen.shared_by))
    }

    /// That what was noted is of a screen that is not in view any more, in words; none while one is watched.
    pub fn over(&self, now: WallTime) -> Option<String> {
        let over = self.over.as_ref()?;
        let ago = age(now.0.saturating_sub(over.at.0).max(0).unsigned_abs());
        let name = speaker(&over.shared_by);
        Some(match over.ended {
            true => format!("{name} stopped sharing {ago} ago, and you see no screen now."),
            false => format!("You stopped watching {name}'s screen {ago} ago, and see no screen now."),
        })
    }

    /// Lets go of what was noted of somebody, or retells what they said. A question under way may hold it.
    pub fn forget(&mut self, room: &RoomId, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) {
        self.give_up(room, CancelReason::Forgotten, step);
        let is_wanted = |text: &str| scrub_summary(text, brief).is_none();
        let is_theirs = |name: &str| brief.names.iter().any(|forgotten| forgotten == name);
        let keeps = |note: &ScreenNote| !is_theirs(&note.shared_by) && is_wanted(&note.with_why());
        self.over.take_if(|over| is_theirs(&over.shared_by));
        let screen = self.screens.screen();
        let theirs = screen.is_some_and(|screen| is_theirs(screen.shared_by));
        self.note_taker.forget(keeps, |line| !theirs && is_wanted(line));
        // A mark does not say whose screen it is of.
        let names_nobody = brief.names.is_empty();
        self.tally.retain_marks(|text| names_nobody && is_wanted(text));
    }

    pub fn next_wake(&self, floor: &FloorState, settings: &Settings) -> Option<Wake> {
        let watch = &settings.stream_watch;
        let note = self.note_taker.next_wake(self.screens.screen(), watch);
        let has_frame = self.in_view().is_some();
        let comment = self.commentator.next_wake(has_frame, floor, watch);
        note.into_iter().chain(comment).min()
    }

    /// When the gates were last looked at, while something waits for them.
    pub fn gates_looked_at(&self) -> Option<Moment> {
        self.commentator.gates_looked_at()
    }

    /// As its page shows it.
    pub fn view(&self, now: Now, floor: &FloorState, settings: &Settings) -> WatchView {
        let watch = &settings.stream_watch;
        let screen = self.screens.screen();
        let has_frame = self.in_view().is_some();
        let watched_for = self.screens.watched_since().map(|since| now.moment.since(since));
        WatchView {
            enabled: watch.enabled,
            shares: self.screens.view(),
            watched: self.screens.watched_share().cloned(),
            generation: self.screens.generation(),
            newest: self.screens.newest(),
            activity: self.note_taker.activity(),
            threshold_mode: watch.threshold_mode.to_string(),
            thresholds: self.note_taker.thresholds(watch),
            notes: self.note_taker.notes().cloned().collect(),
            note_taker: self.note_taker.view(now.moment, screen, watch),
            commentary: self.commentator.view(now.moment, has_frame, floor, watch),
            calls: self.tally.calls(now.moment, watched_for),
            marks: self.tally.marks(now.moment),
        }
    }
}
