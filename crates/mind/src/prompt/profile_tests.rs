//! Which model is asked how.

use settings::{Document, Settings};
use vocabulary::ReplyModel;

use super::{Profile, millions_in_name};
use crate::reasons::PlainCause;

fn set_to(profile: &str) -> Settings {
    let mut document = Document::default();
    document.set("llm.profile", profile.into());
    Settings::read(&document).expect("a known profile")
}

fn server_with(model: &str) -> ReplyModel {
    ReplyModel {
        provider: "compatible".to_owned(),
        model: model.to_owned(),
        ..ReplyModel::default()
    }
}

#[test]
fn a_name_tells_how_large_a_model_is() {
    for (name, millions) in [
        ("qwen2.5-coder:1.5b", Some(1_500)),
        (
            "/work/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            Some(1_500),
        ),
        ("C:\\models\\gemma-2-2b-it.gguf", Some(2_000)),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", Some(135)),
        ("llama3.1:8b-instruct-q4_0", Some(8_000)),
        ("mixtral-8x7b-instruct", Some(56_000)),
        ("qwen3-30b-a3b", Some(30_000)),
        ("gemma-3n-E4B-it", Some(4_000)),
        ("llama3.2:latest", Some(3_200)),
        ("phi3:mini", Some(3_800)),
        ("tinyllama", Some(1_100)),
        ("llama3.2:90b", Some(90_000)),
        ("mistral", None),
        ("some-model-4bit-128k", None),
        ("a-team", None),
        ("", None),
    ] {
        assert_eq!(millions_in_name(name), millions, "{name}");
    }
}

#[test]
fn auto_asks_a_small_model_of_a_server_plainly_and_everybody_else_in_full() {
    let auto = set_to("auto");
    let of = |model: &ReplyModel| Profile::of(&auto, Some(model));
    let small = Profile::Plain(PlainCause::FewParameters);
    assert_eq!(of(&server_with("qwen2.5-coder:1.5b")), small);
    assert_eq!(of(&server_with("qwen2.5:7b")), Profile::Full);
    assert_eq!(of(&server_with("mistral")), Profile::Full);
    assert_eq!(Profile::of(&auto, None), Profile::Full);
    let hosted = ReplyModel {
        provider: "openai".to_owned(),
        ..server_with("gpt-tiny-1b")
    };
    assert_eq!(of(&hosted), Profile::Full);
}

#[test]
fn what_a_server_says_of_its_model_counts_more_than_the_name() {
    let auto = set_to("auto");
    let of = |model: ReplyModel| Profile::of(&auto, Some(&model));
    let larger_than_named = ReplyModel {
        parameters_millions: Some(14_000),
        ..server_with("house-model-1b")
    };
    assert_eq!(of(larger_than_named), Profile::Full);
    let short = ReplyModel {
        context_tokens: Some(4_096),
        ..server_with("mistral:7b")
    };
    assert_eq!(of(short), Profile::Plain(PlainCause::ShortContext));
    let without_tools = ReplyModel {
        refuses_tools: true,
        ..server_with("mistral:7b")
    };
    assert_eq!(of(without_tools), Profile::Plain(PlainCause::ToolsRefused));
    let of_unknown_size = ReplyModel {
        refuses_tools: true,
        ..server_with("house-model")
    };
    assert_eq!(of(of_unknown_size), Profile::Plain(PlainCause::ToolsRefused));
    let large = ReplyModel {
        refuses_tools: true,
        ..server_with("gemma3:27b")
    };
    assert_eq!(of(large), Profile::Full);
}

#[test]
fn an_operator_has_the_last_word_but_for_the_built_in_model() {
    let small = server_with("qwen2.5-coder:1.5b");
    let large = server_with("llama3.3:70b");
    let built_in = ReplyModel {
        provider: "offline".to_owned(),
        ..ReplyModel::default()
    };
    let plain = Profile::Plain(PlainCause::Setting);
    assert_eq!(Profile::of(&set_to("full"), Some(&small)), Profile::Full);
    assert_eq!(Profile::of(&set_to("plain"), Some(&large)), plain);
    assert_eq!(Profile::of(&set_to("plain"), None), plain);
    assert_eq!(Profile::of(&set_to("plain"), Some(&built_in)), Profile::Full);
}
