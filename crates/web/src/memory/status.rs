//! How memory is: what it holds, what waits, and what does not work.

use axum::Json;
use axum::extract::State;
use runtime::ports::{BufferCount, StoreStats};
use serde_json::{Value, json};

use super::desk::NO_MEMORY;
use crate::shapes;
use crate::site::Shared;

/// See how memory is.
///
/// Answers even where memory cannot be reached: `trouble` says what is wrong and what to do.
#[utoipa::path(
    get, path = "/api/memory/status", tag = "memory",
    responses((status = 200, description = "What it holds, what waits, and what does not work", body = shapes::MemoryStatus, example = json!({
        "enabled": true, "store": "SQLite in data/denizen.db", "buffer": "SQLite in data/denizen.db",
        "embedder": {"name": "builtin:table-1", "dimensions": 256},
        "stats": {"gems": 120, "superseded": 7, "turns": 2048, "diskBytes": 4194304, "memoryBytes": 1048576},
        "waiting": {"waiting": 0, "held": 3, "keptBack": 0}, "reembedding": null, "trouble": null, "extractor": "auto"
    })))
)]
pub(crate) async fn status(State(shared): State<Shared>) -> Json<Value> {
    let settings = shared.handle().in_force().settings;
    let about = json!({"enabled": settings.memory.enabled, "extractor": settings.memory.extractor});
    let status = match shared.handle().memory() {
        Some(service) => serde_json::to_value(service.status().await).expect("a status has text keys only"),
        None => json!({
            "store": "", "buffer": "", "embedder": null, "stats": StoreStats::default(),
            "waiting": BufferCount::default(), "reembedding": null,
            "trouble": NO_MEMORY
        }),
    };
    Json(merged(status, about))
}

fn merged(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}
