use super::*;

#[test]
fn only_openais_own_address_with_tls_is_its_home() {
    let home = Provider::OpenAi.home().expect("OpenAI has an address");
    for (url, expected) in [
        ("https://api.openai.com/v1", true),
        ("https://api.openai.com:443/v2", true),
        ("http://api.openai.com/v1", false),
        ("https://api.openai.com.evil.example/v1", false),
        ("https://evil.example/api.openai.com/v1", false),
        ("http://127.0.0.1:8080", false),
    ] {
        let base = address(url, "test", "/v1").expect("an address");
        assert_eq!(origin(&base) == origin(home), expected, "{url}");
    }
    assert_eq!(host("http://127.0.0.1:8080/v1"), "127.0.0.1:8080");
    assert_eq!(host("https://[::1]:9"), "[::1]:9");
}
