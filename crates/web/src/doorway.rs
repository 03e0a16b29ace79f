//! The door: connections are taken in, bounded in number and in time, and let go when others need their place.

mod line;
mod places;

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

pub(crate) use line::Seat;
use line::{Answering, Line};
use places::{Limits, Place, Places};

/// How long a request's head may take, from the moment it is waited for; so long is a silent connection kept, too.
const HEAD_DEADLINE: Duration = Duration::from_secs(30);
/// The largest head, and the most of a body that is read at once.
const HEAD_BYTES_MAX: usize = 64 * 1024;
const HEADERS_MAX: usize = 64;
const MOMENT: Duration = Duration::from_millis(10);

/// Takes connections until `stopping`, then lets requests under way be finished.
pub(crate) async fn serve(mut listener: TcpListener, router: Router, stopping: CancellationToken) {
    let places = Arc::new(Places::new(Limits::usual()));
    let connections = TaskTracker::new();
    loop {
        let (stream, address) = tokio::select! {
            biased;
            () = stopping.cancelled() => break,
            taken = Listener::accept(&mut listener) => taken,
        };
        let seat = loop {
            match Places::take(&places, address.ip()) {
                Place::Yours(seat) => break Some(seat),
                Place::InAMoment => tokio::time::sleep(MOMENT).await,
                Place::None => break None,
            }
        };
        let Some(seat) = seat else {
            tracing::warn!(
                "every place is taken by somebody who is being answered; a connection was refused"
            );
            continue;
        };
        connections.spawn(talk(stream, seat, router.clone(), stopping.clone()));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn talk(stream: TcpStream, seat: Arc<Seat>, router: Router, stopping: CancellationToken) {
    // Live events are small and should not wait for each other; without it they are only slower.
    let _ = stream.set_nodelay(true);
    let service = {
        let seat = seat.clone();
        service_fn(move |request: hyper::Request<Incoming>| {
            answer(router.clone(), seat.clone(), request.map(Body::new))
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(Line::new(stream, seat.clone())), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut ending = false;
    loop {
        tokio::select! {
            // A connection that breaks off is no news: whoever it was is gone.
            _ = connection.as_mut() => return,
            () = seat.asked_to_leave() => return,
            () = stopping.cancelled(), if !ending => {
                ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

async fn answer(router: Router, seat: Arc<Seat>, mut request: Request) -> Result<Response, Infallible> {
    let answering = Answering::begin(&seat);
    request.extensions_mut().insert(seat);
    let response = router.oneshot(request).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        // From here on it is no request any more; sockets have bounds of their own.
        answering.for_good();
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(answering.with(body))))
}
