use super::*;

fn usage() -> Usage {
    Usage {
        input_tokens: 1_000,
        cached_input_tokens: 400,
        cache_written_tokens: 0,
        output_tokens: 100,
        cost_micro_dollars: None,
        cost_assumed: false,
        cache_saved_micro_dollars: 0,
    }
}

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn cost(provider: Provider, url: &str, model: &str, usage: &Usage) -> Option<u64> {
    Catalogue::built_in().cost_on(provider, url, model, usage, day("2026-11-16"))
}

fn own(text: &str) -> Catalogue {
    Catalogue::with_text(text, std::path::Path::new("own.toml")).expect("TOML")
}

#[test]
fn cached_input_is_charged_at_its_own_price() {
    // 600 × 0.4 + 400 × 0.1 + 100 × 1.6
    assert_eq!(cost(Provider::OpenAi, "", "gpt-4.1-mini", &usage()), Some(440));
}

#[test]
fn what_is_kept_for_the_next_question_is_charged_at_its_own_price() {
    let usage = Usage {
        cache_written_tokens: 600,
        ..usage()
    };
    // 400 × 0.2 + 600 × 2.5 + 100 × 10
    assert_eq!(
        cost(Provider::Anthropic, "", "claude-sonnet-5-5", &usage),
        Some(2_580)
    );
}

#[test]
fn what_was_read_before_saves_and_what_is_kept_costs() {
    let saved = |usage: Usage| {
        let charged = Catalogue::built_in().charged(Provider::Anthropic, "", "claude-sonnet-5-5", usage);
        charged.cache_saved_micro_dollars
    };
    // 400 × (2 − 0.2)
    assert_eq!(saved(usage()), 720);
    // … − 600 × (2.5 − 2)
    let kept = Usage {
        cache_written_tokens: 600,
        ..usage()
    };
    assert_eq!(saved(kept), 420);
    let only_kept = Usage {
        cached_input_tokens: 0,
        ..kept
    };
    assert_eq!(saved(only_kept), -300);
    // What is free saves nothing.
    let local = "http://127.0.0.1:8080/v1";
    let free = Catalogue::built_in().charged(Provider::Compatible, local, "qwen", usage());
    assert_eq!(free.cache_saved_micro_dollars, 0);
}

#[test]
fn a_long_prompt_is_charged_at_its_own_price_from_its_first_token() {
    let of = |input_tokens| Usage {
        input_tokens,
        cached_input_tokens: 0,
        ..usage()
    };
    // 100,000 × 0.1 + 100 × 0.5; 100,001 × 0.5 + 100 × 2.5
    let model = "claude-haiku-5-5";
    assert_eq!(cost(Provider::Anthropic, "", model, &of(100_000)), Some(10_050));
    assert_eq!(cost(Provider::Anthropic, "", model, &of(100_001)), Some(50_251));
}

#[test]
fn a_price_that_is_announced_counts_from_its_day() {
    let catalogue = Catalogue::built_in();
    let on = |date| {
        let (prices, _) = catalogue.price_at(Provider::Gemini, "", "gemini-3.8-flash", day(date));
        prices.expect("a price").rates.output
    };
    assert_eq!((on("2026-12-31"), on("2027-01-01")), (3.75, 7.5));
}

#[test]
fn a_dated_release_costs_what_its_model_costs() {
    for (provider, release, model) in [
        (Provider::OpenAi, "gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        (
            Provider::Anthropic,
            "claude-sonnet-4-5-20250929",
            "claude-sonnet-4-5",
        ),
        (Provider::Gemini, "models/gemini-3.8-flash", "gemini-3.8-flash"),
    ] {
        let plain = cost(provider, "", model, &usage());
        assert_eq!(cost(provider, "", release, &usage()), plain, "{release}");
    }
}

#[test]
fn a_model_without_a_price_is_charged_as_the_dearest_of_its_family_and_then_of_its_provider() {
    let catalogue = Catalogue::built_in();
    for (provider, model, dearest) in [
        (Provider::OpenAi, "gpt-6.1-luna", "gpt-6.1-sol"),
        (Provider::OpenAi, "gpt-6-terra", "gpt-6-astra"),
        (Provider::Anthropic, "claude-haiku-6", "claude-haiku-4-5"),
        (Provider::Anthropic, "claude-epic-1", "claude-opus-4"),
        (Provider::Gemini, "gemini-99", "gemini-3.1-pro-preview"),
    ] {
        let entry = catalogue.entry_on(provider, model, day("2026-11-16"));
        assert!(entry.price_source.is_assumed(), "{model}");
        let PriceSource::DearestOf(of) = &entry.price_source else {
            panic!("{model}: {:?}", entry.price_source);
        };
        assert_eq!(
            cost(provider, "", model, &usage()),
            cost(provider, "", dearest, &usage()),
            "{model} as {of}"
        );
    }
}

#[test]
fn what_runs_on_this_machine_is_free_and_a_strangers_server_is_unknown() {
    assert_eq!(
        cost(Provider::Offline, "", crate::OFFLINE_MODEL, &usage()),
        Some(0)
    );
    for url in ["http://127.0.0.1:11434/v1", "http://localhost:1234/v1"] {
        assert_eq!(cost(Provider::Compatible, url, "llama3", &usage()), Some(0));
    }
    assert_eq!(
        cost(Provider::Compatible, "https://llm.example/v1", "llama3", &usage()),
        None
    );
}

#[test]
fn a_strangers_server_that_resells_a_known_model_is_taken_to_ask_what_its_maker_asks() {
    let url = "https://openrouter.ai/api/v1";
    for (named, provider, model) in [
        (
            "anthropic/claude-sonnet-5.5",
            Provider::Anthropic,
            "claude-sonnet-5-5",
        ),
        (
            "us.anthropic.claude-sonnet-5-5",
            Provider::Anthropic,
            "claude-sonnet-5-5",
        ),
        ("google/gemini-3.8-flash", Provider::Gemini, "gemini-3.8-flash"),
        ("gpt-6-luna", Provider::OpenAi, "gpt-6-luna"),
    ] {
        let expected = cost(provider, "", model, &usage());
        assert_eq!(
            cost(Provider::Compatible, url, named, &usage()),
            expected,
            "{named}"
        );
        let entry = Catalogue::built_in().entry(Provider::Compatible, named);
        assert!(entry.price_source.is_assumed());
    }
}

#[test]
fn an_open_model_is_nobodys_to_charge_for_and_a_gateway_in_ones_own_network_still_is() {
    for (url, model, expected) in [
        ("http://192.168.1.20:11434/v1", "gpt-oss:20b", Some(0)),
        ("http://192.168.1.20:11434/v1", "llama3", Some(0)),
        ("https://openrouter.ai/api/v1", "openai/gpt-oss-120b", None),
    ] {
        let found = cost(Provider::Compatible, url, model, &usage());
        assert_eq!(found, expected, "{model} at {url}");
    }
    let resold = cost(
        Provider::Compatible,
        "http://10.0.0.7:4000/v1",
        "gpt-6-luna",
        &usage(),
    );
    assert_eq!(resold, cost(Provider::OpenAi, "", "gpt-6-luna", &usage()));
}

#[test]
fn an_operator_can_say_what_a_server_costs_even_one_on_this_machine() {
    let catalogue = own("[compatible.models.\"llama3\"]\ninput = 1\noutput = 2.0\n");
    let cost = catalogue.cost(Provider::Compatible, "http://127.0.0.1:1/v1", "llama3", &usage());
    assert_eq!(cost, Some(1_200));
}

#[test]
fn an_operators_price_leaves_nothing_of_the_old_one() {
    let catalogue = own("[anthropic.models.\"claude-haiku-5-5\"]\ninput = 1.0\noutput = 2.0\n");
    let entry = catalogue.entry(Provider::Anthropic, "claude-haiku-5-5");
    let prices = entry.prices.expect("a price");
    assert_eq!((prices.rates.cached_input, prices.long_prompt), (1.0, None));
    assert_eq!(entry.set_by_operator, ["input", "output"]);
    assert_eq!(entry.context_tokens, Some(1_000_000), "the rest is kept");
}
