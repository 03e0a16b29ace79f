//! Coming in: a link or a token becomes a session of this browser. And going again.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::credential::Caller;
use super::role::Role;
use super::sessions::Entry;
use super::store::Access;
use crate::body::SmallJson;
use crate::guard::shown_cookie;
use crate::openapi::{answer, question, refusal};
use crate::refusal::Refusal;
use crate::site::Shared;

/// What somebody shows to come in: the code of a link, or a token.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(crate) enum Shown {
    /// What stands after `?enter=` in a link.
    Code(String),
    Token(String),
}

/// What somebody may do here.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Admitted {
    role: Role,
}

/// Come in with a link or a token.
///
/// What is shown becomes a session, whose secret is left in a cookie that no script can read. A link is used up by it. A
/// browser that has a session already keeps it; where it may do more from now on it has another one, with the names that
/// it has taken. The session of a token ends with the token.
#[utoipa::path(
    post, path = "/api/enter", tag = "access", security(()),
    request_body(content = ref(question::<Shown>()), example = json!({"code": "4f0c…"})),
    responses(
        (status = 200, description = "Come in; the cookie is set", body = ref(answer::<Admitted>()), example = json!({"role": "participant"})),
        (status = 403, description = "`link_over`: the link was used, or its time is over. `wrong_token`", body = ref(refusal()),
            example = json!({"error": {"code": "link_over", "message": "This link was used already, or its time is over. Ask whoever gave it to you for another one; where Denizen runs, `denizen link` prints one."}})),
    )
)]
pub(crate) async fn enter(
    State(shared): State<Shared>,
    headers: HeaderMap,
    SmallJson(shown): SmallJson<Shown>,
) -> Result<Response, Refusal> {
    let access = &shared.site.access;
    let entry = match shown {
        Shown::Code(code) => {
            let (role, label) = access.use_link(&code).ok_or_else(link_over)?;
            Entry {
                role,
                label,
                parent: None,
            }
        }
        Shown::Token(token) => access.entry_by(&access.who(token.trim()).ok_or_else(wrong_token)?),
    };
    let role = entry.role;
    let cookie = session_cookie(access, &headers, &entry);
    let entered = ([(header::SET_COOKIE, cookie)], Json(Admitted { role }));
    Ok(entered.into_response())
}

/// See what one may do here.
#[utoipa::path(
    get, path = "/api/me", tag = "access",
    responses((status = 200, description = "Whoever asks", body = ref(answer::<Admitted>()), example = json!({"role": "administrator"})))
)]
pub(crate) async fn me(Extension(caller): Extension<Caller>) -> Json<Admitted> {
    Json(Admitted { role: caller.role })
}

/// Go: the session of this browser ends. The names that it has taken stay nobody else's until an administrator hands them
/// on.
///
/// Browsers that came in with the same token have to show it again.
#[utoipa::path(
    post, path = "/api/leave", tag = "access",
    responses((status = 204, description = "Gone; the cookie is taken back"))
)]
pub(crate) async fn leave(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    let access = &shared.site.access;
    let session = shown_cookie(access, &headers).and_then(|secret| access.who(secret));
    if let Some(caller) = session {
        // Whoever goes is gone either way; it is written again later.
        if let Err(problem) = access.revoke(&caller.credential) {
            tracing::error!(%problem, "a session that ended comes back if Denizen ends before it can be written");
        }
    }
    let cookie = format!(
        "{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
        access.cookie_name()
    );
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

/// The cookie of the session of a browser that comes in.
pub(crate) fn session_cookie(access: &Access, headers: &HeaderMap, entry: &Entry) -> String {
    let own = shown_cookie(access, headers).and_then(|secret| Some((secret, access.who(secret)?)));
    let secret = access.come_in(own, entry);
    format!(
        "{}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000",
        access.cookie_name()
    )
}

fn link_over() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "link_over",
        "This link was used already, or its time is over. Ask whoever gave it to you for another one; where Denizen runs, `denizen link` prints one.",
    )
}

fn wrong_token() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "wrong_token",
        "This token is not right. Look for missing characters; where Denizen runs, `denizen access list` shows which tokens there are, and `denizen link` prints a link instead.",
    )
}
