//! Servers that lie, stall, never end, or send something else than they say.

use std::io::Write;
use std::time::Duration;

use crate::server::{Reply, Server, wanted};
use fetching::{FetchFault, Fetched, Fetcher, Validators};
use flate2::Compression;
use flate2::write::GzEncoder;

async fn fetch(reply: Reply) -> Result<Fetched, FetchFault> {
    let server = Server::answering(move |_| reply.clone()).await;
    Fetcher::new()
        .fetch(&wanted(&server.url("/")), &server.policy())
        .await
}

async fn fetch_quickly(reply: Reply) -> FetchFault {
    let server = Server::answering(move |_| reply.clone()).await;
    let mut wish = wanted(&server.url("/"));
    wish.timeout = Duration::from_millis(300);
    let fetched = Fetcher::new().fetch(&wish, &server.policy()).await;
    fetched.expect_err("it never ends")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

#[tokio::test]
async fn what_is_asked_and_what_comes() {
    let server = Server::answering(|_| {
        Reply::with(
            "200 OK\r\nContent-Type: Text/Plain; charset=latin1\r\nETag: \"a\"\r\nLast-Modified: Tue, 01 Jan 2030 00:00:00 GMT",
            b"caf\xe9",
        )
    })
    .await;
    let mut wish = wanted(&server.url("/x?y=1#z"));
    wish.accept = vec!["text/plain".to_owned()];
    let fetched = Fetcher::new()
        .fetch(&wish, &server.policy())
        .await
        .expect("it is there");
    assert_eq!((fetched.status, fetched.mime.as_str()), (200, "text/plain"));
    assert_eq!(fetched.text(), "café");
    assert_eq!(fetched.url.as_str(), server.url("/x?y=1"));
    assert_eq!(fetched.validators.etag.as_deref(), Some("\"a\""));
    let request = server.requests().remove(0).to_lowercase();
    assert!(request.starts_with("get /x?y=1 http/1.1\r\n"), "{request}");
    assert!(
        request.contains(&format!("user-agent: denizen/{}\r\n", env!("CARGO_PKG_VERSION"))),
        "{request}"
    );
    assert!(request.contains("accept: text/plain\r\n"), "{request}");
    assert!(
        request.contains("accept-encoding: gzip, deflate\r\n"),
        "{request}"
    );
    for absent in ["cookie", "referer", "if-none-match", "authorization"] {
        assert!(!request.contains(absent), "{request}");
    }
}

#[tokio::test]
async fn cookies_are_not_kept() {
    let server = Server::answering(|_| Reply::with("200 OK\r\nSet-Cookie: a=b", b"x")).await;
    let fetcher = Fetcher::new();
    for _ in 0..2 {
        fetcher
            .fetch(&wanted(&server.url("/")), &server.policy())
            .await
            .expect("it is there");
    }
    assert!(!server.requests()[1].to_lowercase().contains("cookie"));
}

#[tokio::test]
async fn redirects_are_followed_of_every_kind() {
    for status in [301, 302, 303, 307, 308] {
        let server = Server::answering(move |path| match path {
            "/a" => Reply::redirect(status, "b?c#d"),
            _ => Reply::ok("text/plain", path.as_bytes()),
        })
        .await;
        let fetched = Fetcher::new()
            .fetch(&wanted(&server.url("/a")), &server.policy())
            .await
            .expect("it leads there");
        assert_eq!(fetched.text(), "/b?c");
        assert_eq!(fetched.url.path(), "/b");
        assert!(!server.requests()[1].to_lowercase().contains("referer"));
    }
}

#[tokio::test]
async fn redirects_in_a_circle_and_without_end_are_given_up() {
    let circle = Server::answering(|path| Reply::redirect(302, if path == "/a" { "/b" } else { "/a" })).await;
    let fault = Fetcher::new()
        .fetch(&wanted(&circle.url("/a")), &circle.policy())
        .await
        .expect_err("a circle");
    assert!(fault.to_string().contains("in a circle"), "{fault}");
    let endless = Server::answering(|path| Reply::redirect(302, &format!("{path}x"))).await;
    let fault = Fetcher::new()
        .fetch(&wanted(&endless.url("/a")), &endless.policy())
        .await
        .expect_err("no end");
    assert!(fault.to_string().contains("more than 5 times"), "{fault}");
    assert_eq!(endless.requests().len(), 6);
    let nowhere = fetch(Reply::with("302 Found", b"")).await.expect_err("nowhere");
    assert!(nowhere.to_string().contains("without saying where"), "{nowhere}");
}

#[tokio::test]
async fn a_body_larger_than_the_limit_is_refused() {
    let said = Reply::Stuck(b"HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n".to_vec());
    let fault = fetch(said).await.expect_err("it says that it is larger");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    assert!(fault.to_string().contains("larger than 100 kB"), "{fault}");
    let unsaid = Reply::Raw(
        [
            b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec(),
            vec![b'x'; 100_001],
        ]
        .concat(),
    );
    let fault = fetch(unsaid).await.expect_err("it is larger");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    let endless = Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 50_000]);
    let fault = fetch(endless).await.expect_err("it never ends");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    assert_eq!(
        fetch(Reply::ok("text/plain", &[b'x'; 100_000]))
            .await
            .expect("just right")
            .bytes
            .len(),
        100_000
    );
}

#[tokio::test]
async fn slow_servers_are_given_up_at_the_deadline() {
    for reply in [
        Reply::Stuck(Vec::new()),
        Reply::Stuck(b"HTTP/1.1 200 OK\r\nX-Slow: ".to_vec()),
        Reply::Endless(b"HTTP/1.1 200 OK\r\nX-Slow: ".to_vec(), b"x".to_vec()),
        Reply::Stuck(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".to_vec()),
        Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), b"x".to_vec()),
    ] {
        let fault = fetch_quickly(reply.clone()).await;
        assert!(
            matches!(&fault, FetchFault::Failed(words) if words.contains("longer than 300ms")),
            "{reply:?}: {fault}"
        );
    }
}

#[tokio::test]
async fn headers_without_end_are_not_kept_for_ever() {
    let endless = Reply::Endless(
        b"HTTP/1.1 200 OK\r\n".to_vec(),
        b"X-Many: headers\r\n".repeat(1000),
    );
    let fault = fetch(endless).await.expect_err("too many headers");
    assert!(matches!(fault, FetchFault::Failed(_)), "{fault:?}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_said_to_have_broken() {
    let reset = fetch(Reply::Reset).await.expect_err("reset");
    assert!(matches!(reset, FetchFault::Failed(_)), "{reset:?}");
    let short = Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".to_vec());
    let fault = fetch(short).await.expect_err("it is short");
    assert!(fault.to_string().contains("broke off"), "{fault}");
    let nonsense = fetch(Reply::Raw(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()))
        .await
        .expect_err("not HTTP");
    assert!(matches!(nonsense, FetchFault::Failed(_)), "{nonsense:?}");
    let port = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let url = format!("http://127.0.0.1:{port}/");
    let nobody = Fetcher::new()
        .fetch(&wanted(&url), &crate::server::allowing("127.0.0.1"))
        .await;
    assert!(nobody.expect_err("nobody").to_string().contains("no connection"));
}

#[tokio::test]
async fn compressed_bodies_are_read_and_bombs_are_not() {
    let good = Reply::with("200 OK\r\nContent-Encoding: gzip", &gzip(b"hello"));
    assert_eq!(fetch(good).await.expect("it is gzip").text(), "hello");
    let bomb = gzip(&vec![b' '; 4 << 20]);
    assert!(bomb.len() < 100_000);
    let fault = fetch(Reply::with("200 OK\r\nContent-Encoding: gzip", &bomb))
        .await
        .expect_err("a bomb");
    assert!(
        matches!(&fault, FetchFault::Refused(words) if words.contains("larger than")),
        "{fault}"
    );
    let empties = Reply::Endless(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        gzip(b"").repeat(500),
    );
    let fault = fetch(empties).await.expect_err("nothing, for ever");
    assert!(matches!(fault, FetchFault::Refused(_)), "{fault:?}");
    let cut = gzip(b"hello");
    let fault = fetch(Reply::with(
        "200 OK\r\nContent-Encoding: gzip",
        &cut[..cut.len() - 4],
    ))
    .await;
    assert!(fault.expect_err("cut").to_string().contains("gzip is broken"));
    let fault = fetch(Reply::with("200 OK\r\nContent-Encoding: br", b"x"))
        .await
        .expect_err("unknown");
    assert!(
        matches!(&fault, FetchFault::Refused(words) if words.contains("encoded as br")),
        "{fault}"
    );
}

#[tokio::test]
async fn only_types_that_are_wanted_are_taken() {
    let server = Server::answering(|path| match path {
        "/png" => Reply::ok("image/png", b"\x89PNG"),
        "/html" => Reply::ok("text/html", b"<p>x"),
        "/untyped" => Reply::with("200 OK", b"<p>x"),
        _ => Reply::with("200 OK", b"\x89PNG\r\n\x1a\n\0\0"),
    })
    .await;
    let fetch = async |path: &str, accept: &str| {
        let mut wish = wanted(&server.url(path));
        wish.accept = vec![accept.to_owned()];
        Fetcher::new().fetch(&wish, &server.policy()).await
    };
    assert!(fetch("/png", "image/*").await.is_ok());
    assert!(fetch("/html", "text/html").await.is_ok());
    assert_eq!(
        fetch("/untyped", "text/html")
            .await
            .expect("it looks like text")
            .mime,
        ""
    );
    for (path, accept) in [
        ("/html", "image/*"),
        ("/png", "text/html"),
        ("/untyped", "image/*"),
        ("/binary", "text/html"),
    ] {
        let fault = fetch(path, accept).await.expect_err(path);
        assert!(
            matches!(&fault, FetchFault::Refused(words) if words.contains(accept)),
            "{path}: {fault}"
        );
    }
}

#[tokio::test]
async fn nothing_has_changed() {
    let server = Server::answering(|_| {
        Reply::Raw(b"HTTP/1.1 304 Not Modified\r\nETag: \"b\"\r\nConnection: close\r\n\r\n".to_vec())
    })
    .await;
    let mut wish = wanted(&server.url("/"));
    wish.validators = Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: Some("Tue, 01 Jan 2030 00:00:00 GMT".to_owned()),
    };
    wish.accept = vec!["text/html".to_owned()];
    let fetched = Fetcher::new()
        .fetch(&wish, &server.policy())
        .await
        .expect("not modified");
    assert!(fetched.not_modified && fetched.bytes.is_empty());
    assert_eq!(fetched.validators.etag.as_deref(), Some("\"b\""));
    assert_eq!(fetched.validators.last_modified, wish.validators.last_modified);
    let request = server.requests().remove(0).to_lowercase();
    assert!(request.contains("if-none-match: \"a\"\r\n"), "{request}");
    assert!(
        request.contains("if-modified-since: tue, 01 jan 2030 00:00:00 gmt\r\n"),
        "{request}"
    );
    wish.validators = Validators::default();
    let fault = Fetcher::new()
        .fetch(&wish, &server.policy())
        .await
        .expect_err("nobody asked");
    assert_eq!(fault.status(), Some(304));
}

#[tokio::test]
async fn other_answers_carry_their_status_and_how_long_to_wait() {
    let fault = fetch(Reply::with("404 Not Found", b"no"))
        .await
        .expect_err("not there");
    assert_eq!((fault.status(), fault.retry_after()), (Some(404), None));
    assert!(fault.to_string().ends_with("answered 404 Not Found"), "{fault}");
    let fault = fetch(Reply::with("429 Too Many Requests\r\nRetry-After: 90", b"no"))
        .await
        .expect_err("too many");
    assert_eq!(
        (fault.status(), fault.retry_after()),
        (Some(429), Some(Duration::from_secs(90)))
    );
}
