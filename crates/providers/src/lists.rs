//! The lists of models that providers give out: which there are, and when they end.

use std::collections::BTreeMap;
use std::time::Duration;

use fetching::service::ServiceClients;
use jiff::civil::Date;
use reqwest::Url;
use serde_json::Value;
use tokio::time::timeout;
use vocabulary::AskFailureKind;

use crate::aside::{Unheard, ask_aside};
use crate::catalogue::{Provider, is_version_of};
use crate::http::below;

const PAGE_BYTES_MAX: usize = 4 << 20;
/// More pages than this are a server that does not stop.
const PAGES_MAX: usize = 100;
/// Models that are taken of a list; no provider has near as many.
const MODELS_MAX: usize = 20_000;
const NO_LIST: &str = "what answers there gives no list of models";

/// The models that a provider gives one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModelList {
    models: BTreeMap<String, ListedModel>,
}

/// Why a list could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListProblem {
    pub(crate) words: String,
    pub(crate) fault: ListFault,
}

/// What kind of a problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ListFault {
    /// Nothing was heard, or it broke off.
    Unheard,
    /// The provider does not accept the key, so that questions will fare no better.
    KeyRefused,
    /// The provider answers nobody from here, and no question either.
    RegionRefused,
    /// The key is good for questions, and not for this.
    NotForUs,
    /// Another refusal, with its status.
    Answered(u16),
    /// What came is no list.
    NoList,
    /// There is nobody in it who can talk.
    NoModel,
}

impl ListProblem {
    pub(crate) fn new(fault: ListFault, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { words, fault }
    }

    pub(crate) fn key_refused(&self) -> bool {
        self.fault == ListFault::KeyRefused
    }

    /// Nothing but a refusal of the key or of the country says that questions will fare no better.
    pub(crate) fn of(why: &Unheard, provider: Provider) -> Self {
        let fault = match (why, why.kind(provider)) {
            (Unheard::Unreached | Unheard::Broken, _) => ListFault::Unheard,
            (_, Some(AskFailureKind::KeyRefused)) => ListFault::KeyRefused,
            (_, Some(AskFailureKind::RegionRefused)) => ListFault::RegionRefused,
            (Unheard::Refused(401 | 403, _), _) => ListFault::NotForUs,
            (Unheard::Refused(status, _), _) => ListFault::Answered(*status),
        };
        Self::new(fault, why.to_string())
    }

    /// Whether questions will fare no better.
    pub(crate) fn shuts_out(&self) -> bool {
        matches!(self.fault, ListFault::KeyRefused | ListFault::RegionRefused)
    }
}

impl ListFault {
    /// As what a question fails whose model would have stood in the list.
    pub(crate) fn kind(self) -> AskFailureKind {
        match self {
            ListFault::Unheard => AskFailureKind::Unreachable,
            ListFault::KeyRefused => AskFailureKind::KeyRefused,
            ListFault::RegionRefused => AskFailureKind::RegionRefused,
            ListFault::Answered(429) => AskFailureKind::RateLimited,
            ListFault::Answered(500..) => AskFailureKind::ServerError,
            ListFault::NotForUs | ListFault::Answered(_) | ListFault::NoList => AskFailureKind::Rejected,
            ListFault::NoModel => AskFailureKind::UnknownModel,
        }
    }
}

/// What a list says of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListedModel {
    pub(crate) ends: Option<Date>,
    /// It is said that it will end, on whatever day.
    pub(crate) ending: bool,
    /// It stands there, and answers nobody.
    pub(crate) gone: bool,
    /// The list says how it is, so that a day which has passed means only that the end is due.
    staged: bool,
}

impl ListedModel {
    /// Whether it answers nobody any more.
    pub(crate) fn is_over(self, today: Date) -> bool {
        self.gone || (!self.staged && self.ends.is_some_and(|end| end <= today))
    }
}

impl ModelList {
    /// What it says of a model; a list may hold only the dated releases of it.
    pub(crate) fn get(&self, model: &str) -> Option<ListedModel> {
        let exact = self.models.get(model);
        let release = || {
            let releases = self.models.iter().filter(|(id, _)| is_version_of(id, model));
            releases
                .map(|(_, listed)| listed)
                .min_by_key(|listed| listed.gone)
        };
        exact.or_else(release).copied()
    }

    #[cfg(test)]
    pub(crate) fn of(ids: &[&str]) -> Self {
        let models = ids.iter().map(|id| ((*id).to_owned(), ListedModel::default()));
        Self {
            models: models.collect(),
        }
    }

    /// The ids in it.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    fn take(&mut self, provider: Provider, item: &Value) {
        let name = match provider {
            Provider::Gemini => item["name"]
                .as_str()
                .map(|name| name.trim_start_matches("models/")),
            _ => item["id"].as_str(),
        };
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        let methods = ["supportedGenerationMethods", "supportedActions"];
        let methods = methods.iter().find_map(|key| item[*key].as_array());
        let talks = methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"));
        if talks && self.models.len() < MODELS_MAX {
            self.models.insert(name.to_owned(), listed(item));
        }
    }
}

/// Each provider says it in its own words, and none of them uses another's.
fn listed(item: &Value) -> ListedModel {
    let status = &item["modelStatus"];
    let ends = [
        &item["retires_at"],
        &item["shutdown_date"],
        &status["retirementTime"],
    ];
    let ends = ends.into_iter().find_map(day);
    let stage = [&item["lifecycle"], &status["modelStage"]];
    let stage = stage.into_iter().find_map(Value::as_str).unwrap_or_default();
    let gemini = status["modelStage"].is_string();
    let gone = match stage.to_lowercase().as_str() {
        "retired" => true,
        // With Google these cannot be used any more; with Anthropic they still can.
        "deprecated" => gemini,
        _ => false,
    };
    let ending =
        ends.is_some() || matches!(stage.to_lowercase().as_str(), "deprecated" | "legacy" | "retired");
    ListedModel {
        ends,
        ending,
        gone,
        staged: !stage.is_empty(),
    }
}

/// A day, whatever stands after it.
fn day(value: &Value) -> Option<Date> {
    value.as_str()?.get(..10)?.parse().ok()
}

/// Asks a provider for all its models.
pub(crate) async fn list(
    clients: &ServiceClients,
    provider: Provider,
    base_url: &str,
    key: Option<&str>,
    patience: Duration,
) -> Result<ModelList, ListProblem> {
    let pages = all_pages(clients, provider, base_url, key);
    match timeout(patience, pages).await {
        Ok(found) => found,
        Err(_) => Err(late(patience)),
    }
}

/// No answer came in time.
pub(crate) fn late(patience: Duration) -> ListProblem {
    let words = format!("no answer within {} ms", patience.as_millis());
    ListProblem::new(ListFault::Unheard, words)
}

fn no_list(words: impl Into<String>) -> ListProblem {
    ListProblem::new(ListFault::NoList, words)
}

async fn all_pages(
    clients: &ServiceClients,
    provider: Provider,
    base_url: &str,
    key: Option<&str>,
) -> Result<ModelList, ListProblem> {
    let mut list = ModelList::default();
    let mut after: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let url = page_url(provider, base_url, after.as_deref()).map_err(no_list)?;
        let page = page(clients, provider, url.as_str(), key).await?;
        let items = match provider {
            Provider::Gemini => &page["models"],
            _ => &page["data"],
        };
        let items = items.as_array().ok_or_else(|| no_list(NO_LIST))?;
        for item in items {
            list.take(provider, item);
        }
        let next = match provider {
            Provider::Gemini => page["nextPageToken"].as_str(),
            _ if page["has_more"].as_bool() == Some(true) => {
                let last = page["last_id"].as_str();
                last.or_else(|| items.last().and_then(|item| item["id"].as_str()))
            }
            _ => None,
        };
        match next.filter(|next| !next.is_empty()) {
            Some(next) if after.as_deref() == Some(next) => {
                return Err(no_list("its list goes round in a circle"));
            }
            Some(next) => after = Some(next.to_owned()),
            None => return Ok(list),
        }
    }
    Err(no_list("its list does not end"))
}

fn page_url(provider: Provider, base_url: &str, after: Option<&str>) -> Result<Url, String> {
    let (address, size, next) = match provider {
        Provider::Anthropic => (
            below(base_url, "/v1", "/models"),
            Some(("limit", "1000")),
            "after_id",
        ),
        Provider::Gemini => (
            below(base_url, "/v1beta", "/models"),
            Some(("pageSize", "1000")),
            "pageToken",
        ),
        Provider::OpenAi | Provider::Compatible | Provider::Offline => {
            (below(base_url, "", "/models"), None, "after")
        }
    };
    let mut url = Url::parse(&address).map_err(|error| format!("{address} is no address ({error})"))?;
    let pairs = size.into_iter().chain(after.map(|after| (next, after)));
    let pairs: Vec<(&str, &str)> = pairs.collect();
    if !pairs.is_empty() {
        url.query_pairs_mut().extend_pairs(pairs);
    }
    Ok(url)
}

async fn page(
    clients: &ServiceClients,
    provider: Provider,
    url: &str,
    key: Option<&str>,
) -> Result<Value, ListProblem> {
    let request = clients.for_address(url).get(url);
    let asked = ask_aside(request, (provider, url, key), PAGE_BYTES_MAX).await;
    let body = asked.map_err(|why| ListProblem::of(&why, provider))?;
    serde_json::from_slice(&body).map_err(|_| no_list(NO_LIST))
}

#[cfg(test)]
#[path = "lists_tests.rs"]
mod tests;
