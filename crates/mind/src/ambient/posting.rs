//! A post goes out: typing is shown, and its pieces are sent one after the other, each once.

use serde::{Deserialize, Serialize};
use vocabulary::{DeliveryId, JournalSeq, MessageId, Moment, Span, TurnId};

use super::RoomsInView;
use super::feed::Candidate;
use super::links::{canonical, links_of};
use super::run::Draft;
use super::view::PostLink;
use crate::effect::{Delivery, Effect, RoomWish, Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::outbox::split;
use crate::step_context::StepContext;

/// How long a room may take to confirm a piece.
const CONFIRMATION_DEADLINE: Span = Span::seconds(60);

/// A post on its way into its room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PostUnderWay {
    pub draft: Draft,
    deliveries: Vec<Delivery>,
    pub sent: Vec<MessageId>,
    failures: u64,
    /// When the next piece is sent (again), or the room has had its time to confirm it.
    due: Moment,
    confirming: bool,
}

impl PostUnderWay {
    pub fn new(draft: Draft, turn: TurnId, step: &mut StepContext<'_>) -> Self {
        let longest = step.settings.activity.max_message_characters as usize;
        let mut pieces = split(&draft.text, longest);
        if pieces.is_empty() {
            pieces.push(String::new());
        }
        let community = step.ledger.community().clone();
        let last = pieces.len() - 1;
        let delivery = |(part, text): (usize, String)| Delivery {
            id: DeliveryId::new(format!("{community}-t{turn}-{}", part + 1)),
            room: draft.room.clone(),
            turn,
            ask: draft.ask,
            text,
            reply_to: draft.reply_to.clone().filter(|_| part == 0),
            may_notify: Vec::new(),
            attachments: if part == last {
                draft.attachments.clone()
            } else {
                Vec::new()
            },
        };
        let deliveries = pieces.into_iter().enumerate().map(delivery).collect();
        step.ledger.want(Effect::Room(
            draft.room.clone(),
            RoomWish::ShowTyping { typing: true },
        ));
        Self {
            draft,
            deliveries,
            sent: Vec::new(),
            failures: 0,
            due: step.moment(),
            confirming: false,
        }
    }

    /// Whether a delivery is a piece of it.
    pub fn has(&self, delivery: &DeliveryId) -> bool {
        self.deliveries.iter().any(|own| own.id == *delivery)
    }

    /// Whether it is the piece whose turn it is.
    pub fn waits_for(&self, delivery: &DeliveryId) -> bool {
        let open = self.deliveries.get(self.sent.len());
        open.is_some_and(|open| open.id == *delivery)
    }

    /// Sends the piece whose turn it is. Says the line of the journal.
    pub fn send(&mut self, scope: Scope, step: &mut StepContext<'_>) -> JournalSeq {
        let delivery = self.deliveries[self.sent.len()].clone();
        self.due = step.moment() + CONFIRMATION_DEADLINE;
        self.confirming = true;
        let event = JournalEvent::DeliveryStarted {
            delivery: delivery.id.clone(),
            part: self.sent.len() + 1,
            parts: self.deliveries.len(),
            characters: delivery.text.chars().count(),
        };
        let line = step.ledger.write(scope, event);
        step.ledger.want(Effect::send(delivery));
        line
    }

    /// A piece is in the room; whether it was the last.
    pub fn sent(&mut self, message: MessageId) -> bool {
        self.sent.push(message);
        self.failures = 0;
        self.sent.len() == self.deliveries.len()
    }

    /// A piece did not get there. Says the line of the journal, and whether it is tried again.
    pub fn failed(
        &mut self,
        detail: &str,
        retryable: bool,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> (JournalSeq, bool) {
        let activity = &step.settings.activity;
        let doubled = f64::from(1_u32 << self.failures.min(16));
        let delay = Span::from_seconds(activity.retry_delay_seconds * doubled);
        self.failures += 1;
        let retry_in = (retryable && self.failures <= activity.max_retries).then_some(delay);
        if retry_in.is_some() {
            self.due = step.moment() + delay;
            self.confirming = false;
        }
        let event = JournalEvent::DeliveryFailed {
            delivery: self.deliveries[self.sent.len()].id.clone(),
            detail: detail.to_owned(),
            retry_in,
        };
        (step.ledger.write(scope, event), retry_in.is_some())
    }

    pub fn is_confirming(&self) -> bool {
        self.confirming
    }

    /// The process is back: the piece whose turn it is, is sent again.
    pub fn repeat(&mut self, now: Moment) {
        self.due = now;
        self.confirming = false;
    }

    pub fn next_wake(&self) -> Wake {
        let reason = match self.confirming {
            true => WakeReason::DeliveryDeadline,
            false => WakeReason::RetryDue,
        };
        Wake { at: self.due, reason }
    }
}

impl Draft {
    /// The message it answers may be gone by now.
    pub fn answer_only_what_is_there(&mut self, rooms: RoomsInView<'_>) {
        let room = rooms.room(&self.room);
        self.reply_to.take_if(|id| !room.is_some_and(|room| room.has(id)));
    }

    /// Its links, each with the source it came from.
    pub fn links(&self, candidates: &[Candidate]) -> Vec<PostLink> {
        let source = |url: &String| {
            // It was shown in its canonical form, whatever the source calls it.
            let is_it = |candidate: &&Candidate| canonical(&candidate.item.url).as_ref() == Some(url);
            let candidate = candidates.iter().find(is_it);
            candidate.map(|candidate| candidate.item.source.clone())
        };
        let links = links_of(&self.text).into_iter();
        links
            .map(|url| PostLink {
                source: source(&url),
                url,
            })
            .collect()
    }
}
