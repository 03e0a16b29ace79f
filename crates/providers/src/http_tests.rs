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

#[test]
fn each_kind_of_server_is_waited_for_as_long_as_its_own_setting_says() {
    let mut settings = Settings::default();
    let seconds = |base_url: &str, settings: &Settings| patience(base_url, settings).first_byte.as_secs();
    for (local, remote) in [(5, 20), (45, 20), (120, 7)] {
        settings.llm.local_first_byte_seconds = local;
        settings.llm.first_byte_seconds = remote;
        assert_eq!(seconds("http://127.0.0.1:11434/v1", &settings), local);
        assert_eq!(seconds("http://192.168.1.7:8000/v1", &settings), local);
        assert_eq!(seconds("https://api.openai.com/v1", &settings), remote);
    }
}

#[test]
fn patience_that_never_ends_is_told_with_both_keys_and_what_to_do() {
    let mut settings = Settings::default();
    for base_url in ["http://127.0.0.1:11434/v1", "https://api.openai.com/v1"] {
        assert_eq!(
            patience_warning(base_url, &settings),
            None,
            "the defaults fit together"
        );
    }
    settings.llm.local_first_byte_seconds = 120;
    assert_eq!(
        patience_warning("http://127.0.0.1:11434/v1", &settings),
        None,
        "where nobody says how long a reply may take, one nearby has five minutes"
    );
    settings.llm.local_first_byte_seconds = 400;
    assert_eq!(patience_warning("https://api.openai.com/v1", &settings), None);
    let told = patience_warning("http://127.0.0.1:11434/v1", &settings).expect("it is told");
    assert!(!told.broken);
    for part in [
        "llm.localFirstByteSeconds is 400",
        "llm.timeoutSeconds",
        "300 s",
        "Raise",
    ] {
        assert!(told.text.contains(part), "{}", told.text);
    }
    settings.llm.timeout_seconds = 480;
    assert_eq!(patience_warning("http://127.0.0.1:11434/v1", &settings), None);
}
