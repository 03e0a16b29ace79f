use std::fs;

use serde_json::{Value, json};
use vocabulary::rfc3339;

use super::words::content_words;
use super::*;

/// A conversation of 70 turns, of which the first ten are folded when the 61st is there and the next when the 71st is.
fn conversation(questions: Value) -> Value {
    let said = |number: usize| match number {
        1 => ("Ann", "I adopted a hedgehog called Quill.".to_owned()),
        2 => ("Bob", "My sister moved to Lisbon in 2019.".to_owned()),
        11 => ("Ann", "I bought a trombone.".to_owned()),
        _ => (
            if number.is_multiple_of(2) { "Bob" } else { "Ann" },
            "haha, nice".to_owned(),
        ),
    };
    let turn = |number: usize| {
        let (speaker, text) = said(number);
        json!({ "speaker": speaker, "dia_id": format!("D1:{number}"), "text": text })
    };
    let mut second: Vec<Value> = (41..=70).map(turn).collect();
    for (index, turn) in second.iter_mut().enumerate() {
        turn["dia_id"] = json!(format!("D2:{}", index + 1));
    }
    json!({
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bob",
            "session_1_date_time": "9:00 am on 2 May, 2024", "session_1": (1..=40).map(turn).collect::<Vec<_>>(),
            "session_2": second,
        },
        "qa": questions,
    })
}

fn question(answer: Value, evidence: &[&str], category: u64) -> Value {
    json!({ "question": "?", "answer": answer, "evidence": evidence, "category": category })
}

fn ran(content: &str, turns: &[usize], summariser: Summariser) -> Result<Report> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("conversations.json");
    fs::write(&file, content).expect("the folder is ours");
    ran_on(&file, turns, summariser)
}

fn ran_on(file: &Path, turns: &[usize], summariser: Summariser) -> Result<Report> {
    report(
        file,
        summariser,
        &Options {
            files: Vec::new(),
            turns: turns.to_vec(),
            summariser: vec![summariser],
            characters: SUMMARY_CHARS_MAX,
            undated: false,
            conversations: None,
            model: ModelOptions::default(),
        },
    )
}

fn refusal(content: &str, turns: &[usize]) -> String {
    let problem = ran(content, turns, Summariser::Offline).expect_err("this cannot be measured");
    format!("{problem:#}")
}

#[test]
fn a_session_folds_ten_turns_when_sixty_one_are_there_and_ten_more_at_seventy_one() {
    let mut cursor = 0;
    let mut folded = Vec::new();
    for total in 1..=81 {
        if let Some(batch) = batch_due(total, cursor) {
            cursor = batch.end;
            folded.push((total, batch));
        }
    }
    assert_eq!(folded, [(61, 0..10), (71, 10..20), (81, 20..30)]);
}

#[test]
fn questions_are_judged_once_all_their_evidence_is_folded() {
    let questions = json!([
        question(json!("a hedgehog"), &["D1:1"], 4),
        question(json!("Lisbon, in 2019"), &["D1:2"], 4),
        question(json!(2019), &["D1:02"], 2),
        question(json!("Ann's zeppelin"), &["D1:1"], 3),
        question(json!("a trombone"), &["D1:11"], 4),
        question(json!("a hedgehog and a trombone"), &["D1:1; D1:11"], 1),
        question(json!("nothing"), &["D1:1"], 5),
    ]);
    let content = json!([conversation(questions)]).to_string();
    let report = ran(&content, &[70], Summariser::Offline).expect("well-formed");
    let row = &report.rows[0];
    let answered = Tally {
        questions: 3,
        answered: 3,
        attributed: 3,
        words: 4,
        words_kept: 4,
    };
    assert_eq!(row.sayable, answered);
    assert_eq!((row.asked.questions, row.asked.answered), (4, 3));
    assert_eq!((report.questions_skipped, report.evidence_skipped), (0, 0));
}

#[test]
fn an_answer_under_the_wrong_name_is_not_attributed() {
    let questions = json!([
        question(json!("hedgehog"), &["D1:2"], 4),
        question(json!("hedgehog"), &["D1:1"], 4)
    ]);
    let content = json!([conversation(questions)]).to_string();
    for summariser in [Summariser::Offline, Summariser::Plain, Summariser::Tail] {
        let asked = ran(&content, &[70], summariser).expect("well-formed").rows[0].asked;
        assert_eq!((asked.answered, asked.attributed), (2, 1), "{summariser:?}");
    }
}

#[test]
fn evidence_that_names_no_turn_is_skipped_and_counted() {
    let questions = json!([
        question(json!("hedgehog"), &["D:1:1"], 4),
        question(json!("hedgehog"), &["D1:1", "D7:99"], 4),
        question(json!("hedgehog"), &["somewhere"], 4),
        question(json!("the"), &["D1:1"], 4),
        question(json!("hedgehog"), &[], 4),
    ]);
    let report = ran(
        &json!([conversation(questions)]).to_string(),
        &[70],
        Summariser::Offline,
    )
    .expect("well-formed");
    assert_eq!((report.questions_skipped, report.evidence_skipped), (4, 2));
    assert_eq!(report.rows[0].asked.questions, 1);
}

#[test]
fn the_report_names_every_length_and_what_was_skipped() {
    let content = json!([conversation(json!([question(json!("hedgehog"), &["D1:1"], 4)]))]).to_string();
    let text = ran(&content, &[61, 70], Summariser::Plain)
        .expect("well-formed")
        .to_string();
    for part in [
        "plain summariser, 1 conversations",
        "skipped 0 questions",
        "    61 sayable",
        "    70 sayable",
        "100.0 %",
    ] {
        assert!(text.contains(part), "{part} is missing from\n{text}");
    }
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_remedy() {
    let fine = json!([conversation(json!([]))]).to_string();
    let no_sessions = json!([{ "conversation": {}, "qa": [] }]).to_string();
    let bad_turn = json!([{ "conversation": { "session_3": [{ "speaker": "Ann" }] }, "qa": [] }]).to_string();
    let cases = [
        (
            fine.as_str(),
            &[60][..],
            "a session of 60 turns is never folded: name lengths above 60",
        ),
        (fine.as_str(), &[], "name at least one"),
        ("{", &[110], "must be a JSON list"),
        ("[]", &[110], "empty list"),
        (no_sessions.as_str(), &[110], "conversation 1: no sessions"),
        (
            bad_turn.as_str(),
            &[110],
            "session_3 must be a list of turns with speaker, dia_id (D3:1 …) and text",
        ),
    ];
    for (content, turns, expected) in cases {
        let problem = refusal(content, turns);
        assert!(problem.contains(expected), "{problem}");
    }
    let missing = ran_on(Path::new("/nowhere/at/all.json"), &[110], Summariser::Tail)
        .expect_err("there is no such file");
    assert!(
        missing
            .to_string()
            .contains("cannot read the conversations /nowhere/at/all.json")
    );
}

#[test]
fn words_are_compared_without_case_endings_and_spelling_of_numbers() {
    assert_eq!(
        content_words("The Hobbies of two sisters, planned"),
        content_words("hobby 2 Sister's planning")
    );
    assert_eq!(content_words("1,200 don’t 18th"), ["1200", "dont", "18"]);
    assert!(content_words("of the and it's").is_empty());
}

#[test]
fn a_day_is_read_from_the_time_of_a_session() {
    let day = |written| conversation::day(written).map(rfc3339::date);
    assert_eq!(day("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08"));
    assert_eq!(day("noon"), None);
}

#[test]
fn german_spanish_and_french_conversations_keep_at_least_half_of_what_an_english_one_keeps() {
    let kept = |language: &str| {
        let file = format!("{}/folding/{language}.json", env!("CARGO_MANIFEST_DIR"));
        let asked = ran_on(Path::new(&file), &[110], Summariser::Offline)
            .expect("well-formed")
            .rows[0]
            .asked;
        assert_eq!(asked.questions, 58, "{language}");
        asked.answered
    };
    let english = kept("en");
    for language in ["de", "es", "fr"] {
        assert!(kept(language) * 2 >= english, "{language}");
    }
}
