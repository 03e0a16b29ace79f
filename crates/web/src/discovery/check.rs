//! Trying a source before it is added.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use mind::ambient::sources::{plain_name, wish};
use runtime::wall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{FeedFamily, FeedSource};

use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

const NAME_CHARS_MAX: usize = 500;
/// How long a source may take to show what it has.
const CHECK_DEADLINE: Duration = Duration::from_secs(30);

/// A source that somebody names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedSource {
    /// `reddit`, `hacker_news`, `youtube`, `rss` or `x`.
    #[schemars(example = &"rss")]
    family: FeedFamily,
    /// A subreddit, a feed's address, a YouTube channel's id or a handle.
    #[schemars(length(min = 1, max = 500), example = &"https://example.org/feed.xml")]
    name: String,
}

/// What a tried source has, or why it will not do.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checked {
    ok: bool,
    words: String,
}

/// Try a source.
///
/// Reads it once to see whether it is one. It need not be configured, and is not added.
#[utoipa::path(
    post, path = "/api/discovery/check", tag = "ambient",
    request_body(content = ref(question::<NamedSource>()), example = json!({"family": "rss", "name": "https://example.org/feed.xml"})),
    responses(
        (status = 200, description = "What it has, or why it will not do", body = ref(answer::<Checked>()),
            example = json!({"ok": true, "words": "Lighthouse News: 20 items, the newest 2 hours old"})),
        (status = 422, description = "`invalid_source`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_source", "message": "The name of a source must have 1 to 500 characters and no control characters. Give a subreddit, a feed's address, a YouTube channel's id or a handle."}})),
    )
)]
pub(crate) async fn check(
    State(shared): State<Shared>,
    SmallJson(named): SmallJson<NamedSource>,
) -> Result<Json<Checked>, Refusal> {
    let source = named.read()?;
    let _permit = shared
        .checking
        .try_acquire()
        .map_err(|_| Refusal::busy("Several sources are being tried already. Try again in a moment."))?;
    let settings = shared.handle().in_force().settings;
    let wish = wish(&settings, &[], wall());
    let trying = shared
        .handle()
        .outbound()
        .discovery
        .check(&source, &wish, &settings);
    let outcome = tokio::time::timeout(CHECK_DEADLINE, trying)
        .await
        .unwrap_or_else(|_| {
            let seconds = CHECK_DEADLINE.as_secs();
            Err(format!("{source} took longer than {seconds} seconds to answer"))
        });
    Ok(Json(match outcome {
        Ok(words) => Checked { ok: true, words },
        Err(words) => Checked { ok: false, words },
    }))
}

impl NamedSource {
    /// The source without the marks people put before its name.
    pub(super) fn read(&self) -> Result<FeedSource, Refusal> {
        let name = plain_name(self.family, &self.name);
        let is_short = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
        if !is_short || name.chars().any(char::is_control) {
            return Err(Refusal::unprocessable(
                "invalid_source",
                format!(
                    "The name of a source must have 1 to {NAME_CHARS_MAX} characters and no control characters. Give a subreddit, a feed's address, a YouTube channel's id or a handle."
                ),
            ));
        }
        Ok(FeedSource {
            family: self.family,
            name,
        })
    }
}
