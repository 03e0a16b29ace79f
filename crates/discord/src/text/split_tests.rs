use hostile::cases;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const LIMIT: usize = 300;

#[test]
fn what_fits_stays_whole_and_nothing_is_nothing() {
    assert_eq!(split("hello", PART_MAX), ["hello"]);
    assert_eq!(split("", PART_MAX), [""; 0]);
    assert_eq!(split(" \n ", PART_MAX), [""; 0]);
    let full = "x".repeat(PART_MAX);
    assert_eq!(split(&full, PART_MAX), [full]);
    // An emoji is one code point and two units.
    let emoji = "🎉".repeat(PART_MAX / 2);
    assert_eq!(split(&emoji, PART_MAX).len(), 1);
    assert_eq!(split(&format!("{emoji}x"), PART_MAX).len(), 2);
}

#[test]
fn a_text_is_cut_where_a_reader_would() {
    let words = "word ".repeat(40);
    let words = words.trim_end();
    for (text, first) in [
        (format!("{words}\n\n{words}\nmore"), words.to_owned()),
        (format!("{words}\n{words}"), words.to_owned()),
        (format!("{words}. Then {words}"), format!("{words}.")),
        (
            format!("{words} {words}"),
            format!("{words}{}", " word".repeat(19)),
        ),
    ] {
        let parts = split(&text, LIMIT);
        assert_eq!(parts[0], first, "{parts:#?}");
        assert_eq!(parts.len(), 2);
    }
}

#[test]
fn a_fence_that_fits_into_one_part_is_not_cut() {
    let code = format!("```rust\n{}```", "let x = 1;\n".repeat(20));
    let text = format!("{}\n{code}\nafter", "before ".repeat(15));
    let parts = split(&text, LIMIT);
    assert!(parts.iter().any(|part| part.contains(&code)), "{parts:#?}");
}

#[test]
fn a_long_fence_goes_on_in_the_next_part() {
    let text = format!("look:\n```rust\n{}```\ndone", "    let x = 1;\n".repeat(60));
    let parts = split(&text, LIMIT);
    assert!(parts.len() > 3);
    assert!(parts[0].starts_with("look:\n```rust\n    let x"), "{}", parts[0]);
    for part in &parts[1..parts.len() - 1] {
        assert!(
            part.starts_with("```rust\n    let x = 1;\n") && part.ends_with("    let x = 1;\n```"),
            "{part}"
        );
    }
    assert!(parts[parts.len() - 1].ends_with("done"));
}

#[test]
fn what_belongs_together_is_not_taken_apart() {
    let family = "👨‍👩‍👧‍👦";
    for part in split(&family.repeat(100), LIMIT) {
        assert_eq!(part.replace(family, ""), "");
    }
    let mark = "<:a_rather_long_name:123456789012345678>";
    for part in split(&mark.repeat(100), LIMIT) {
        assert_eq!(part.replace(mark, ""), "");
    }
    let command = "</denizen why:123456789012345678>";
    for part in split(&command.repeat(100), LIMIT) {
        assert_eq!(part.replace(command, ""), "");
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Zé]{1,12}",
        4 => Just(" ".to_owned()),
        2 => Just("\n".to_owned()),
        1 => Just("\n\n".to_owned()),
        1 => Just("```".to_owned()),
        1 => Just("\n```rust\n".to_owned()),
        1 => Just("\n```\n".to_owned()),
        1 => Just("`".to_owned()),
        1 => Just("🎉👨‍👩‍👧".to_owned()),
        1 => Just("<@123456789012345678>".to_owned()),
        1 => Just("x".repeat(400)),
        1 => Just(". ".to_owned()),
        1 => Just("<".to_owned()),
    ];
    vec(piece, 0..300).prop_map(|pieces| pieces.concat())
}

/// Everything but white space and fence marks, which parts may have more or fewer of.
fn words(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_parts_are_the_text_and_none_is_too_long(text in text(), limit in 200..2_000_usize) {
        let slices = slices(&text, limit);
        let joined: String = slices.iter().map(|slice| slice.body).collect();
        prop_assert_eq!(&joined, &text);
        for slice in &slices {
            let added = [slice.opened.map(opening).unwrap_or_default(), slice.body.to_owned()].concat()
                + if slice.closes { CLOSING } else { "" };
            prop_assert_eq!(words(&slice.part()), words(&added), "only white space goes");
        }
        let parts = split(&text, limit);
        for part in &parts {
            prop_assert!(units(part) <= limit, "{} of {}", units(part), limit);
            prop_assert!(!part.trim().is_empty());
        }
        // Every fence that one part leaves open ends in it, so that code is code in each.
        if parts.len() > 1 {
            for part in &parts[..parts.len() - 1] {
                prop_assert_eq!(part.matches(FENCE).count() % 2, 0, "{}", part);
            }
        }
    }
}
