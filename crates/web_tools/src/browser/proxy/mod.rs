//! The browser's only way to the network: a proxy on loopback that connects to addresses that were checked, and to
//! no others, whatever a page's scripts, redirects or name servers try. It lives as long as one browse.

mod budget;
mod head;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use fetching::{FetchPolicy, Fetcher};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

pub(super) use budget::{Budget, Limits};
use head::{Head, Wish};

/// How long a browser may take to say what it wants, and a host to take a connection.
const HEAD_TIME: Duration = Duration::from_secs(10);
const CONNECT_TIME: Duration = Duration::from_secs(10);
const PIECE_BYTES: usize = 16 << 10;

/// A running proxy. Dropping it closes every connection.
#[derive(Debug)]
pub(super) struct Proxy {
    pub address: SocketAddr,
    pub budget: Arc<Budget>,
    _accepting: AbortOnDropHandle<()>,
}

impl Proxy {
    pub(super) async fn start(fetcher: Fetcher, policy: FetchPolicy, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let budget = Arc::new(Budget::new(limits));
        let accepting = accept(listener, Arc::new((fetcher, policy)), budget.clone());
        Ok(Self {
            address,
            budget,
            _accepting: AbortOnDropHandle::new(tokio::spawn(accepting)),
        })
    }
}

async fn accept(listener: TcpListener, way: Arc<(Fetcher, FetchPolicy)>, budget: Arc<Budget>) {
    // Ended with this task: the set aborts what is in it.
    let mut connections = JoinSet::new();
    let own = listener.local_addr().map_or(0, |address| address.port());
    loop {
        let Ok((browser, _)) = listener.accept().await else {
            // Out of descriptors, most likely: wait for some to be given back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        if connections.len() >= budget.limits.open_max || !budget.take_connection() {
            continue;
        }
        let (way, budget) = (way.clone(), budget.clone());
        connections.spawn(async move {
            // The browser sees a connection that ends, as it would of any host that does not answer.
            if let Err(why) = serve(browser, own, &way, &budget).await {
                tracing::debug!(%why, "a connection of the browser ended");
            }
        });
    }
}

async fn serve(
    mut browser: TcpStream,
    own: u16,
    (fetcher, policy): &(Fetcher, FetchPolicy),
    budget: &Budget,
) -> io::Result<()> {
    let head = tokio::time::timeout(HEAD_TIME, Head::read(&mut browser)).await??;
    let wish = head.wish()?;
    let (host, port) = wish.target();
    let host_shown = crate::plain::line(host, 200);
    // Hosts on this machine may be allowed; the proxy is none of them.
    if port == own && is_this_machine(host) {
        budget.refuse(host, "it is not to be reached by pages");
        return Err(io::Error::other(format!("{host_shown} is refused")));
    }
    let connecting = tokio::time::timeout(CONNECT_TIME, fetcher.connect(host, port, policy));
    let mut server = match connecting
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    {
        Ok(server) => server,
        Err(why) => {
            budget.refuse(host, &why.to_string());
            return Err(why);
        }
    };
    match wish {
        Wish::Tunnel { .. } => {
            browser
                .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                .await?;
            server.write_all(head.rest()).await?;
            budget.spend(head.rest().len())?;
            let (mut from_browser, mut to_browser) = browser.split();
            let (mut from_server, mut to_server) = server.split();
            tokio::try_join!(
                pass(&mut from_browser, &mut to_server, budget),
                pass(&mut from_server, &mut to_browser, budget),
            )?;
        }
        Wish::Forward {
            request, body_bytes, ..
        } => {
            server.write_all(&request).await?;
            let there = head.rest().len().min(body_bytes);
            server.write_all(&head.rest()[..there]).await?;
            budget.spend(request.len() + there)?;
            let (from_browser, mut to_browser) = browser.split();
            let (mut from_server, mut to_server) = server.split();
            let mut body = from_browser.take((body_bytes - there) as u64);
            let sending = async {
                pass_open(&mut body, &mut to_server, budget).await?;
                // One request a connection: a second one might be meant for another host.
                let mut more = [0];
                match body.into_inner().read(&mut more).await {
                    Ok(0) => std::future::pending().await,
                    _ => Err(io::Error::other(
                        "the browser wants more of a connection that has served",
                    )),
                }
            };
            tokio::select! {
                over = pass(&mut from_server, &mut to_browser, budget) => over?,
                over = sending => over?,
            }
        }
    }
    Ok(())
}

/// Carries bytes to the end, and says that there are no more.
async fn pass(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    budget: &Budget,
) -> io::Result<()> {
    pass_open(from, to, budget).await?;
    to.shutdown().await
}

/// Carries bytes to the end.
async fn pass_open(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    budget: &Budget,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = from.read(&mut piece).await?;
        if read == 0 {
            return Ok(());
        }
        budget.spend(read)?;
        to.write_all(&piece[..read]).await?;
    }
}

fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_matches(['[', ']']);
    let address = bare.parse::<std::net::IpAddr>();
    address.map_or(bare.eq_ignore_ascii_case("localhost"), |address| {
        address.is_loopback() || address.is_unspecified()
    })
}

#[cfg(test)]
#[path = "proxy_tests.rs"]
mod tests;
