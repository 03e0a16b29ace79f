use super::*;

const KEY: &str = "test-key-3f9a7c21";

fn party(wire: Wire) -> Party<'static> {
    Party {
        wire,
        model: "m",
        place: "http://h:1",
        is_home: false,
        key_advice: "SOME_KEY",
        key: Some(KEY),
    }
}

fn judge(wire: Wire, status: u16, message: &str) -> Trouble {
    let body = serde_json::json!({"error": {"message": message}}).to_string();
    let sent = ["Alice told Bob that the harbour is closed on Sundays".to_owned()];
    party(wire).judge(status, body.as_bytes(), None, &sent)
}

fn sentence(wire: Wire, status: u16, message: &str) -> String {
    match judge(wire, status, message) {
        Trouble::Lasting(fault) => fault.to_string(),
        other => panic!("{status}: {other:?}"),
    }
}

#[test]
fn each_refusal_says_what_to_do() {
    for (wire, status, message, expected) in [
        (
            Wire::OpenAi,
            401,
            "Incorrect API key",
            "the embeddings server at http://h:1 rejected the key (401: Incorrect API key). Check SOME_KEY",
        ),
        (
            Wire::OpenAi,
            404,
            "no such model",
            "the embeddings server at http://h:1 does not know the model `m` or the address (404: no such model). Check memory.embedding.model and memory.embedding.url",
        ),
        (
            Wire::Ollama,
            404,
            "model \"m\" not found, try pulling it first",
            "Ollama at http://h:1 does not have the model `m` (404: model \"m\" not found, try pulling it first). Run `ollama pull m`, or name another in memory.embedding.model",
        ),
        (
            Wire::OpenAi,
            307,
            "",
            "http://h:1 points elsewhere (307), and neither texts nor a key are sent after it. Check memory.embedding.url",
        ),
        (
            Wire::OpenAi,
            429,
            "You exceeded your quota: insufficient_quota",
            "the account at http://h:1 has no credit (429: You exceeded your quota: insufficient_quota). Add some, or set memory.embedding.provider to builtin",
        ),
        (
            Wire::OpenAi,
            501,
            "This server does not support embeddings",
            "the embeddings server at http://h:1 does not serve embeddings (501: This server does not support embeddings). Start it with an embedding model, or name another in memory.embedding.url",
        ),
        (
            Wire::OpenAi,
            400,
            "does not support matryoshka",
            "the embeddings server at http://h:1 refused to embed with `m` (400: does not support matryoshka). Check memory.embedding.model and memory.embedding.dimensions",
        ),
    ] {
        assert_eq!(sentence(wire, status, message), expected);
    }
}

#[test]
fn what_may_pass_and_what_is_too_long_are_told_apart() {
    for status in [408, 429, 500, 502, 503, 504, 529] {
        assert!(
            matches!(judge(Wire::OpenAi, status, "busy"), Trouble::Passing { .. }),
            "{status}"
        );
    }
    for (status, message) in [
        (413, ""),
        (400, "This model's maximum context length is 8192 tokens"),
        (
            500,
            "input is too large to process. increase the physical batch size",
        ),
        (400, "the input length exceeds the context length"),
    ] {
        assert!(
            matches!(judge(Wire::OpenAi, status, message), Trouble::TooLong { .. }),
            "{message}"
        );
    }
}

#[test]
fn words_that_repeat_a_text_or_hold_a_key_are_left_out() {
    for echo in [
        "cannot embed: Alice told Bob that the harbour is closed on Sundays",
        "bad input near 'the harbour is closed'",
        "bad input near \"THE  HARBOUR\\nIS closed\"",
    ] {
        let sentence = sentence(Wire::OpenAi, 400, echo);
        assert!(!sentence.to_lowercase().contains("harbour"), "{sentence}");
        assert!(sentence.contains("(400: Bad Request)"), "{sentence}");
    }
    let sentence = sentence(Wire::OpenAi, 401, &format!("Bearer {KEY} is wrong"));
    assert!(!sentence.contains(KEY), "{sentence}");
    assert!(sentence.contains("[key] is wrong"), "{sentence}");

    let short = ["secret".to_owned(), "ok".to_owned()];
    assert!(repeats("unknown word: 'Secret'!", &short));
    assert!(!repeats("not a token", &short));
    let foreign = ["в гавани стоит лодка".to_owned()];
    let escaped = r"bad input: \u0433\u0430\u0432\u0430\u043d\u0438 \u0441\u0442\u043e\u0438\u0442 \u043b\u043e\u0434\u043a\u0430";
    assert!(repeats(escaped, &foreign));
    assert!(!repeats(r"ends with \", &foreign));
}
