//! What it would do with a message: a what-if on a copy of one room. No model is asked, nothing is said and nothing kept.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskPurpose, Message, MessageId, ModelRequest, Moment, Now, RoomId, Span, TurnId, WallTime};

use crate::effect::{Asking, Effect, RecallQuery, Wake};
use crate::input::{Answer, Input, Recollection, ShellEvent};
use crate::journal::{JournalEntry, JournalEvent};
use crate::mind::Mind;

/// How far ahead is looked: longer than any burst waits, or any spacing lasts.
const HORIZON: Span = Span::minutes(30);
/// Steps that are taken at most.
const STEPS_MAX: usize = 200;

/// What a message would come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WouldDo {
    /// A model would be asked for a reply; where none is owed, it may still choose silence.
    AskForReply,
    /// A model would be asked whether it is meant for Denizen.
    AskWhetherMeant,
    /// No model would be asked.
    StaySilent,
    /// It would wait for a reply that comes first.
    Wait,
    /// It is a command, which would be carried out, or asked back about.
    Obey,
}

/// A message played through on a copy. Where it wants a recall, whoever plays it brings what was found.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    copy: Mind,
    now: Now,
    begun: Moment,
    room: RoomId,
    message: MessageId,
    turn: Option<TurnId>,
    wake: Option<Wake>,
    lines: Vec<JournalEntry>,
    recall: Option<RecallQuery>,
    request: Option<Box<ModelRequest>>,
    /// Something else is answered first, and how long that takes nobody knows.
    is_blocked: bool,
    steps: usize,
}

impl Rehearsal {
    /// Plays a message until a model would be asked, a recall is wanted, or nothing more would happen.
    pub fn of(mind: &Mind, now: Now, message: Message, settings: &Settings) -> Self {
        let mut rehearsal = Self {
            copy: mind.with_room_alone(&message.room),
            now,
            begun: now.moment,
            room: message.room.clone(),
            message: message.id.clone(),
            turn: None,
            wake: None,
            lines: Vec::new(),
            recall: None,
            request: None,
            is_blocked: false,
            steps: 0,
        };
        rehearsal.take(Input::message_arrived(message), settings);
        rehearsal.go_on(settings);
        rehearsal
    }

    /// What it wants looked up before it can go on.
    pub fn wants(&self) -> Option<&RecallQuery> {
        self.recall.as_ref()
    }

    /// Goes on with what was found.
    pub fn recalled(&mut self, found: Recollection, settings: &Settings) {
        let Some(RecallQuery { recall, .. }) = self.recall.take() else {
            return;
        };
        self.take(Answer::Recalled { recall, found }.into(), settings);
        self.go_on(settings);
    }

    /// What the message comes to.
    pub fn outcome(&self) -> WouldDo {
        let is_command = |line: &JournalEntry| {
            matches!(
                line.event,
                JournalEvent::CommandTaken { .. } | JournalEvent::CommandHeld { .. }
            )
        };
        match &self.request {
            Some(request) if request.purpose == AskPurpose::AddressClassifier => WouldDo::AskWhetherMeant,
            Some(_) => WouldDo::AskForReply,
            None if self.lines.iter().any(is_command) => WouldDo::Obey,
            None if self.is_skipped() => WouldDo::StaySilent,
            None => WouldDo::Wait,
        }
    }

    /// The message as it was played.
    pub fn message(&self) -> &MessageId {
        &self.message
    }

    /// The journal lines it would leave, in order.
    pub fn lines(&self) -> &[JournalEntry] {
        &self.lines
    }

    /// What the model would be asked.
    pub fn request(&self) -> Option<&ModelRequest> {
        self.request.as_deref()
    }

    /// How long after the message that would be; what models and look-ups take is not in it.
    pub fn after(&self) -> Span {
        self.now.moment.since(self.begun)
    }

    fn go_on(&mut self, settings: &Settings) {
        while self.request.is_none() && self.recall.is_none() && !self.is_blocked && !self.is_skipped() {
            let due = self.wake.filter(|wake| wake.at.since(self.begun) <= HORIZON);
            let Some(wake) = due.filter(|_| self.steps < STEPS_MAX) else {
                return;
            };
            let passed = wake.at.since(self.now.moment);
            self.now = Now {
                moment: self.now.moment + passed,
                wall: WallTime(self.now.wall.0.saturating_add_unsigned(passed.0)),
            };
            self.take(Input::Shell(ShellEvent::WakeReached), settings);
        }
    }

    fn take(&mut self, input: Input, settings: &Settings) {
        self.steps += 1;
        let step = self.copy.step(self.now, input, settings);
        self.wake = step.wake;
        for effect in step.effects {
            match effect {
                Effect::Journal(line) => self.note(*line),
                Effect::Recall(query) if query.room == self.room => match self.turn {
                    Some(_) => self.recall = Some(query),
                    None => self.is_blocked = true,
                },
                Effect::Ask(asking) => self.asked(*asking),
                _ => {}
            }
        }
    }

    fn note(&mut self, line: JournalEntry) {
        let is_about = line.scope.messages.contains(&self.message);
        if is_about && matches!(line.event, JournalEvent::TurnOpened { .. }) {
            self.turn = line.scope.turn;
        }
        if is_about || (self.turn.is_some() && line.scope.turn == self.turn) {
            self.lines.push(line);
        }
    }

    fn asked(&mut self, asking: Asking) {
        let is_of_replies = matches!(
            asking.request.purpose,
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup | AskPurpose::AddressClassifier
        );
        if !is_of_replies {
            return;
        }
        if self.turn == Some(asking.turn) {
            self.request = Some(Box::new(asking.request));
        } else {
            self.is_blocked = true;
        }
    }

    fn is_skipped(&self) -> bool {
        let settles = |line: &JournalEntry| {
            matches!(
                line.event,
                JournalEvent::ReplySkipped { .. } | JournalEvent::MessageIgnored { .. }
            )
        };
        self.lines.iter().any(settles)
    }
}

#[cfg(test)]
#[path = "rehearsal_tests.rs"]
mod rehearsal_tests;
