//! `web_search`: whoever the operator has chosen is asked, and what was found is told in a numbered list.

mod brave;
mod client;
mod hit;
mod plan;
mod searxng;
mod tavily;

use settings::Settings;
use std::time::Duration;

use crate::arguments::SearchErrand;
pub use plan::SearchKeys;
pub(crate) use plan::{Plan, Unplanned};

/// Results of one search.
pub(crate) const HITS_MAX: usize = 8;

/// Searches the web with the service of the settings.
#[derive(Debug)]
pub(crate) struct Search {
    keys: SearchKeys,
    client: client::SearchClient,
}

impl Search {
    pub(crate) fn new(keys: SearchKeys) -> Self {
        Self {
            keys,
            client: client::SearchClient::default(),
        }
    }

    /// Whom the settings have it ask, or why nobody.
    pub(crate) fn plan(&self, settings: &Settings) -> Result<Plan, Unplanned> {
        Plan::of(settings, &self.keys)
    }

    pub(crate) async fn run(
        &self,
        errand: &SearchErrand,
        settings: &Settings,
        time: Duration,
    ) -> Result<String, String> {
        let plan = self.plan(settings).map_err(|unplanned| unplanned.to_string())?;
        let answer = self.client.ask(&plan, errand, time).await?;
        let hits = plan.provider.read(&answer)?;
        Ok(hit::list(
            &errand.query,
            plan.provider.name(),
            &hits,
            errand.count,
        ))
    }
}
