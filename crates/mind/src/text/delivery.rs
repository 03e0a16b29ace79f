//! From an answer to messages in the room: each piece is sent once, in order, and confirmed before the next.

use vocabulary::{AskId, DeliveryId, Message, Span};

use super::TurnOutcome;
use super::dispatch::{Route, Routing, inert_mentions, route, split};
use super::gate::is_initiative_channel;
use super::room::TextRoom;
use super::turn::{DeliveryWait, Stage, Turn};
use crate::effect::{Delivery, Effect};
use crate::journal::JournalEvent;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// A room that has not confirmed a message by then is asked again; the delivery id keeps it from being there twice.
const CONFIRMATION_DEADLINE: Span = Span::seconds(60);

impl TextRoom {
    /// Decides how an answer goes out, and sends the first piece.
    pub(super) fn dispatch(&mut self, mut turn: Turn, ask: AskId, text: &str, step: &mut StepContext<'_>) {
        let routing = Routing {
            addressed: turn.address.triggered,
            initiative_channel: is_initiative_channel(&self.id, step.settings),
        };
        let route = route(routing).unwrap_or_else(|| {
            let percent = step.settings.activity.threaded_reply_percent;
            let threaded =
                step.dice
                    .chance(percent, "threaded_reply", turn.scope(&self.id), &mut step.ledger);
            if threaded {
                Route::Reply
            } else {
                Route::ChannelMessage
            }
        });
        let target = self.target(&turn.burst);
        let text = inert_mentions(text, target);
        let pieces = split(&text, step.settings.activity.max_message_characters as usize);
        let community = step.ledger.community().clone();
        let deliveries = pieces.into_iter().enumerate().map(|(part, text)| Delivery {
            id: DeliveryId::new(format!("{community}-t{}-{}", turn.id, part + 1)),
            room: self.id.clone(),
            turn: turn.id,
            ask,
            text,
            reply_to: match (route, part) {
                (Route::Reply, 0) => target.map(|message| message.id.clone()),
                _ => None,
            },
            may_notify: target
                .map(|message| message.author.id.clone())
                .into_iter()
                .collect(),
            attachments: Vec::new(),
        });
        let deliveries = deliveries.collect();
        turn.stage = Stage::Delivering {
            deliveries,
            next: 0,
            failures: 0,
            wait: DeliveryWait::Sending(step.moment()),
        };
        self.deliver(turn, step);
    }

    /// Sends the piece whose turn it is.
    pub(super) fn deliver(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        let Stage::Delivering {
            deliveries,
            next,
            wait,
            ..
        } = &mut turn.stage
        else {
            return;
        };
        *wait = DeliveryWait::Confirmation(step.moment() + CONFIRMATION_DEADLINE);
        let delivery = deliveries[*next].clone();
        let event = JournalEvent::DeliveryStarted {
            delivery: delivery.id.clone(),
            part: *next + 1,
            parts: deliveries.len(),
            characters: delivery.text.chars().count(),
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        step.ledger.want(Effect::send(delivery));
        self.turn = Some(turn);
    }

    /// The piece whose turn it is has waited long enough, for its sending or for the room's word.
    pub(super) fn delivery_due(&mut self, turn: Turn, step: &mut StepContext<'_>) {
        let Stage::Delivering {
            deliveries,
            next,
            wait,
            ..
        } = &turn.stage
        else {
            return;
        };
        if let DeliveryWait::Sending(_) = wait {
            return self.deliver(turn, step);
        }
        let delivery = deliveries[*next].id.clone();
        self.turn = Some(turn);
        self.send_failed(&delivery, "the room did not confirm it in time", true, step);
    }

    pub fn message_sent(&mut self, delivery: &DeliveryId, message: Message, step: &mut StepContext<'_>) {
        let first_time = self.seen.insert(&message.id);
        let sent = message.clone();
        if first_time {
            self.take_in(message, step);
            self.pace.sent(step.moment());
        }
        self.comment_sent(delivery, &sent, step);
        let Some(mut turn) = self.turn.take_if(|turn| waits_for(turn, delivery)) else {
            return;
        };
        let Stage::Delivering {
            deliveries,
            next,
            failures,
            ..
        } = &mut turn.stage
        else {
            return;
        };
        step.exchange = Some(self.id.clone());
        let (part, parts) = (*next + 1, deliveries.len());
        *next += 1;
        *failures = 0;
        let (done, characters) = (part == parts, sent.text.chars().count());
        let trigger_message_ids = turn.message_ids();
        let event = match sent.reply_to {
            Some(reply_to) => JournalEvent::SentReply {
                message: sent.id.clone(),
                reply_to,
                trigger_message_ids,
                characters,
                part,
                parts,
            },
            None => JournalEvent::SentMessage {
                message: sent.id.clone(),
                trigger_message_ids,
                characters,
                part,
                parts,
            },
        };
        turn.cause = step.ledger.write(turn.scope(&self.id).about(&sent.id), event);
        if done {
            self.end(turn, TurnOutcome::Sent, step);
        } else {
            self.deliver(turn, step);
        }
    }

    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) {
        self.comment_failed(delivery, detail, step);
        let Some(mut turn) = self.turn.take_if(|turn| waits_for(turn, delivery)) else {
            return;
        };
        let Stage::Delivering { failures, wait, .. } = &mut turn.stage else {
            return;
        };
        let activity = &step.settings.activity;
        let delay =
            Span::from_seconds(activity.retry_delay_seconds * f64::from(1_u32 << (*failures).min(16)));
        *failures += 1;
        let retry_in = (retryable && *failures <= activity.max_retries).then_some(delay);
        if let Some(delay) = retry_in {
            *wait = DeliveryWait::Sending(step.moment() + delay);
        }
        let event = JournalEvent::DeliveryFailed {
            delivery: delivery.clone(),
            detail: detail.to_owned(),
            retry_in,
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        match retry_in {
            Some(_) => self.turn = Some(turn),
            None => self.end_silent(turn, SkipReason::SendFailed, detail, step),
        }
    }
}

fn waits_for(turn: &Turn, delivery: &DeliveryId) -> bool {
    match &turn.stage {
        Stage::Delivering { deliveries, next, .. } => {
            deliveries.get(*next).is_some_and(|open| open.id == *delivery)
        }
        _ => false,
    }
}
