//! The voice of a room: who is there, when Denizen is, what was said, whether it answers, and what of that was heard.
//!
//! What is said goes into the same log as what is typed. `hearing` takes in what happens, `deciding` asks the gate and
//! opens a turn, `answering` makes and says the answer, `playing` and `mouth` know what was heard of it.

mod answering;
pub mod barge_in;
mod classifying;
mod deciding;
mod forgetting;
mod greeting;
mod hearing;
pub(crate) mod listening;
mod looking_up;
mod mouth;
pub(crate) mod native;
mod native_answer;
mod native_prompt;
mod native_words;
mod opening;
mod pace;
mod patience;
mod people;
mod plain;
pub mod playing;
mod prepared;
mod prompt;
pub(crate) mod remarks;
mod restarting;
mod saying;
mod script;
pub(crate) mod service;
mod session;
mod signs;
pub(crate) mod sounds;
pub(crate) mod staying;
mod surroundings;
mod thoughts;
mod turn;
mod utterance;
pub mod view;
mod waking;
mod writing;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use settings::{Settings, SpeechProvider};
use vocabulary::{AskId, AskOutcome, AskPurpose, JournalSeq, MessageId, Moment, PersonId, RoomId, Span};

pub(crate) use self::deciding::hush;
pub(crate) use self::hearing::Clip;
pub(crate) use self::looking_up::{recalled, tool_ended};
use self::mouth::Mouth;
pub(crate) use self::mouth::WrittenDown;
use self::people::VoicePeople;
use self::prepared::Prepared;
use self::remarks::Telling;
use self::session::VoiceSession;
pub(crate) use self::surroundings::VoiceContext;
use self::thoughts::VoiceThoughts;
pub(crate) use self::thoughts::held_aloud;
use self::turn::VoiceTurn;
pub(crate) use self::turn::VoiceTurnKind;
use self::utterance::Waiting;
use self::view::VoiceView;
use crate::admission::VoiceAdmissionReason;
use crate::effect::{Effect, RoomWish, Wake};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{
    CancelReason, VoiceEndCause, VoiceJoinCause, VoiceJoinRefusal, VoiceTurnOutcome, VoiceTurnReason,
};
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Pace, cancel};

/// Who goes in and out is not greeted each time.
const GREETS_ANEW_AFTER: Span = Span::minutes(5);

/// The voice of one room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Voice {
    people: VoicePeople,
    session: VoiceSession,
    /// What was said and is not decided on.
    waiting: Option<Waiting>,
    /// What is being answered.
    turn: Option<VoiceTurn>,
    mouth: Mouth,
    prepared: Prepared,
    /// The ears and the mouth that were last paid for.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_with: Option<String>,
    /// When it last said hello here.
    #[serde(skip_serializing_if = "Option::is_none")]
    greeted_at: Option<Moment>,
    thoughts: VoiceThoughts,
    /// It would be there with people, if it were let.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    kept_out: bool,
    /// The sign that it put up last, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<(Moment, String)>,
    /// How slow its model is.
    #[serde(skip_serializing_if = "Pace::is_unknown")]
    pace: Pace,
    /// What it has to tell people.
    #[serde(skip_serializing_if = "Option::is_none")]
    telling: Option<Telling>,
}

impl Voice {
    /// Whether nothing was ever heard of voice here.
    pub fn is_empty(&self) -> bool {
        // Asked of every room at every step.
        static EMPTY: LazyLock<Voice> = LazyLock::new(Voice::default);
        *self == *EMPTY
    }

    /// Whether something is waiting or under way.
    pub fn is_busy(&self) -> bool {
        !self.session.is_out() || self.waiting.is_some() || self.turn.is_some() || self.mouth.has_unwritten()
    }

    /// Whether it is heard, or about to be.
    pub fn is_speaking(&self) -> bool {
        self.mouth.is_open()
    }

    /// Whether somebody waits for an answer.
    pub fn has_work(&self) -> bool {
        self.waiting.is_some() || self.turn.is_some()
    }

    /// When somebody was last heard there; none where it is not in.
    pub fn last_heard(&self) -> Option<Moment> {
        self.session.is_in().then(|| self.session.last_activity())
    }

    /// What is kept of it when its room is gone: who does not want to be listened to.
    pub fn choices(&self) -> Self {
        Self {
            people: self.people.choices(),
            ..Self::default()
        }
    }

    pub fn is_in(&self) -> bool {
        self.session.is_in()
    }

    /// Whether what somebody types stands in for what they would say: they are there, nobody understands speech, and they
    /// can be answered aloud.
    pub fn reads(&self, person: &PersonId, settings: &Settings) -> bool {
        let is_there = self.session.is_in() && self.people.get(person).is_some();
        is_there && self.session.deaf && self.has_voice(settings)
    }

    /// Whether it can speak.
    fn has_voice(&self, settings: &Settings) -> bool {
        !self.session.mute && settings.stt_pipeline.tts_provider != SpeechProvider::Off
    }

    /// Whether a message is being decided on or answered.
    pub fn holds(&self, id: &MessageId) -> bool {
        let waiting = self.waiting.iter().flat_map(|waiting| &waiting.utterances);
        let turn = self.turn.iter().flat_map(|turn| &turn.utterances);
        waiting.chain(turn).any(|utterance| utterance.message == *id)
    }

    /// For the page of the room.
    pub fn view(&self) -> VoiceView {
        view::of(&self.people, &self.session, &self.mouth, self.turn.is_some())
    }

    /// Goes into the voice of the room, if it is not there.
    pub fn join(
        &mut self,
        because: VoiceJoinCause,
        by: Option<&PersonId>,
        cause: Option<JournalSeq>,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Result<(), VoiceJoinRefusal> {
        if !self.session.is_out() && self.session.leaving.is_none() {
            return Err(VoiceJoinRefusal::Already);
        }
        if let Some(reason) = staying::refusal(self, by, context.room, step) {
            // With voice switched off, that nobody comes along is no news.
            if reason != VoiceJoinRefusal::SwitchedOff || because == VoiceJoinCause::Page {
                let by = by.cloned();
                let event = JournalEvent::VoiceSessionDeclined { because, by, reason };
                let cause = step.ledger.write(Scope::room(context.room).because(cause), event);
                if because == VoiceJoinCause::Page {
                    context.signs.push((reason.words().to_owned(), cause));
                }
            }
            self.kept_out |= because == VoiceJoinCause::WithPeople;
            return Err(reason);
        }
        if self.session.leaving.is_some() {
            let is_new = self.session.want_back(because, by);
            return is_new.then_some(()).ok_or(VoiceJoinRefusal::Already);
        }
        let event = JournalEvent::VoiceSessionRequested {
            because,
            by: by.cloned(),
        };
        step.ledger.write(Scope::room(context.room).because(cause), event);
        self.kept_out = false;
        self.session.join(because, step.moment());
        if self
            .greeted_at
            .is_some_and(|at| step.moment().since(at) < GREETS_ANEW_AFTER)
        {
            self.session.greeted = true;
        }
        // Whoever must not be heard is known before anybody is.
        hearing::leave_out(&self.people, context, step);
        want(context.room, RoomWish::JoinVoice, step);
        Ok(())
    }

    /// Leaves it; the session is over once the shell says so.
    pub fn leave(
        &mut self,
        because: VoiceEndCause,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) -> bool {
        if self.session.is_out() || self.session.leaving.is_some() {
            // Who asked it back has thought better of it.
            return self.session.wanted_back.take().is_some();
        }
        self.session.leave(because, step.moment());
        let reason = match because {
            VoiceEndCause::NobodyLeft => VoiceTurnReason::NobodyLeft,
            _ => VoiceTurnReason::SessionEnded,
        };
        self.fall_silent(reason, context, step);
        want(context.room, RoomWish::LeaveVoice, step);
        true
    }

    /// Gives up whatever waits, is answered or is being said.
    fn fall_silent(
        &mut self,
        reason: VoiceTurnReason,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let why = match reason {
            VoiceTurnReason::Quiet => CancelReason::Quiet,
            _ => CancelReason::VoiceEnded,
        };
        self.stop_waiting(context, step);
        thoughts::stopped(self, context, step);
        if self.mouth.is_heard() {
            // How much was heard is told when it has stopped.
            self.mouth.stop(context.room, step);
            if let Some(turn) = &mut self.turn {
                turn.cancel_ask(context.room, why, step);
                turn.held.clear();
                turn.cut_for.get_or_insert(reason);
            }
            return;
        }
        if self.mouth.let_go().is_some() {
            want(context.room, RoomWish::StopSpeaking, step);
        }
        // What somebody is to read is written, whether they are still there or not.
        let is_read = self.turn.as_ref().is_some_and(VoiceTurn::is_to_be_read);
        if !is_read || reason == VoiceTurnReason::Quiet {
            let outcome = VoiceTurnOutcome::Superseded;
            writing::drop_turn(self, outcome, reason, why, context, step);
        }
    }

    fn stop_waiting(&mut self, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
        if let Some(mut waiting) = self.waiting.take() {
            if let Some(ask) = waiting.asking.take() {
                cancel(ask, CancelReason::VoiceEnded, Scope::room(context.room), step);
            }
            deciding::let_go(self, waiting, VoiceAdmissionReason::SessionEnded, context, step);
        }
        self.prepared.clear();
        self.telling = None;
    }

    pub fn ask_progressed(
        &mut self,
        ask: AskId,
        piece: &str,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        match self.turn.as_ref().filter(|turn| turn.open_ask() == Some(ask)) {
            Some(turn) if turn.native.is_some() => native_words::words(self, piece, step),
            Some(_) => answering::progressed(self, piece, context, step),
            None => {}
        }
    }

    pub fn ask_ended(
        &mut self,
        flight: &Flight,
        outcome: AskOutcome,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        match flight.purpose {
            AskPurpose::VoiceReplyDecision => {
                classifying::classified(self, flight.ask, flight, &outcome, context, step);
            }
            AskPurpose::VoiceThought => thoughts::ask_ended(self, flight, &outcome, context, step),
            _ => answering::ask_ended(self, flight, outcome, context, step),
        }
        greeting::greet(self, context, step);
    }

    /// The process is back: the session is over, and whoever is still there is told of anew.
    pub fn restarted(
        &mut self,
        cause: JournalSeq,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        restarting::restarted(self, cause, context, step);
    }

    /// The room is gone.
    pub fn room_ended(&mut self, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        if self.session.is_out() {
            return;
        }
        if let Some(turn) = self.mouth.let_go() {
            want(context.room, RoomWish::StopSpeaking, step);
            if let Some(open) = self.turn.as_mut().filter(|open| open.id == turn) {
                open.held.clear();
            }
        }
        let reason = VoiceTurnReason::SessionEnded;
        self.fall_silent(reason, context, step);
        let (outcome, why) = (VoiceTurnOutcome::Superseded, CancelReason::VoiceEnded);
        if !self.mouth.is_heard() {
            writing::drop_turn(self, outcome, reason, why, context, step);
        }
        want(context.room, RoomWish::LeaveVoice, step);
        staying::session_over(self, VoiceEndCause::RoomEnded, "", None, false, context, step);
    }

    /// Does what time has made due.
    pub fn advance(&mut self, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        if self.session.is_out() && self.is_empty() {
            return;
        }
        self.people.expire(step.moment());
        if let Some(said) = self.mouth.overdue(context.room, step) {
            playing::said(self, said, context, step);
        }
        staying::advance(self, context, step);
        if self.session.is_in() {
            deciding::look(self, context, step);
            remarks::tell_what_waits(self, context, step);
            greeting::greet(self, context, step);
        }
        answering::advance(self, context, step);
        thoughts::settle(self, context, step);
        if self.session.is_in() {
            greeting::greet(self, context, step);
            thoughts::look(self, context, step);
        }
        native::refresh(self, context, step);
    }

    /// When it next wants waking.
    pub fn next_wake(&self, settings: &Settings) -> Option<Wake> {
        waking::next_wake(self, settings)
    }
}

/// Wants something of the voice of a room.
fn want(room: &RoomId, wish: RoomWish, step: &mut StepContext<'_>) {
    step.ledger.want(Effect::Room(room.clone(), wish));
}
