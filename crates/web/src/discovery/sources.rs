//! Dropping a source that Denizen has added itself.

use axum::extract::State;
use axum::http::StatusCode;
use mind::{Input, OperatorWish};
use vocabulary::{FeedFamily, FeedSource};

use super::check::NamedSource;
use crate::ambient::look::look;
use crate::body::SmallJson;
use crate::openapi::{question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Drop a source that it has added itself.
///
/// Yours are in the settings, and are taken out there.
#[utoipa::path(
    delete, path = "/api/discovery/sources", tag = "ambient",
    request_body(content = ref(question::<NamedSource>()), example = json!({"family": "reddit", "name": "lighthouses"})),
    responses(
        (status = 204, description = "It is not read any more"),
        (status = 404, description = "`unknown_source`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_source", "message": "reddit:lighthouses is not among the sources. GET /api/ambient lists them."}})),
        (status = 409, description = "`not_its_own`: you have added it, in the settings", body = ref(refusal()),
            example = json!({"error": {"code": "not_its_own", "message": "reddit:lighthouses is one of yours, not one it has added itself. Take it out of initiative.discovery.redditSubreddits."}})),
        (status = 422, description = "`invalid_source`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_source", "message": "The name of a source must have 1 to 500 characters and no control characters. Give a subreddit, a feed's address, a YouTube channel's id or a handle."}})),
    )
)]
pub(crate) async fn drop_source(
    State(shared): State<Shared>,
    SmallJson(named): SmallJson<NamedSource>,
) -> Result<StatusCode, Refusal> {
    let source = named.read()?;
    let view = look(&shared).await?;
    match view.sources.iter().find(|known| known.source == source) {
        None => Err(Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_source",
            format!("{source} is not among the sources. GET /api/ambient lists them."),
        )),
        Some(known) if !known.own => Err(not_its_own(&source)),
        Some(_) => {
            shared
                .handle()
                .accept(Input::Operator(OperatorWish::SourceDropped { source }))
                .await?;
            Ok(StatusCode::NO_CONTENT)
        }
    }
}

fn not_its_own(source: &FeedSource) -> Refusal {
    let remedy = match source.family {
        FeedFamily::Reddit => "Take it out of initiative.discovery.redditSubreddits.",
        FeedFamily::HackerNews => "Switch initiative.discovery.sources.hackerNews off.",
        FeedFamily::Youtube => "Take it out of initiative.discovery.youtubeChannelIds.",
        FeedFamily::Rss => "Take it out of initiative.discovery.rssFeeds.",
        FeedFamily::X => "Take it out of initiative.discovery.xHandles.",
    };
    Refusal::new(
        StatusCode::CONFLICT,
        "not_its_own",
        format!("{source} is one of yours, not one it has added itself. {remedy}"),
    )
}
