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
fn what_is_no_web_address_is_refused() {
    assert!(base_url("localhost", "/v1").is_err());
    assert!(base_url("ftp://localhost/v1", "/v1").is_err());
    assert!(base_url("http://localhost/v1?key=1", "/v1").is_err());
}
