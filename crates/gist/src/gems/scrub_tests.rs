//! What goes from a summary with a person or a text, and what stays.

use proptest::prelude::*;

use super::{ScrubBrief, quotes, scrub_summary};

fn scrubbed(summary: &str, names: &[&str], texts: &[&str]) -> Option<String> {
    let owned = |list: &[&str]| -> Vec<String> { list.iter().map(|text| (*text).to_owned()).collect() };
    scrub_summary(
        summary,
        &ScrubBrief {
            names: &owned(names),
            texts: &owned(texts),
        },
    )
}

#[test]
fn who_only_speaks_of_the_same_quotes_nobody() {
    let (names, texts) = (
        ["Alice".to_owned()],
        ["the red boat leaves the harbour at dawn, my code is 4711".to_owned()],
    );
    let brief = ScrubBrief {
        names: &names,
        texts: &texts,
    };
    for (text, expected) in [
        ("A boat leaves our harbour every hour, Bob.", false),
        ("The harbour has a red boat.", false),
        ("Somebody said that the red boat leaves the harbour soon.", true),
        ("The code was 4711.", true),
        ("That is what Alice wanted.", true),
    ] {
        assert_eq!(quotes(text, &brief), expected, "{text}");
    }
}

const PROSE: &str = "Alice is allergic to peanuts. Bob's van costs 30 euros! They meet in Harlan at 10. Carol asked alice about it.";

#[test]
fn every_sentence_that_names_a_person_goes() {
    for (names, expected) in [
        (
            &["Alice"][..],
            "Bob's van costs 30 euros! They meet in Harlan at 10.",
        ),
        (
            &["BOB"],
            "Alice is allergic to peanuts. They meet in Harlan at 10. Carol asked alice about it.",
        ),
        (
            &["Alice Liddell"],
            "Bob's van costs 30 euros! They meet in Harlan at 10.",
        ),
        (&["Alice", "Bob", "Carol"], "They meet in Harlan at 10."),
    ] {
        assert_eq!(
            scrubbed(PROSE, names, &[]).as_deref(),
            Some(expected),
            "{names:?}"
        );
    }
}

#[test]
fn sentences_that_retell_a_forgotten_text_go() {
    let texts = ["I can't eat peanut butter, I'm allergic"];
    let left = "Bob's van costs 30 euros! They meet in Harlan at 10. Carol asked alice about it.";
    assert_eq!(scrubbed(PROSE, &[], &texts).as_deref(), Some(left));
    let left = scrubbed(PROSE, &[], &["see you in Harlan"]).expect("it is retold");
    assert!(!left.contains("Harlan") && left.contains("peanuts"), "{left}");
}

#[test]
fn statements_under_a_name_go_one_by_one() {
    let summary = "Alice: adopted puppy Rex; moving Lisbon; likes tea. Bob: Rex cute; bought 2 bikes. Screen: Winter Soldier.";
    assert_eq!(
        scrubbed(summary, &["Alice"], &["I adopted a puppy called Rex"]).as_deref(),
        Some("Bob: bought 2 bikes. Screen: Winter Soldier.")
    );
    assert_eq!(
        scrubbed(summary, &[], &["we are moving to Lisbon"]).as_deref(),
        Some("Alice: adopted puppy Rex; likes tea. Bob: Rex cute; bought 2 bikes. Screen: Winter Soldier.")
    );
}

#[test]
fn what_has_nothing_to_do_with_it_stays_as_it_is() {
    for (names, texts) in [
        (&["Zelda"][..], &[][..]),
        (&[], &["the weather was nice and we talked"]),
        (&["Al"], &[]),
        (&["Ali"], &["hello there, how are you"]),
        (&[""], &["", "  "]),
    ] {
        assert_eq!(scrubbed(PROSE, names, texts), None, "{names:?} {texts:?}");
    }
    assert_eq!(scrubbed("", &["Alice"], &["anything"]), None);
}

#[test]
fn a_short_name_is_no_ordinary_word() {
    let summary = "Al won. It all went well. al dente is how they like it.";
    assert_eq!(
        scrubbed(summary, &["Al"], &[]).as_deref(),
        Some("It all went well. al dente is how they like it.")
    );
}

proptest! {
    #[test]
    fn nobody_who_is_forgotten_is_named_any_more(summary in "([A-Z][a-z]{0,8}[ .:;,!]{1,2}){0,20}", name in "[A-Z][a-z]{3,7}") {
        let summary = format!("{summary} {name} was here. {name}: tea; coffee.");
        let left = scrubbed(&summary, &[&name], &[]).expect("they were named");
        let said = super::words(&left);
        prop_assert!(!said.contains(&name.to_lowercase()), "{left}");
    }

    #[test]
    fn any_text_can_be_scrubbed(summary in any::<String>(), name in any::<String>(), text in any::<String>()) {
        scrubbed(&summary, &[&name], &[&text]);
    }
}
