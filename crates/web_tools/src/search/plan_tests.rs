use secrecy::ExposeSecret;

use super::*;

fn settings(provider: &str, url: &str) -> Settings {
    let mut settings = Settings::default();
    settings.tools.search_provider = SearchProvider::named(provider).expect("a provider");
    settings.tools.search_url = url.to_owned();
    settings
}

fn keys() -> SearchKeys {
    SearchKeys {
        brave: Some("brave-secret".into()),
        tavily: Some("tavily-secret".into()),
    }
}

fn key(provider: &str, url: &str) -> Option<String> {
    let plan = Plan::of(&settings(provider, url), &keys()).expect("a plan");
    plan.key.map(|key| key.expose_secret().to_owned())
}

#[test]
fn whoever_is_chosen_needs_an_address_or_a_key_and_says_which() {
    let why = |provider: &str, url: &str| {
        Plan::of(&settings(provider, url), &SearchKeys::default())
            .expect_err("no plan")
            .to_string()
    };
    assert!(why("none", "").contains("tools.searchProvider"));
    assert!(why("searxng", "").contains("tools.searchUrl"));
    assert!(why("brave", "").contains("BRAVE_API_KEY"));
    assert!(why("tavily", "").contains("TAVILY_API_KEY"));
    let problem = why("searxng", "http://me:hunter2@search.lan");
    assert!(
        problem.contains("password") && !problem.contains("hunter2"),
        "{problem}"
    );
}

#[test]
fn an_address_gets_the_path_of_its_service_once() {
    let address = |provider: &str, url: &str| {
        let plan = Plan::of(&settings(provider, url), &keys()).expect("a plan");
        plan.address.to_string()
    };
    assert_eq!(
        address("searxng", "http://127.0.0.1:8888/"),
        "http://127.0.0.1:8888/search"
    );
    assert_eq!(
        address("searxng", "https://s.lan/x/search"),
        "https://s.lan/x/search"
    );
    assert_eq!(address("searxng", "https://s.lan/x"), "https://s.lan/x/search");
    assert_eq!(
        address("brave", "http://[::1]:9"),
        "http://[::1]:9/res/v1/web/search"
    );
    assert_eq!(
        address("brave", ""),
        "https://api.search.brave.com/res/v1/web/search"
    );
    assert_eq!(address("tavily", ""), "https://api.tavily.com/search");
}

#[test]
fn a_key_goes_to_its_service_and_to_this_machine_and_nowhere_else() {
    assert_eq!(key("brave", "").as_deref(), Some("brave-secret"));
    assert_eq!(key("tavily", "").as_deref(), Some("tavily-secret"));
    assert_eq!(
        key("tavily", "http://127.0.0.1:9").as_deref(),
        Some("tavily-secret")
    );
    assert_eq!(key("tavily", "https://tavily.example"), None);
    assert_eq!(key("brave", "https://127.0.0.1.example"), None);
    assert_eq!(key("searxng", "http://127.0.0.1:8888"), None);
}

#[test]
fn keys_do_not_print_themselves() {
    let plan = Plan::of(&settings("brave", ""), &keys()).expect("a plan");
    let printed = format!("{plan:?} {:?}", keys());
    assert!(!printed.contains("secret\""), "{printed}");
    assert!(!printed.contains("brave-secret"), "{printed}");
}
