//! Asks a search service over HTTP: no redirects, so that a key goes nowhere else, and limits on size and time.

use std::time::Duration;

use fetching::service::ServiceClients;
use reqwest::{RequestBuilder, Response, StatusCode, header};
use secrecy::ExposeSecret;
use serde_json::Value;

use super::plan::{Plan, Provider};
use super::{brave, tavily};
use crate::arguments::SearchErrand;

/// Eight results have a few ten kilobytes; some services send much more beside them.
const ANSWER_BYTES_MAX: usize = 2 << 20;

#[derive(Debug, Default)]
pub(super) struct SearchClient(ServiceClients);

impl SearchClient {
    /// The answer of the service. Errors are for a model and a person; there is no key in them.
    pub(super) async fn ask(
        &self,
        plan: &Plan,
        errand: &SearchErrand,
        time: Duration,
    ) -> Result<Value, String> {
        let who = plan.provider.name();
        let asking = async {
            let response = self.request(plan, errand).send().await.map_err(|error| {
                let why = match error.is_connect() {
                    true => "it cannot be reached. Is it running, and is tools.searchUrl right?",
                    false => "the connection broke. Try again",
                };
                format!("{who} was not asked: {why}")
            })?;
            if !response.status().is_success() {
                return Err(refusal(plan, response.status()));
            }
            let body = body(who, response).await?;
            serde_json::from_slice(&body).map_err(|_| {
                format!(
                    "{who} did not answer with JSON: check that tools.searchUrl is the address of its API"
                )
            })
        };
        let late = |_| {
            format!(
                "{who} did not answer within {} s: try again, or raise tools.timeoutSeconds",
                time.as_secs()
            )
        };
        tokio::time::timeout(time, asking).await.map_err(late)?
    }

    fn request(&self, plan: &Plan, errand: &SearchErrand) -> RequestBuilder {
        let client = self.0.for_address(plan.address.as_str());
        let mut address = plan.address.clone();
        let key = plan.key.as_ref().map(ExposeSecret::expose_secret);
        match plan.provider {
            Provider::Searxng => {
                address
                    .query_pairs_mut()
                    .append_pair("q", &errand.query)
                    .append_pair("format", "json");
                client.get(address).header(header::ACCEPT, "application/json")
            }
            Provider::Brave => {
                let words = errand.query.split(' ').take(brave::QUERY_WORDS_MAX);
                let query = words.collect::<Vec<_>>().join(" ");
                let query: String = query.chars().take(brave::QUERY_CHARS_MAX).collect();
                address
                    .query_pairs_mut()
                    .append_pair("q", &query)
                    .append_pair("count", &errand.count.to_string())
                    .append_pair("text_decorations", "false")
                    .append_pair("result_filter", "web");
                let request = client.get(address).header(header::ACCEPT, "application/json");
                match key {
                    Some(key) => request.header("X-Subscription-Token", secret(key)),
                    None => request,
                }
            }
            Provider::Tavily => {
                let question = tavily::question(&errand.query, errand.count).to_string();
                let request = client
                    .post(address)
                    .header(header::CONTENT_TYPE, "application/json")
                    .body(question);
                match key {
                    Some(key) => request.header(header::AUTHORIZATION, secret(&format!("Bearer {key}"))),
                    None => request,
                }
            }
        }
    }
}

/// A header that does not print itself. A key with a line end in it becomes none, which the service then refuses.
fn secret(text: &str) -> header::HeaderValue {
    let mut value =
        header::HeaderValue::from_str(text.trim()).unwrap_or_else(|_| header::HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

async fn body(who: &str, mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let piece = response.chunk().await;
        match piece.map_err(|_| format!("{who} broke off its answer. Try again"))? {
            None => return Ok(body),
            Some(piece) if body.len() + piece.len() > ANSWER_BYTES_MAX => {
                return Err(format!(
                    "{who} answers with more than {} MB",
                    ANSWER_BYTES_MAX >> 20
                ));
            }
            Some(piece) => body.extend_from_slice(&piece),
        }
    }
}

fn refusal(plan: &Plan, status: StatusCode) -> String {
    let who = plan.provider.name();
    let key_name = plan.provider.key_name();
    let what = match (plan.provider, status.as_u16()) {
        (Provider::Searxng, 403) => {
            "it does not give JSON: add `json` to search.formats in its settings.yml".to_owned()
        }
        (Provider::Searxng, 401) => "it wants a login, which cannot be given".to_owned(),
        // Brave says 422 to a token it cannot read.
        (Provider::Brave, 401 | 403 | 422) | (Provider::Tavily, 401 | 403) if plan.key.is_some() => {
            format!("it does not take the key: check {key_name}")
        }
        (_, 401 | 403) => format!(
            "it wants a key, and {key_name} is shown only to the service itself and to this machine: empty tools.searchUrl"
        ),
        (_, 429) => "it is asked too often: wait a while".to_owned(),
        (Provider::Tavily, 432 | 433) => "what the plan allows is used up".to_owned(),
        (_, 404 | 405) => "there is no such service at that address: check tools.searchUrl".to_owned(),
        (_, 300..=399) => "it points elsewhere: set tools.searchUrl to its final address".to_owned(),
        (_, 500..) => "it has trouble of its own: try again later".to_owned(),
        _ => "it does not say why".to_owned(),
    };
    format!("{who} refused the search with {}: {what}", status.as_u16())
}
