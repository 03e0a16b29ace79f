//! The questions that are kept here, what counts as right, and who is asked what.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::question::{Half, Kind, Question, chosen, read_questions};
use super::score::{Outcome, Verdict, holds, verdict};

fn of_file(name: &str) -> Vec<Question> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("questions").join(name);
    read_questions(&file).expect("the questions that are kept here can be read")
}

fn kept() -> Vec<Question> {
    of_file("rooms.jsonl")
}

fn question(kind: &str, more: serde_json::Value) -> Question {
    let mut value = json!({"id": "one", "kind": kind, "author": "Mira", "question": "Denizen, which?"});
    let fields = value.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    serde_json::from_value(value).expect("a question")
}

fn says(said: &str) -> Outcome {
    Outcome {
        said: Some(said.to_owned()),
        ..Outcome::default()
    }
}

#[test]
fn there_are_a_dozen_questions_of_each_kind_and_sixty_in_all() {
    let mut of_kind: BTreeMap<Kind, usize> = BTreeMap::new();
    for question in kept() {
        *of_kind.entry(question.kind).or_default() += 1;
    }
    assert!(
        of_kind.len() == Kind::ALL.len() && of_kind.values().all(|count| *count >= 12),
        "{of_kind:?}"
    );
    assert!(of_kind.values().sum::<usize>() >= 60, "{of_kind:?}");
}

#[test]
fn the_other_rooms_have_every_kind_and_silence_most_of_all_and_nothing_of_the_first() {
    let (first, other) = (kept(), of_file("other-rooms.jsonl"));
    for kind in Kind::ALL {
        let count = other.iter().filter(|question| question.kind == kind).count();
        assert!(
            count >= if kind == Kind::Silent { 8 } else { 7 },
            "{kind:?}: {count}"
        );
    }
    for question in &other {
        let same = |old: &&Question| old.question == question.question || old.id == question.id;
        assert!(first.iter().find(same).is_none(), "{}", question.id);
    }
}

#[test]
fn what_is_asked_for_stands_where_its_kind_says_and_nowhere_else() {
    for question in kept().into_iter().chain(of_file("other-rooms.jsonl")) {
        let held = |text: &str| question.right.iter().any(|words| holds(text, words));
        let (lines, facts) = (question.before.join("\n"), question.facts.join("\n"));
        let gives = question.tool.as_ref().map_or("", |tool| &tool.gives);
        let places = [
            (Kind::Recent, held(&lines)),
            (Kind::Summary, held(&question.summary)),
            (Kind::Facts, held(&facts)),
            (Kind::Tool, held(gives)),
        ];
        for (kind, is_held) in places {
            assert_eq!(is_held, kind == question.kind, "{} in {kind:?}", question.id);
        }
        assert!(!held(&question.question), "{} answers itself", question.id);
    }
}

#[test]
fn the_halves_are_apart_and_together_they_are_all() {
    let all = kept();
    let ids = |half, seed| -> Vec<String> {
        let asked = chosen(&all, &[], half, seed, None);
        asked.into_iter().map(|question| question.id).collect()
    };
    let (tuned, judged) = (ids(Half::Tune, 1), ids(Half::Judge, 1));
    assert!(tuned.iter().all(|id| !judged.contains(id)));
    assert_eq!(tuned.len() + judged.len(), all.len());
    assert_eq!(tuned, ids(Half::Tune, 1));
    assert_ne!(tuned, ids(Half::Tune, 2));
}

#[test]
fn kinds_and_a_limit_leave_out_the_rest() {
    let asked = chosen(&kept(), &[Kind::Tool, Kind::Recent], Half::Both, 1, Some(2));
    let kinds: Vec<Kind> = asked.iter().map(|question| question.kind).collect();
    assert_eq!(kinds, [Kind::Recent, Kind::Recent, Kind::Tool, Kind::Tool]);
}

#[test]
fn words_are_found_whole_and_their_beginnings_where_more_may_follow() {
    for (text, words, found) in [
        ("It is on port 8443.", "8443", true),
        ("It is on port 84430.", "8443", false),
        ("the Uploads", "upload*", true),
        ("the uploads", "upload", false),
        ("on 14  March", "14 march", true),
        ("hdparm -B 255 does", "-b 255", true),
        ("no mono", "mono", true),
        ("monotone mono", "mono", true),
        ("monotone", "mono", false),
        ("", "mono", false),
    ] {
        assert_eq!(holds(text, words), found, "{words} in {text}");
    }
}

#[test]
fn a_wrong_answer_counts_as_wrong_and_a_missing_one_as_silent() {
    let asked = question("recent", json!({"right": ["blue", "azure"], "wrong": ["red"]}));
    for (outcome, expected) in [
        (says("It is azure."), Verdict::Right),
        (says("It is green."), Verdict::Wrong),
        (says("It is blue, and not red."), Verdict::Wrong),
        (Outcome::default(), Verdict::Silent),
    ] {
        assert_eq!(verdict(&asked, &outcome), expected, "{outcome:?}");
    }
}

#[test]
fn where_silence_is_right_every_word_is_wrong_and_a_failed_call_is_no_silence() {
    let asked = question("silent", json!({}));
    let failed = Outcome {
        failures: vec!["unreachable".to_owned()],
        ..Outcome::default()
    };
    assert_eq!(verdict(&asked, &Outcome::default()), Verdict::Right);
    assert_eq!(verdict(&asked, &says("hello")), Verdict::Wrong);
    assert_eq!(verdict(&asked, &failed), Verdict::Silent);
}

#[test]
fn a_right_answer_without_the_look_up_it_needs_is_a_guess() {
    let tool = json!({"names": ["web_search"], "asks": ["eclipse"], "gives": "21:47"});
    let asked = question("tool", json!({"right": ["21:47"], "tool": tool}));
    let looked_up = |name: &str, query: &str| Outcome {
        looked_up: vec![(name.to_owned(), json!({ "query": query }))],
        ..says("At 21:47.")
    };
    assert_eq!(verdict(&asked, &says("At 21:47.")), Verdict::Wrong);
    assert_eq!(verdict(&asked, &looked_up("web_search", "cats")), Verdict::Wrong);
    assert_eq!(
        verdict(&asked, &looked_up("web_scrape", "eclipse")),
        Verdict::Wrong
    );
    assert_eq!(
        verdict(&asked, &looked_up("web_search", "Eclipse tonight")),
        Verdict::Right
    );
}
