//! The outbox of a room: everything that Denizen says there goes out here, whoever wanted it said.
//!
//! A parcel is split into pieces; one piece is sent at a time, under an id that follows from its turn, so that a repeat is
//! the same message. The room confirms each piece; one that is not confirmed in time, or fails, is sent again.

mod pace;
mod patience;
mod route;
mod splitting;

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use serde::{Deserialize, Serialize};
use vocabulary::{DeliveryId, JournalSeq, Message, MessageId, Moment, RoomId, Span, TurnId};

use crate::effect::{Delivery, Effect, RoomWish, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::mentions::inert_mentions;
use crate::parcel::{Errand, Parcel, Report, delivery_id};
use crate::reasons::CancelReason;
use crate::step_context::StepContext;

pub(crate) use pace::Pace;
pub(crate) use route::{Route, Routing, route};
pub(crate) use splitting::split;

/// A room that has not confirmed a message by then is asked again; the delivery id keeps it from being there twice.
const CONFIRMATION_DEADLINE: Span = Span::seconds(60);
/// Parcels that may be on their way in one room.
const PARCELS_MAX: usize = 16;

/// Everything on its way into one room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outbox {
    parcels: Vec<Sending>,
    pace: Pace,
    typing_shown: bool,
}

/// A parcel on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sending {
    errand: Errand,
    deliveries: Vec<Delivery>,
    sent: Vec<MessageId>,
    failures: u64,
    wait: DeliveryWait,
    /// Somebody waits for it, so that it is tried again until then.
    #[serde(default)]
    owed_until: Option<Moment>,
    scope: Scope,
}

/// What the piece whose turn it is waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DeliveryWait {
    /// The room's word that it is there, until then.
    Confirmation(Moment),
    /// Being sent (again), then.
    Sending(Moment),
}

impl Outbox {
    /// How often Denizen writes here.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// A message of Denizen's is in the room, by whatever way.
    pub fn spoke(&mut self, at: Moment) {
        self.pace.sent(at);
    }

    /// Whether something of this kind is on its way.
    pub fn is_sending(&self, errand: Errand) -> bool {
        self.parcels.iter().any(|parcel| parcel.errand == errand)
    }

    /// What a delivery that is under way is for.
    pub fn errand_of(&self, delivery: &DeliveryId) -> Option<Errand> {
        let is_piece = |parcel: &&Sending| parcel.deliveries.iter().any(|piece| piece.id == *delivery);
        self.parcels.iter().find(is_piece).map(|parcel| parcel.errand)
    }

    /// Whether something that a turn says is on its way.
    pub fn holds(&self, turn: TurnId) -> bool {
        self.parcels
            .iter()
            .any(|parcel| parcel.deliveries[0].turn == turn)
    }

    /// Deliveries that a restart sends again.
    pub fn repeated(&self) -> usize {
        let late = |parcel: &&Sending| parcel.errand != Errand::Comment;
        self.parcels.iter().filter(late).count()
    }

    /// Shows or hides that Denizen is writing.
    pub fn show_typing(&mut self, room: &RoomId, typing: bool, step: &mut StepContext<'_>) {
        if self.typing_shown != typing {
            self.typing_shown = typing;
            let wish = RoomWish::ShowTyping { typing };
            step.ledger.want(Effect::Room(room.clone(), wish));
        }
    }

    /// Takes something to be said, and sends its first piece; the report, where there is no room for more.
    pub fn post(&mut self, parcel: Parcel, step: &mut StepContext<'_>) -> Option<Report> {
        let mut sending = Sending::of(parcel, step);
        if self.parcels.len() >= PARCELS_MAX {
            sending.note_failed("too much is on its way in this room", None, step);
            return Some(sending.report(Some("too much is on its way in this room")));
        }
        if sending.errand == Errand::Thought {
            self.show_typing(&sending.deliveries[0].room.clone(), true, step);
        }
        sending.send(step);
        self.parcels.push(sending);
        None
    }

    /// A delivery is in the room; the report, where its parcel is done.
    pub fn message_sent(
        &mut self,
        delivery: &DeliveryId,
        message: &Message,
        step: &mut StepContext<'_>,
    ) -> Option<Report> {
        let index = self.position(delivery)?;
        let parcel = &mut self.parcels[index];
        step.deliveries.close(delivery);
        parcel.failures = 0;
        parcel.sent.push(message.id.clone());
        if parcel.errand == Errand::Reply {
            step.exchange = Some(message.room.clone());
        }
        parcel.note_sent(message, step);
        if parcel.sent.len() < parcel.deliveries.len() {
            parcel.send(step);
            return None;
        }
        Some(self.close(index, None, step))
    }

    /// A delivery did not get through; the report, where its parcel is given up.
    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) -> Option<Report> {
        let index = self.position(delivery)?;
        self.failed(index, detail, retryable, step)
    }

    fn failed(
        &mut self,
        index: usize,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) -> Option<Report> {
        let parcel = &mut self.parcels[index];
        parcel.failures += 1;
        let pause = patience::pause(parcel, step).filter(|_| retryable);
        parcel.note_failed(detail, pause, step);
        let Some(pause) = pause else {
            return Some(self.close(index, Some(detail), step));
        };
        parcel.wait = DeliveryWait::Sending(step.moment() + pause);
        if patience::is_outage(parcel, step) {
            // Nobody is to think that it comes at any moment.
            let room = parcel.deliveries[0].room.clone();
            self.show_typing(&room, false, step);
        }
        None
    }

    /// Does what time has made due; the parcels that ended.
    pub fn advance(&mut self, step: &mut StepContext<'_>) -> Vec<Report> {
        let now = step.moment();
        let mut reports = Vec::new();
        for index in (0..self.parcels.len()).rev() {
            match self.parcels[index].wait {
                DeliveryWait::Sending(at) if at <= now => self.parcels[index].send(step),
                DeliveryWait::Confirmation(until) if until <= now => {
                    let late = match self.parcels[index].errand {
                        Errand::Comment => "it did not confirm it in time",
                        Errand::Reply | Errand::Thought | Errand::Notice | Errand::Sign => {
                            "the room did not confirm it in time"
                        }
                    };
                    reports.extend(self.failed(index, late, true, step));
                }
                DeliveryWait::Sending(_) | DeliveryWait::Confirmation(_) => {}
            }
        }
        reports
    }

    /// The process is back: every piece under way is sent again under its own id, but for a comment, which would be late.
    pub fn restarted(&mut self, step: &mut StepContext<'_>) {
        self.typing_shown = false;
        let again = |parcel: &&mut Sending| parcel.errand != Errand::Comment;
        for parcel in self.parcels.iter_mut().filter(again) {
            parcel.wait = DeliveryWait::Sending(step.moment());
        }
    }

    /// Drops what would retell something that is forgotten, as far as it is not in the room yet; the reports of it.
    pub fn forget(&mut self, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) -> Vec<Report> {
        let lost = CancelReason::Forgotten.words();
        let retells = |parcel: &Sending| {
            let left = parcel.deliveries.iter().skip(parcel.sent.len());
            !matches!(parcel.errand, Errand::Notice | Errand::Sign)
                && left
                    .flat_map(|piece| {
                        let seen = piece.attachments.iter().map(|attached| &attached.description);
                        seen.chain([&piece.text])
                    })
                    .any(|text| scrub_summary(text, brief).is_some())
        };
        let mut reports = Vec::new();
        while let Some(index) = self.parcels.iter().position(retells) {
            self.parcels[index].note_failed(lost, None, step);
            reports.push(self.close(index, Some(lost), step));
        }
        reports
    }

    /// The room is gone, as the line `cause` says: nothing gets through any more; the reports of all that was on its way.
    pub fn room_ended(&mut self, cause: JournalSeq, step: &mut StepContext<'_>) -> Vec<Report> {
        let lost = CancelReason::RoomEnded.words();
        let mut reports = Vec::new();
        while !self.parcels.is_empty() {
            self.parcels[0].scope.cause = Some(cause);
            self.parcels[0].note_failed(lost, None, step);
            reports.push(self.close(0, Some(lost), step));
        }
        reports
    }

    pub fn next_wake(&self) -> Option<Wake> {
        let wakes = self.parcels.iter().map(|parcel| match parcel.wait {
            DeliveryWait::Confirmation(at) => Wake {
                at,
                reason: WakeReason::DeliveryDeadline,
            },
            DeliveryWait::Sending(at) => Wake {
                at,
                reason: WakeReason::RetryDue,
            },
        });
        wakes.min()
    }

    /// The parcel whose turn it is to be confirmed.
    fn position(&self, delivery: &DeliveryId) -> Option<usize> {
        let waits = |parcel: &Sending| parcel.open().is_some_and(|open| open.id == *delivery);
        self.parcels.iter().position(waits)
    }

    fn close(&mut self, index: usize, lost: Option<&str>, step: &mut StepContext<'_>) -> Report {
        let parcel = self.parcels.remove(index);
        if let Some(open) = parcel.open() {
            step.deliveries.close(&open.id);
        }
        if parcel.errand == Errand::Thought {
            self.show_typing(&parcel.deliveries[0].room, false, step);
        }
        parcel.report(lost)
    }
}

impl Sending {
    /// At least one piece, so that an attachment can go without words.
    fn of(parcel: Parcel, step: &StepContext<'_>) -> Self {
        let name = parcel.answered.as_ref().map(|author| author.name.as_str());
        let text = inert_mentions(&parcel.text, name);
        let mut pieces = split(&text, step.settings.activity.max_message_characters as usize);
        if parcel.errand == Errand::Comment {
            // What does not fit into one message was too long to be a comment.
            pieces.truncate(1);
        }
        if pieces.is_empty() {
            pieces.push(String::new());
        }
        let community = step.ledger.community().clone();
        let last = pieces.len() - 1;
        let may_notify: Vec<_> = parcel.answered.into_iter().map(|author| author.id).collect();
        let deliveries = pieces.into_iter().enumerate().map(|(part, text)| Delivery {
            id: delivery_id(&community, parcel.turn, part + 1),
            room: parcel.room.clone(),
            turn: parcel.turn,
            ask: parcel.ask,
            text,
            reply_to: parcel.reply_to.clone().filter(|_| part == 0),
            may_notify: may_notify.clone(),
            attachments: match part == last {
                true => parcel.attachments.clone(),
                false => Vec::new(),
            },
            spoken: false,
            sign: parcel.errand == Errand::Sign,
        });
        Self {
            errand: parcel.errand,
            deliveries: deliveries.collect(),
            sent: Vec::new(),
            failures: 0,
            wait: DeliveryWait::Sending(step.moment()),
            owed_until: parcel.owed.then(|| step.moment() + patience::OWED_FOR),
            scope: parcel.scope,
        }
    }

    /// The piece whose turn it is.
    fn open(&self) -> Option<&Delivery> {
        self.deliveries.get(self.sent.len())
    }

    fn send(&mut self, step: &mut StepContext<'_>) {
        let Some(delivery) = self.open().cloned() else {
            return;
        };
        self.wait = DeliveryWait::Confirmation(step.moment() + CONFIRMATION_DEADLINE);
        // That a comment goes out is said with what it says.
        if self.errand != Errand::Comment {
            let event = JournalEvent::DeliveryStarted {
                delivery: delivery.id.clone(),
                part: self.sent.len() + 1,
                parts: self.deliveries.len(),
                characters: delivery.text.chars().count(),
            };
            self.note(self.scope.clone(), event, step);
        }
        step.deliveries.open(&delivery);
        step.ledger.want(Effect::send(delivery));
    }

    fn note_sent(&mut self, message: &Message, step: &mut StepContext<'_>) {
        // A comment and a thought have lines of their own for it.
        if !matches!(self.errand, Errand::Reply | Errand::Notice | Errand::Sign) {
            return;
        }
        let (part, parts) = (self.sent.len(), self.deliveries.len());
        let trigger_message_ids = self.scope.messages.clone();
        let characters = message.text.chars().count();
        let event = match message.reply_to.clone() {
            Some(reply_to) => JournalEvent::SentReply {
                message: message.id.clone(),
                reply_to,
                trigger_message_ids,
                characters,
                part,
                parts,
            },
            None => JournalEvent::SentMessage {
                message: message.id.clone(),
                trigger_message_ids,
                characters,
                part,
                parts,
            },
        };
        self.note(self.scope.clone().about(&message.id), event, step);
    }

    fn note_failed(&mut self, detail: &str, retry_in: Option<Span>, step: &mut StepContext<'_>) {
        let Some(delivery) = self.open().filter(|_| self.errand != Errand::Comment) else {
            return;
        };
        let event = JournalEvent::DeliveryFailed {
            delivery: delivery.id.clone(),
            detail: detail.to_owned(),
            retry_in,
        };
        self.note(self.scope.clone(), event, step);
    }

    fn note(&mut self, scope: Scope, event: JournalEvent, step: &mut StepContext<'_>) {
        self.scope.cause = Some(step.ledger.write(scope, event));
    }

    fn report(&self, lost: Option<&str>) -> Report {
        let first = &self.deliveries[0];
        Report {
            errand: self.errand,
            turn: first.turn,
            ask: first.ask,
            messages: self.sent.clone(),
            cause: self.scope.cause,
            lost: lost.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod outbox_tests;
