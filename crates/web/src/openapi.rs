//! The description of the API: what the routes say of themselves, and what holds for all of them.

mod bodies;

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;
use utoipa::openapi::OpenApi;

pub(crate) use bodies::{answer, gathered, question, refusal};

use crate::access::Role;
use crate::declared::LEAST_ROLE;
use crate::guard::{is_for_sharers, is_voice_socket};
use crate::router::description;

/// Completes what was gathered from the routes.
pub(crate) fn complete(gathered: OpenApi, schemas: Map<String, Value>, version: &str) -> Value {
    let mut description = serde_json::to_value(gathered).expect("a description has text keys only");
    description["components"]["schemas"] = Value::Object(schemas);
    description["info"] = json!({
        "title": "Denizen",
        "version": version,
        "license": {"name": "MIT", "identifier": "MIT"},
        "description": "The HTTP API of Denizen's local rooms. Times are unix milliseconds. Every refusal is `{\"error\": {\"code\", \"message\"}}`, and the message says what to do. Everything takes a credential: a token as a bearer header, the cookie of a session, or a token as `?token=` when reading. `x-least-role` says which role a route takes: agent, reader, participant or administrator, which may do everything; `denizen access add` makes tokens. What is under `/api/watch/` is for whoever shares a screen, and takes the token of the share instead: as a bearer header, or in the first message of the socket."
    });
    description["components"]["securitySchemes"] = json!({
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "denizen_ID", "description": "A session, as POST /api/enter leaves it; ID tells folders apart"},
        "share": {"type": "http", "scheme": "bearer", "description": "The token of a share, as POST /api/rooms/{room}/shares gives it out"}
    });
    description["security"] = json!([{"token": []}, {"cookie": []}]);
    description["paths"]["/api/openapi.json"] = json!({"get": {
        LEAST_ROLE: Role::Reader,
        "tags": ["health"], "summary": "Read this description.", "operationId": "openapi",
        "responses": {"200": {"description": "OpenAPI 3.1", "content": {"application/json": {
            "schema": {"type": "object"}, "example": {"openapi": "3.1.0"}
        }}}}
    }});
    let paths = description["paths"].as_object_mut().expect("paths are an object");
    for (path, operations) in paths {
        for (method, operation) in operations.as_object_mut().expect("a path holds operations") {
            assert!(
                operation[LEAST_ROLE].is_string(),
                "{method} {path} does not say which role it takes"
            );
            add_shared_refusals(path, method, operation);
        }
    }
    description
}

/// The description as it is sent, written once somebody asks for it: it takes more memory than all else that a start needs.
#[derive(Clone, Default)]
pub(crate) struct Description(Arc<OnceCell<Bytes>>);

impl Description {
    pub async fn serve(self, version: String) -> Response {
        let write = || tokio::task::spawn_blocking(move || Bytes::from(description(&version).to_string()));
        match self.0.get_or_try_init(write).await {
            Ok(written) => ([(header::CONTENT_TYPE, "application/json")], written.clone()).into_response(),
            Err(error) => {
                tracing::error!(%error, "the description of the API could not be written");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// Refusals that any route can answer with, where the route does not describe them better itself.
fn add_shared_refusals(path: &str, method: &str, operation: &mut Value) {
    let has_body = operation.get("requestBody").is_some();
    let has_json = operation
        .pointer("/requestBody/content/application~1json")
        .is_some();
    let changes = method != "get";
    let is_open = operation[LEAST_ROLE] == "nobody";
    let shared = [
        (
            !is_for_sharers(path) && !is_open,
            "401",
            "unauthorized",
            "This needs a link or a token. Open the link that Denizen printed when it was started, or one that `denizen link` prints; a program sends the header Authorization: Bearer TOKEN.",
        ),
        (
            !is_for_sharers(path) && !is_open,
            "403",
            "not_allowed",
            "This takes the role administrator, and what you came in with has the role reader. Ask whoever runs this Denizen for another link or token.",
        ),
        (
            true,
            "403",
            "bad_host",
            "This address is not one of Denizen's own. Open it as http://localhost or http://127.0.0.1 with its port. If a proxy stands before it, start it with the proxy's address, such as --public-url https://talk.example.",
        ),
        (
            changes || matches!(path, "/api/events" | "/api/watch/socket") || is_voice_socket(path),
            "403",
            "bad_origin",
            "This request came from a page of another site. Use Denizen's own pages, or a program that sends no Origin header. If a proxy stands before Denizen, start it with the proxy's address, such as --public-url https://talk.example.",
        ),
        (
            has_json,
            "400",
            "malformed_json",
            "The body is not JSON: expected value at line 1 column 1. Correct it at that place.",
        ),
        (
            has_body,
            "408",
            "body_too_slow",
            "The body did not come in within 30 seconds. Send the request again.",
        ),
        (
            has_json,
            "413",
            "body_too_large",
            "The body is larger than 64 kB, the most that is taken here. Send less at once.",
        ),
        (
            has_json,
            "415",
            "wrong_content_type",
            "The body must be JSON. Send it with the header Content-Type: application/json.",
        ),
        (
            has_json,
            "422",
            "unknown_field",
            "The body does not fit: unknown field `colour`. GET /api/openapi.json describes it.",
        ),
        (
            true,
            "500",
            "storage_failed",
            "Storage failed while reading messages: disk I/O error. Look at the disk of the data folder, then try again.",
        ),
        (
            changes,
            "503",
            "busy",
            "Too much is waiting to be taken in; try again in a moment.",
        ),
    ];
    let responses = operation["responses"]
        .as_object_mut()
        .expect("every operation has responses");
    for (applies, status, code, message) in shared {
        if !applies {
            continue;
        }
        let known = responses
            .entry(status)
            .or_insert_with(|| json!({"description": "", "content": {}}));
        if known["description"].as_str().is_none_or(str::is_empty) {
            known["description"] = json!(format!("`{code}`"));
        } else if !known["description"].to_string().contains(code) {
            let described = known["description"].as_str().unwrap_or_default();
            known["description"] = json!(format!("{described}; or `{code}`"));
        }
        let content = &mut known["content"]["application/json"];
        if content["example"].is_null() {
            content["schema"] = json!({"$ref": "#/components/schemas/ErrorBody"});
            content["example"] = json!({"error": {"code": code, "message": message}});
        }
        if status == "503" {
            known["headers"] =
                json!({"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}});
        }
    }
}
