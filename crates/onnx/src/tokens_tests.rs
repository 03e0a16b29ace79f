use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// A tokenizer of five words, with the fixed padding that files often come with.
fn tokenizer() -> Value {
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 6, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "decoder": null,
        "model": {"type": "WordLevel", "unk_token": "[UNK]",
            "vocab": {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3, "harbour": 4, "boat": 5}},
    })
}

fn load(content: &str, tokens_max: Option<usize>) -> (TempDir, Result<Tokens, OnnxError>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tokenizer.json");
    std::fs::write(&file, content).expect("a file");
    let tokens = Tokens::load(&file, tokens_max);
    (folder, tokens)
}

fn ids(tokens: &Tokens, text: &str) -> Vec<i64> {
    tokens.read(text).expect("tokens").ids
}

#[test]
fn a_text_is_framed_and_not_padded() {
    let tokens = load(&tokenizer().to_string(), None).1.expect("a tokenizer");
    assert_eq!(tokens.tokens_max(), 6);
    let read = tokens.read("Boat harbour sea").expect("tokens");
    assert_eq!(read.ids, [1, 5, 4, 3, 2]);
    assert_eq!(read.types, [0; 5]);
    assert_eq!(ids(&tokens, ""), [1, 2]);
}

#[test]
fn a_long_text_is_cut_and_still_framed() {
    let tokens = load(&tokenizer().to_string(), Some(8)).1.expect("a tokenizer");
    let read = ids(&tokens, &"boat ".repeat(100_000));
    assert_eq!(read, [1, 5, 5, 5, 5, 5, 5, 2]);
    // A cut in the middle of a character of four bytes would be a panic.
    for shift in 0..4 {
        let text = format!("{}{}", "x".repeat(shift), "🚢".repeat(10_000));
        assert!(ids(&tokens, &text).len() <= 8);
    }
}

#[test]
fn what_is_no_tokenizer_is_refused_by_name() {
    let (folder, tokens) = load("{}", None);
    let text = tokens.err().expect("no tokenizer").to_string();
    assert!(text.contains(&folder.path().join("tokenizer.json").display().to_string()));
    assert!(text.contains("it is not a tokenizer"), "{text}");
}

#[test]
fn two_texts_are_told_apart_and_the_longer_is_cut() {
    let tokens = load(&tokenizer().to_string(), Some(8)).1.expect("a tokenizer");
    let pair = tokens.read_pair("boat", "harbour sea").expect("tokens");
    assert_eq!(pair.ids, [1, 5, 2, 4, 3, 2]);
    assert_eq!(pair.types, [0, 0, 0, 1, 1, 1]);
    let long = tokens
        .read_pair("boat", &"harbour ".repeat(100_000))
        .expect("tokens");
    assert_eq!(long.ids, [1, 5, 2, 4, 4, 4, 4, 2]);
}
