//! What this process has sent lately, by the marks it went under: so that an echo is known as one, and a delivery that is
//! tried again long after goes on where it was.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use std::time::Duration;

use discord::wire::{PostedMessage, Snowflake};
use tokio::time::Instant;

/// Parts that are remembered.
const PARTS_MAX: usize = 2_000;

/// What is known of a part that is to be sent.
#[derive(Debug)]
pub(crate) enum PartSoFar {
    /// It was never tried by this process.
    New,
    /// It was first tried so long ago, and nobody has said what came of it.
    Tried(Duration),
    Arrived(Box<PostedMessage>),
}

#[derive(Debug, Default)]
pub(crate) struct SentLately(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    /// Each part by its nonce: when it was first tried, and what it became, once it has arrived.
    parts: BTreeMap<String, (Instant, Option<PostedMessage>)>,
    order: VecDeque<String>,
    /// Channels where it was looked what the last process may have sent without anybody knowing.
    looked_at: BTreeSet<Snowflake>,
}

impl SentLately {
    /// A part is on its way; what was known of it before.
    pub fn begin(&self, nonce: &str) -> PartSoFar {
        let mut inside = self.lock();
        if let Some((since, part)) = inside.parts.get(nonce) {
            return match part {
                Some(posted) => PartSoFar::Arrived(Box::new(posted.clone())),
                None => PartSoFar::Tried(since.elapsed()),
            };
        }
        inside.parts.insert(nonce.to_owned(), (Instant::now(), None));
        inside.order.push_back(nonce.to_owned());
        if inside.order.len() > PARTS_MAX
            && let Some(oldest) = inside.order.pop_front()
        {
            inside.parts.remove(&oldest);
        }
        PartSoFar::New
    }

    pub fn arrived(&self, nonce: &str, posted: &PostedMessage) {
        let mut inside = self.lock();
        if let Some((_, part)) = inside.parts.get_mut(nonce) {
            *part = Some(posted.clone());
        }
    }

    /// Whether a message of the bot's, told by the gateway, is one of this process's. Then it has arrived, whatever became of
    /// the answer that should have said so.
    pub fn is_echo(&self, posted: &PostedMessage) -> bool {
        let Some(nonce) = posted.nonce.as_deref() else {
            return false;
        };
        let mut inside = self.lock();
        let Some((_, part)) = inside.parts.get_mut(nonce) else {
            return false;
        };
        part.get_or_insert_with(|| posted.clone());
        true
    }

    /// Whether it was looked what stands in a channel that nobody has confirmed.
    pub fn was_looked_at(&self, channel: Snowflake) -> bool {
        self.lock().looked_at.contains(&channel)
    }

    pub fn looked_at(&self, channel: Snowflake) {
        self.lock().looked_at.insert(channel);
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
