use serde_json::json;

use super::*;

fn read(provider: Provider, items: &[Value]) -> ModelList {
    let mut list = ModelList::default();
    for item in items {
        list.take(provider, item);
    }
    list
}

#[test]
fn each_provider_says_in_its_own_way_when_a_model_ends() {
    let end = "2026-11-30".parse().ok();
    let cases = [
        (
            Provider::Anthropic,
            json!({"id": "m", "lifecycle": "deprecated", "retires_at": "2026-11-30T00:00:00Z"}),
            (end, true, false),
        ),
        (
            Provider::Anthropic,
            json!({"id": "m", "lifecycle": "retired", "retires_at": "2026-11-30T00:00:00Z"}),
            (end, true, true),
        ),
        (
            Provider::Anthropic,
            json!({"id": "m", "lifecycle": "active", "retires_at": null}),
            (None, false, false),
        ),
        (
            Provider::OpenAi,
            json!({"id": "m", "shutdown_date": "2026-11-30"}),
            (end, true, false),
        ),
        (
            Provider::Gemini,
            json!({"name": "models/m", "modelStatus": {"modelStage": "LEGACY", "retirementTime": "2026-11-30T00:00:00Z"}}),
            (end, true, false),
        ),
        (
            Provider::Gemini,
            json!({"name": "models/m", "modelStatus": {"modelStage": "RETIRED"}}),
            (None, true, true),
        ),
    ];
    for (provider, item, expected) in cases {
        let found = read(provider, std::slice::from_ref(&item))
            .get("m")
            .expect("listed");
        assert_eq!((found.ends, found.ending, found.gone), expected, "{item}");
    }
}

#[test]
fn what_cannot_talk_and_what_has_no_name_is_left_out() {
    let list = read(
        Provider::Gemini,
        &[
            json!({"name": "models/embed", "supportedGenerationMethods": ["embedContent"]}),
            json!({"name": "models/talk", "supportedGenerationMethods": ["generateContent"]}),
            json!({"name": ""}),
            json!(7),
        ],
    );
    assert_eq!(list.ids().collect::<Vec<_>>(), ["talk"]);
}

#[test]
fn a_list_that_holds_only_dated_releases_holds_their_model() {
    let list = read(Provider::Anthropic, &[json!({"id": "claude-haiku-4-5-20251001"})]);
    assert!(list.get("claude-haiku-4-5").is_some());
    assert!(list.get("claude-haiku-4").is_none());
}

#[test]
fn pages_are_asked_for_as_each_provider_wants() {
    let url = |provider, base, after| page_url(provider, base, after).expect("an address").to_string();
    assert_eq!(
        url(Provider::Anthropic, "https://a.example/v1", Some("x y")),
        "https://a.example/v1/models?limit=1000&after_id=x+y"
    );
    assert_eq!(
        url(Provider::Gemini, "https://g.example", Some("t")),
        "https://g.example/v1beta/models?pageSize=1000&pageToken=t"
    );
    assert_eq!(
        url(Provider::OpenAi, "https://o.example/v1", None),
        "https://o.example/v1/models"
    );
}
