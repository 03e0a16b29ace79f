use super::*;

#[test]
fn an_address_loses_its_trailing_slash_and_gains_the_missing_path() {
    assert_eq!(
        base_url("http://127.0.0.1:11434", "/v1").as_deref(),
        Ok("http://127.0.0.1:11434/v1")
    );
    assert_eq!(
        base_url(" https://llm.example/api/v1/ ", "/v1").as_deref(),
        Ok("https://llm.example/api/v1")
    );
    assert_eq!(
        base_url("https://api.example/", "").as_deref(),
        Ok("https://api.example")
    );
}

#[test]
fn an_address_with_a_password_is_refused_without_repeating_it() {
    let problem = base_url("http://me:hunter2@llm.example/v1", "/v1").expect_err("holds a password");
    assert!(problem.contains("password"), "{problem}");
    assert!(!problem.contains("hunter2"), "{problem}");
}

#[test]
fn a_version_may_stand_behind_an_address_and_ends_up_behind_every_path_below_it() {
    let base = base_url("https://x.example/openai/v1/?api-version=preview", "/v1").expect("an address");
    assert_eq!(base, "https://x.example/openai/v1?api-version=preview");
    assert_eq!(
        below(&base, "", "/chat/completions"),
        "https://x.example/openai/v1/chat/completions?api-version=preview"
    );
    assert_eq!(
        below(&base, "/v1", "/messages"),
        "https://x.example/openai/v1/messages?api-version=preview"
    );
    assert_eq!(
        below("https://g.example", "/v1beta", "/models/m:stream?alt=sse"),
        "https://g.example/v1beta/models/m:stream?alt=sse"
    );
    for query in [
        "key=1",
        "api-version=",
        "api-version=a&key=1",
        "api-version=a%20b",
    ] {
        assert!(
            base_url(&format!("https://x.example/v1?{query}"), "").is_err(),
            "{query}"
        );
    }
}

#[test]
fn what_is_no_web_address_is_refused() {
    assert!(base_url("localhost", "/v1").is_err());
    assert!(base_url("ftp://localhost/v1", "/v1").is_err());
    assert!(base_url("http://localhost/v1?key=1", "/v1").is_err());
}
