//! Splits.

use proptest::prelude::*;

use super::split;
use crate::parcel::PARTS_MAX;

#[test]
fn a_short_text_is_one_piece() {
    assert_eq!(split("  hello  ", 200), ["hello"]);
    assert!(split("   ", 200).is_empty());
}

#[test]
fn a_long_text_is_cut_at_the_best_place_there_is() {
    let paragraph = "word ".repeat(30);
    let text = format!("{}\n\n{}", paragraph.trim(), paragraph.trim());
    let parts = split(&text, 200);
    assert_eq!(parts, [paragraph.trim(), paragraph.trim()], "at the blank line");
    let sentences = "This is a sentence of some length. ".repeat(12);
    for part in split(&sentences, 200) {
        assert!(part.ends_with('.'), "at a sentence end: {part:?}");
    }
}

#[test]
fn a_code_block_that_is_cut_is_closed_and_opened_again() {
    let text = format!("```\n{}```", "let x = 1;\n".repeat(40));
    let parts = split(&text, 200);
    assert!(parts.len() > 2);
    for part in &parts {
        assert_eq!(part.matches("```").count() % 2, 0, "{part}");
    }
}

#[test]
fn an_endless_text_ends_with_an_ellipsis() {
    let parts = split(&"word ".repeat(5_000), 200);
    assert_eq!(parts.len(), PARTS_MAX);
    assert!(parts[PARTS_MAX - 1].ends_with('…'));
}

proptest! {
    #[test]
    fn no_piece_is_too_long_or_empty(text in "(\\PC|\n|```){0,900}", limit in 200_usize..400) {
        for part in split(&text, limit) {
            prop_assert!(part.chars().count() <= limit, "{} > {limit}", part.chars().count());
            prop_assert!(!part.is_empty());
        }
    }
}
