//! The real browser against pages that need one, and against pages that want out. On machines without a Chromium
//! these tests only say that there is none, except where one is demanded: `make e2e-web` installs one first.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use futures_util::{StreamExt, stream};
use runtime::ports::Toolbox;
use serde_json::json;
use settings::Settings;
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::Notify;
use vocabulary::Span;

use crate::sightings::Sighting;
use crate::world::{allowing, call, curious, run, serve};

/// Whether there is a browser to try.
async fn installed() -> bool {
    let tools = curious().tools(&Settings::default()).await;
    let found = tools.iter().any(|tool| tool.spec.name == "browser_browse");
    if !found {
        let demanded = std::env::var_os("DENIZEN_TEST_BROWSER").is_some();
        assert!(
            !demanded,
            "there is no Chromium on this machine, and DENIZEN_TEST_BROWSER demands one"
        );
        println!("there is no Chromium on this machine: nothing was tried");
    }
    found
}

/// Waits until nothing is left of a browser.
async fn gone(sighting: &Sighting) {
    for _ in 0..200 {
        if sighting.left().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("still there: {:?}", sighting.left());
}

/// Waits for a page to be asked for, and not forever.
async fn soon(arrived: &Notify) {
    let arriving = tokio::time::timeout(Duration::from_secs(60), arrived.notified());
    arriving.await.expect("the page is asked for");
}

#[tokio::test]
async fn a_page_of_scripts_is_seen_and_its_ways_out_are_closed() {
    if !installed().await {
        return;
    }
    // Somebody on this machine that pages have no business with; whoever connects is noted.
    let neighbour = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let neighbour_port = neighbour.local_addr().expect("an address").port();
    let visitors: Arc<Mutex<usize>> = Arc::default();
    let counting = visitors.clone();
    tokio::spawn(async move {
        while neighbour.accept().await.is_ok() {
            *counting.lock().expect("not poisoned") += 1;
        }
    });
    let datagrams = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    let datagram_port = datagrams.local_addr().expect("an address").port();

    let page = include_str!("escapes.html")
        .replace("NEIGHBOUR", &neighbour_port.to_string())
        .replace("DATAGRAMS", &datagram_port.to_string());
    let sighting: Arc<Mutex<Option<Sighting>>> = Arc::default();
    let seeing = sighting.clone();
    let router = Router::new()
        .route("/", get(move || std::future::ready(Html(page.clone()))))
        .route(
            "/data",
            get(move || {
                *seeing.lock().expect("not poisoned") = Sighting::now();
                std::future::ready("tide table: high at noon")
            }),
        )
        .route("/next", get(|| std::future::ready(Html("<p>never linked"))));
    let port = serve(router).await;
    let url = format!("http://site.test:{port}/");
    let arguments = json!({ "url": url, "wait_for": "all tried" });
    let told = run(&curious(), "browser_browse", arguments, &allowing(port))
        .await
        .expect("a page");

    assert!(
        told.starts_with(&format!("Rendered by scripts | {url} | language en")),
        "{told}"
    );
    assert!(told.contains("tide table: high at noon"), "{told}");
    assert!(!told.contains("hidden from view"), "{told}");
    assert!(
        told.contains(&format!("- Next page: http://site.test:{port}/next")),
        "{told}"
    );
    for way in [
        "metadata",
        "neighbour",
        "rebound",
        "socket",
        "image",
        "script",
        "popup",
        "worker",
    ] {
        assert!(told.contains(&format!("{way}: nothing")), "{way}\n{told}");
    }
    assert!(!told.contains("got through"), "{told}");
    assert_eq!(*visitors.lock().expect("not poisoned"), 0, "{told}");
    let mut packet = [0; 100];
    let leak = datagrams
        .try_recv(&mut packet)
        .map(|size| packet[..size].to_vec());
    assert!(leak.is_err(), "a packet went past the proxy: {leak:x?}");

    let sighting = sighting
        .lock()
        .expect("not poisoned")
        .clone()
        .expect("it was seen running");
    assert_eq!(sighting.left(), Vec::<String>::new());
}

#[tokio::test]
async fn a_page_that_leads_to_a_private_address_is_not_followed() {
    if !installed().await {
        return;
    }
    let router = Router::new()
        .route(
            "/away",
            get(|| std::future::ready(Redirect::temporary("http://169.254.169.254/latest/"))),
        )
        .route(
            "/later",
            get(|| std::future::ready(Html("<p>wait<script>location = 'http://rebound.test/'</script>"))),
        );
    let port = serve(router).await;
    let curious = curious();
    for path in ["away", "later"] {
        let url = format!("http://site.test:{port}/{path}");
        let why = run(&curious, "browser_browse", json!({ "url": url }), &allowing(port)).await;
        let why = why.expect_err(path);
        assert!(
            why.contains("was not opened") && why.contains("tools.allowedPrivateHosts"),
            "{path}: {why}"
        );
    }
}

#[tokio::test]
async fn endless_pages_are_cut_off_and_what_they_showed_is_told() {
    if !installed().await {
        return;
    }
    let endless = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b"<p>and on")), ()))
    });
    let endless = Arc::new(Mutex::new(Some(endless.boxed())));
    let router = Router::new()
        .route(
            "/loop",
            get(|| {
                std::future::ready(Html(
                    "<p>before it hangs<script>setTimeout(() => { for (;;) {} }, 50)</script>",
                ))
            }),
        )
        .route(
            "/hop/{number}",
            get(|Path(number): Path<u32>| {
                let next = number + 1;
                std::future::ready(Html(format!(
                    "<p>hop {number}<script>location = '/hop/{next}'</script>"
                )))
            }),
        )
        .route(
            "/stream",
            get(move || {
                let rest = endless.lock().expect("not poisoned").take().expect("asked once");
                let start = stream::once(std::future::ready(Ok(Bytes::from_static(b"<p>it begins"))));
                let body = Body::from_stream(start.chain(rest));
                std::future::ready(([(CONTENT_TYPE, "text/html")], body).into_response())
            }),
        );
    let port = serve(router).await;
    let (curious, settings) = (curious(), allowing(port));
    for (path, shown, remark) in [
        ("loop", "before it hangs", "was stopped"),
        ("stream", "it begins", "not finished"),
        ("hop/1", "hop 5", "more than 5 times"),
    ] {
        let url = format!("http://site.test:{port}/{path}");
        let told = curious
            .run(
                &call("browser_browse", json!({ "url": url })),
                Span::seconds(12),
                &settings,
            )
            .await;
        let told = told.unwrap_or_else(|why| panic!("{path}: {why}"));
        assert!(told.contains(shown), "{told}");
        assert!(told.contains(remark), "{path}: {told}");
    }
}

#[tokio::test]
async fn one_browses_two_wait_and_the_next_is_told_so_and_whoever_goes_away_leaves_nothing_behind() {
    if !installed().await {
        return;
    }
    let arrived = Arc::new(Notify::new());
    let arriving = arrived.clone();
    let never = get(move || {
        arriving.notify_one();
        std::future::pending::<Html<String>>()
    });
    let port = serve(Router::new().route("/never", never)).await;
    let (curious, settings) = (Arc::new(curious()), allowing(port));
    let url = format!("http://site.test:{port}/never");
    let browse = || {
        let (curious, settings, url) = (curious.clone(), settings.clone(), url.clone());
        tokio::spawn(async move { run(&curious, "browser_browse", json!({ "url": url }), &settings).await })
    };
    let first = browse();
    soon(&arrived).await;
    let sighting = Sighting::now().expect("it was seen running");
    assert!(
        sighting.command().contains("--proxy-server=http://127.0.0.1:"),
        "{}",
        sighting.command()
    );

    let waiting = [browse(), browse()];
    let busy = loop {
        // Those that wait have to come to it first.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let soon = curious
            .run(
                &call("browser_browse", json!({ "url": url })),
                Span::seconds(1),
                &settings,
            )
            .await;
        let why = soon.expect_err("there is no place");
        if !why.contains("busy all the time") {
            break why;
        }
    };
    assert!(busy.contains("others wait"), "{busy}");
    for one in &waiting {
        one.abort();
    }
    first.abort();
    gone(&sighting).await;

    // And the next one has its turn.
    let next = browse();
    soon(&arrived).await;
    let sighting = Sighting::now().expect("it was seen running");
    next.abort();
    gone(&sighting).await;
}

#[tokio::test]
async fn a_program_that_is_no_browser_is_told_so_and_learns_no_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("no-browser");
    std::fs::write(
        &program,
        "#!/bin/sh\nenv > \"$0.env\"\necho FATAL: no browser >&2\nexit 1\n",
    )
    .expect("written");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, executable).expect("made executable");
    let port = serve(Router::new()).await;
    let mut settings = allowing(port);
    settings.tools.browser_path = program.display().to_string();
    let url = format!("http://site.test:{port}/");
    let why = run(&curious(), "browser_browse", json!({ "url": url }), &settings).await;
    let why = why.expect_err("no browser");
    assert!(
        why.contains("does not work as a browser") && why.contains("FATAL: no browser"),
        "{why}"
    );
    assert!(why.contains("tools.browserPath"), "{why}");

    let environment = std::fs::read_to_string(folder.path().join("no-browser.env")).expect("its environment");
    assert!(
        std::env::var("CARGO_MANIFEST_DIR").is_ok(),
        "there is something not to be told"
    );
    assert!(!environment.contains("CARGO"), "{environment}");
    let home = environment
        .lines()
        .find_map(|line| line.strip_prefix("HOME="))
        .expect("a home");
    assert!(
        home.contains("denizen-browser-") && !std::path::Path::new(home).exists(),
        "{home}"
    );
}
