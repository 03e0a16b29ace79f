//! The running server, and its orderly end.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::doorway;
use crate::guard::Guard;
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
    let guard = Guard::new(listener.local_addr()?, site.access.clone());
    let stopping = CancellationToken::new();
    let shared = Shared::new(site, stopping.clone());
    let router = assemble(shared.clone(), guard);
    let signal = async {
        shutdown.await;
        stopping.cancel();
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = async {
            doorway::serve(listener, router, stopping.clone()).await;
            // The door does not wait for sockets, and those who share should hear that it ends.
            shared.sockets.closed().await;
        } => {}
        () = signal => {
            tracing::warn!(seconds = GRACE.as_secs(), "some requests did not end in time and were cut off");
        }
    }
    Ok(())
}
