use super::Traces;

fn holds(forgotten: &str, text: &str) -> bool {
    Traces::of([forgotten]).are_in(text)
}

#[test]
fn a_text_is_found_however_it_is_escaped_or_cut() {
    let said = "My \"secret\" garden\nis behind the café at C:\\new\\path, 7€!";
    let once = serde_json::to_string(said).unwrap();
    let twice = serde_json::to_string(&once).unwrap();
    for text in [
        said,
        &once,
        &twice,
        "… garden is behind the café …",
        "alice: MY SECRET GARDEN IS BEHIND",
    ] {
        assert!(holds(said, text), "{text}");
    }
    assert!(holds(
        "das Café am Fluß",
        r#"{"text":"das Caf\u00e9 am Flu\u00df"}"#
    ));
    assert!(holds("𝒳𝒴 zorblax", r#""\ud835\udcb3\ud835\udcb4 zorblax""#));
}

#[test]
fn other_texts_are_not() {
    for (said, text) in [
        ("the cat sat on the mat today", "the dog lay on the rug today"),
        ("zorblax", "zorblaxian"),
        ("I live in Paris", "I live in London"),
        ("", "anything"),
        ("🎉", "🎉"),
        ("你喜欢茶吗", "你喜欢咖啡吗"),
    ] {
        assert!(!holds(said, text), "{said} in {text}");
    }
}

#[test]
fn a_short_text_counts_if_it_says_anything() {
    assert!(holds("4711", r#"{"pin": "4711"}"#));
    assert!(holds("你喜欢茶吗", "昨天他问你喜欢茶吗，我说"));
    for nothing in ["yes", "ok, I know", "no"] {
        assert!(!holds(nothing, "yes. ok, I know. no."), "{nothing}");
    }
}

#[test]
fn a_common_phrase_of_a_telling_text_is_no_trace_of_it() {
    let said = "well I don't know what to say about the zorblax engine";
    assert!(!holds(said, "I don't know what to say"));
    assert!(holds(said, "say about the zorblax engine"));
}
