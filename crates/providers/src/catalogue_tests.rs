use super::*;

fn usage() -> Usage {
    Usage {
        input_tokens: 1_000,
        cached_input_tokens: 400,
        cache_written_tokens: 0,
        output_tokens: 100,
        cost_micro_dollars: None,
    }
}

#[test]
fn cached_input_is_charged_at_its_own_price() {
    // 600 × 0.4 + 400 × 0.1 + 100 × 1.6
    assert_eq!(
        cost(
            Provider::OpenAi,
            "https://api.openai.com/v1",
            "gpt-4.1-mini",
            &usage()
        ),
        Some(440)
    );
}

#[test]
fn a_dated_release_costs_what_its_model_costs() {
    let plain = cost(Provider::OpenAi, "", "gpt-4.1-mini", &usage());
    assert_eq!(
        cost(Provider::OpenAi, "", "gpt-4.1-mini-2025-04-14", &usage()),
        plain
    );
    let plain = cost(Provider::Anthropic, "", "claude-sonnet-4-5", &usage());
    assert_eq!(
        cost(Provider::Anthropic, "", "claude-sonnet-4-5-20250929", &usage()),
        plain
    );
}

#[test]
fn a_sibling_or_unknown_model_has_no_price() {
    assert_eq!(cost(Provider::OpenAi, "", "gpt-5-pro", &usage()), None);
    assert_eq!(cost(Provider::Anthropic, "", "claude-sonnet-4-6", &usage()), None);
    assert_eq!(cost(Provider::Gemini, "", "gemini-99", &usage()), None);
}

#[test]
fn what_runs_on_this_machine_is_free_and_a_strangers_server_is_unknown() {
    assert_eq!(cost(Provider::Offline, "", OFFLINE_MODEL, &usage()), Some(0));
    assert_eq!(
        cost(
            Provider::Compatible,
            "http://127.0.0.1:11434/v1",
            "llama3",
            &usage()
        ),
        Some(0)
    );
    assert_eq!(
        cost(
            Provider::Compatible,
            "http://localhost:1234/v1",
            "llama3",
            &usage()
        ),
        Some(0)
    );
    assert_eq!(
        cost(Provider::Compatible, "https://llm.example/v1", "llama3", &usage()),
        None
    );
}

#[test]
fn every_default_model_has_a_price() {
    for provider in Provider::WITH_KEYS {
        for purpose in [AskPurpose::TextReply, AskPurpose::AddressClassifier] {
            let model = provider
                .default_model(purpose)
                .expect("a provider with keys has defaults");
            assert!(
                cost(provider, "", model, &usage()).is_some(),
                "{model} has no price"
            );
        }
    }
}

#[test]
fn notes_on_screens_are_cheap_and_comments_are_not_left_to_a_small_model() {
    for provider in Provider::WITH_KEYS {
        let model = |purpose| provider.default_model(purpose);
        assert_eq!(
            model(AskPurpose::ScreenNote),
            model(AskPurpose::ContextCompaction)
        );
        assert_eq!(model(AskPurpose::ScreenCommentary), model(AskPurpose::TextReply));
        assert_ne!(model(AskPurpose::ScreenNote), model(AskPurpose::ScreenCommentary));
    }
}

#[test]
fn a_providers_name_reads_back() {
    for provider in [
        Provider::Anthropic,
        Provider::OpenAi,
        Provider::Gemini,
        Provider::Compatible,
        Provider::Offline,
    ] {
        assert_eq!(Provider::from_name(provider.name()), Some(provider));
    }
    assert_eq!(Provider::from_name("auto"), None);
}
