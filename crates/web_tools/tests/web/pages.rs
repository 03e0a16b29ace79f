//! Pages of all kinds, read through the one client for what strangers serve.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use serde_json::json;

use crate::world::{allowing, curious, run, serve};

fn html(body: impl Into<Body>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], body.into())
}

#[tokio::test]
async fn a_page_is_read_and_read_on() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let counting = fetched.clone();
    let page = get(move || {
        counting.fetch_add(1, Ordering::Relaxed);
        let paragraphs: String = (0..60)
            .map(|number| {
                format!(
                    "<p>Paragraph {number} tells of the harbour, of its ships and of the weather there.</p>"
                )
            })
            .collect();
        std::future::ready(html(format!(
            "<html lang=en><title>Harbour</title><body><article><h1>Harbour</h1>{paragraphs}</article></body></html>"
        )))
    });
    let port = serve(Router::new().route("/harbour", page)).await;
    let (curious, settings) = (curious(), allowing(port));
    let url = format!("http://site.test:{port}/harbour");

    let told = run(&curious, "web_scrape", json!({ "url": url }), &settings)
        .await
        .expect("a page");
    assert!(
        told.starts_with(&format!("Harbour | {url} | language en\n\n")),
        "{told}"
    );
    assert!(
        told.contains("Paragraph 3 tells") && !told.contains("Paragraph 59"),
        "{told}"
    );
    let from = told
        .rsplit("from=")
        .next()
        .expect("where to read on")
        .trim_end_matches(']')
        .to_owned();
    let told = run(
        &curious,
        "web_scrape",
        json!({ "url": url, "from": from }),
        &settings,
    )
    .await
    .expect("the rest");
    assert!(
        told.contains("Paragraph 59") && !told.contains("Paragraph 3 "),
        "{told}"
    );
    assert_eq!(
        fetched.load(Ordering::Relaxed),
        1,
        "what was read is not fetched again to be read on"
    );
}

#[tokio::test]
async fn texts_are_shown_as_they_are_and_other_things_are_refused_by_name() {
    let typed = |mime: &'static str, body: &'static [u8]| {
        get(move || std::future::ready(([(CONTENT_TYPE, mime)], body).into_response()))
    };
    let router = Router::new()
        .route("/data.json", typed("application/json", b"{\"tide\": \"high\"}"))
        .route(
            "/feed.xml",
            typed("application/rss+xml", b"<rss><title>Tides</title></rss>"),
        )
        .route(
            "/old.html",
            typed(
                "text/html; charset=iso-8859-1",
                "<title>Café</title><p>déjà vu</p>".as_bytes(),
            ),
        )
        .route("/paper.pdf", typed("application/pdf", b"%PDF-1.7"))
        .route("/cat.png", typed("image/png", b"\x89PNG"))
        .route("/app.zip", typed("application/zip", b"PK"));
    let port = serve(router).await;
    let (curious, settings) = (curious(), allowing(port));
    let read = async |path: &str| {
        let url = format!("http://site.test:{port}/{path}");
        run(&curious, "web_scrape", json!({ "url": url }), &settings).await
    };
    assert!(
        read("data.json")
            .await
            .expect("a text")
            .ends_with("{\"tide\": \"high\"}")
    );
    assert!(
        read("feed.xml")
            .await
            .expect("a text")
            .contains("<title>Tides</title>")
    );
    let old = read("old.html").await.expect("a page");
    assert!(old.starts_with("Café") && old.contains("déjà vu"), "{old}");
    for (path, what) in [
        ("paper.pdf", "a PDF"),
        ("cat.png", "a picture"),
        ("app.zip", "application/zip"),
        ("none", "404"),
    ] {
        let why = read(path).await.expect_err(path);
        assert!(why.contains(what), "{why}");
    }
}

#[tokio::test]
async fn hostile_servers_are_refused() {
    let bomb = {
        // A gigabyte of nothing, as gzip: many members, each a mebibyte of zeros in a kilobyte.
        use std::io::Write;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(&vec![b' '; 64 << 20]).expect("packed");
        packer.finish().expect("packed")
    };
    let router = Router::new()
        .route("/huge", get(|| std::future::ready(html(vec![b'x'; 6 << 20]))))
        .route(
            "/away",
            get(|| std::future::ready(Redirect::temporary("http://169.254.169.254/latest/meta-data/"))),
        )
        .route(
            "/rebound",
            get(|| std::future::ready(Redirect::temporary("http://rebound.test/"))),
        )
        .route(
            "/bomb",
            get(move || {
                let headers = [(CONTENT_TYPE, "text/html"), (CONTENT_ENCODING, "gzip")];
                std::future::ready((headers, bomb.clone()).into_response())
            }),
        );
    let port = serve(router).await;
    let (curious, settings) = (curious(), allowing(port));
    for (path, wanted) in [
        ("huge", "4"),
        ("bomb", "4"),
        ("away", "169.254.169.254"),
        ("rebound", "169.254.169.254"),
    ] {
        let url = format!("http://site.test:{port}/{path}");
        let why = run(&curious, "web_scrape", json!({ "url": url }), &settings)
            .await
            .expect_err(path);
        assert!(why.contains(wanted), "{path}: {why}");
    }
    let unallowed = format!("http://other.test:{port}/huge");
    let why = run(&curious, "web_scrape", json!({ "url": unallowed }), &settings)
        .await
        .expect_err("private");
    assert!(why.contains("tools.allowedPrivateHosts"), "{why}");
}

#[tokio::test]
async fn what_a_site_asks_of_robots_is_kept_to_and_asked_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = asked.clone();
    let robots = get(move || {
        counting.fetch_add(1, Ordering::Relaxed);
        std::future::ready(
            "User-agent: badbot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\nAllow: /private/open\n",
        )
    });
    let page = || get(|| std::future::ready(html("<title>T</title><p>words</p>")));
    let router = Router::new()
        .route("/robots.txt", robots)
        .route("/public", page())
        .route("/private/diary", page())
        .route("/private/open", page())
        .route(
            "/moved",
            get(|| std::future::ready(Redirect::temporary("/private/diary"))),
        );
    let port = serve(router).await;
    let (curious, settings) = (curious(), allowing(port));
    let read = async |tool: &str, path: &str| {
        let url = format!("http://site.test:{port}/{path}");
        run(&curious, tool, json!({ "url": url }), &settings).await
    };
    assert!(read("web_scrape", "public").await.is_ok());
    assert!(read("web_scrape", "private/open").await.is_ok());
    for path in ["private/diary", "moved"] {
        let why = read("web_scrape", path).await.expect_err(path);
        assert!(why.contains("asks robots to stay away"), "{why}");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    // The browser is a robot, too; it is not even started.
    let mut settings = settings.clone();
    settings.tools.browser_path = "/bin/false".to_owned();
    let url = format!("http://site.test:{port}/private/diary");
    let why = run(&curious, "browser_browse", json!({ "url": url }), &settings)
        .await
        .expect_err("refused");
    assert!(why.contains("asks robots to stay away"), "{why}");
}
