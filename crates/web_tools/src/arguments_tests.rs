use serde_json::json;

use super::*;

#[test]
fn an_address_may_lack_its_scheme_and_loses_its_fragment() {
    let read = |url: &str| page("web_scrape", &json!({ "url": url })).map(|errand| errand.url.to_string());
    assert_eq!(read("example.org/a#b").as_deref(), Ok("https://example.org/a"));
    assert_eq!(
        read(" http://example.org:8080 ").as_deref(),
        Ok("http://example.org:8080/")
    );
    assert_eq!(
        read("example.org:8080/x").as_deref(),
        Ok("https://example.org:8080/x")
    );
}

#[test]
fn what_is_no_page_on_the_web_is_refused_by_name() {
    for url in [
        "file:///etc/passwd",
        "data:text/html,<p>x",
        "chrome://settings",
        "about:blank",
        "javascript:alert(1)",
        "view-source:http://example.org",
        "",
        "http://",
        "http://me:hunter2@example.org/",
    ] {
        let problem = page("web_scrape", &json!({ "url": url })).expect_err(url);
        assert!(problem.starts_with("web_scrape"), "{problem}");
        assert!(!problem.contains("hunter2"), "{problem}");
        assert!(!problem.contains('\n'), "{problem}");
    }
    assert!(page("web_scrape", &json!({ "url": 7 })).is_err());
}

#[test]
fn numbers_may_be_written_as_texts_and_are_brought_into_range() {
    let errand = search(&json!({ "query": " rust\nnews ", "count": "50" }), 8).expect("an errand");
    assert_eq!((errand.query.as_str(), errand.count), ("rust news", 8));
    assert_eq!(
        search(&json!({ "query": "x", "count": 3.0 }), 8).map(|errand| errand.count),
        Ok(3)
    );
    assert!(search(&json!({ "query": "x", "count": 0 }), 8).is_err());
    assert!(search(&json!({ "query": "x", "count": [1] }), 8).is_err());
    assert!(search(&json!({ "query": "\u{200b}" }), 8).is_err());
    assert_eq!(
        page(
            "web_scrape",
            &json!({ "url": "https://example.org", "from": "3430" })
        )
        .map(|errand| errand.from),
        Ok(3430)
    );
}
