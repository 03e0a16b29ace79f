//! How it stands with what its thoughts reach out with: tools and media.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use futures_util::future::join_all;
use runtime::ports::ToolStatus;
use schemars::JsonSchema;
use serde::Serialize;

use crate::openapi::{answer, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// How long a part may take to say how it is.
const STATUS_DEADLINE: Duration = Duration::from_secs(15);

/// What it can reach out with.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OutwardStatus {
    tools: Vec<ToolStatus>,
    media: Vec<ToolStatus>,
}

/// See what it can reach out with.
///
/// Web search, pages, the browser, every MCP server, and whoever makes pictures and clips and finds GIFs: whether each is
/// ready, and if not, what to do.
#[utoipa::path(
    get, path = "/api/ambient/status", tag = "ambient",
    responses(
        (status = 200, description = "Every part, and whether it is ready", body = ref(answer::<OutwardStatus>()), example = json!({
            "tools": [{"name": "web_search", "ready": false, "detail": "tools.searchProvider is none: choose searxng, brave or tavily", "tools": []},
                {"name": "notes", "ready": true, "detail": "an MCP server with 3 tools", "tools": ["notes__find"]}],
            "media": [{"name": "image", "ready": false, "detail": "media.imageProvider is none", "tools": []}]
        })),
        (status = 503, description = "`busy`: a part takes too long to say how it is", body = ref(refusal()),
            example = json!({"error": {"code": "busy", "message": "One of the tools takes too long to say how it is. Try again in a moment."}})),
    )
)]
pub(crate) async fn status(State(shared): State<Shared>) -> Result<Json<OutwardStatus>, Refusal> {
    let (outbound, settings) = (shared.handle().outbound(), shared.handle().in_force().settings);
    let asked = join_all(outbound.toolboxes.iter().map(|toolbox| toolbox.status(&settings)));
    let tools = tokio::time::timeout(STATUS_DEADLINE, asked).await.map_err(|_| {
        Refusal::busy("One of the tools takes too long to say how it is. Try again in a moment.")
    })?;
    Ok(Json(OutwardStatus {
        tools: tools.into_iter().flatten().collect(),
        media: outbound.studio.status(&settings),
    }))
}
