use super::*;
use crate::catalogue::Catalogue;

fn thought(provider: Provider, model: &str, wanted: Effort, found: Found) -> Thought {
    let abilities = Catalogue::built_in().entry(provider, model).abilities;
    Thought::of(ThoughtQuestion {
        provider,
        model,
        thinking: abilities.thinking,
        words: &abilities.effort,
        wanted,
        found,
    })
}

#[test]
fn each_family_is_told_in_its_own_way() {
    use Provider::{Anthropic, Gemini, OpenAi};
    for (provider, model, wanted, effort, switch, room) in [
        (
            Anthropic,
            "claude-sonnet-5-5",
            Effort::Low,
            Some("low"),
            Switch::Unsaid,
            2_000,
        ),
        (Anthropic, "claude-haiku-5-5", Effort::None, None, Switch::Off, 0),
        (
            Anthropic,
            "claude-mythos-5-2",
            Effort::None,
            Some("low"),
            Switch::Unsaid,
            1_000,
        ),
        (
            Anthropic,
            "claude-sonnet-4-5",
            Effort::Low,
            None,
            Switch::Unsaid,
            0,
        ),
        (
            Anthropic,
            "claude-sonnet-4-6",
            Effort::High,
            Some("high"),
            Switch::Adaptive,
            16_000,
        ),
        (OpenAi, "gpt-4.1-mini", Effort::High, None, Switch::Unsaid, 0),
        (
            OpenAi,
            "gpt-5-mini",
            Effort::None,
            Some("minimal"),
            Switch::Unsaid,
            1_000,
        ),
        (
            OpenAi,
            "gpt-6-luna",
            Effort::None,
            Some("none"),
            Switch::Unsaid,
            0,
        ),
        (
            OpenAi,
            "gpt-6-luna",
            Effort::Minimal,
            Some("none"),
            Switch::Unsaid,
            0,
        ),
        (OpenAi, "o3", Effort::Max, Some("high"), Switch::Unsaid, 32_000),
        (
            Gemini,
            "gemini-3.8-flash",
            Effort::None,
            Some("minimal"),
            Switch::Unsaid,
            1_000,
        ),
        (
            Gemini,
            "gemini-flash-latest",
            Effort::Low,
            Some("low"),
            Switch::Unsaid,
            2_000,
        ),
        (
            Gemini,
            "gemini-2.5-flash",
            Effort::None,
            None,
            Switch::Budget(0),
            0,
        ),
        (
            Gemini,
            "gemini-2.5-pro",
            Effort::None,
            None,
            Switch::Budget(128),
            128,
        ),
    ] {
        let said = thought(provider, model, wanted, Found::default());
        assert_eq!(
            (said.effort, said.switch, said.room),
            (effort, switch, room),
            "{model} {wanted}"
        );
    }
}

#[test]
fn what_a_model_refuses_is_not_said_and_its_thoughts_keep_their_room() {
    let no_switch = Found {
        no_switch: true,
        ..Found::default()
    };
    let said = thought(Provider::Anthropic, "claude-haiku-5-5", Effort::None, no_switch);
    assert_eq!((said.switch, said.room), (Switch::Unsaid, 2_000));
    let no_effort = Found {
        no_effort: true,
        ..Found::default()
    };
    let said = thought(Provider::OpenAi, "gpt-6-luna", Effort::None, no_effort);
    assert_eq!((said.effort, said.room), (None, 2_000));
}

#[test]
fn a_server_whose_model_was_seen_to_think_is_told_how_much_and_given_room() {
    let silent = thought(Provider::Compatible, "qwen3", Effort::Low, Found::default());
    assert_eq!((silent.effort, silent.room), (None, 0));
    let thinks = Found {
        thinks: true,
        ..Found::default()
    };
    let told = thought(Provider::Compatible, "qwen3", Effort::Low, thinks);
    assert_eq!((told.effort, told.room), (Some("low"), 2_000));
    let needs_room = Found {
        thinks: true,
        needs_room: true,
        ..Found::default()
    };
    assert_eq!(
        thought(Provider::Compatible, "qwen3", Effort::Low, needs_room).room,
        8_000
    );
    for (wanted, word, room) in [
        (Effort::Medium, "low", 8_000),
        (Effort::High, "medium", 16_000),
        (Effort::Max, "high", 32_000),
    ] {
        let told = thought(Provider::Compatible, "qwen3", wanted, needs_room);
        assert_eq!((told.effort, told.room), (Some(word), room), "{wanted:?}");
    }
    let needs_room = Found {
        needs_room: true,
        ..Found::default()
    };
    for (provider, model, effort, switch) in [
        (Provider::OpenAi, "gpt-6-luna", Some("none"), Switch::Unsaid),
        (
            Provider::Gemini,
            "gemini-3.8-flash",
            Some("minimal"),
            Switch::Unsaid,
        ),
        (Provider::Anthropic, "claude-haiku-5-5", None, Switch::Off),
        // It cannot be told not to think, and has no word below.
        (
            Provider::Anthropic,
            "claude-mythos-5-2",
            Some("low"),
            Switch::Unsaid,
        ),
    ] {
        let told = thought(provider, model, Effort::Low, needs_room);
        assert_eq!((told.effort, told.switch), (effort, switch), "{model}");
        assert_eq!(told.room, 8_000, "{model}");
    }
}
