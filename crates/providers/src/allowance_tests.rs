use std::path::Path;

use settings::Document;

use super::*;
use crate::Keys;

fn models() -> Models {
    let env = |name: &str| match name {
        "ANTHROPIC_API_KEY" | "OPENAI_API_KEY" | "GEMINI_API_KEY" => Some("test-key-3f9a7c21".to_owned()),
        _ => None,
    };
    Models::new(Keys::from_env_and_file(env, Path::new("/nonexistent/keys.toml")).expect("keys"))
}

fn of_replies(pairs: &[(&str, &str)]) -> Option<AskAllowance> {
    let mut document = Document::default();
    for (key, value) in pairs {
        document.set(*key, serde_json::json!(value));
    }
    let settings = Settings::read(&document).expect("settings");
    allowances(&models(), &settings).remove(&AskPurpose::TextReply)
}

#[test]
fn a_model_that_thinks_is_allowed_what_it_is_given_and_what_it_is_given_again() {
    let allowed = of_replies(&[("llm.provider", "openai"), ("llm.model", "gpt-6-luna")]);
    let allowed = allowed.expect("it is charged for");
    assert_eq!(
        (allowed.thought_tokens, allowed.asked_twice),
        (2_000 + 8_000, true)
    );
    let more = of_replies(&[
        ("llm.provider", "openai"),
        ("llm.model", "gpt-6-luna"),
        ("llm.effort.reply", "high"),
    ]);
    assert!(more.expect("it is charged for").thought_tokens > allowed.thought_tokens);
    let (input, output) = (allowed.input_price, allowed.output_price);
    assert!(output > input && input > Some(0), "{allowed:?}");
}

#[test]
fn a_model_that_does_not_think_is_allowed_nothing_on_top() {
    let allowed = of_replies(&[("llm.provider", "openai"), ("llm.model", "gpt-4.1-mini")]);
    let allowed = allowed.expect("it is charged for");
    assert_eq!((allowed.thought_tokens, allowed.asked_twice), (0, false));
    assert!(allowed.output_price > Some(0));
    let built_in = of_replies(&[("llm.provider", "offline")]);
    assert!(built_in.is_some_and(|allowed| allowed.free), "{built_in:?}");
}
