//! A proxy with TLS stands before it, which listens on loopback.

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::caller::{Caller, answer};
use crate::driver::{House, TOKEN, access, open};

const LOUNGE: &str = "/api/rooms/lounge/messages";
const PUBLIC: &str = "https://talk.example";

/// The same house once more, as it is where people open it at a proxy's address.
struct Proxied {
    caller: Caller,
    address: SocketAddr,
    serving: JoinHandle<std::io::Result<()>>,
    _house: House,
}

impl Drop for Proxied {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn proxied() -> Proxied {
    let house = open().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let access = access();
    web::open_at(&access, PUBLIC.parse().unwrap());
    let site = web::Site {
        town: runtime::Town::alone(runtime::Hosted {
            handle: house.handle.clone(),
            name: "local".into(),
            rooms: vec!["lounge".into()],
            doors: None,
        }),
        access,
        version: String::new(),
        started: std::time::Instant::now(),
        export: std::sync::Arc::new(|_| String::new()),
        streams: None,
        abroad: Vec::new(),
    };
    Proxied {
        caller: Caller::knowing(address, TOKEN),
        address,
        serving: tokio::spawn(web::serve(listener, site, std::future::pending())),
        _house: house,
    }
}

#[tokio::test]
async fn the_name_of_the_proxy_is_answered_and_no_other() {
    let house = proxied().await;
    let with_host = async |host: &str| {
        answer(
            house
                .caller
                .request(Method::GET, "/api/health")
                .header("host", host),
        )
        .await
    };
    for host in ["talk.example", "TALK.example:443", "localhost", "127.0.0.1:9"] {
        with_host(host).await.ok(200);
    }
    for host in ["evil.example", "talk.example.evil.example", "x.talk.example"] {
        let message = with_host(host).await.refused(403, "bad_host");
        assert!(message.contains("--public-url"), "{message}");
    }
}

#[tokio::test]
async fn pages_of_the_proxys_address_write_by_whichever_name_it_asks() {
    let house = proxied().await;
    let body = json!({"author": "Alice", "text": "hi"});
    let write = async |host: &str, origin: &str| {
        let request = house.caller.with_json(Method::POST, LOUNGE, &body);
        answer(request.header("host", host).header("origin", origin)).await
    };
    let own = house.address.to_string();
    write("talk.example", PUBLIC).await.ok(201);
    // As nginx asks unless it is told otherwise.
    write(&own, PUBLIC).await.ok(201);
    write(&own, &format!("http://{own}")).await.ok(201);
    for origin in [
        "http://talk.example:81",
        "https://evil.example",
        "https://talk.example:8443",
    ] {
        write(&own, origin).await.refused(403, "bad_origin");
    }
}

#[tokio::test]
async fn a_session_that_was_begun_by_tls_is_never_shown_without() {
    let house = proxied().await;
    let enter = async |host: &str, origin: &str| {
        let request = house
            .caller
            .with_json(Method::POST, "/api/enter", &json!({"token": TOKEN}));
        let entered = answer(request.header("host", host).header("origin", origin)).await;
        entered.header("set-cookie").to_owned()
    };
    let own = house.address.to_string();
    for (host, origin) in [("talk.example", PUBLIC), (own.as_str(), PUBLIC)] {
        let cookie = enter(host, origin).await;
        assert!(cookie.ends_with("; Secure"), "{cookie}");
    }
    let at_home = enter(&own, &format!("http://{own}")).await;
    assert!(!at_home.contains("Secure"), "{at_home}");
}
