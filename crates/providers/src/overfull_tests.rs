//! Sentences of servers that refuse a prompt that is too long, and what is made of them.

use super::*;

fn told(message: &str) -> Overfull {
    Overfull::told_by(&ErrorReport {
        message: message.to_owned(),
        ..ErrorReport::default()
    })
}

#[test]
fn the_number_that_is_the_limit_is_found_among_the_others() {
    for (message, tokens) in [
        (
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8400 in the messages, 600 in the completion).",
            8_192,
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 600. This model's maximum context length is 2048 tokens and your request has 1800 input tokens",
            2_048,
        ),
        (
            "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
            4_096,
        ),
        ("prompt is too long: 205000 tokens > 200000 maximum", 200_000),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            1_048_576,
        ),
        (
            "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
            4_096,
        ),
        (
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32,768 maximum context length",
            32_768,
        ),
        (
            "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            4_096,
        ),
    ] {
        assert_eq!(told(message), Overfull::Reads(tokens), "{message}");
    }
    for message in [
        "the request exceeds the available context size. try increasing it",
        "input is too long for requested model",
        "context length exceeded: 9000 tokens",
        "the context length is 7",
        "",
    ] {
        assert_eq!(told(message), Overfull::Untold, "{message}");
    }
}

#[test]
fn the_field_of_llama_cpp_counts_whatever_its_sentence_says() {
    let body = br#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#;
    let report = ErrorReport::from_body(body);
    assert_eq!(Overfull::told_by(&report), Overfull::Reads(4_096));
}

#[test]
fn without_a_number_that_helps_a_quarter_less_is_tried() {
    let told = |tokens| {
        Some(FoundWindow {
            tokens,
            is_told: true,
        })
    };
    let tried = |tokens| {
        Some(FoundWindow {
            tokens,
            is_told: false,
        })
    };
    assert_eq!(Overfull::Reads(8_192).lesson(12_000, false), told(8_192));
    assert_eq!(Overfull::Untold.lesson(12_000, false), tried(9_000));
    // Its tokens are shorter than ours.
    assert_eq!(Overfull::Reads(8_192).lesson(8_000, false), tried(6_000));
    // Nobody knows what the pictures took.
    assert_eq!(Overfull::Reads(8_192).lesson(3_000, true), told(8_192));
    assert_eq!(Overfull::Untold.lesson(12_000, true), None);
    assert_eq!(Overfull::Untold.lesson(300, false), None);
}
