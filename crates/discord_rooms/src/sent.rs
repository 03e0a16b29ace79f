//! What this process has sent lately, by the marks it went under: so that an echo is known as one, and a delivery that is
//! tried again long after goes on where it was.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use discord::wire::{PostedMessage, Snowflake};

/// Parts that are remembered.
const PARTS_MAX: usize = 2_000;

#[derive(Debug, Default)]
pub(crate) struct SentLately(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    /// Each part by its nonce; none while it is on its way.
    parts: BTreeMap<String, Option<PostedMessage>>,
    order: VecDeque<String>,
    /// Channels where it was looked what the last process may have sent without anybody knowing.
    looked_at: BTreeSet<Snowflake>,
}

impl SentLately {
    /// A part is on its way; what it became, where it has arrived before.
    pub fn begin(&self, nonce: &str) -> Option<PostedMessage> {
        let mut inside = self.lock();
        if let Some(part) = inside.parts.get(nonce) {
            return part.clone();
        }
        inside.parts.insert(nonce.to_owned(), None);
        inside.order.push_back(nonce.to_owned());
        if inside.order.len() > PARTS_MAX
            && let Some(oldest) = inside.order.pop_front()
        {
            inside.parts.remove(&oldest);
        }
        None
    }

    pub fn arrived(&self, nonce: &str, posted: &PostedMessage) {
        let mut inside = self.lock();
        if let Some(part) = inside.parts.get_mut(nonce) {
            *part = Some(posted.clone());
        }
    }

    /// Whether a message is one of this process's, told by the gateway.
    pub fn is_echo(&self, posted: &PostedMessage) -> bool {
        let nonce = posted.nonce.as_deref();
        nonce.is_some_and(|nonce| self.lock().parts.contains_key(nonce))
    }

    /// Whether this is the first delivery of this process in a channel.
    pub fn is_first_in(&self, channel: Snowflake) -> bool {
        self.lock().looked_at.insert(channel)
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
