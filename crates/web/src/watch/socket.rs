//! The socket of a share page: who comes in, and what happens when they go.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use runtime::screens::{ShareRefusal, ShareTicket};
use tokio::sync::OwnedSemaphorePermit;
use vocabulary::{FrameRefusal, ShareEnd};

use super::connection::{Close, Heard, ShareConnection};
use super::sharing::{Left, Sharing};
use super::sockets::{SHARING_MAX, Seat, Stranger};
use super::words::{Said, Say};
use crate::access::enter::own_session;
use crate::doorway::Seat as ConnectionSeat;
use crate::openapi::refusal;
use crate::refusal::Refusal;
use crate::refused;
use crate::site::Shared;

/// How long somebody may take to say who they are: pages do it at once.
const HELLO_DEADLINE: Duration = Duration::from_secs(5);
/// How long whoever is pushed out may take to hear so.
const FAREWELL_DEADLINE: Duration = Duration::from_secs(1);
/// How long the same token may come back after a broken connection.
const GRACE: Duration = Duration::from_secs(10);
/// A frame may be so much larger than allowed and still be refused by name; beyond that the socket is closed.
const BYTES_BEYOND_LIMIT: usize = 64 * 1024;
const WRITE_BUFFER_BYTES: usize = 16 * 1024;

/// Share a screen from a page, over a WebSocket.
///
/// The page first says `{"type":"hello","token":"…"}`, and is told `welcome` with what to keep to. Then each binary message
/// is a JPEG, answered by `taken` or `refused` before the next is read. `{"type":"still"}` keeps a share alive on which
/// nothing changes, `{"type":"stop"}` ends it. It is told `state` when it is watched or something was noted, `limits` when
/// settings change, and `ended`. After a broken connection the same token may come back within 10 seconds; a second
/// socket with the same token takes the place of the first. Whoever has not said hello within half a second goes when many
/// others come, and after 5 seconds in any case.
#[utoipa::path(
    get, path = "/api/watch/socket", tag = "watch", security(()),
    responses(
        (status = 101, description = "From here on it is a WebSocket"),
        (status = 426, description = "`upgrade_required`: this is no WebSocket", body = ref(refusal()),
            example = json!({"error": {"code": "upgrade_required", "message": "This address speaks WebSocket only. Open it with a WebSocket client."}})),
    )
)]
pub(crate) async fn socket(
    State(shared): State<Shared>,
    seat: Option<Extension<Arc<ConnectionSeat>>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|_| upgrade_required())?;
    let address = seat.map_or(IpAddr::from([0, 0, 0, 0]), |Extension(seat)| seat.address());
    // A browser that is let in here is no stranger, although only the token of a share lets it share.
    let known = own_session(&shared.site.access, &headers).and_then(|_| shared.sockets.for_known());
    let stranger = match known {
        Some(known) => known,
        None => shared.sockets.for_stranger(address).await.ok_or_else(|| {
            Refusal::busy("Many sockets were opened that have not said hello yet. Try again in a moment.")
        })?,
    };
    let frame_bytes_max = shared.handle().in_force().settings.stream_watch.max_frame_bytes;
    let message_bytes_max = frame_bytes_max as usize + BYTES_BEYOND_LIMIT;
    let upgrade = upgrade
        .max_message_size(message_bytes_max)
        .max_frame_size(message_bytes_max)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(4 * WRITE_BUFFER_BYTES);
    Ok(upgrade.on_upgrade(move |socket| receive(shared, socket, frame_bytes_max, stranger)))
}

async fn receive(shared: Shared, socket: WebSocket, frame_bytes_max: u64, stranger: Stranger) {
    let mut connection = ShareConnection::new(socket);
    let known = tokio::select! {
        biased;
        () = shared.stopping.cancelled() => Err(NotAdmitted::Stopping),
        () = stranger.pushed_out() => Err(NotAdmitted::PushedOut),
        known = greet(&shared, &mut connection) => known,
    };
    // Whoever has shown their token is no stranger, however long it takes until their share begins.
    drop(stranger);
    let admitted = match known {
        Ok((ticket, place)) => tokio::select! {
            biased;
            () = shared.stopping.cancelled() => Err(NotAdmitted::Stopping),
            admitted = begin(&shared, ticket, place) => admitted,
        },
        Err(problem) => Err(problem),
    };
    match admitted {
        Ok(admitted) => share(&shared, connection, admitted, frame_bytes_max).await,
        Err(NotAdmitted::Refused { reason, detail }) => {
            if connection.say(&Say::Refused { reason, detail }).await.is_ok() {
                connection.close(Close::Done).await;
            }
        }
        Err(NotAdmitted::Nonsense(problem)) => connection.close(Close::Nonsense(problem)).await,
        Err(NotAdmitted::PushedOut) => {
            let why = Close::Nonsense("Others came, and you had not said hello yet. Open the socket again.");
            let _ = tokio::time::timeout(FAREWELL_DEADLINE, connection.close(why)).await;
        }
        Err(NotAdmitted::Stopping) => connection.close(Close::Done).await,
        Err(NotAdmitted::Gone) => {}
    }
}

/// Somebody who may share.
struct Admitted {
    ticket: ShareTicket,
    seat: Seat,
    place: OwnedSemaphorePermit,
}

/// Why somebody may not share.
enum NotAdmitted {
    Refused {
        reason: String,
        detail: String,
    },
    Nonsense(&'static str),
    /// Too many others came.
    PushedOut,
    Stopping,
    Gone,
}

impl From<ShareRefusal> for NotAdmitted {
    fn from(refusal: ShareRefusal) -> Self {
        let (reason, detail) = Refusal::from(refusal).into_words();
        Self::Refused {
            reason: reason.to_owned(),
            detail,
        }
    }
}

/// Finds out who it is.
async fn greet(
    shared: &Shared,
    connection: &mut ShareConnection,
) -> Result<(ShareTicket, OwnedSemaphorePermit), NotAdmitted> {
    let token = tokio::time::timeout(HELLO_DEADLINE, hello(connection))
        .await
        .unwrap_or(Err(NotAdmitted::Nonsense(
            "Say {\"type\":\"hello\",\"token\":…} within 5 seconds.",
        )))?;
    let ticket = shared.handle().screens().ticket(None, &token).inspect_err(|_| {
        let code = FrameRefusal::SessionNotFound.name();
        refused::journal(
            shared,
            &Method::GET,
            "/api/watch/socket",
            StatusCode::NOT_FOUND,
            code,
        );
    })?;
    let place = shared.sockets.for_sharing().ok_or_else(|| NotAdmitted::Refused {
        reason: "too_many_sockets".to_owned(),
        detail: format!("{SHARING_MAX} screens are shared from pages already. Wait until one of them ends, then load this page again."),
    })?;
    Ok((ticket, place))
}

/// Begins their share.
async fn begin(
    shared: &Shared,
    ticket: ShareTicket,
    place: OwnedSemaphorePermit,
) -> Result<Admitted, NotAdmitted> {
    // First the seat: whoever waits for this page to come back must not give it up while its share begins.
    let seat = shared.sockets.sit(ticket.share());
    ticket.begin().await?;
    Ok(Admitted { ticket, seat, place })
}

async fn hello(connection: &mut ShareConnection) -> Result<String, NotAdmitted> {
    loop {
        match connection.hear().await {
            Heard::Words(Said::Hello { token }) => return Ok(token),
            Heard::SignOfLife => {}
            Heard::Words(Said::Still | Said::Stop) | Heard::Frame(_) => {
                return Err(NotAdmitted::Nonsense(
                    "The first message is {\"type\":\"hello\",\"token\":…}.",
                ));
            }
            Heard::Nonsense(problem) => return Err(NotAdmitted::Nonsense(problem)),
            Heard::Gone => return Err(NotAdmitted::Gone),
        }
    }
}

/// Shares until either side ends it; a connection that broke may come back for a while.
async fn share(shared: &Shared, connection: ShareConnection, admitted: Admitted, frame_bytes_max: u64) {
    let Admitted { ticket, seat, place } = admitted;
    let left = Sharing::new(shared, connection, &ticket, &seat, frame_bytes_max)
        .run()
        .await;
    drop(place);
    if let Left::Over = left {
        return;
    }
    tokio::select! {
        biased;
        () = shared.stopping.cancelled() => {}
        () = seat.taken_over() => {}
        () = ticket.ended() => {}
        () = tokio::time::sleep(GRACE) => ticket.end(ShareEnd::Lost).await,
    }
}

fn upgrade_required() -> Refusal {
    Refusal::new(
        StatusCode::UPGRADE_REQUIRED,
        "upgrade_required",
        "This address speaks WebSocket only. Open it with a WebSocket client.",
    )
    .with_header(header::UPGRADE, HeaderValue::from_static("websocket"))
}
