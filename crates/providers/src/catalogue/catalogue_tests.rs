use super::*;
use vocabulary::AskPurpose;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

const TODAY: &str = "2026-11-16";

fn own(text: &str) -> Catalogue {
    Catalogue::with_text(text, Path::new("own.toml")).expect("TOML")
}

fn remarks(text: &str) -> Vec<String> {
    let own = own(text).own.expect("an own one");
    own.remarks.iter().map(ToString::to_string).collect()
}

#[test]
fn the_built_in_catalogue_is_understood_to_its_last_word() {
    let written = read::read(BUILT_IN, false).expect("TOML");
    assert_eq!(written.remarks, []);
    assert!(written.date.is_some());
}

#[test]
fn every_preferred_model_is_listed_priced_open_and_has_weeks_to_live() {
    let catalogue = Catalogue::built_in();
    for provider in Provider::WITH_KEYS {
        for role in ModelRole::ALL {
            let first = catalogue.preferred(provider, role).first().expect("a preference");
            let entry = catalogue.entry_on(provider, first, catalogue.date);
            assert_eq!(entry.known, Known::Listed, "{first}");
            assert_eq!(entry.price_source, PriceSource::Listed, "{first}");
            assert_eq!((entry.retires, entry.closed), (None, false), "{first}");
            for model in catalogue.preferred(provider, role) {
                let entry = catalogue.entry_on(provider, model, catalogue.date);
                assert_eq!(entry.known, Known::Listed, "{model}");
                assert!(entry.prices.is_some() && entry.abilities.tools, "{model}");
                assert!(
                    entry.abilities.sees("image/png"),
                    "{model} takes notes on screens"
                );
                assert!(
                    entry.days_left(catalogue.date).is_none_or(|days| days > 60),
                    "{model}"
                );
            }
        }
    }
}

#[test]
fn every_successor_is_listed_and_alive() {
    let catalogue = Catalogue::built_in();
    for provider in Provider::WITH_KEYS {
        for model in catalogue.models(provider) {
            let entry = catalogue.entry_on(provider, model, day(TODAY));
            let Some(successor) = &entry.successor else {
                assert!(entry.retires.is_none() || provider == Provider::OpenAi, "{model}");
                continue;
            };
            let next = catalogue.entry_on(provider, successor, day(TODAY));
            assert_eq!(next.known, Known::Listed, "{model} → {successor}");
            assert!(!next.is_retired(day(TODAY)) && !next.closed, "{successor}");
        }
    }
}

#[test]
fn no_default_is_a_model_that_is_dead_ending_or_closed() {
    let catalogue = Catalogue::built_in();
    let gone = [
        "gpt-4.1-nano",
        "gpt-4.1-mini",
        "gemini-2.5-flash",
        "claude-sonnet-4-5",
    ];
    for provider in Provider::WITH_KEYS {
        for role in ModelRole::ALL {
            let model = catalogue.default_model(provider, role, day(TODAY)).expect("one");
            assert!(!gone.contains(&model), "{model}");
        }
    }
    let ends = |provider, model| {
        let entry = catalogue.entry_on(provider, model, day(TODAY));
        (entry.is_retired(day(TODAY)), entry.days_left(day(TODAY)))
    };
    assert_eq!(ends(Provider::OpenAi, "gpt-4.1-nano-2025-04-14"), (true, Some(0)));
    assert_eq!(ends(Provider::OpenAi, "gpt-4.1-mini"), (false, Some(59)));
    assert_eq!(ends(Provider::Anthropic, "claude-sonnet-4-5"), (false, Some(14)));
    assert!(catalogue.entry(Provider::Gemini, "gemini-2.5-flash").closed);
}

#[test]
fn once_the_first_preferred_has_ended_the_next_is_the_default() {
    let catalogue =
        own("[openai]\nsmall = [\"old\", \"new\"]\n[openai.models.old]\nretires = \"2026-12-01\"\n");
    let on = |date| catalogue.default_model(Provider::OpenAi, ModelRole::Small, day(date));
    assert_eq!((on("2026-11-30"), on("2026-12-01")), (Some("old"), Some("new")));
}

#[test]
fn notes_on_screens_are_cheap_and_comments_are_not_left_to_a_small_model() {
    assert_eq!(AskPurpose::ScreenNote.role(), ModelRole::Small);
    assert_eq!(AskPurpose::ScreenCommentary.role(), ModelRole::Main);
    let catalogue = Catalogue::built_in();
    for provider in Provider::WITH_KEYS {
        let output = |role| {
            let model = catalogue.default_model(provider, role, day(TODAY)).expect("one");
            let entry = catalogue.entry_on(provider, model, day(TODAY));
            entry.prices.expect("a price").rates.output
        };
        assert!(output(ModelRole::Small) < output(ModelRole::Main), "{provider}");
    }
}

#[test]
fn an_unknown_model_has_what_its_longest_family_has_and_says_that_it_is_guessed() {
    let catalogue = Catalogue::built_in();
    let entry = catalogue.entry(Provider::OpenAi, "gpt-6.2-nova");
    assert_eq!(entry.known, Known::Family("gpt-6".to_owned()));
    assert!(entry.is_guessed());
    assert_eq!(entry.abilities.api, Api::Responses);
    assert!(entry.abilities.effort.contains(&"max".to_owned()));
    let entry = catalogue.entry(Provider::Anthropic, "something-else");
    assert_eq!(entry.known, Known::Provider);
    assert!(entry.is_guessed() && entry.abilities.tools);
    let entry = catalogue.entry(Provider::Compatible, "qwen3:4b");
    assert_eq!((entry.abilities.api, entry.context_tokens), (Api::Chat, None));
}

#[test]
fn what_a_provider_takes_is_known_before_it_refuses() {
    let catalogue = Catalogue::built_in();
    let abilities = |provider, model| catalogue.entry(provider, model).abilities;
    assert!(!abilities(Provider::Anthropic, "claude-sonnet-5-5").temperature);
    assert!(abilities(Provider::Anthropic, "claude-haiku-4-5").temperature);
    assert!(!abilities(Provider::Gemini, "gemini-3.8-flash").sees("image/gif"));
    assert!(!abilities(Provider::Gemini, "gemini-2.5-flash").schema_with_tools);
    assert!(abilities(Provider::Gemini, "gemini-flash-latest").schema_with_tools);
    assert_eq!(abilities(Provider::OpenAi, "gpt-4o").api, Api::Chat);
    assert_eq!(
        abilities(Provider::OpenAi, "gpt-6.1-sol").thinking,
        Thinking::Always
    );
}

#[test]
fn an_operators_file_wins_key_by_key_and_can_add_models() {
    let catalogue = own(r#"
        date = "2027-02-01"
        [gemini]
        small = ["gemini-4-nano"]
        [gemini.models."gemini-4-nano"]
        input = 0.1
        output = 0.2
        [openai.models."gpt-6-luna"]
        context = 2_000_000
        retires = 2027-03-01
        successor = "gpt-7-luna"
        [anthropic.models."claude-sonnet-4-5"]
        retires = "never"
    "#);
    let own = catalogue.own.as_ref().expect("an own one");
    assert_eq!((own.date, own.remarks.len()), (Some(day("2027-02-01")), 0));
    assert_eq!(
        catalogue.default_model(Provider::Gemini, ModelRole::Small, day(TODAY)),
        Some("gemini-4-nano")
    );
    assert_eq!(
        catalogue.default_model(Provider::Gemini, ModelRole::Main, day(TODAY)),
        Some("gemini-3.8-flash"),
        "what is not said is kept"
    );
    let luna = catalogue.entry(Provider::OpenAi, "gpt-6-luna");
    assert_eq!(luna.context_tokens, Some(2_000_000));
    assert_eq!(luna.retires, Some(day("2027-03-01")));
    assert_eq!(luna.price_source, PriceSource::Listed);
    assert_eq!(luna.set_by_operator, ["context", "retires", "successor"]);
    assert_eq!(
        catalogue.entry(Provider::Anthropic, "claude-sonnet-4-5").retires,
        None
    );
}

#[test]
fn what_is_not_understood_is_listed_and_the_rest_is_taken() {
    let text = r#"
        colour = "blue"
        [openai]
        middling = ["x"]
        [openai.models."gpt-6-luna"]
        warp = 9
        context = 7
        [mistral.models.x]
        input = 1
    "#;
    let catalogue = own(text);
    assert_eq!(
        catalogue.entry(Provider::OpenAi, "gpt-6-luna").context_tokens,
        Some(7)
    );
    let own = catalogue.own.expect("an own one");
    assert!(own.remarks.iter().all(|remark| remark.unknown_key));
    let mut keys: Vec<&str> = own.remarks.iter().map(|remark| remark.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "colour",
            "mistral",
            "openai.middling",
            "openai.models.\"gpt-6-luna\".warp"
        ]
    );
}

#[test]
fn a_bad_value_is_named_with_its_key_and_the_remedy() {
    for (line, key, value, remedy) in [
        ("input = \"cheap\"", "input", "\"cheap\"", "dollars per million"),
        ("output = -1", "output", "-1", "dollars per million"),
        ("context = 0", "context", "0", "whole number"),
        ("retires = \"soon\"", "retires", "\"soon\"", "2026-11-30"),
        (
            "api = \"fax\"",
            "api",
            "\"fax\"",
            "chat, responses, messages, generate",
        ),
        ("tools = \"yes\"", "tools", "\"yes\"", "true or false"),
        ("effort = \"low\"", "effort", "\"low\"", "list of texts"),
        ("successor = \"\"", "successor", "\"\"", "id of a model"),
        (
            "long_prompt = { input = 1, output = 2 }",
            "long_prompt",
            "{",
            "over",
        ),
    ] {
        let found = remarks(&format!("[openai.models.x]\n{line}\n"));
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        for part in [&format!("openai.models.\"x\".{key}"), value, remedy] {
            assert!(found[0].contains(part), "{line}: {}", found[0]);
        }
    }
}

#[test]
fn a_file_that_is_no_toml_is_named_and_one_that_is_not_there_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("catalogue.toml");
    assert_eq!(Catalogue::with_file(&path).expect("none"), Catalogue::built_in());
    std::fs::write(&path, "[openai\n").expect("written");
    let error = Catalogue::with_file(&path).expect_err("no TOML").to_string();
    assert!(
        error.contains("catalogue.toml") && error.contains("line 1"),
        "{error}"
    );
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
