//! Whether a service answers at all, and takes the key: asked for something that costs nothing.

use std::time::Duration;

use reqwest::RequestBuilder;
use tokio::time::Instant;
use vocabulary::UnheardReason;

use super::exchange::Exchange;
use super::service::Service;
use crate::trouble::Trouble;

/// Why a service that was chosen cannot be used now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// What came of trying it.
    pub detail: String,
    /// What a person can do.
    pub remedy: String,
    /// It is there, and was not quick enough to tell more.
    pub is_slow: bool,
}

/// How long it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialTime {
    pub(crate) deadline: Instant,
    pub(crate) time: Duration,
}

impl TrialTime {
    pub(crate) fn from_now(time: Duration) -> Self {
        Self {
            deadline: Instant::now() + time,
            time,
        }
    }

    pub(crate) fn exchange(self, service: &Service) -> Exchange<'_> {
        Exchange::until(service, self.deadline, self.time)
    }
}

/// Asks for a list that every such service has; where a server of one's own has none, it is there all the same.
pub(crate) async fn answers(
    exchange: &Exchange<'_>,
    list: impl Fn() -> RequestBuilder,
) -> Result<(), Trouble> {
    match exchange.ask(list).await {
        Err(trouble) if trouble.lacks && !exchange.service.is_makers => Ok(()),
        asked => asked.map(drop),
    }
}

/// What went wrong, with what to do about it.
pub(crate) fn unreached(service: &Service, trouble: Trouble) -> Unreached {
    let is_slow = trouble.reason == UnheardReason::TimedOut;
    let remedy = match service.is_makers {
        _ if is_slow => "It may still be loading a model: look again in a moment".to_owned(),
        true => format!(
            "Look at this machine's network and the key in {}, or choose another with {}",
            service.variable,
            service.purpose.provider_knob()
        ),
        false => format!(
            "Start the server there, or set {} to where it is; another is chosen with {}",
            service.url_knob(),
            service.purpose.provider_knob()
        ),
    };
    Unreached {
        is_slow,
        detail: trouble.detail,
        remedy,
    }
}
