//! The note-taker: it looks at the frames, asks for a note when it is time, and keeps what comes back.

mod landing;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{AskId, FrameId, Glimpse, JournalSeq, Moment, RoomId, Span};

use super::activity::{Activity, Judged, Thresholds};
use super::allowance::{Allowance, CallKind};
use super::attention::Attention;
use super::note::{Kept, NewNote, NoteTrigger, RollingNotes, ScreenNote};
use super::note_cadence::{NoteDecision, NoteHold, NoteQuestion, decide};
use super::prompt::{NoteBrief, note_request};
use super::recap::Recap;
use super::screens::Screen;
use super::view::{AskingView, NoteTakerView};
use crate::effect::{Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{Owner, Question, launch_as};

/// What was noted in a room, and the note that is being taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteTaker {
    /// What is kept of the screen that is watched; anew with each watch.
    #[serde(default)]
    look: Look,
    notes: RollingNotes,
    /// Notes that have left the rolling ones, and that the session is to be told of.
    evicted: Vec<ScreenNote>,
    last_attempt: Option<Moment>,
    /// Attempts in a row that failed, and what the newest one said.
    failures: u64,
    last_failure: Option<String>,
    #[serde(default)]
    allowance: Allowance,
    run: Option<NoteRun>,
    /// No model may be asked before then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unpaid_until: Option<Moment>,
}

/// One screen, as far as notes on it go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Look {
    attention: Attention,
    /// The frame that the newest note describes.
    described: Option<FrameId>,
    /// Frames that led to no note since the last attempt, by why.
    held: BTreeMap<NoteHold, u64>,
    recap: Recap,
}

/// A note that is being taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NoteRun {
    ask: AskId,
    frame: FrameId,
    trigger: NoteTrigger,
    /// The line that says why it is taken.
    cause: JournalSeq,
    started: Moment,
}

impl NoteTaker {
    /// Another screen is watched from now on.
    pub fn begin_watch(&mut self) {
        self.look = Look::default();
    }

    /// The watch is over: how many notes there were, and what was seen.
    pub fn end_watch(&mut self, shared_by: &str, lasted: Span) -> (u64, Option<String>) {
        let recap = std::mem::take(&mut self.look).recap;
        (recap.notes, recap.text(shared_by, lasted))
    }

    /// A frame of the watched screen came.
    pub fn see(&mut self, screen: Screen<'_>, glimpse: &Glimpse, step: &StepContext<'_>) -> Judged {
        let settings = &step.settings.stream_watch;
        let judged = self.look.attention.see(step.moment(), &glimpse.change, settings);
        if let Some(NoteDecision::Hold { reason, .. }) = self.decide(step.moment(), Some(screen), settings) {
            *self.look.held.entry(reason).or_default() += 1;
        }
        judged
    }

    /// What it decides now; none while nothing is watched.
    pub fn decide(
        &self,
        now: Moment,
        screen: Option<Screen<'_>>,
        settings: &StreamWatchSettings,
    ) -> Option<NoteDecision> {
        let newest = screen?.newest;
        let attention = &self.look.attention;
        let question = NoteQuestion {
            now,
            fresh_frame: newest.is_some_and(|glimpse| Some(glimpse.frame) != self.look.described),
            urgent: attention.urgent(),
            activity: attention.activity().unwrap_or(Activity::Static),
            frozen: attention.is_frozen(),
            last_attempt: self.last_attempt,
            in_flight: self.run.is_some(),
            failures: self.failures,
            unpaid_until: self.unpaid_until,
            allowed_at: self.allowance.next(CallKind::Note, settings),
        };
        Some(decide(&question, settings))
    }

    /// Takes a note if it is time.
    pub fn advance(&mut self, room: &RoomId, screen: Option<Screen<'_>>, step: &mut StepContext<'_>) {
        let settings = &step.settings.stream_watch;
        if let Some(NoteDecision::Take(trigger)) = self.decide(step.moment(), screen, settings)
            && let Some(screen) = screen
        {
            self.take_note(room, trigger, screen, step);
        }
    }

    fn take_note(
        &mut self,
        room: &RoomId,
        trigger: NoteTrigger,
        screen: Screen<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut glimpse) = screen.newest else { return };
        let now = step.moment();
        let attention = &mut self.look.attention;
        // What is looked at is the newest frame; what it is looked at for is the greatest change that led to it.
        (glimpse.change.score, glimpse.change.region) = attention.moved();
        let request = note_request(&NoteBrief {
            shared_by: screen.shared_by,
            glimpse: &glimpse,
            activity: attention.activity().unwrap_or(Activity::Static),
            trigger,
            notes: self.notes.iter().collect(),
            now: step.now().wall,
            settings: step.settings,
        });
        self.unpaid_until = None;
        let fare = match step.afford(&request, Scope::room(room)) {
            Ok(fare) => fare,
            Err(why) => {
                self.unpaid_until = Some(why.until());
                return;
            }
        };
        let ask = step.counters.ask.take_next();
        let thresholds = attention.thresholds(&step.settings.stream_watch);
        let event = JournalEvent::NoteStarted {
            ask,
            frame: glimpse.frame,
            trigger,
            score: glimpse.change.score,
            ema: glimpse.change.ema,
            scene_cut: glimpse.change.scene_cut,
            change_threshold: thresholds.change,
            static_floor: thresholds.static_floor,
            since_last: self.last_attempt.map(|last| now.since(last)),
            held: std::mem::take(&mut self.look.held),
            provider: request.choice.provider.clone(),
            model: request.choice.model.clone(),
        };
        let cause = step.ledger.write(Scope::room(room), event);
        attention.attempted();
        self.last_attempt = Some(now);
        self.allowance
            .spend(now, CallKind::Note, &step.settings.stream_watch);
        self.run = Some(NoteRun {
            ask,
            frame: glimpse.frame,
            trigger,
            cause,
            started: now,
        });
        let question = Question {
            owner: Owner::Watch(room.clone()),
            scope: Scope::room(room).because(Some(cause)),
            room: room.clone(),
            turn: None,
            fare,
            attempt: self.failures + 1,
            request,
        };
        launch_as(ask, question, step);
    }

    /// Keeps a note of a screen; whether it says something new.
    pub fn keep(
        &mut self,
        shared_by: &str,
        (text, why): (String, String),
        trigger: NoteTrigger,
        step: &StepContext<'_>,
    ) -> bool {
        let kept = self.notes.keep(NewNote {
            at: step.now().wall,
            shared_by: shared_by.to_owned(),
            text,
            why,
            trigger,
        });
        let is_new = matches!(kept, Kept::Added(_));
        if let Some(newest) = self.notes.newest().filter(|_| is_new) {
            self.look.recap.add(newest.with_why());
        }
        is_new
    }

    /// The oldest notes make room, and wait to be folded into the summary.
    pub fn evict(&mut self, settings: &StreamWatchSettings) {
        self.evicted
            .extend(self.notes.evict(settings.max_note_entries as usize));
    }

    /// The conversation is over: what was noted belongs to it.
    pub fn session_ended(&mut self) {
        self.evicted.extend(self.notes.take_all());
    }

    /// Notes that have left the rolling ones since the last time somebody asked.
    pub fn take_evicted(&mut self) -> Vec<ScreenNote> {
        std::mem::take(&mut self.evicted)
    }

    /// Nobody waits for the note any more that is being taken.
    pub fn give_up(&mut self) -> Option<AskId> {
        self.run.take().map(|run| run.ask)
    }

    /// Lets go of notes, and of lines of the recap.
    pub fn forget(&mut self, keeps: impl Fn(&ScreenNote) -> bool, keeps_line: impl Fn(&str) -> bool) {
        self.notes.retain(&keeps);
        self.evicted.retain(&keeps);
        self.look.recap.retain(keeps_line);
    }

    /// When a note is due, if time alone makes it so.
    pub fn next_wake(&self, screen: Option<Screen<'_>>, settings: &StreamWatchSettings) -> Option<Wake> {
        // With a clock that stands at zero, what the decision is held until is the moment itself.
        match self.decide(Moment::default(), screen, settings)? {
            NoteDecision::Hold { until: Some(at), .. } => Some(Wake {
                at,
                reason: WakeReason::NoteDue,
            }),
            _ => None,
        }
    }

    /// The notes, oldest first.
    pub fn notes(&self) -> impl Iterator<Item = &ScreenNote> {
        self.notes.iter()
    }

    pub fn activity(&self) -> Option<Activity> {
        self.look.attention.activity()
    }

    pub fn thresholds(&self, settings: &StreamWatchSettings) -> Thresholds {
        self.look.attention.thresholds(settings)
    }

    pub fn view(
        &self,
        now: Moment,
        screen: Option<Screen<'_>>,
        settings: &StreamWatchSettings,
    ) -> NoteTakerView {
        let (held_by, due_in) = match self.decide(now, screen, settings) {
            None => (None, None),
            Some(NoteDecision::Take(_)) => (None, Some(Span::ZERO)),
            Some(NoteDecision::Hold { reason, until }) => {
                (Some(reason.name().to_owned()), until.map(|at| at.since(now)))
            }
        };
        let asking = self.run.as_ref().map(|run| AskingView {
            ask: run.ask,
            running_for: now.since(run.started),
        });
        NoteTakerView {
            asking,
            held_by,
            due_in,
            failures: self.failures,
            last_failure: self.last_failure.clone(),
        }
    }
}
