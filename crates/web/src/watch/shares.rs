//! Links to share a screen: given out to the room, and ended by whoever shares or by an administrator.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::screens::{self, ShareRefusal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{Share, ShareEnd, ShareId, ShareSource, WallTime};

use crate::access::{Caller, Role, refuse_taken};
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::rooms::rate::refuse_too_fast;
use crate::site::Shared;

/// Somebody wants to share a screen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewShare {
    /// Who shares, as they are called in the room.
    #[schemars(length(min = 1, max = 40), example = &"Alice")]
    name: String,
    /// By which way the screen comes in: `share_page` (usual), `frame_api`, `whip` or `file`.
    #[serde(default = "share_page")]
    #[schemars(example = &"share_page")]
    source: ShareSource,
}

fn share_page() -> ShareSource {
    ShareSource::SharePage
}

/// A link to share a screen. Whoever knows the token may share; it is shown only here.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShareLink {
    share: ShareId,
    token: String,
    /// Unix milliseconds; a share that is under way then goes on.
    expires_at: WallTime,
    /// The page to share on. The token is in the fragment, which browsers keep to themselves.
    #[schemars(example = &"/share#TOKEN")]
    url: String,
    frames_url: String,
    whip_url: String,
}

/// Get a link to share a screen with.
///
/// The share begins when the link is used: on the page `url`, with the first picture at `framesUrl`, or with a stream at
/// `whipUrl`. The token is shown only here, and is worth nothing once the share has ended. A share ends with the session or
/// token that this request shows.
#[utoipa::path(
    post, path = "/api/rooms/{room}/shares", tag = "watch",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<NewShare>()), example = json!({"name": "Alice", "source": "share_page"})),
    responses(
        (status = 201, description = "The link", body = ref(answer::<ShareLink>()), example = json!({
            "share": "0198c0de-0000-7000-8000-000000000007", "token": "TOKEN", "expiresAt": 1763000720000_u64, "url": "/share#TOKEN",
            "framesUrl": "/api/watch/0198c0de-0000-7000-8000-000000000007/frames",
            "whipUrl": "/api/watch/0198c0de-0000-7000-8000-000000000007/whip"
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 409, description = "`stream_watch_disabled`", body = ref(refusal()),
            example = json!({"error": {"code": "stream_watch_disabled", "message": "Watching screens is switched off: voice.streamWatch.enabled is false."}})),
        (status = 422, description = "`invalid_author`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_author", "message": "A name is needed. Choose another name and try again."}})),
        (status = 429, description = "`too_many_links` or `too_fast`", body = ref(refusal()),
            example = json!({"error": {"code": "too_many_links", "message": "240 links are open already; close a share, or wait until some have expired."}})),
    )
)]
pub(crate) async fn share(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
    SmallJson(new): SmallJson<NewShare>,
) -> Result<Response, Refusal> {
    let room = shared.room(&room)?.clone();
    let handle = shared.handle();
    refuse_too_fast(&shared, &caller)?;
    let author = shared.author(&new.name)?;
    refuse_taken(&shared, &caller, &author).await?;
    let link = handle.screens().invite(screens::NewShare {
        room,
        person: author.id,
        name: author.name,
        source: new.source,
    })?;
    end_with(&shared, &caller, &link);
    let root = shared.root();
    let page = match shared.is_home() {
        true => "/share".to_owned(),
        false => format!("/share?community={}", shared.community.id()),
    };
    let link = ShareLink {
        url: format!("{page}#{}", link.token),
        frames_url: format!("{root}/watch/{}/frames", link.share),
        whip_url: format!("{root}/watch/{}/whip", link.share),
        share: link.share,
        token: link.token,
        expires_at: link.expires_at,
    };
    // Nothing on the way may keep the token.
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, unkept, Json(link)).into_response())
}

/// A share ends with what it was made with: whoever is not let in any more shows nothing either.
fn end_with(shared: &Shared, caller: &Caller, link: &screens::ShareLink) {
    let Ok(ticket) = shared.handle().screens().ticket(Some(&link.share), &link.token) else {
        return;
    };
    let (access, caller, stopping) = (
        shared.site.access.clone(),
        caller.clone(),
        shared.stopping.clone(),
    );
    tokio::spawn(async move {
        tokio::select! {
            () = stopping.cancelled() => {}
            () = ticket.ended() => {}
            () = access.until_gone(&caller) => ticket.end(ShareEnd::AccessEnded).await,
        }
    });
}

/// End a share: one's own, or as an administrator anybody's.
///
/// Whoever shares is told; their token is worth nothing any more. The journal says whether they ended it themselves.
#[utoipa::path(
    delete, path = "/api/rooms/{room}/shares/{share}", tag = "watch",
    params(
        ("room" = String, Path, description = "The room", example = "lounge"),
        ("share" = String, Path, description = "The share", example = "0198c0de-0000-7000-8000-000000000007"),
    ),
    responses(
        (status = 204, description = "It is over"),
        (status = 403, description = "`not_yours`: somebody else shares", body = ref(refusal()),
            example = json!({"error": {"code": "not_yours", "message": "Alice shares this screen, and only they or an administrator can end it or have it watched no longer."}})),
        (status = 404, description = "`unknown_room` or `session_not_found`", body = ref(refusal()),
            example = json!({"error": {"code": "session_not_found", "message": "There is no such share, or its link has expired; ask the room for a new link."}})),
    )
)]
pub(crate) async fn end_share(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath((room, share)): InPath<(String, String)>,
) -> Result<StatusCode, Refusal> {
    let room = shared.room(&room)?;
    let screens = shared.handle().screens();
    let share = ShareId::new(share);
    let found = screens.share(&share).filter(|found| found.room == *room);
    let found = found.ok_or(ShareRefusal::NotFound)?;
    refuse_anothers(&shared, &caller, &found)?;
    let reason = match caller.role {
        Role::Administrator => ShareEnd::EndedByOperator,
        _ => ShareEnd::Stopped,
    };
    screens.end(&share, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A share is its sharer's: whoever has their name, and administrators, may end it.
pub(super) fn refuse_anothers(shared: &Shared, caller: &Caller, share: &Share) -> Result<(), Refusal> {
    if caller.role == Role::Administrator || shared.site.access.owns(caller, &share.person) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::FORBIDDEN,
        "not_yours",
        format!(
            "{} shares this screen, and only they or an administrator can end it or have it watched no longer.",
            share.name
        ),
    ))
}
