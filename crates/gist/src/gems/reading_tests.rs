//! Reading gems out of answers: what stands around them, what is wrong with each, and where they came from.

use proptest::prelude::*;
use serde_json::{Value, json};
use vocabulary::{CapturedTurn, GemTag};

use super::super::test_gems::{NOON, minutes, person, place, turn};
use super::{GEMS_MAX, Gathered, Reading, ReadingContext, RejectReason, read_gems};

pub(super) fn batch() -> Vec<CapturedTurn> {
    vec![
        turn(15, "Alice", "I moved to Bergen yesterday, flat 12"),
        turn(16, "Bob", "nice. I hate peanuts, by the way"),
        turn(17, "Denizen", "Noted."),
        turn(18, "Alice", "my favourite colour is green"),
    ]
}

pub(super) fn gem(content: &str, speaker: &str, turns: &[u64]) -> Value {
    json!({
        "content": content, "summary": "", "topics": ["Moving", "moving", ""], "importance": 0.5, "tags": ["fact"],
        "turns": turns, "speaker": speaker, "about": speaker, "attribute": "", "standing": false,
        "replaces": "", "repeats": ""
    })
}

pub(super) fn with(mut gem: Value, key: &str, value: Value) -> Value {
    gem[key] = value;
    gem
}

pub(super) fn read(answer: &str) -> Reading {
    read_in(answer, &batch())
}

pub(super) fn read_in(answer: &str, batch: &[CapturedTurn]) -> Reading {
    read_gems(
        answer,
        &ReadingContext {
            batch,
            by: "qwen3",
            now: NOON,
            around: &["Marcus".to_owned()],
        },
    )
}

pub(super) fn answer(gems: &[Value]) -> String {
    json!({ "gems": gems }).to_string()
}

pub(super) fn only(reading: Reading) -> Gathered {
    assert_eq!(reading.rejected, [], "nothing is rejected");
    let [gathered] = <[Gathered; 1]>::try_from(reading.gems).expect("one gem");
    gathered
}

#[test]
fn a_gem_knows_where_it_came_from() {
    let moved = with(
        gem("Alice moved to Bergen on 2026-02-22.", "Alice", &[4, 1]),
        "attribute",
        "Home".into(),
    );
    let Gathered { gem, .. } = only(read(&answer(&[moved])));
    assert_eq!(gem.source.turn_range, "15-18");
    assert_eq!(gem.source.date, "2026-02-23");
    assert_eq!(gem.source.session_id, "lounge-1".into());
    assert_eq!(gem.source.turns, ["m15".into(), "m18".into()]);
    assert_eq!(
        (gem.created_at, gem.valid_from, gem.last_seen_at),
        (NOON, minutes(18), minutes(18))
    );
    assert_eq!(
        (gem.person, gem.person_name.as_str()),
        (Some(person("Alice")), "Alice")
    );
    assert_eq!(gem.place, place("lounge", false));
    assert_eq!(gem.attribute.as_deref(), Some("home"));
    assert_eq!(gem.topics, ["moving"]);
    assert_eq!(gem.summary, gem.content);
    assert_eq!(
        (gem.made_by.as_str(), gem.strength, gem.tags),
        ("qwen3", 1, vec![GemTag::Fact])
    );
}

#[test]
fn one_private_turn_makes_a_gem_private() {
    let mut batch = batch();
    batch[0].place.private = true;
    let told = |turns: &[u64]| {
        only(read_in(
            &answer(&[gem("Alice likes green.", "Alice", turns)]),
            &batch,
        ))
        .gem
        .place
    };
    assert_eq!(told(&[1, 4]), place("lounge", true));
    assert_eq!(told(&[4]), place("lounge", false));
}

#[test]
fn prose_fences_thoughts_and_bare_lists_are_read_alike() {
    let one = gem("Bob hates peanuts.", "Bob", &[2]);
    let whole = answer(std::slice::from_ref(&one));
    for text in [
        whole.clone(),
        format!("```json\n{whole}\n```"),
        format!("Sure! Here you {{go}}:\n{whole}\nAnything else?"),
        format!("<think>{{\"gems\": []}} no</think>{whole}"),
        format!("[{one}]"),
        one.to_string(),
        format!("{{\"gems\": [{one},]}}"),
        format!("{{\"gems\": [{one}, {{\"content\": \"Alice mo"),
        format!("[{one}, {{\"cont"),
        format!("{{\"gems\": [{{\"content\": oops}}, {one}]}}"),
    ] {
        assert_eq!(only(read(&text)).gem.content, "Bob hates peanuts.", "{text}");
    }
}

#[test]
fn an_empty_list_is_an_answer_and_words_are_none() {
    for text in [r#"{"gems": []}"#, "```\n{\"gems\":[]}\n```"] {
        assert_eq!(read(text), Reading::default());
    }
    for text in [
        "",
        "I found nothing.",
        "{}",
        "[]",
        "<think>hm",
        "{\"gems\": 3}",
        "{\"gems\": [{\"con",
        "null",
    ] {
        let reading = read(text);
        assert!(reading.gems.is_empty() && reading.is_unreadable(), "{text}");
    }
}

#[test]
fn each_bad_gem_is_rejected_alone_and_says_why() {
    let good = || gem("Bob hates peanuts.", "Bob", &[2]);
    let cases = [
        (with(good(), "content", "  ".into()), RejectReason::EmptyContent),
        (with(good(), "content", "…".into()), RejectReason::EmptyContent),
        (with(good(), "content", 5.into()), RejectReason::Malformed),
        (json!("Bob hates peanuts"), RejectReason::Malformed),
        (
            with(good(), "content", "peanuts ".repeat(120).into()),
            RejectReason::TooLong,
        ),
        (
            with(good(), "content", "He hates peanuts.".into()),
            RejectReason::NotSelfContained,
        ),
        (with(good(), "turns", json!([])), RejectReason::NoSource),
        (with(good(), "turns", json!([0, 9, "x"])), RejectReason::NoSource),
        (
            with(good(), "importance", 1.2.into()),
            RejectReason::ImportanceOutOfRange,
        ),
        (
            with(good(), "importance", json!(-0.1)),
            RejectReason::ImportanceOutOfRange,
        ),
        (
            with(good(), "importance", "high".into()),
            RejectReason::ImportanceOutOfRange,
        ),
        (
            with(good(), "tags", json!(["fact", "food"])),
            RejectReason::UnknownTag,
        ),
        (with(good(), "tags", json!([])), RejectReason::UnknownTag),
        (
            with(good(), "content", "Bob told Zelda that he hates peanuts.".into()),
            RejectReason::NotGrounded,
        ),
        (
            with(good(), "content", "Bob hates 7 peanuts.".into()),
            RejectReason::NotGrounded,
        ),
        (
            with(good(), "content", "Zelda hates peanuts.".into()),
            RejectReason::NotGrounded,
        ),
        (
            with(good(), "speaker", "Carol".into()),
            RejectReason::UnknownSpeaker,
        ),
        (
            with(good(), "speaker", "Alice".into()),
            RejectReason::UnknownSpeaker,
        ),
        (
            with(good(), "content", "bob hates the PEANUTS!".into()),
            RejectReason::DuplicateInAnswer,
        ),
        (
            with(good(), "content", "Bob's password is swordfish.".into()),
            RejectReason::SecretOnly,
        ),
    ];
    for (bad, reason) in cases {
        let reading = read(&answer(&[
            good(),
            bad.clone(),
            gem("Alice likes green.", "Alice", &[4]),
        ]));
        let reasons: Vec<RejectReason> = reading
            .rejected
            .iter()
            .map(|rejection| rejection.reason)
            .collect();
        assert_eq!(reasons, [reason], "{bad}");
        assert_eq!(reading.gems.len(), 2, "{bad}");
    }
}

#[test]
fn names_of_the_room_and_dates_that_follow_are_no_inventions() {
    for content in [
        "Alice moved to Bergen on 22 February 2026 (Sunday).",
        "Alice, not Marcus, moved to Bergen on February 22nd, 2026.",
        "Alice lives in flat 12.",
        "ALICE's colour: Green.",
    ] {
        assert_eq!(
            only(read(&answer(&[gem(content, "alice", &[1])]))).gem.content,
            content
        );
    }
}

#[test]
fn no_more_than_twenty_gems_are_taken() {
    let gems: Vec<Value> = (0..30)
        .map(|n| gem(&format!("Bob hates peanuts {}.", "so ".repeat(n)), "Bob", &[2]))
        .collect();
    let reading = read(&answer(&gems));
    assert_eq!((reading.gems.len(), reading.rejected.len()), (GEMS_MAX, 10));
    assert!(
        reading
            .rejected
            .iter()
            .all(|rejection| rejection.reason == RejectReason::TooMany)
    );
}

proptest! {
    #[test]
    fn whatever_a_model_answers_is_read(answer in any::<String>(), content in any::<String>(), text in any::<String>()) {
        let batch = [turn(1, "Bob", &text)];
        read_in(&answer, &batch);
        let reading = read_in(&json!({"gems": [gem(&content, "Bob", &[1])]}).to_string(), &batch);
        prop_assert_eq!(reading.gems.len() + reading.rejected.len(), 1);
    }

    #[test]
    fn an_answer_may_be_torn_anywhere(at in 0usize..600) {
        let whole = answer(&[gem("Bob hates peanuts.", "Bob", &[2]), gem("Alice likes green.", "Alice", &[4])]);
        let reading = read(&whole[..at.min(whole.len())]);
        prop_assert!(reading.gems.len() <= 2);
        for gathered in &reading.gems {
            prop_assert!(["Bob hates peanuts.", "Alice likes green."].contains(&gathered.gem.content.as_str()));
        }
    }
}

#[test]
fn what_a_small_model_only_copied_is_told_of_the_speaker() {
    let batch = [
        turn(1, "Bob", "We decided to use PostgreSQL for the tracker"),
        turn(2, "Alice", "By the way, I'm allergic to peanuts"),
    ];
    for (content, speaker, place, expected) in [
        (
            "We decided to use PostgreSQL for the tracker",
            "Bob",
            1,
            "Bob and the others decided to use PostgreSQL for the tracker",
        ),
        (
            "Alice says By the way, I'm allergic to peanuts",
            "Alice",
            2,
            "By the way, Alice is allergic to peanuts",
        ),
    ] {
        let reading = read_in(&answer(&[gem(content, speaker, &[place])]), &batch);
        assert_eq!(only(reading).gem.content, expected);
    }
}

#[test]
fn greetings_questions_and_what_the_model_itself_holds_for_nothing_are_no_gems() {
    let batch = [turn(
        1,
        "Alice",
        "hi all, good morning! did anybody see the match?",
    )];
    let none = with(
        gem("Alice saw something good.", "Alice", &[1]),
        "tags",
        json!(["none"]),
    );
    for (gem, reason) in [
        (
            gem("Alice says hi all, good morning!", "Alice", &[1]),
            RejectReason::SmallTalk,
        ),
        (
            gem("Did anybody see the match?", "Alice", &[1]),
            RejectReason::Question,
        ),
        (
            gem("Alice did see the match.", "Alice", &[1]),
            RejectReason::Question,
        ),
        (none, RejectReason::SmallTalk),
    ] {
        let reading = read_in(&answer(&[gem]), &batch);
        assert_eq!(reading.rejected[0].reason, reason, "{reading:?}");
        assert_eq!(reading.gems, []);
    }
}

#[test]
fn of_what_denizen_itself_said_only_promises_are_gems() {
    let batch = [
        turn(1, "Denizen", "I prefer tea."),
        turn(2, "Denizen", "I'll remind Alice of the release."),
    ];
    let liked = gem("Denizen prefers tea.", "Denizen", &[1]);
    let promised = gem("Denizen will remind Alice of the release.", "Denizen", &[2]);
    let reading = read_in(&answer(&[liked, with(promised, "tags", json!(["todo"]))]), &batch);
    assert_eq!(reading.rejected[0].reason, RejectReason::OwnWords);
    assert_eq!(reading.gems.len(), 1);
}
