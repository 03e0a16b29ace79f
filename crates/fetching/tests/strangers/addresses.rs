//! Nobody gets a fetch to go where it must not: by name, by number, by redirect or by changing what a name means.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::server::{Reply, Server, allowing, wanted};
use fetching::{Addresses, FetchFault, FetchPolicy, Fetcher, Lookup, NameTable};

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

async fn open_server() -> Server {
    Server::answering(|_| Reply::ok("text/plain", b"inside")).await
}

#[tokio::test]
async fn a_private_address_is_refused_before_anybody_connects() {
    let server = open_server().await;
    let port = server.port();
    let fetcher = Fetcher::with_lookup(Arc::new(NameTable::default().with("inner.test", &[HERE])));
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "127.0.0.1.",
        "[::ffff:127.0.0.1]",
        "inner.test",
        "INNER.test",
    ] {
        let fault = fetcher
            .fetch(
                &wanted(&format!("http://{host}:{port}/")),
                &FetchPolicy::default(),
            )
            .await
            .expect_err(host);
        assert!(matches!(&fault, FetchFault::Refused(_)), "{host}: {fault:?}");
        let words = fault.to_string();
        assert!(
            words.contains("127.0.0.1") || words.contains("::ffff:"),
            "{words}"
        );
        assert!(words.contains("tools.allowedPrivateHosts"), "{words}");
        assert!(!words.contains('\n'), "{words}");
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn localhost_is_refused_by_the_machines_own_resolver() {
    let server = open_server().await;
    let fetch = async |host: &str| {
        let url = format!("http://{host}:{}/", server.port());
        Fetcher::new().fetch(&wanted(&url), &FetchPolicy::default()).await
    };
    let fault = fetch("localhost").await.expect_err("private");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    // Some resolvers do not know it with a dot.
    fetch("localhost.").await.expect_err("private, or unknown");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn an_allowed_host_is_reached_on_its_port_and_by_that_name_only() {
    let server = open_server().await;
    let port = server.port();
    let fetcher = Fetcher::with_lookup(Arc::new(
        NameTable::default()
            .with("inner.test", &[HERE])
            .with("other.test", &[HERE]),
    ));
    let fetch = async |host: &str, policy: FetchPolicy| {
        let url = format!("http://{host}:{port}/");
        fetcher
            .fetch(&wanted(&url), &policy)
            .await
            .map(|fetched| fetched.text())
    };
    assert_eq!(
        fetch("inner.test", allowing("inner.test")).await,
        Ok("inside".to_owned())
    );
    assert_eq!(
        fetch("inner.test", allowing(&format!("inner.test:{port}"))).await,
        Ok("inside".to_owned())
    );
    assert!(fetch("inner.test", allowing("inner.test:80")).await.is_err());
    assert!(fetch("other.test", allowing("inner.test")).await.is_err());
    assert!(fetch("127.0.0.1", allowing("inner.test")).await.is_err());
    // A permission that was taken back counts at once, whatever connections are still open.
    assert!(fetch("inner.test", FetchPolicy::default()).await.is_err());
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_refused() {
    let target = open_server().await;
    let port = target.port();
    let fetcher = Fetcher::with_lookup(Arc::new(
        NameTable::default()
            .with("public.test", &[HERE])
            .with("inner.test", &[HERE]),
    ));
    for to in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://inner.test:{port}/"),
        format!("//2130706433:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[fd00:ec2::254]/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let place = to.clone();
        let server = Server::answering(move |_| Reply::redirect(302, &place)).await;
        let url = format!("http://public.test:{}/", server.port());
        let policy = allowing(&format!("public.test:{}", server.port()));
        let fault = fetcher.fetch(&wanted(&url), &policy).await.expect_err(&to);
        assert!(matches!(fault, FetchFault::Refused(_)), "{to}: {fault:?}");
        assert_eq!(server.requests().len(), 1, "{to}");
    }
    assert!(target.requests().is_empty());
}

/// A name server that says something else each time: first the address of the test's server, then another.
#[derive(Debug, Default)]
struct Rebinding {
    asked: AtomicUsize,
}

impl Lookup for Rebinding {
    fn addresses(&self, _host: &str) -> Addresses {
        let before = self.asked.fetch_add(1, Ordering::SeqCst);
        let address = if before == 0 { "93.184.216.34" } else { "127.0.0.1" };
        let address: IpAddr = address.parse().expect("an address");
        Box::pin(async move { Ok(vec![address]) })
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_after_the_check_is_not_asked_again() {
    let server = open_server().await;
    let lookup = Arc::new(Rebinding::default());
    let fetcher = Fetcher::with_lookup(lookup.clone());
    let mut wish = wanted(&format!("http://rebinding.test:{}/", server.port()));
    wish.timeout = std::time::Duration::from_millis(400);
    // What was checked is what is connected to, and there is nobody.
    let fault = fetcher
        .fetch(&wish, &FetchPolicy::default())
        .await
        .expect_err("nobody is there");
    assert!(matches!(fault, FetchFault::Failed(_)), "{fault:?}");
    assert_eq!(lookup.asked.load(Ordering::SeqCst), 1);
    // The next fetch asks again, and the new answer is checked like the first.
    let fault = fetcher
        .fetch(&wish, &FetchPolicy::default())
        .await
        .expect_err("it is private now");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_refused_redirect_is_told_by_the_address_that_was_asked_for() {
    let server = Server::answering(|_| Reply::redirect(301, "http://10.1.2.3/admin?key=1")).await;
    let fault = Fetcher::new()
        .fetch(&wanted(&server.url("/feed")), &server.policy())
        .await;
    assert_eq!(
        fault.expect_err("private").to_string(),
        format!(
            "http://{}/feed leads on: http://10.1.2.3/admin was refused: 10.1.2.3 is a private address; \
             add 10.1.2.3 to tools.allowedPrivateHosts if it may be reached",
            server.address
        )
    );
}

#[tokio::test]
async fn a_name_that_nobody_knows_is_named() {
    let fetcher = Fetcher::with_lookup(Arc::new(NameTable::default()));
    let fault = fetcher
        .fetch(&wanted("https://absent.test/a?key=1"), &FetchPolicy::default())
        .await;
    assert_eq!(
        fault.expect_err("no such name").to_string(),
        "https://absent.test/a could not be fetched: the name absent.test has no address"
    );
}
