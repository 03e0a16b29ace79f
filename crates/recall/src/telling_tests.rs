use super::*;

#[test]
fn a_short_text_is_its_own_part() {
    assert_eq!(
        telling_part("where is the boat", " The boat is here. "),
        "The boat is here."
    );
    assert_eq!(telling_part("boat", ""), "");
}

#[test]
fn the_sentences_that_have_most_of_the_search_are_told() {
    let filler = "We talked about the weather and what there was to eat. ".repeat(30);
    let text = format!("{filler}The boat lies in the harbour of Bergen. {filler}");
    let part = telling_part("Where does the boat lie?", &text);
    assert!(part.contains("boat lies in the harbour of Bergen"), "{part}");
    assert!(words(&part).len() <= TELLING_WORDS, "{part}");
}

#[test]
fn a_sentence_without_an_end_is_cut_between_words_and_one_without_spaces_between_characters() {
    let text = format!("{} boat {}", "word ".repeat(400), "word ".repeat(400));
    let part = telling_part("boat", &text);
    assert!(
        part.contains("boat") && words(&part).len() <= 2 * TELLING_WORDS,
        "{part}"
    );
    let part = telling_part("港に船", &"海は広い".repeat(500));
    assert!(
        !part.is_empty() && part.chars().count() <= 2 * STRETCH_CHARS,
        "{part}"
    );
    let huge = "🚢".repeat(20_000);
    assert!(!telling_part("boat", &huge).is_empty());
}

#[test]
fn lines_without_words_are_no_pieces_however_many_there_are() {
    let (rules, filler) = ("---\n".repeat(3_000), "We talked of soup.\n".repeat(20));
    let text = format!("{filler}{rules}The boat lies in the harbour.\n{rules}");
    assert_eq!(pieces(&text, &[]).len(), 21);
    let part = telling_part("boat harbour", &text);
    assert!(part.ends_with("The boat lies in the harbour."), "{part}");
    assert!(!part.contains("---"), "{part}");
}
