//! One order on its way: what is wanted, of whom, until when, and how large it may be.

use std::time::Duration;

use bytes::Bytes;
use fetching::service::ServiceClients;
use fetching::{FetchPolicy, Fetcher, Validators, Wanted};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use runtime::ports::{MadeMedia, MediaFault, media_patience};
use serde_json::Value;
use settings::Settings;
use tokio::time::Instant;
use url::form_urlencoded;
use vocabulary::{MediaKind, MediaOrder, is_fit_picture_size, picture_size};

use crate::exchange::Exchange;
use crate::fault::{failed, too_late};
use crate::magic::Format;
use crate::service::Service;
use crate::studio::StudioPace;

/// Longest wish.
const PROMPT_CHARACTERS_MAX: usize = 900;

/// What an answer has beside the file itself.
const ENVELOPE_BYTES: usize = 256 * 1024;

/// An answer that comes with the end of the caller's patience is one that nobody hears.
const MARGIN: Duration = Duration::from_millis(500);

pub(crate) struct Job<'a> {
    pub(crate) service: Service,
    pub(crate) settings: &'a Settings,
    pub(crate) kind: MediaKind,
    pub(crate) model: &'a str,
    /// Plain words, never empty.
    pub(crate) prompt: String,
    pub(crate) pace: StudioPace,
    clients: &'a ServiceClients,
    fetcher: &'a Fetcher,
    deadline: Instant,
}

impl<'a> Job<'a> {
    pub(crate) fn new(
        order: &'a MediaOrder,
        mut service: Service,
        settings: &'a Settings,
        clients: &'a ServiceClients,
        fetcher: &'a Fetcher,
        pace: StudioPace,
    ) -> Result<Self, MediaFault> {
        let prompt = plain(&order.wish.prompt);
        if prompt.is_empty() {
            return Err(failed("the wish has no words"));
        }
        let patience = Duration::from_millis(order.deadline.0);
        service.patience = media_patience(order, settings);
        Ok(Self {
            service,
            settings,
            kind: order.wish.kind,
            model: order.model.trim(),
            prompt,
            pace,
            clients,
            fetcher,
            deadline: Instant::now() + patience.saturating_sub(MARGIN.min(patience / 10)),
        })
    }

    pub(crate) fn exchange(&self) -> Exchange<'_> {
        Exchange {
            service: &self.service,
            deadline: self.deadline,
            pause: self.pace.retry,
        }
    }

    /// A request to the service, with the key in the header.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.bare_request(method, path);
        match self.service.key() {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// The same with a body.
    pub(crate) fn request_with(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string())
    }

    /// A question to a service that wants its key elsewhere.
    pub(crate) fn question(&self, path: &str, query: &[(&str, &str)]) -> RequestBuilder {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(query)
            .finish();
        self.bare_request(Method::GET, &format!("{path}?{query}"))
    }

    fn bare_request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = self.service.address(path);
        self.clients.for_address(&url).request(method, url)
    }

    /// Largest file.
    pub(crate) fn bytes_max(&self) -> usize {
        let megabytes = usize::try_from(self.settings.media.max_megabytes).unwrap_or(usize::MAX);
        megabytes.saturating_mul(1024 * 1024)
    }

    /// Largest answer that has the file inside it, in base 64.
    pub(crate) fn answer_bytes_max(&self) -> usize {
        (self.bytes_max() / 3 * 4).saturating_add(ENVELOPE_BYTES)
    }

    /// Waits; an error where there is no time left for that.
    pub(crate) async fn wait(&self, how_long: Duration) -> Result<(), MediaFault> {
        let until = Instant::now() + how_long;
        if until >= self.deadline {
            tokio::time::sleep_until(self.deadline).await;
            return Err(too_late(&self.service));
        }
        tokio::time::sleep_until(until).await;
        Ok(())
    }

    /// Fetches what an answer points at, as from a stranger.
    pub(crate) async fn fetch(&self, address: &str) -> Result<Bytes, MediaFault> {
        let who = &self.service.who;
        let wrong = || failed(format!("{who} gave an address that is none"));
        let url = self.service.resolve(address).ok_or_else(wrong)?;
        let mut policy = FetchPolicy {
            allowed_private_hosts: self.settings.tools.allowed_private_hosts.clone(),
        };
        policy.allowed_private_hosts.extend(self.service.trusted_host());
        let accept = [
            "image/*",
            "video/*",
            "application/octet-stream",
            "binary/octet-stream",
        ];
        let wanted = Wanted {
            url,
            accept: accept.iter().map(|kind| (*kind).to_owned()).collect(),
            max_bytes: self.bytes_max(),
            timeout: self.deadline.saturating_duration_since(Instant::now()),
            validators: Validators::default(),
        };
        match self.fetcher.fetch(&wanted, &policy).await {
            Ok(fetched) => Ok(fetched.bytes),
            Err(_) if Instant::now() >= self.deadline => Err(too_late(&self.service)),
            Err(fault) => Err(failed(format!(
                "what {who} points at cannot be had: {}",
                self.service.without_key(&fault.to_string())
            ))),
        }
    }

    /// Checks what came and names it.
    pub(crate) fn finish(
        &self,
        bytes: Bytes,
        cost_micro_dollars: Option<u64>,
    ) -> Result<MadeMedia, MediaFault> {
        let who = &self.service.who;
        if bytes.len() > self.bytes_max() {
            return Err(failed(format!(
                "what {who} gave is larger than media.maxMegabytes allows"
            )));
        }
        let format = Format::of(&bytes).ok_or_else(|| {
            failed(format!(
                "what {who} gave is neither PNG, JPEG, WebP, GIF, MP4 nor WebM, and is not taken"
            ))
        })?;
        if !format.suits(self.kind) {
            return Err(failed(format!(
                "what {who} gave is {}, which will not do for a {}",
                format.mime(),
                self.kind.noun()
            )));
        }
        if let Some(size) = picture_size(&bytes).filter(|size| !is_fit_picture_size(*size)) {
            return Err(failed(format!(
                "what {who} gave has {} by {} pixels, which is more than anybody can look at",
                size.0, size.1
            )));
        }
        Ok(MadeMedia {
            mime: format.mime().to_owned(),
            name: format!("denizen-{}.{}", self.kind.name(), format.extension()),
            bytes,
            provider: self.service.api.name().to_owned(),
            cost_micro_dollars,
        })
    }
}

/// Words on one line, cut.
fn plain(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(PROMPT_CHARACTERS_MAX).collect()
}
