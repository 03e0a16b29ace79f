//! What counts as a word.

use super::*;

fn check(text: &str, expected: &[&str]) {
    assert_eq!(words(text), expected, "{text:?}");
}

#[test]
fn words_are_lower_case_and_end_at_an_apostrophe() {
    check(
        "Caroline's dog DIDN'T bark.",
        &["caroline", "dog", "didn", "bark"],
    );
    check("the ’90s, rock ’n’ roll", &["the", "90s", "rock", "n", "roll"]);
    check("it's2 'quoted' ''", &["it", "2", "quoted"]);
}

#[test]
fn accents_do_not_keep_a_word_from_being_found() {
    check("Café CAFE\u{301} cafe", &["cafe", "cafe", "cafe"]);
    check("Żółć ΑΘΗΝΑ straße", &["zołc", "αθηνα", "straße"]);
}

#[test]
fn numbers_dates_and_ordinals_are_words() {
    check(
        "On 8th May 2023 at 10:30, v2.1 (2023-05-08), 3rd, 4thly",
        &[
            "on", "8", "may", "2023", "at", "10", "30", "v2", "1", "2023", "05", "08", "3", "4thly",
        ],
    );
}

#[test]
fn scripts_without_spaces_give_pairs() {
    check("我喜欢猫", &["我喜", "喜欢", "欢猫"]);
    check("猫!", &["猫"]);
    check("cat猫cat", &["cat", "猫", "cat"]);
    check("Привет мир 한국어 말", &["привет", "мир", "한국어", "말"]);
    check("हिन्दी में", &["हिन्दी", "में"]);
}

#[test]
fn a_huge_word_is_bounded() {
    assert_eq!(words(&"x".repeat(1_000))[0].len(), WORD_CHARS_MAX);
    assert_eq!(words(&"é".repeat(1_000))[0].chars().count(), WORD_CHARS_MAX);
    assert!(words("").is_empty() && words("?! …").is_empty());
}
