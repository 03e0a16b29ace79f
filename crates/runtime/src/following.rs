//! Memory follows what happens to messages: each change in its order, and again for as long as memory cannot be reached.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio_util::task::AbortOnDropHandle;
use vocabulary::{CommunityId, MessageId, TurnKey};

use crate::handle::InForce;
use crate::memory::MemoryService;
use crate::ports::MemoryFault;

/// The waits after a failure.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(30);

/// How each changed message stands; none if it was taken back.
pub(crate) type Changes = BTreeMap<MessageId, Option<String>>;

/// Has memory follow changes of messages that it may have.
#[derive(Debug)]
pub(crate) struct Follower {
    open: Arc<Open>,
    _task: AbortOnDropHandle<()>,
}

/// What memory has not followed yet.
#[derive(Debug, Default)]
struct Open {
    changes: Mutex<Changes>,
    news: Notify,
}

impl Open {
    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A change was followed; a newer one of the same message stays open.
    fn followed(&self, id: &MessageId, text: Option<&String>) {
        let mut changes = self.changes();
        if changes.get(id).is_some_and(|newest| newest.as_ref() == text) {
            changes.remove(id);
        }
    }
}

impl Follower {
    pub fn begin(service: MemoryService, community: CommunityId, in_force: watch::Receiver<InForce>) -> Self {
        let open = Arc::<Open>::default();
        let following = keep_following(service, community, in_force, open.clone());
        Self {
            open,
            _task: AbortOnDropHandle::new(tokio::spawn(following)),
        }
    }

    pub fn follow(&self, changes: Changes) {
        if !changes.is_empty() {
            self.open.changes().extend(changes);
            self.open.news.notify_one();
        }
    }

    /// How many changes memory has not followed.
    pub fn unfollowed(&self) -> usize {
        self.open.changes().len()
    }
}

async fn keep_following(
    service: MemoryService,
    community: CommunityId,
    in_force: watch::Receiver<InForce>,
    open: Arc<Open>,
) {
    let mut rest = REST_MIN;
    loop {
        let names = in_force.borrow().settings.identity.names();
        let mut failure = None;
        let changes = open.changes().clone();
        for (id, text) in &changes {
            match follow_one(&service, &community, id, text.as_deref(), &names).await {
                Ok(()) => open.followed(id, text.as_ref()),
                Err(fault) => failure = Some(fault),
            }
        }
        let Some(fault) = failure else {
            rest = REST_MIN;
            open.news.notified().await;
            continue;
        };
        // Once at first, and then as rarely as it is tried.
        if rest == REST_MIN || rest == REST_MAX {
            let messages = open.changes().len();
            tracing::warn!(%fault, %community, messages, "memory could not follow edited or deleted messages to the end; it is tried again");
        }
        // New changes are no reason to try sooner: each would make the wait longer.
        tokio::time::sleep(rest).await;
        rest = (rest * 2).min(REST_MAX);
    }
}

async fn follow_one(
    service: &MemoryService,
    community: &CommunityId,
    id: &MessageId,
    text: Option<&str>,
    names: &[String],
) -> Result<(), MemoryFault> {
    let id = TurnKey::of_message(community, id);
    match text {
        Some(text) => service.intake().edit_turn(community, &id, text, names).await,
        None => service.intake().drop_turn(community, &id).await,
    }
}
