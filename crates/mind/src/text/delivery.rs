//! From an answer to messages in the room, and what the room's outbox says became of them.

use vocabulary::{AskId, DeliveryId, Message};

use super::TurnOutcome;
use super::gate::is_initiative_channel;
use super::room::TextRoom;
use super::turn::{Stage, Turn};
use crate::outbox::{Route, Routing, route};
use crate::parcel::{Errand, Parcel, Report};
use crate::reply::SkipReason;
use crate::step_context::StepContext;

impl TextRoom {
    /// Decides how an answer goes out, and has it said.
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
        let threaded = target.filter(|_| route == Route::Reply);
        let parcel = Parcel {
            errand: Errand::Reply,
            room: self.id.clone(),
            turn: turn.id,
            ask,
            text: text.to_owned(),
            reply_to: threaded.map(|message| message.id.clone()),
            answered: target.map(|message| message.author.clone()),
            attachments: Vec::new(),
            scope: turn.scope(&self.id),
        };
        turn.stage = Stage::Delivering {};
        self.turn = Some(turn);
        self.say(parcel, step);
    }

    /// Has something said here, whoever wants it.
    pub fn say(&mut self, parcel: Parcel, step: &mut StepContext<'_>) {
        if let Some(report) = self.outbox.post(parcel, step) {
            self.said(report, None, step);
        }
    }

    pub fn message_sent(&mut self, delivery: &DeliveryId, message: Message, step: &mut StepContext<'_>) {
        if self.seen.insert(&message.id) {
            self.take_in(message.clone(), step);
            self.outbox.spoke(step.moment());
        }
        if let Some(report) = self.outbox.message_sent(delivery, &message, step) {
            self.said(report, Some(&message), step);
        }
    }

    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) {
        if let Some(report) = self.outbox.send_failed(delivery, detail, retryable, step) {
            self.said(report, None, step);
        }
    }

    pub(super) fn advance_outbox(&mut self, step: &mut StepContext<'_>) {
        for report in self.outbox.advance(step) {
            self.said(report, None, step);
        }
    }

    /// What an unfinished delivery is for.
    pub fn errand_of(&self, delivery: &DeliveryId) -> Option<Errand> {
        self.outbox.errand_of(delivery)
    }

    /// Something was said, or could not be: whoever wanted it said is told.
    fn said(&mut self, report: Report, last: Option<&Message>, step: &mut StepContext<'_>) {
        match report.errand {
            Errand::Reply => self.reply_said(report, step),
            Errand::Comment => self.comment_said(&report, last, step),
            Errand::Thought => step.reports.push(report),
            // Its lines in the journal are all there is to tell.
            Errand::Notice => {}
        }
    }

    fn reply_said(&mut self, report: Report, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take_if(|turn| turn.id == report.turn) else {
            return;
        };
        turn.cause = report.cause.unwrap_or(turn.cause);
        match report.lost {
            Some(detail) => self.end_silent(turn, SkipReason::SendFailed, &detail, step),
            None => {
                self.end(turn, TurnOutcome::Sent, step);
            }
        }
    }
}
