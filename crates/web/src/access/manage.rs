//! Credentials as an administrator sees, makes and takes them back.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::WallTime;

use super::credential::{Caller, Credential, CredentialKind, NewLink, NotKept, OpenLink};
use super::role::Role;
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

const LABEL_CHARS_MAX: usize = 100;
const USES_MAX: u32 = 100;
/// Thirty days: a link is a way in, and lies about in chats.
const LINK_SECONDS_MAX: u32 = 30 * 24 * 60 * 60;
const LINK_SECONDS: u32 = 15 * 60;
const TOKEN_SECONDS_MAX: u32 = 10 * 365 * 24 * 60 * 60;

/// A credential, without its secret.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CredentialView {
    id: String,
    kind: CredentialKind,
    role: Role,
    label: String,
    made_at: WallTime,
    /// To the hour; none if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_at: Option<WallTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<WallTime>,
    /// How often a link still lets somebody in.
    #[serde(skip_serializing_if = "Option::is_none")]
    uses_left: Option<u32>,
}

impl From<Credential> for CredentialView {
    fn from(credential: Credential) -> Self {
        Self {
            id: credential.id,
            kind: credential.kind,
            role: credential.role,
            label: credential.label,
            made_at: credential.made_at,
            last_used_at: credential.last_used_at,
            expires_at: credential.expires_at,
            uses_left: None,
        }
    }
}

impl From<OpenLink> for CredentialView {
    fn from(link: OpenLink) -> Self {
        Self {
            id: link.id,
            kind: CredentialKind::Link,
            role: link.role,
            label: link.label,
            made_at: link.made_at,
            last_used_at: None,
            expires_at: Some(link.expires_at),
            uses_left: Some(link.uses_left),
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Credentials {
    credentials: Vec<CredentialView>,
}

/// A token to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewToken {
    role: Role,
    /// Whose it is, to know it again.
    #[schemars(length(min = 1, max = 100))]
    label: String,
    /// It is over after so many seconds; never without it.
    valid_seconds: Option<u32>,
}

/// A token that was made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokenAnswer {
    /// Told this once, and kept nowhere.
    token: String,
    credential: CredentialView,
}

/// A link to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LinkWish {
    role: Role,
    /// Whom it is for, to know their session again.
    #[serde(default)]
    #[schemars(length(max = 100))]
    label: String,
    /// How often it lets somebody in: 1 without it, 100 at most.
    uses: Option<u32>,
    /// 900 without it, 2,592,000 (thirty days) at most.
    valid_seconds: Option<u32>,
    /// The room that opens with it, of the default community; the first one without it. Whoever comes in may go to the others.
    room: Option<String>,
}

/// A link that was made.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkAnswer {
    /// What follows the address of this Denizen.
    path: String,
    role: Role,
    uses: u32,
    expires_at: WallTime,
}

/// List who may come in.
///
/// Tokens, sessions of browsers, and links that still let somebody in; what is given from outside, such as `DENIZEN_TOKEN`, is not among them.
#[utoipa::path(
    get, path = "/api/access", tag = "access",
    responses((status = 200, description = "Credentials, without their secrets", body = ref(answer::<Credentials>()), example = json!({"credentials": [
        {"id": "9f2c41aa03de", "kind": "token", "role": "reader", "label": "the monitor", "madeAt": 1763000000000_u64}
    ]})))
)]
pub(crate) async fn credentials(State(shared): State<Shared>) -> Json<Credentials> {
    let access = &shared.site.access;
    let known = access.credentials().into_iter().map(CredentialView::from);
    let links = access.links().into_iter().map(CredentialView::from);
    Json(Credentials {
        credentials: known.chain(links).collect(),
    })
}

/// Make a token, for a program.
#[utoipa::path(
    post, path = "/api/access", tag = "access",
    request_body(content = ref(question::<NewToken>()), example = json!({"role": "agent", "label": "the helper"})),
    responses(
        (status = 201, description = "The token, told this once", body = ref(answer::<TokenAnswer>())),
        (status = 422, description = "`invalid_label` or `invalid_time`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_label", "message": "A label has 1 to 100 characters. Say whose it is, to know it again."}})),
    )
)]
pub(crate) async fn add_token(
    State(shared): State<Shared>,
    SmallJson(new): SmallJson<NewToken>,
) -> Result<(StatusCode, Json<TokenAnswer>), Refusal> {
    if new.label.trim().is_empty() {
        return Err(invalid_label());
    }
    check_label(&new.label)?;
    let valid = new
        .valid_seconds
        .map(|seconds| checked(seconds, TOKEN_SECONDS_MAX));
    let (credential, token) = shared
        .site
        .access
        .issue(new.role, new.label.trim(), valid.transpose()?)?;
    let credential = credential.into();
    Ok((StatusCode::CREATED, Json(TokenAnswer { token, credential })))
}

/// Take a token, a session or a link back. The names it had stay taken until an administrator releases them or hands them on.
///
/// Sessions that were made from a token end with it, and so do links that its administrator made, live events that they
/// listen to and screens that they share. Whoever came in by a link stays: their sessions are listed by themselves.
#[utoipa::path(
    delete, path = "/api/access/{id}", tag = "access",
    params(("id" = String, Path, description = "The credential", example = "9f2c41aa03de")),
    responses(
        (status = 204, description = "It opens nothing any more"),
        (status = 404, description = "`unknown_credential`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_credential", "message": "There is no credential x here. GET /api/access lists them."}})),
        (status = 500, description = "`not_durable`: it opens nothing, and a restart would undo that until it is written", body = ref(refusal()),
            example = json!({"error": {"code": "not_durable", "message": "It opens nothing any more, but access.json could not be written (No space left on device). That is tried again every 5 seconds; a restart before it is written would open it again. Make room on the disk of the data folder."}})),
    )
)]
pub(crate) async fn revoke(
    State(shared): State<Shared>,
    InPath(id): InPath<String>,
) -> Result<StatusCode, Refusal> {
    let revoked = shared.site.access.revoke(&id).map_err(|problem| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "not_durable",
            format!("{id} opens nothing any more, but {problem}. That is tried again every 5 seconds; a restart before it is written would open it again. Make room on the disk of the data folder."),
        )
    })?;
    match revoked {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown_credential(&id)),
    }
}

/// Make a link that lets somebody in.
#[utoipa::path(
    post, path = "/api/access/links", tag = "access",
    request_body(content = ref(question::<LinkWish>()), example = json!({"role": "participant", "label": "Bob", "uses": 1, "validSeconds": 3600})),
    responses(
        (status = 201, description = "The link", body = ref(answer::<LinkAnswer>()), example = json!({
            "path": "/?enter=4f0c…", "role": "participant", "uses": 1, "expiresAt": 1763000000000_u64
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 422, description = "`invalid_label`, `invalid_time`, `invalid_uses` or `invalid_role`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_uses", "message": "A link lets 1 to 100 people in. Give such a number."}})),
    )
)]
pub(crate) async fn add_link(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    SmallJson(wish): SmallJson<LinkWish>,
) -> Result<(StatusCode, Json<LinkAnswer>), Refusal> {
    check_label(&wish.label)?;
    let uses = wish.uses.unwrap_or(1);
    if !(1..=USES_MAX).contains(&uses) {
        return Err(Refusal::unprocessable(
            "invalid_uses",
            format!("A link lets 1 to {USES_MAX} people in. Give such a number."),
        ));
    }
    if matches!(wish.role, Role::Agent | Role::Monitor) {
        return Err(Refusal::unprocessable(
            "invalid_role",
            "Agents and monitors come in with a token and have no page. Make one with POST /api/access or `denizen access add`.",
        ));
    }
    let page = match &wish.room {
        Some(room) => format!("#/room/{}", in_address(shared.room(room)?.as_str())),
        None => String::new(),
    };
    let label = match wish.label.trim() {
        "" => format!("a browser, by a link for a {}", wish.role),
        label => label.to_owned(),
    };
    let issued = shared.site.access.link(NewLink {
        role: wish.role,
        label,
        uses,
        valid_ms: checked(wish.valid_seconds.unwrap_or(LINK_SECONDS), LINK_SECONDS_MAX)?,
        made_by: Some(caller.root().to_owned()),
    });
    let made = LinkAnswer {
        path: format!("/?enter={}{page}", issued.code),
        role: wish.role,
        uses,
        expires_at: issued.expires_at,
    };
    Ok((StatusCode::CREATED, Json(made)))
}

impl From<NotKept> for Refusal {
    fn from(problem: NotKept) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "storage_failed",
            format!(
                "Nothing was changed, because {problem}. Make room on the disk of the data folder, then try again."
            ),
        )
    }
}

/// A word as it stands in an address.
fn in_address(word: &str) -> String {
    let letters = word.bytes().map(|letter| match letter {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(letter).to_string(),
        other => format!("%{other:02X}"),
    });
    letters.collect()
}

fn checked(seconds: u32, most: u32) -> Result<i64, Refusal> {
    if (1..=most).contains(&seconds) {
        return Ok(i64::from(seconds) * 1_000);
    }
    Err(Refusal::unprocessable(
        "invalid_time",
        format!("It may be valid for 1 to {most} seconds. Give such a number."),
    ))
}

pub(super) fn unknown_credential(id: &str) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_credential",
        format!("There is no credential {id} here. GET /api/access lists them."),
    )
}

fn check_label(label: &str) -> Result<(), Refusal> {
    let plain = |letter: char| !letter.is_control();
    if label.chars().count() <= LABEL_CHARS_MAX && label.chars().all(plain) {
        return Ok(());
    }
    Err(invalid_label())
}

fn invalid_label() -> Refusal {
    Refusal::unprocessable(
        "invalid_label",
        format!("A label has 1 to {LABEL_CHARS_MAX} characters. Say whose it is, to know it again."),
    )
}
