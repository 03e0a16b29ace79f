//! The embedded pages, built or not.

use reqwest::Method;

use crate::caller::answer;
use crate::driver::open;

#[tokio::test]
async fn every_path_that_names_no_file_is_the_page() {
    let house = open().await;
    let index = house.caller.get("/").await;
    assert_eq!(index.status, 200);
    assert_eq!(index.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(index.header("cache-control"), "no-cache");
    assert!(index.text.contains("<title>"), "{}", index.text);
    for path in ["/index.html", "/room/lounge", "/apiary"] {
        let page = house.caller.get(path).await;
        assert_eq!((page.status, &page.text), (200, &index.text), "{path}");
        let permissions = page.header("permissions-policy");
        assert!(permissions.contains("microphone=(self)"), "{path}: {permissions}");
    }
    house
        .caller
        .get("/assets/nothing-1234.js")
        .await
        .refused(404, "unknown_page");
    house
        .caller
        .get("/../Cargo.toml")
        .await
        .refused(404, "unknown_page");
}

#[tokio::test]
async fn the_share_page_is_a_page_of_its_own_and_the_only_one_that_may_capture_a_screen() {
    let house = open().await;
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/dist/share.html");
    let built = std::fs::read_to_string(pages).ok();
    for path in ["/share", "/share/", "/share.html"] {
        let page = house.caller.get(path).await;
        let Some(built) = &built else {
            let problem = page.refused(404, "unknown_page");
            assert!(problem.contains("make ui"), "{problem}");
            continue;
        };
        assert_eq!((page.status, &page.text), (200, built), "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(
            page.header("permissions-policy"),
            "camera=(), display-capture=(self), geolocation=(), microphone=()"
        );
        assert!(
            page.header("content-security-policy")
                .starts_with("default-src 'none'")
        );
    }
}

#[tokio::test]
async fn a_page_that_is_known_is_not_sent_again() {
    let house = open().await;
    let etag = house.caller.get("/").await.header("etag").to_owned();
    let again = answer(
        house
            .caller
            .request(Method::GET, "/")
            .header("if-none-match", &etag),
    )
    .await;
    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (304, "", etag.as_str())
    );
    let other = answer(
        house
            .caller
            .request(Method::GET, "/")
            .header("if-none-match", "\"other\""),
    )
    .await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn pages_are_only_read() {
    let house = open().await;
    let head = answer(house.caller.request(Method::HEAD, "/")).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    answer(house.caller.request(Method::POST, "/"))
        .await
        .refused(405, "method_not_allowed");
}

#[tokio::test]
async fn what_was_made_smaller_is_sent_so_to_those_who_can_read_it() {
    let house = open().await;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/dist");
    let Ok(index) = std::fs::read_to_string(format!("{folder}/index.html")) else {
        return;
    };
    let script = index
        .split("src=\"/")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let script = script.expect("the page has a script");
    let plain = house.caller.get(&format!("/{script}")).await;
    assert_eq!((plain.status, plain.header("vary")), (200, "accept-encoding"));
    assert!(plain.headers.get("content-encoding").is_none());
    for (encoding, ending) in [("br", "br"), ("gzip", "gz")] {
        let Ok(stored) = std::fs::read(format!("{folder}/{script}.{ending}")) else {
            continue;
        };
        let request = house
            .caller
            .request(Method::GET, &format!("/{script}"))
            .header("accept-encoding", encoding);
        let sent = request.send().await.unwrap();
        assert_eq!(sent.headers()["content-encoding"], encoding);
        assert_eq!(sent.headers()["content-type"], "text/javascript; charset=utf-8");
        assert_ne!(sent.headers()["etag"], plain.header("etag"));
        let bytes = sent.bytes().await.unwrap();
        assert!(
            bytes.len() * 2 < plain.text.len(),
            "{} of {}",
            bytes.len(),
            plain.text.len()
        );
        assert_eq!(bytes, stored);
        // It is a form of the file, and no file of its own.
        house
            .caller
            .get(&format!("/{script}.{ending}"))
            .await
            .refused(404, "unknown_page");
    }
}
