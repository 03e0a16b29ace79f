//! The running server, and its orderly end.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::guard::Guard;
use crate::listener::{BoundedListener, CONNECTIONS_MAX};
use crate::router::assemble;
use crate::site::{Shared, Site};

/// How long requests under way may take after the server was asked to end.
const GRACE: Duration = Duration::from_secs(5);

/// Serves the site until `shutdown` comes: then no new connection is taken, live streams end, requests under way
/// are finished, and after a short grace whatever is left is cut off.
pub async fn serve(
    listener: TcpListener,
    site: Site,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let guard = Guard::new(listener.local_addr()?, site.token.clone())?;
    let listener = BoundedListener::new(listener, CONNECTIONS_MAX);
    let stopping = CancellationToken::new();
    let shared = Shared::new(site, stopping.clone());
    let router = assemble(shared.clone(), guard);
    let signal = {
        let stopping = stopping.clone();
        async move {
            shutdown.await;
            stopping.cancel();
        }
    };
    let grace_over = async {
        stopping.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = async {
            axum::serve(listener, router).with_graceful_shutdown(signal).into_future().await?;
            // The server does not wait for sockets, and those who share should hear that it ends.
            shared.sockets.closed().await;
            Ok(())
        } => served,
        () = grace_over => {
            tracing::warn!(seconds = GRACE.as_secs(), "some requests did not end in time and were cut off");
            Ok(())
        }
    }
}
