//! Coming in: a link or a token becomes a session of this browser. And going again.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::credential::Caller;
use super::role::Role;
use super::sessions::Entry;
use super::store::Access;
use crate::body::SmallJson;
use crate::guard::{over_since, shown_cookies};
use crate::openapi::{answer, question, refusal};
use crate::parameters::InQuery;
use crate::public::PublicAddress;
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
    /// What was shown would have let them do less, or the same: this browser keeps the session that it has, and a link is
    /// not used up. With `instead` it is taken all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    offered: Option<Role>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EnterQuery {
    /// Take what is shown in place of the session that this browser has, although that may do more.
    #[param(example = false)]
    instead: Option<bool>,
}

/// Come in with a link or a token.
///
/// What is shown becomes a session, whose secret is left in a cookie that no script can read. A link is used up by it. A
/// browser that has a session already keeps it, unless it may do more from now on: then it has another one, with the names
/// that it has taken. The session of a token ends with the token.
#[utoipa::path(
    post, path = "/api/enter", tag = "access", security(()),
    params(EnterQuery),
    request_body(content = ref(question::<Shown>()), example = json!({"code": "4f0c…"})),
    responses(
        (status = 200, description = "Come in; the cookie is set", body = ref(answer::<Admitted>()), example = json!({"role": "participant"})),
        (status = 403, description = "`link_over`: the link was used, or its time is over. `token_over`: the same of a token. `wrong_token`", body = ref(refusal()),
            example = json!({"error": {"code": "link_over", "message": "This link was used already, or its time is over. Ask whoever gave it to you for another one; where Denizen runs, `denizen link` prints one."}})),
    )
)]
pub(crate) async fn enter(
    State(shared): State<Shared>,
    InQuery(query): InQuery<EnterQuery>,
    headers: HeaderMap,
    SmallJson(shown): SmallJson<Shown>,
) -> Result<Response, Refusal> {
    let access = &shared.site.access;
    let instead = query.instead.unwrap_or(false);
    let offered = match &shown {
        Shown::Code(code) => access.0.links.role_of(code).ok_or_else(link_over)?,
        Shown::Token(token) => known(access, token)?.role,
    };
    let own = own_session(access, &headers);
    if let Some((secret, caller)) = &own
        && offered <= caller.role
        && !instead
    {
        let kept = Admitted {
            role: caller.role,
            offered: Some(offered),
        };
        let cookie = cookie_of(access, &headers, secret);
        return Ok(([(header::SET_COOKIE, cookie)], Json(kept)).into_response());
    }
    let entry = match shown {
        Shown::Code(code) => {
            let (role, label) = access.0.links.take(&code).ok_or_else(link_over)?;
            Entry {
                role,
                label,
                parent: None,
            }
        }
        Shown::Token(token) => access.entry_by(&known(access, &token)?),
    };
    let cookie = match own.filter(|_| instead) {
        None => session_cookie(access, &headers, &entry),
        Some((_, caller)) => {
            // Browsers that came by the same token share a session, which stays theirs.
            if caller.parent.is_none() {
                end(access, &caller);
            }
            cookie_of(access, &headers, &access.session(&entry))
        }
    };
    let admitted = Admitted {
        role: entry.role,
        offered: None,
    };
    Ok(([(header::SET_COOKIE, cookie)], Json(admitted)).into_response())
}

/// See what one may do here.
#[utoipa::path(
    get, path = "/api/me", tag = "access",
    responses((status = 200, description = "Whoever asks", body = ref(answer::<Admitted>()), example = json!({"role": "administrator"})))
)]
pub(crate) async fn me(Extension(caller): Extension<Caller>) -> Json<Admitted> {
    Json(Admitted {
        role: caller.role,
        offered: None,
    })
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
    for secret in shown_cookies(access, &headers) {
        if let Some(caller) = access.who(secret) {
            end(access, &caller);
        }
    }
    let cookie = format!(
        "{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
        access.cookie_name()
    );
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

/// Whoever goes is gone either way; it is written again by itself. A token that stands in a cookie is not this browser's to
/// end.
fn end(access: &Access, caller: &Caller) {
    if !access.is_session(caller) {
        return;
    }
    if let Err(problem) = access.revoke(&caller.credential) {
        tracing::error!(%problem, "a session that ended comes back if Denizen ends before it can be written");
    }
}

/// The session that a browser has: the one that may do most, for another program on the same machine may have left it
/// cookies of that name.
pub(crate) fn own_session<'a>(access: &Access, headers: &'a HeaderMap) -> Option<(&'a str, Caller)> {
    let live = shown_cookies(access, headers).filter_map(|secret| Some((secret, access.who(secret)?)));
    live.filter(|(_, caller)| !matches!(caller.role, Role::Agent | Role::Monitor))
        .max_by_key(|(_, caller)| caller.role)
}

/// The cookie of the session of a browser that comes in.
pub(crate) fn session_cookie(access: &Access, headers: &HeaderMap, entry: &Entry) -> String {
    let secret = access.come_in(own_session(access, headers), entry);
    cookie_of(access, headers, &secret)
}

/// A proxy stands before it, and people open it at this address from now on; the first that is said holds.
pub fn open_at(access: &Access, public: PublicAddress) {
    let _ = access.0.public.set(public);
}

/// Where people open it, where a proxy stands before it.
pub(crate) fn public(access: &Access) -> Option<&PublicAddress> {
    access.0.public.get()
}

/// Where a proxy speaks TLS, the browser never sends it without.
fn cookie_of(access: &Access, headers: &HeaderMap, secret: &str) -> String {
    let is_by_tls = public(access).is_some_and(|public| public.is_by_tls(headers));
    format!(
        "{}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000{}",
        access.cookie_name(),
        if is_by_tls { "; Secure" } else { "" }
    )
}

fn link_over() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "link_over",
        "This link was used already, or its time is over. Ask whoever gave it to you for another one; where Denizen runs, `denizen link` prints one.",
    )
}

/// Whose token this is; one that was right once is told apart from one that never was.
fn known(access: &Access, token: &str) -> Result<Caller, Refusal> {
    let token = token.trim();
    access.who(token).ok_or_else(|| match access.ended_at(token) {
        Some(end) => Refusal::new(StatusCode::FORBIDDEN, "token_over", over_since(end)),
        None => wrong_token(),
    })
}

fn wrong_token() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "wrong_token",
        "This token is not right. Look for missing characters; where Denizen runs, `denizen access list` shows which tokens there are, and `denizen link` prints a link instead.",
    )
}
