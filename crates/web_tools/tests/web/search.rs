//! The three search services, in the shape of each.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::IntoResponse;
use runtime::ports::Toolbox;
use serde_json::{Value, json};
use settings::Settings;
use web_tools::{SearchKeys, WebTools};

use crate::world::{curious, run, searching, serve};

/// What a server was asked.
#[derive(Debug, Default)]
struct Asked {
    line: String,
    headers: HeaderMap,
    body: Value,
}

/// A service that answers everything with one status and body, and keeps what it was asked.
async fn service(status: u16, answer: impl Into<String>) -> (u16, Arc<Mutex<Vec<Asked>>>) {
    let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
    let (keeping, answer) = (asked.clone(), answer.into());
    let router = Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        let one = Asked {
            line: format!("{method} {uri}"),
            headers,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        keeping.lock().expect("not poisoned").push(one);
        let status = StatusCode::from_u16(status).expect("a status");
        let location = [("location", "http://127.0.0.1:9/elsewhere")];
        std::future::ready((status, location, answer.clone()).into_response())
    });
    (serve(router).await, asked)
}

fn header(asked: &Asked, name: &str) -> Option<String> {
    let value = asked.headers.get(name)?;
    value.to_str().ok().map(str::to_owned)
}

#[tokio::test]
async fn searxng_is_asked_for_json_and_told_in_a_list() {
    let answer = json!({
        "query": "rust news", "number_of_results": 0,
        "results": [
            { "url": "https://blog.example/rust?utm_source=x#top", "title": "Rust <b>1.95</b>", "engine": "duckduckgo",
              "content": "What&#39;s new\u{202e} in\nRust", "publishedDate": "2026-11-02T10:00:00" },
            { "url": "https://blog.example/rust", "title": "The same again", "content": "" },
            { "url": "javascript:alert(1)", "title": "no page", "content": "x" },
            { "url": "https://two.example/", "title": "", "content": "Second", "publishedDate": null },
        ],
        "answers": [], "suggestions": [], "unresponsive_engines": []
    });
    let (port, asked) = service(200, answer.to_string()).await;
    let told = run(
        &curious(),
        "web_search",
        json!({ "query": "rust news & co" }),
        &searching("searxng", port),
    )
    .await;
    assert_eq!(
        told.expect("results"),
        "Results of SearXNG for \"rust news & co\":\n\n\
         1. Rust 1.95 (2026-11-02)\n   https://blog.example/rust\n   What's new in Rust\n\n\
         2. (no title)\n   https://two.example/\n   Second"
    );
    let asked = asked.lock().expect("not poisoned");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, "GET /search?q=rust+news+%26+co&format=json");
    assert_eq!(header(&asked[0], "accept").as_deref(), Some("application/json"));
    assert!(header(&asked[0], "authorization").is_none());
    assert!(header(&asked[0], "x-subscription-token").is_none());
}

#[tokio::test]
async fn brave_is_asked_with_its_token() {
    let answer = json!({
        "type": "search", "query": { "original": "tides" },
        "web": { "type": "search", "results": [
            { "title": "Tides", "url": "https://sea.example/tides", "description": "High at <strong>noon</strong>",
              "age": "2 days ago", "page_age": "2026-11-13T00:00:00", "language": "en", "family_friendly": true },
            { "title": "Ebb", "url": "https://sea.example/ebb", "description": "Low", "page_age": "2026-10-01T00:00:00" },
        ] }
    });
    let (port, asked) = service(200, answer.to_string()).await;
    let told = run(
        &curious(),
        "web_search",
        json!({ "query": "tides", "count": 2 }),
        &searching("brave", port),
    )
    .await;
    let told = told.expect("results");
    assert!(
        told.contains("1. Tides (2 days ago)\n   https://sea.example/tides\n   High at noon"),
        "{told}"
    );
    assert!(told.contains("2. Ebb (2026-10-01)"), "{told}");
    let asked = asked.lock().expect("not poisoned");
    assert_eq!(
        asked[0].line,
        "GET /res/v1/web/search?q=tides&count=2&text_decorations=false&result_filter=web"
    );
    assert_eq!(
        header(&asked[0], "x-subscription-token").as_deref(),
        Some("brave-secret")
    );
    assert_eq!(header(&asked[0], "accept").as_deref(), Some("application/json"));
}

#[tokio::test]
async fn tavily_is_asked_with_its_key_as_a_bearer() {
    let answer = json!({
        "query": "tides", "answer": null, "images": [], "response_time": 1.1,
        "results": [{ "title": "Tides", "url": "https://sea.example/tides", "content": "High at noon", "score": 0.9,
                      "published_date": "2026-11-13", "raw_content": null }]
    });
    let (port, asked) = service(200, answer.to_string()).await;
    let told = run(
        &curious(),
        "web_search",
        json!({ "query": "tides" }),
        &searching("tavily", port),
    )
    .await;
    assert!(
        told.expect("results")
            .contains("1. Tides (2026-11-13)\n   https://sea.example/tides")
    );
    let asked = asked.lock().expect("not poisoned");
    assert_eq!(asked[0].line, "POST /search");
    assert_eq!(
        header(&asked[0], "authorization").as_deref(),
        Some("Bearer tavily-secret")
    );
    assert_eq!(
        header(&asked[0], "content-type").as_deref(),
        Some("application/json")
    );
    assert_eq!(
        asked[0].body,
        json!({ "query": "tides", "max_results": 8, "search_depth": "basic" })
    );
}

#[tokio::test]
async fn results_beyond_what_fits_are_left_out_from_the_end() {
    let result = |number: usize| json!({ "url": format!("https://{number}.example/{}", "p".repeat(450)), "title": "T".repeat(300), "content": "c".repeat(2_000) });
    let results: Vec<Value> = (0..40).map(result).collect();
    let (port, _) = service(200, json!({ "results": results }).to_string()).await;
    let told = run(
        &curious(),
        "web_search",
        json!({ "query": "x" }),
        &searching("searxng", port),
    )
    .await;
    let told = told.expect("results");
    assert!(
        told.contains("\n1. ") && told.contains("\n3. ") && !told.contains("\n9. "),
        "{told}"
    );
}

#[tokio::test]
async fn trouble_is_told_with_what_to_do_and_without_the_key() {
    for (provider, status, answer, wanted) in [
        ("searxng", 403, "Forbidden", "search.formats"),
        ("searxng", 200, "<html>", "tools.searchUrl"),
        ("searxng", 200, "{}", "tools.searchUrl"),
        ("searxng", 302, "", "final address"),
        ("brave", 422, "brave-secret is wrong", "BRAVE_API_KEY"),
        ("brave", 429, "", "too often"),
        ("tavily", 401, "tavily-secret is wrong", "TAVILY_API_KEY"),
        ("tavily", 432, "", "used up"),
        ("tavily", 500, "", "try again later"),
    ] {
        let (port, asked) = service(status, answer).await;
        let told = run(
            &curious(),
            "web_search",
            json!({ "query": "x" }),
            &searching(provider, port),
        )
        .await;
        let why = told.expect_err(provider);
        assert!(why.contains(wanted), "{provider} {status}: {why}");
        assert_eq!(
            asked.lock().expect("not poisoned").len(),
            1,
            "nothing is followed"
        );
    }
    let (port, _) = service(200, format!("{{\"results\":\"{}\"}}", "x".repeat(3 << 20))).await;
    let why = run(
        &curious(),
        "web_search",
        json!({ "query": "x" }),
        &searching("searxng", port),
    )
    .await;
    assert!(why.expect_err("too large").contains("2 MB"));
    let why = run(
        &curious(),
        "web_search",
        json!({ "query": "x" }),
        &searching("searxng", 9),
    )
    .await;
    assert!(why.expect_err("nobody is there").contains("Is it running"));
}

#[tokio::test]
async fn a_tool_is_offered_when_it_can_be_run_and_the_status_says_why_not() {
    let names = async |curious: &WebTools, settings: &Settings| -> Vec<String> {
        let tools = curious.tools(settings).await;
        tools.into_iter().map(|tool| tool.spec.name).collect()
    };
    let mut settings = Settings::default();
    settings.tools.browser_path = "/nowhere/chromium".to_owned();
    let curious = WebTools::new(SearchKeys::default());
    assert_eq!(names(&curious, &settings).await, ["web_scrape"]);
    settings.tools.search_provider = settings::SearchProvider::Brave;
    assert_eq!(names(&curious, &settings).await, ["web_scrape"]);
    let status = curious.status(&settings).await;
    assert_eq!(
        status.iter().map(|one| one.ready).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert!(status[0].detail.contains("BRAVE_API_KEY"), "{status:?}");
    assert!(status[2].detail.contains("/nowhere/chromium"), "{status:?}");

    settings.tools.search_provider = settings::SearchProvider::Searxng;
    settings.tools.search_url = "http://127.0.0.1:8888".to_owned();
    // Any program will do to be offered.
    settings.tools.browser_path = "/bin/sh".to_owned();
    settings.tools.timeout_seconds = 40;
    settings.tools.web_in_replies = false;
    let tools = curious.tools(&settings).await;
    let names: Vec<_> = tools.iter().map(|tool| tool.spec.name.as_str()).collect();
    assert_eq!(names, ["web_search", "web_scrape", "browser_browse"]);
    assert_eq!(
        tools.iter().map(|tool| tool.deadline.0).collect::<Vec<_>>(),
        [40_000, 40_000, 60_000]
    );
    assert!(tools.iter().all(|tool| !tool.in_replies && tool.in_thoughts));

    settings.tools.pages = false;
    settings.tools.browser = false;
    settings.initiative.allow_active_curiosity = false;
    let tools = curious.tools(&settings).await;
    assert_eq!(tools.len(), 1);
    assert!(!tools[0].in_thoughts);
    for (tool, key) in [("web_scrape", "tools.pages"), ("browser_browse", "tools.browser")] {
        let refused = run(&curious, tool, json!({ "url": "https://a.example" }), &settings).await;
        assert!(refused.expect_err("switched off").contains(key));
    }
}
