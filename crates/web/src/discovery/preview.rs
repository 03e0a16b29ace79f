//! What the sources have now, chosen from as a thought would, but without chance.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mind::ambient::sources::wish;
use mind::ambient::view::CandidateView;
use runtime::wall;
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::SourceReport;

use crate::ambient::look::look;
use crate::openapi::{answer, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// How long all sources together may take.
const PREVIEW_DEADLINE: Duration = Duration::from_secs(90);

/// What became of each source.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SourceReports {
    reports: Vec<SourceReport>,
}

/// The best items of all sources, and what became of each source.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Preview {
    /// Best first.
    candidates: Vec<CandidateView>,
    reports: Vec<SourceReport>,
}

/// See what became of each source.
///
/// As it was when the source was read last, by a thought or a preview. Nothing is fetched.
#[utoipa::path(
    get, path = "/api/discovery", tag = "ambient",
    responses((status = 200, description = "One report a source", body = ref(answer::<SourceReports>()), example = json!({
        "reports": [{"source": {"family": "rss", "name": "https://example.org/feed.xml"}, "items": 20, "fresh": 4, "unchanged": false},
            {"source": {"family": "reddit", "name": "lighthouses"}, "items": 0, "fresh": 0, "unchanged": false, "failure": "reddit.com answered 403"}]
    })))
)]
pub(crate) async fn reports(State(shared): State<Shared>) -> Json<SourceReports> {
    Json(SourceReports {
        reports: shared.handle().outbound().discovery.reports(),
    })
}

/// Read all sources now.
///
/// The configured ones and those it has added itself; the best items come back in the order in which a thought would see
/// them if there were no chance. Takes seconds, and is done for one caller at a time.
#[utoipa::path(
    post, path = "/api/discovery/preview", tag = "ambient",
    responses(
        (status = 200, description = "The best items, and what became of each source", body = ref(answer::<Preview>()), example = json!({
            "candidates": [{"item": {"source": {"family": "hacker_news", "name": "top"}, "url": "https://example.org/light", "title": "A lighthouse of glass",
                "summary": "", "points": 310, "comments": 44, "publishedAt": 1763000000000_u64, "popularity": 0.9, "nsfw": false},
                "score": 0.71, "source": 0.5, "topic": 1.0, "freshness": 0.8, "popularity": 0.9, "chance": 0.0,
                "parts": {"source": 0.15, "topic": 0.4, "freshness": 0.16, "popularity": 0.09, "chance": 0.0}}],
            "reports": [{"source": {"family": "hacker_news", "name": "top"}, "items": 30, "fresh": 28, "unchanged": false}]
        })),
        (status = 409, description = "`preview_under_way`", body = ref(refusal()),
            example = json!({"error": {"code": "preview_under_way", "message": "The sources are being read already. Wait until that is done, then try again."}})),
        (status = 503, description = "`sources_too_slow`", body = ref(refusal()),
            example = json!({"error": {"code": "sources_too_slow", "message": "The sources took longer than 90 seconds together. GET /api/discovery says which were read; try again, or remove slow ones."}})),
    )
)]
pub(crate) async fn preview(State(shared): State<Shared>) -> Result<Json<Preview>, Refusal> {
    let _alone = shared.previewing.try_lock().map_err(|_| {
        Refusal::new(
            StatusCode::CONFLICT,
            "preview_under_way",
            "The sources are being read already. Wait until that is done, then try again.",
        )
    })?;
    let view = look(&shared).await?;
    let settings = shared.handle().in_force().settings;
    let wish = wish(&settings, &view.own_sources(), wall());
    let reading = shared.handle().outbound().discovery.gather(&wish, &settings);
    let found = tokio::time::timeout(PREVIEW_DEADLINE, reading)
        .await
        .map_err(|_| too_slow())?;
    let candidates = view.preview(&found.items, &settings, wish.now);
    Ok(Json(Preview {
        candidates: candidates.into_iter().map(CandidateView::from).collect(),
        reports: found.reports,
    }))
}

fn too_slow() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "sources_too_slow",
        format!(
            "The sources took longer than {} seconds together. GET /api/discovery says which were read; try again, or remove slow ones.",
            PREVIEW_DEADLINE.as_secs()
        ),
    )
}
