use proptest::prelude::*;
use vocabulary::WallTime;

use super::draft::heading;
use super::sentence::{Manner, sentences};
use super::{FoldedTurn, summarise};
use crate::lexicon::{Language, Token, tokens};
use crate::lexicon::{plain, stem};

const LIMIT: usize = 1_200;

fn turn<'a>(speaker: &'a str, text: &'a str) -> FoldedTurn<'a> {
    FoldedTurn {
        speaker,
        text,
        at: None,
    }
}

/// The summary of one turn by Alice.
fn told(text: &str) -> String {
    summarise("", &[turn("Alice", text)], &[], LIMIT)
}

#[test]
fn a_sentence_becomes_a_telegram_of_its_telling_words() {
    let cases = [
        (
            "Hey! I just adopted a puppy called Rex on 3 May.",
            "Alice: adopted puppy called Rex 3 May.",
        ),
        (
            "We're moving to Lisbon, and I bought 2 new bikes!",
            "Alice: moving Lisbon, bought 2 new bikes.",
        ),
        ("I never liked cooking.", "Alice: never liked cooking."),
        (
            "I don't eat peanuts because of an allergy",
            "Alice: not eat peanuts, allergy.",
        ),
        ("No, I went skiing in Banff", "Alice: went skiing Banff."),
        ("By the way, I can't wait for the concert", "Alice: concert."),
        ("It cost $1,200.50 at 7:30", "Alice: cost $1,200.50 7:30."),
        (
            "I write C++ and C# at example.com",
            "Alice: write C++, C# example.com.",
        ),
        ("Which keyboard do you use?", "Alice: keyboard use?"),
        (
            "Look! [shared a picture: a photo of a sunset over a lake]",
            "Alice: pic sunset lake.",
        ),
        ("Привет, я живу в Москве", "Alice: привет, я живу в Москве."),
        (
            "東京に引っ越しました。猫が好きです。",
            "Alice: 東京に引っ越しました; 猫が好きです.",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn a_name_that_addresses_is_dropped_and_one_that_is_spoken_of_is_kept() {
    let turns = [
        turn("Melanie", "Thanks Bob! Bob fixed the Hulk build."),
        turn("Bob", "Sure Mel, I owed Melanie two beers."),
    ];
    assert_eq!(
        summarise("", &turns, &[], LIMIT),
        "Melanie: Bob fixed Hulk build. Bob: owed Melanie two beers."
    );
}

#[test]
fn a_name_is_known_at_the_beginning_of_a_sentence_from_elsewhere() {
    assert_eq!(
        told("I have a dog called Max. Max barks."),
        "Alice: dog called Max; Max barks."
    );
}

#[test]
fn what_is_new_joins_what_was_known_under_the_same_name() {
    let before = "Alice: adopted puppy, Rex; moving Lisbon. Bob: fixing Hulk build, 2 jobs.";
    let after = summarise(before, &[turn("Alice", "I sold my violin.")], &[], LIMIT);
    assert_eq!(
        after,
        "Alice: adopted puppy, Rex; moving Lisbon; sold violin. Bob: fixing Hulk build, 2 jobs."
    );
}

#[test]
fn what_was_kept_in_one_language_is_not_lost_when_the_talk_goes_on_in_another() {
    let before = "Alice: adopted son Max; new car; regrets sin; met d'Artagnan.";
    for said in [
        "Bonjour, j'ai adopté un chat et je suis très content.",
        "Hola, adopté un gato y estoy muy contento con él.",
        "Ich habe eine Katze adoptiert und bin sehr froh.",
        "I adopted a cat and I am so happy about it.",
    ] {
        let after = summarise(before, &[turn("Bob", said)], &[], LIMIT);
        assert!(
            after.starts_with("Alice: adopted son Max; new car; regrets sin; met d'Artagnan. Bob:"),
            "{after}"
        );
    }
    let french = "Alice: acheté or; vu film main.";
    let after = summarise(
        french,
        &[turn("Bob", "I sold the piano and it was so sad.")],
        &[],
        LIMIT,
    );
    assert!(after.starts_with(french), "{after}");
}

#[test]
fn sentences_that_a_model_wrote_under_a_name_are_condensed() {
    let before = "Alice: she is a vet and has moved to Oslo.";
    assert_eq!(
        summarise(before, &[turn("Bob", "I play the trombone.")], &[], LIMIT),
        "Alice: vet, moved Oslo. Bob: play trombone."
    );
}

#[test]
fn a_question_is_read_back_as_one() {
    let before = summarise("", &[turn("Bob", "Which keyboard do you use?")], &[], LIMIT);
    assert_eq!(
        summarise(&before, &[turn("Alice", "I play the trombone.")], &[], LIMIT),
        "Bob: keyboard use? Alice: play trombone."
    );
}

#[test]
fn when_space_is_short_names_and_numbers_outlive_everyday_words() {
    let turns = [
        turn(
            "Alice",
            "We spent the whole morning walking around outside with the kids near the water.",
        ),
        turn("Alice", "Our flight to Reykjavik is on 14 October."),
    ];
    let summary = summarise("", &turns, &[], 40);
    assert!(
        summary.contains("Reykjavik") && summary.contains("14"),
        "{summary}"
    );
    assert!(!summary.contains("water"), "{summary}");
}

#[test]
fn of_equally_telling_statements_the_older_is_forgotten_first() {
    let before = "Alice: bought cello; bought lemon.";
    let summary = summarise(before, &[turn("Alice", "I bought linen.")], &[], 21);
    assert_eq!(summary, "Alice: lemon; linen.");
}

#[test]
fn a_repeated_statement_is_told_once() {
    let turns = [
        turn("Alice", "I adopted a hedgehog."),
        turn("Alice", "So, I adopted a hedgehog!"),
        turn("Alice", "I play chess."),
    ];
    assert_eq!(
        summarise("", &turns, &[], 38),
        "Alice: adopted hedgehog; play chess."
    );
}

#[test]
fn praise_does_not_take_a_statement_from_the_one_who_made_it() {
    let turns = [
        turn("Bob", "Your charity marathon sounds great!"),
        turn("Alice", "I ran the charity marathon in Boston."),
    ];
    assert_eq!(
        summarise("", &turns, &[], 42),
        "Alice: ran charity marathon Boston."
    );
}

#[test]
fn notes_stand_under_the_screen_with_their_sharer() {
    let notes = ["James was screen-sharing Marvel Rivals as Winter Soldier, on the Tokyo map"];
    assert_eq!(
        summarise("", &[], &notes, LIMIT),
        "Screen: James screen-sharing Marvel Rivals Winter Soldier Tokyo map."
    );
}

#[test]
fn the_notes_of_one_run_take_at_most_400_characters() {
    let notes: Vec<String> = (0..60)
        .map(|number| format!("James opened spreadsheet{number} invoice{number}"))
        .collect();
    let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
    let chars = summarise("", &[], &notes, LIMIT).chars().count();
    assert!((300..=400).contains(&chars), "{chars}");
}

#[test]
fn prose_of_a_model_is_kept_as_it_is_while_there_is_room() {
    let prose =
        "Alice and Bob discussed Marvel Rivals strategy. Bob struggled with Hulk. Who hosts on Friday?";
    assert_eq!(
        summarise(prose, &[turn("Alice", "I main Jeff now.")], &[], LIMIT),
        format!("{prose} Alice: main Jeff.")
    );
}

#[test]
fn prose_of_a_model_is_condensed_with_its_subjects_when_room_is_short() {
    let prose = "Alice and Carol discussed the Marvel Rivals strategy. Bob struggled with the Hulk";
    assert_eq!(
        summarise(prose, &[turn("Bob", "I bought a trampoline.")], &[], 80),
        "Alice Carol discussed Marvel Rivals strategy. Bob: struggled Hulk; trampoline."
    );
}

#[test]
fn nothing_new_leaves_the_summary_as_it_was() {
    let before = "Alice: adopted puppy; moving Lisbon. And some prose, too.";
    assert_eq!(summarise(before, &[], &[], LIMIT), before);
    assert_eq!(
        summarise(before, &[turn("Bob", "haha yeah, so cool!")], &[], LIMIT),
        before
    );
}

#[test]
fn small_talk_alone_is_still_something_to_say() {
    assert_eq!(told("ok"), "Alice: ok.");
    assert_eq!(
        summarise("", &[turn("Al", "oh yeah sure")], &[], 12),
        "Al: oh yeah."
    );
    assert_eq!(summarise("", &[turn("", "...")], &[], LIMIT), "");
}

#[test]
fn names_lose_the_signs_that_part_headings_and_items() {
    let cases = [
        ("Dr. Bob: the; 2nd", "Dr Bob the 2nd"),
        (" \n:;.", "Someone"),
        ("Ann\nLee", "Ann Lee"),
        ("🦊", "🦊"),
    ];
    for (name, expected) in cases {
        assert_eq!(heading(name), expected);
    }
}

#[test]
fn a_megabyte_of_anything_is_survived() {
    for pattern in [
        "word ",
        "x",
        "🦊",
        "\n",
        "漢",
        "Alice: a; b. ",
        "[picture: ",
        "'",
        "1,",
    ] {
        let text = pattern.repeat(1_000_000 / pattern.len());
        let summary = summarise(&text, &[turn(&text, &text)], &[&text], LIMIT);
        assert!(summary.chars().count() <= LIMIT);
    }
}

#[test]
fn sentences_know_from_whose_side_they_are_told() {
    let text = "I ran. You won! Do we race? It rained; Dr. Who called us - you saw it";
    let manners: Vec<Manner> = sentences(text, Language::English)
        .into_iter()
        .map(|(_, manner)| manner)
        .collect();
    let expected = [
        Manner::Own,
        Manner::Yours,
        Manner::Question,
        Manner::Plain,
        Manner::Own,
        Manner::Yours,
    ];
    assert_eq!(manners, expected);
}

#[test]
fn forms_of_one_word_share_a_stem() {
    let groups = [
        vec!["plan", "plans", "planned", "planning"],
        vec!["adopt", "Adopted", "adopting"],
        vec!["hobby", "hobbies", "hobby's"],
        vec!["two", "2", "twice"],
        vec!["bake", "baked", "baking"],
    ];
    for group in groups {
        for word in &group {
            assert_eq!(stem(&plain(word)), stem(&plain(group[0])), "{word}");
        }
    }
}

fn words_of(text: &str) -> Vec<String> {
    let words = tokens(text).into_iter();
    words
        .filter_map(|token| {
            if let Token::Word(word) = token {
                Some(word)
            } else {
                None
            }
        })
        .collect()
}

/// What people could write: words with capitals, numbers and signs, or anything at all.
fn saying() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,9}",
        "[A-Z][a-z]{1,9}",
        "[0-9]{1,4}",
        Just("not".to_owned()),
        Just("don't".to_owned()),
        Just("I".to_owned()),
        Just("you".to_owned()),
        Just("the".to_owned()),
        Just("and".to_owned()),
        Just("yesterday".to_owned()),
        Just("last week".to_owned()),
    ];
    let chat = prop::collection::vec((word, prop_oneof![4 => Just(" "), 1 => prop::sample::select(vec![", ", ". ", "? ", "! ", "; ", ": ", "\n", " — "])]), 0..40)
        .prop_map(|words| words.into_iter().map(|(word, sign)| word + sign).collect::<String>());
    prop_oneof![3 => chat, 1 => "(?s).{0,120}"]
}

fn sayings() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((prop_oneof!["[A-Z][a-z]{1,6}", ".{0,12}"], saying()), 0..10)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_summary_is_one_line_within_its_limit_and_always_the_same(
        previous in saying(), said in sayings(), note in saying(), limit in 0_usize..400,
    ) {
        let turns: Vec<FoldedTurn<'_>> = said.iter().map(|(speaker, text)| turn(speaker, text)).collect();
        let summary = summarise(&previous, &turns, &[&note], limit);
        prop_assert!(summary.chars().count() <= limit, "{summary}");
        prop_assert!(!summary.contains(['\n', '\r']));
        prop_assert_eq!(&summary, &summarise(&previous, &turns, &[&note], limit));
        prop_assert_eq!(&summary, &summarise(&summary, &[], &[], limit));
    }

    #[test]
    fn no_word_is_made_up_or_cut(said in sayings(), limit in 0_usize..300) {
        let turns: Vec<FoldedTurn<'_>> = said.iter().map(|(speaker, text)| turn(speaker, text)).collect();
        let marks = ["pic", "Someone", "not", "no", "never", "without"].map(str::to_owned);
        let headings = said.iter().flat_map(|(speaker, _)| words_of(&heading(speaker)));
        // In French `l'école` is kept as `école`.
        let without_elision = |word: String| [word.split_once('\'').map(|(_, rest)| rest.to_owned()), Some(word)];
        let known: Vec<String> = said.iter().flat_map(|(_, text)| words_of(text)).chain(headings).chain(marks)
            .flat_map(without_elision).flatten().map(|word| plain(&word)).collect();
        for word in words_of(&summarise("", &turns, &[], limit)) {
            prop_assert!(known.contains(&plain(&word)), "{word}");
        }
    }

    #[test]
    fn whoever_says_a_word_is_never_answered_with_nothing(text in saying(), limit in 60_usize..200) {
        let has_words = words_of(&text).iter().any(|word| word.chars().count() <= 40);
        prop_assert_eq!(summarise("", &[turn("Alice", &text)], &[], limit).is_empty(), !has_words);
    }

    #[test]
    fn folding_on_and_on_stays_within_the_limit(batches in prop::collection::vec(sayings(), 1..6), limit in 20_usize..300) {
        let mut summary = String::new();
        let mut at = WallTime(1_700_000_000_000);
        for batch in &batches {
            // Half a year passes between batches, so that years have to be told.
            at.0 += 180 * 86_400_000;
            let turns: Vec<FoldedTurn<'_>> = batch.iter().map(|(speaker, text)| FoldedTurn { at: Some(at), ..turn(speaker, text) }).collect();
            summary = summarise(&summary, &turns, &[], limit);
            prop_assert!(summary.chars().count() <= limit, "{summary}");
        }
    }
}
