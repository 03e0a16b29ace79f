//! What is kept is not asked again, unless the question changed, its call failed, or its line was cut.

use serde_json::json;

use super::Kept;
use crate::chat::question::Question;
use crate::chat::score::Outcome;

fn question(words: &str) -> Question {
    let value =
        json!({"id": "one", "kind": "recent", "author": "Mira", "question": words, "right": ["blue"]});
    serde_json::from_value(value).expect("a question")
}

#[test]
fn an_answer_that_is_kept_counts_for_its_model_its_profile_and_its_question_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("answers.jsonl");
    let (asked, changed) = (question("which?"), question("which one?"));
    let outcome = Outcome {
        said: Some("blue".to_owned()),
        looked_up: vec![("web_search".to_owned(), json!({"query": "blue"}))],
        calls: 2,
        seconds: 1.5,
        ..Outcome::default()
    };
    let mut kept = Kept::open(Some(&file)).expect("a new file");
    kept.add("small", "plain", &asked, &outcome)
        .expect("it is written");
    let again = Kept::open(Some(&file)).expect("the file");
    assert_eq!(again.outcome("small", "plain", &asked), Some(outcome));
    assert_eq!(again.outcome("small", "full", &asked), None);
    assert_eq!(again.outcome("large", "plain", &asked), None);
    assert_eq!(again.outcome("small", "plain", &changed), None);
}

#[test]
fn a_failed_call_and_half_a_line_are_asked_again_and_what_follows_is_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("answers.jsonl");
    let failed = Outcome {
        failures: vec!["unreachable".to_owned()],
        ..Outcome::default()
    };
    let mut kept = Kept::open(Some(&file)).expect("a new file");
    kept.add("small", "plain", &question("which?"), &failed)
        .expect("it is written");
    let mut text = std::fs::read_to_string(&file).expect("the file");
    text.push_str("{\"model\": \"sm");
    std::fs::write(&file, text).expect("ours");
    let mut kept = Kept::open(Some(&file)).expect("the file");
    assert_eq!(kept.outcome("small", "plain", &question("which?")), None);
    kept.add("small", "plain", &question("which?"), &Outcome::default())
        .expect("it is written");
    let again = Kept::open(Some(&file)).expect("the file");
    assert_eq!(
        again.outcome("small", "plain", &question("which?")),
        Some(Outcome::default())
    );
}
