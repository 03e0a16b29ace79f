//! The machine's time as the moments that shards count in.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use vocabulary::Moment;

#[derive(Clone, Copy, Debug)]
pub(super) struct Clock(Instant);

impl From<Instant> for Clock {
    fn from(start: Instant) -> Self {
        Self(start)
    }
}

impl Clock {
    pub fn now(self) -> Moment {
        Moment(u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// None never comes.
    pub async fn until(self, moment: Option<Moment>) {
        match moment {
            Some(moment) => sleep_until(self.0 + Duration::from_millis(moment.0)).await,
            None => std::future::pending().await,
        }
    }
}
