//! Shows that Denizen is writing, for as long as it does: Discord forgets it after ten seconds.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use discord::rest::RestClient;
use discord::wire::Snowflake;
use tokio_util::task::AbortOnDropHandle;

const AGAIN_AFTER: Duration = Duration::from_secs(8);
/// Where so many requests wait for their turn, a sign of typing would take a message's place.
const WAITING_MAX: usize = 10;
/// Whoever writes longer is not believed to write any more: five minutes.
const TIMES_MAX: usize = 38;

#[derive(Debug, Default)]
pub(crate) struct TypingShown(Mutex<BTreeMap<Snowflake, AbortOnDropHandle<()>>>);

impl TypingShown {
    pub fn show(&self, rest: RestClient, channel: Snowflake) {
        let mut shown = self.lock();
        shown.retain(|_, task| !task.is_finished());
        shown.entry(channel).or_insert_with(|| {
            AbortOnDropHandle::new(tokio::spawn(async move {
                for _ in 0..TIMES_MAX {
                    if rest.load().0 < WAITING_MAX
                        && let Err(failure) = rest.show_typing(channel).await
                    {
                        tracing::debug!(%failure, "it is not shown that Denizen is writing");
                    }
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
            }))
        });
    }

    /// It is not renewed; a message takes it away at once.
    pub fn hide(&self, channel: Snowflake) {
        self.lock().remove(&channel);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Snowflake, AbortOnDropHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
