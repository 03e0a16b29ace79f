//! How memory is: what it holds, what waits, and what does not work.

use axum::Json;
use axum::extract::State;
use runtime::memory::MemoryStatus;
use runtime::ports::{BufferCount, StoreStats};
use schemars::JsonSchema;
use serde::Serialize;

use super::access::NO_MEMORY;
use crate::openapi::answer;
use crate::site::Shared;

/// How memory is, and how it is set up.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemoryReport {
    /// Whether it takes in and brings up anything.
    enabled: bool,
    /// `auto`, `model` or `offline`.
    extractor: String,
    #[serde(flatten)]
    status: MemoryStatus,
}

/// See how memory is.
///
/// What it holds and what waits is that of the community; at the default one also that of agents and of whoever is not
/// here. Answers even where memory cannot be reached: `trouble` says what is wrong and what to do.
#[utoipa::path(
    get, path = "/api/memory/status", tag = "memory",
    responses((status = 200, description = "What it holds, what waits, and what does not work", body = ref(answer::<MemoryReport>()), example = json!({
        "enabled": true, "store": "SQLite in data/denizen.db", "buffer": "SQLite in data/denizen.db",
        "embedder": {"name": "builtin:table-1", "dimensions": 256},
        "stats": {"gems": 120, "superseded": 7, "turns": 2048, "diskBytes": 4194304, "memoryBytes": 1048576},
        "waiting": {"waiting": 0, "held": 3, "keptBack": 0}, "reembedding": null, "trouble": null, "extractor": "auto"
    })))
)]
pub(crate) async fn status(State(shared): State<Shared>) -> Json<MemoryReport> {
    let settings = shared.handle().in_force().settings;
    let status = match shared.handle().memory() {
        Some(service) => service.status(&shared.whose_memories()).await,
        None => MemoryStatus {
            store: String::new(),
            buffer: String::new(),
            embedder: None,
            stats: StoreStats::default(),
            waiting: BufferCount::default(),
            reembedding: None,
            trouble: Some(NO_MEMORY.to_owned()),
        },
    };
    Json(MemoryReport {
        enabled: settings.memory.enabled,
        extractor: settings.memory.extractor.to_string(),
        status,
    })
}
