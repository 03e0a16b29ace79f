//! Messages that were edited so that they call Denizen, or do not any more.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use vocabulary::{Message, MessageId};

use super::turn::Stage;
use super::{Replies, ReplyContext, at_gate, skip};
use crate::addressing::AddressSignal;
use crate::admission::text::forces_reply;
use crate::journal::Scope;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Older ones are not edited any more, or long out of sight.
const SETTLED_MAX: usize = 64;

/// Messages that were answered, or called Denizen by an edit before: another edit does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Settled(VecDeque<MessageId>);

impl Settled {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add<'a>(&mut self, ids: impl IntoIterator<Item = &'a MessageId>) {
        for id in ids {
            self.0.retain(|known| known != id);
            self.0.push_back(id.clone());
        }
        let over = self.0.len().saturating_sub(SETTLED_MAX);
        self.0.drain(..over);
    }

    fn holds(&self, id: &MessageId) -> bool {
        self.0.contains(id)
    }
}

impl Replies {
    /// Whether a model has been asked about a message, or its answer is on its way.
    pub fn is_asking_about(&self, id: &MessageId) -> bool {
        self.turn.as_ref().is_some_and(|turn| {
            let before = matches!(turn.stage, Stage::Recalling { .. } | Stage::Classifying { .. });
            turn.burst.holds(id) && !before
        })
    }

    /// A message that nobody was asked about reads otherwise now, and this is how.
    pub fn judged_again(
        &mut self,
        message: &Message,
        signal: AddressSignal,
        scope: Scope,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let id = &message.id;
        let calls = forces_reply(signal.reason);
        let Some((trigger, has_company)) = self.queue.waiting(id) else {
            let is_underway = self.turn.as_ref().is_some_and(|turn| turn.burst.holds(id));
            if !calls || is_underway || self.settled.holds(id) {
                return;
            }
            if let Ok(trigger) = self.admit(message, signal, scope, context, step) {
                self.settled.add([id]);
                self.enqueue(trigger, context, step);
            }
            return;
        };
        if forces_reply(trigger.signal.reason) == calls {
            return;
        }
        match at_gate(message, signal, has_company, scope.clone(), context, step) {
            Ok(trigger) => self.queue.replace(trigger),
            Err(cause) => {
                self.queue.take_back(id);
                let detail = "its author edited it, and it does not call Denizen any more";
                skip(scope.because(Some(cause)), SkipReason::NotAdmitted, detail, step);
            }
        }
    }
}
