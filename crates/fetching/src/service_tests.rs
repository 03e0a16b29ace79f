use secrecy::ExposeSecret;

use super::*;

#[test]
fn this_machine_is_told_from_lookalikes() {
    for own in [
        "http://localhost:1234/v1",
        "http://LOCALHOST/",
        "http://127.0.0.1:1234/v1",
        "http://127.8.8.8",
        "http://[::1]:1234/v1",
    ] {
        assert!(is_loopback(own), "{own}");
    }
    for other in [
        "http://127.0.0.1.example:1234/v1",
        "http://localhost.example",
        "http://192.168.1.4/v1",
        "http://[::2]/",
        "http://127.0.0.1@example.org/",
        "localhost",
        "",
    ] {
        assert!(!is_loopback(other), "{other}");
    }
}

#[test]
fn an_empty_variable_says_nothing() {
    let env = |name: &str| match name {
        "KEY" => Some(" secret\n".to_owned()),
        "EMPTY" => Some("  ".to_owned()),
        _ => None,
    };
    assert_eq!(
        key(env, "KEY").map(|key| key.expose_secret().to_owned()),
        Some("secret".to_owned())
    );
    assert!(key(env, "EMPTY").is_none() && key(env, "OTHER").is_none());
}
