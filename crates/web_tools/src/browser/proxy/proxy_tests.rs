use std::net::IpAddr;

use fetching::NameTable;

use super::*;

/// A server that answers every connection with the same bytes, after it has seen a head, and says what it saw.
async fn server(answer: &'static [u8]) -> (u16, tokio::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (seen, heads) = tokio::sync::mpsc::channel(16);
    tokio::spawn(async move {
        while let Ok((mut peer, _)) = listener.accept().await {
            let seen = seen.clone();
            tokio::spawn(async move {
                let mut head = vec![0; 4096];
                let read = peer.read(&mut head).await.unwrap_or(0);
                let _ = seen
                    .send(String::from_utf8_lossy(&head[..read]).into_owned())
                    .await;
                let _ = peer.write_all(answer).await;
                let _ = peer.shutdown().await;
                // Until the other side has taken everything.
                let _ = peer.read(&mut head).await;
            });
        }
    });
    (port, heads)
}

fn names() -> Fetcher {
    let here: IpAddr = "127.0.0.1".parse().expect("an address");
    let metadata: IpAddr = "169.254.169.254".parse().expect("an address");
    let table = NameTable::default()
        .with("site.test", &[here])
        .with("rebound.test", &[metadata]);
    Fetcher::with_lookup(Arc::new(table))
}

async fn proxy(allowed: &[String], limits: Limits) -> Proxy {
    let policy = FetchPolicy {
        allowed_private_hosts: allowed.to_vec(),
    };
    Proxy::start(names(), policy, limits).await.expect("a proxy")
}

async fn say(proxy: &Proxy, words: &str) -> String {
    let mut stream = TcpStream::connect(proxy.address).await.expect("a connection");
    stream.write_all(words.as_bytes()).await.expect("said");
    let mut heard = Vec::new();
    // A connection that is cut off is answered with what came until then.
    let _ = stream.read_to_end(&mut heard).await;
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn a_request_is_passed_on_in_the_form_a_server_takes() {
    let (port, mut heads) = server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").await;
    let proxy = proxy(&[format!("site.test:{port}")], Limits::default()).await;
    let heard = say(
        &proxy,
        &format!(
            "GET http://site.test:{port}/a?b=c HTTP/1.1\r\nHost: site.test:{port}\r\nProxy-Connection: keep-alive\r\n\
             Connection: keep-alive\r\nAccept: */*\r\n\r\n"
        ),
    )
    .await;
    assert!(heard.ends_with("hi"), "{heard}");
    let head = heads.recv().await.expect("a head");
    assert_eq!(
        head,
        format!("GET /a?b=c HTTP/1.1\r\nHost: site.test:{port}\r\nAccept: */*\r\nConnection: close\r\n\r\n")
    );
}

#[tokio::test]
async fn a_tunnel_carries_bytes_both_ways() {
    let (port, mut heads) = server(b"pong").await;
    let proxy = proxy(&["site.test".to_owned()], Limits::default()).await;
    let heard = say(&proxy, &format!("CONNECT site.test:{port} HTTP/1.1\r\n\r\nping")).await;
    assert_eq!(heard, "HTTP/1.1 200 Connection established\r\n\r\npong");
    assert_eq!(heads.recv().await.as_deref(), Some("ping"));
}

#[tokio::test]
async fn private_addresses_are_not_reached_by_number_by_name_or_by_odd_spelling() {
    let (port, mut heads) = server(b"HTTP/1.1 200 OK\r\n\r\nsecret").await;
    let proxy = proxy(&[], Limits::default()).await;
    for host in [
        "127.0.0.1",
        "localhost",
        "site.test",
        "rebound.test",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0x7f.1",
        "2130706433",
        "0.0.0.0",
        "169.254.169.254",
        "10.0.0.1",
    ] {
        let get = format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(say(&proxy, &get).await, "", "{host}");
        let tunnel = format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n");
        assert_eq!(say(&proxy, &tunnel).await, "", "{host}");
    }
    assert!(heads.try_recv().is_err());
    let why = proxy.budget.refusal_of("169.254.169.254").expect("a reason");
    assert!(why.contains("169.254.169.254"), "{why}");
}

#[tokio::test]
async fn the_proxy_itself_is_reached_by_nobody_even_where_this_machine_is_allowed() {
    let proxy = proxy(
        &["127.0.0.1".to_owned(), "localhost".to_owned()],
        Limits::default(),
    )
    .await;
    let port = proxy.address.port();
    for host in ["127.0.0.1", "localhost"] {
        let heard = say(&proxy, &format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n")).await;
        assert_eq!(heard, "", "{host}");
    }
}

#[tokio::test]
async fn what_is_no_request_ends_the_connection() {
    let proxy = proxy(&["site.test".to_owned()], Limits::default()).await;
    for words in [
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET https://site.test/ HTTP/1.1\r\n\r\n",
        "GET ftp://site.test/ HTTP/1.1\r\n\r\n",
        "CONNECT  HTTP/1.1\r\n\r\n",
        "POST http://site.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST http://site.test/ HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\n",
    ] {
        assert_eq!(say(&proxy, words).await, "", "{words}");
    }
    let endless = format!("GET http://site.test/ HTTP/1.1\r\n{}", "A: b\r\n".repeat(20_000));
    assert_eq!(say(&proxy, &endless).await, "");
}

#[tokio::test]
async fn a_page_that_has_had_its_bytes_gets_no_more() {
    static LARGE: [u8; 100_000] = [b'x'; 100_000];
    let (port, _heads) = server(&LARGE).await;
    let limits = Limits {
        bytes_max: 40_000,
        ..Limits::default()
    };
    let proxy = proxy(&["site.test".to_owned()], limits).await;
    let get = format!("GET http://site.test:{port}/ HTTP/1.1\r\nHost: site.test\r\n\r\n");
    let heard = say(&proxy, &get).await;
    assert!(heard.len() <= 40_000, "{}", heard.len());
    proxy.budget.spent().await;
    assert_eq!(say(&proxy, &get).await, "");
}

#[tokio::test]
async fn connections_are_counted() {
    let (port, _heads) = server(b"pong").await;
    let limits = Limits {
        connections_max: 2,
        ..Limits::default()
    };
    let proxy = proxy(&["site.test".to_owned()], limits).await;
    let tunnel = format!("CONNECT site.test:{port} HTTP/1.1\r\n\r\nping");
    for heard in ["pong", "pong", ""] {
        assert!(say(&proxy, &tunnel).await.ends_with(heard));
    }
    assert_eq!(say(&proxy, &tunnel).await, "");
}

#[tokio::test]
async fn a_second_request_on_a_connection_ends_it() {
    // Answers with a length, and keeps the connection open.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let serving = tokio::spawn(async move {
        let (mut peer, _) = listener.accept().await.expect("a peer");
        let mut seen = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(read) = peer.read(&mut piece).await {
            if read == 0 {
                break;
            }
            seen.extend_from_slice(&piece[..read]);
            let _ = peer
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                .await;
        }
        String::from_utf8_lossy(&seen).into_owned()
    });
    let proxy = proxy(&["site.test".to_owned()], Limits::default()).await;
    let get = format!("GET http://site.test:{port}/1 HTTP/1.1\r\nHost: site.test\r\n\r\n");
    let mut stream = TcpStream::connect(proxy.address).await.expect("a connection");
    stream.write_all(get.as_bytes()).await.expect("said");
    let mut heard = [0; 40];
    stream.read_exact(&mut heard).await.expect("an answer");
    stream
        .write_all(b"GET http://127.0.0.1/2 HTTP/1.1\r\n\r\n")
        .await
        .expect("said");
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(rest.is_empty(), "{rest:?}");
    assert!(!serving.await.expect("it served").contains("/2"));
}
