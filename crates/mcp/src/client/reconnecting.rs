//! Keeps one server connected: connects, lists, listens, and begins again when it is lost.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::backoff::Backoff;
use super::connection::{self, Connection};
use super::link::Link;
use super::listing;
use super::offer::{self, Offer};
use super::servers::ReconnectPace;
use super::standing::Standing;

/// Runs until it is told to stop; nothing of the server is left then.
pub(crate) async fn keep(link: Arc<Link>, pace: ReconnectPace, stop: CancellationToken) {
    let mut backoff = Backoff::new(pace.first_retry, pace.longest_retry);
    loop {
        let attempt = tokio::select! {
            attempt = attempt(&link, &pace) => attempt,
            () = stop.cancelled() => break,
        };
        let (why, wait) = match attempt {
            Err(why) => (why, backoff.after_failure()),
            Ok(mut connection) => {
                let since = Instant::now();
                let why = tokio::select! {
                    why = stand(&link, &mut connection, &pace) => why,
                    () = stop.cancelled() => {
                        link.away(Standing::Ended, 0);
                        connection.close().await;
                        return;
                    }
                };
                // Nobody shall call a connection that is being given up.
                link.away(Standing::Connecting, backoff.failures());
                connection.close().await;
                (why, backoff.after_loss(since.elapsed()))
            }
        };
        tell(&link, &why, wait, backoff.failures());
        tokio::select! {
            () = sleep(wait) => {}
            () = stop.cancelled() => break,
        }
    }
    link.away(Standing::Ended, 0);
}

async fn attempt(link: &Link, pace: &ReconnectPace) -> Result<Connection, String> {
    let connection = connection::connect(&link.config, pace.connecting).await?;
    match list(link, &connection, pace).await {
        Ok(offer) => {
            tracing::info!(
                server = link.config.name,
                tools = offer.tools.len(),
                "MCP server connected"
            );
            link.connected(connection.about.clone(), connection.peer.clone(), offer);
            Ok(connection)
        }
        Err(why) => {
            let why = format!("{why}{}", connection.last_words());
            connection.close().await;
            Err(why)
        }
    }
}

/// Sees to a connection while it stands; says why it does not any more.
async fn stand(link: &Link, connection: &mut Connection, pace: &ReconnectPace) -> String {
    let list_changed = connection.list_changed.clone();
    loop {
        tokio::select! {
            () = connection.lost() => return format!("the connection was lost{}", connection.last_words()),
            // One call that failed is no lost connection yet; whether it is, the next question shows.
            () = link.found_broken.notified() => {}
            () = list_changed.notified() => {
                // A server that announces changes without end is asked once in a while.
                sleep(pace.relisting_gap).await;
            }
            // Some never announce anything, and over HTTP nobody else would notice that they are gone.
            () = sleep(pace.relisting) => {}
        }
        match list(link, connection, pace).await {
            Ok(offer) => link.relisted(offer),
            Err(why) => return why,
        }
    }
}

async fn list(link: &Link, connection: &Connection, pace: &ReconnectPace) -> Result<Offer, String> {
    let listing = timeout(pace.listing, listing::list(&connection.peer)).await;
    let listed = listing
        .map_err(|_| {
            format!(
                "it did not list its tools within {} s",
                pace.listing.as_secs_f32()
            )
        })?
        .map_err(|error| {
            format!(
                "its tools cannot be listed: {}",
                link.config.secrets.hide(&error.to_string())
            )
        })?;
    Ok(offer::choose(&link.config, listed))
}

fn tell(link: &Link, why: &str, wait: Duration, failures: u32) {
    // At every attempt a line would be too many; the reason is in the status, and may be long.
    if failures <= 1 {
        tracing::warn!(
            server = link.config.name,
            wait_seconds = wait.as_secs(),
            "MCP server not connected"
        );
    }
    tracing::debug!(server = link.config.name, "{why}");
    let standing = Standing::Away {
        why: why.to_owned(),
        again_at: Instant::now() + wait,
    };
    link.away(standing, failures);
}
