//! The benchmark on a tiny conversation whose answers are plain.

use std::fs;

use serde_json::{Value, json};

use super::*;

fn conversation(name: &str, pet: &str) -> Value {
    json!({
        "sample_id": name,
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                { "speaker": "Ann", "dia_id": "D1:1", "text": "Hi Bob, how was your week?" },
                { "speaker": "Bob", "dia_id": "D1:2", "text": format!("Busy. I adopted a {pet} called Quill.") },
                { "speaker": "Ann", "dia_id": "D1:3", "text": "Look at this", "blip_caption": "a photo of a trombone on a sofa", "query": "xylophone" },
                { "speaker": "Bob", "dia_id": "D1:4", "text": "Nice instrument!" },
            ],
            "session_2_date_time": "10:37 am on 27 June, 2023",
            "session_2": [
                { "speaker": "Ann", "dia_id": "D2:1", "text": "My sister moved to Lisbon." },
                { "speaker": "Bob", "dia_id": "D2:2", "text": "I would love to see it one day." },
            ],
        },
        "observation": { "session_1_observation": { "Bob": [["Bob keeps an animal with spines.", "D1:2"], ["Bob is curious.", ["D2:2", "D1:4"]]] } },
        "qa": [
            { "question": format!("What is the {pet} of Bob called?"), "answer": "Quill", "evidence": ["D1:2"], "category": 4 },
            { "question": "What did Ann show a photo of?", "evidence": ["D:1:03"], "category": 1 },
            { "question": "What happened in June 2023 to the sister of Ann?", "evidence": ["D2:1; D9:9"], "category": 2 },
            { "question": "Who has an xylophone?", "evidence": [], "category": 5 },
        ],
    })
}

fn ran(content: &Value, options: Options) -> Result<Report> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("conversations.json");
    fs::write(&file, content.to_string()).expect("the folder is ours");
    run(&file, &options)
}

fn two() -> Value {
    json!([conversation("one", "hedgehog"), conversation("two", "porcupine")])
}

#[test]
fn questions_are_asked_and_what_was_mended_or_left_out_is_told() {
    let report = ran(&two(), Options::default()).expect("it can be measured");
    assert_eq!(
        report.counts,
        Counts {
            questions_asked: 6,
            questions_skipped: 2,
            evidence_repaired: 4,
            evidence_skipped: 2,
        }
    );
    assert_eq!(
        (report.conversations, report.turns, report.gems, report.leaks),
        (2, 12, 0, 0)
    );
    let figures = report.ours.all.figures();
    assert_eq!(
        (figures.questions, figures.recall_at_5, figures.mrr),
        (6, 1.0, 1.0),
        "{report}"
    );
    let text = report.to_string();
    for part in [
        "plain BM25",
        "plain cosine",
        "4 single-hop",
        "scope leaks: 0",
        "recall@10 is",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn one_index_for_all_finds_the_same_and_leaks_nothing() {
    let each = ran(&two(), Options::default()).expect("it can be measured");
    let global = Options {
        global: true,
        ..Options::default()
    };
    let global = ran(&two(), global).expect("it can be measured");
    assert_eq!(global.leaks, 0);
    assert_eq!(global.ours.all, each.ours.all);
}

#[test]
fn noted_facts_lead_to_turns_that_share_no_word_with_the_question() {
    let mut one = conversation("one", "hedgehog");
    one["qa"] =
        json!([{ "question": "Which animal with spines is kept?", "evidence": ["D1:2"], "category": 3 }]);
    let with = ran(
        &json!([one]),
        Options {
            gems: true,
            ..Options::default()
        },
    );
    let with = with.expect("it can be measured");
    assert_eq!(with.gems, 2);
    assert_eq!(with.ours.all.figures().mrr, 1.0, "{with}");
    let json = with.json();
    assert_eq!(json["denizen"]["all"]["recallAt5"], json!(1.0));
    assert_eq!(json["scopeLeaks"], json!(0));
}

#[test]
fn captions_are_indexed_and_answers_are_not() {
    let mut one = conversation("one", "hedgehog");
    one["qa"] = json!([{ "question": "xylophone", "evidence": ["D1:3"], "category": 3 }]);
    let report = ran(&json!([one]), Options::default()).expect("it can be measured");
    assert_eq!(
        report.plain_words.all.figures().mrr,
        1.0 / 3.0,
        "nothing speaks for any turn: they stay in order"
    );
}

#[test]
fn a_file_that_holds_no_conversations_is_refused_by_name() {
    for (content, expected) in [
        (json!([]), "empty list"),
        (json!({ "a": 1 }), "holds no conversations"),
        (json!([{ "conversation": {}, "qa": [] }]), "no sessions"),
    ] {
        let problem = format!(
            "{:#}",
            ran(&content, Options::default()).expect_err("it cannot be measured")
        );
        assert!(
            problem.contains(expected) && problem.contains("conversations.json"),
            "{problem}"
        );
    }
}

#[test]
fn times_are_told_by_rank() {
    let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
    assert_eq!(measure::percentile(&times, 95), Duration::from_millis(95));
    assert_eq!(measure::percentile(&times, 50), Duration::from_millis(50));
    assert_eq!(measure::percentile(&[], 50), Duration::ZERO);
}

#[test]
fn a_folder_is_one_table_in_which_files_are_strange_to_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, pet) in [("one.json", "hedgehog"), ("other.json", "porcupine")] {
        let content = json!([conversation(file, pet)]).to_string();
        fs::write(folder.path().join(file), content).expect("the folder is ours");
    }
    fs::write(folder.path().join("notes.txt"), "not a conversation").expect("the folder is ours");
    let table = run_all(folder.path(), &Options::default()).expect("it can be measured");
    for part in [
        "one ",
        "other ",
        "words alone",
        "meaning alone",
        "plain cosine",
        "100.0–100.0",
        "plain BM25 and plain cosine everywhere: yes",
        "of 3 questions that are answered there",
        "of 3 about something else",
    ] {
        assert!(table.contains(part), "{part} is missing in\n{table}");
    }
    let empty = tempfile::tempdir().expect("a temporary folder");
    let problem = run_all(empty.path(), &Options::default()).expect_err("there is nothing to measure");
    assert!(problem.to_string().contains("holds no file"), "{problem}");
}

#[test]
fn an_interval_is_of_groups_drawn_whole_and_the_same_every_time() {
    let groups = [vec![1.0; 10], vec![0.0; 10], vec![1.0; 10], vec![0.0; 10]];
    let interval = intervals::interval(&groups);
    assert_eq!(
        (interval.low, interval.high),
        (0.0, 1.0),
        "two of four may come four times"
    );
    assert_eq!(interval, intervals::interval(&groups));
    let single = intervals::interval(&[[vec![1.0; 500], vec![0.0; 500]].concat()]);
    assert!(single.low > 0.4 && single.high < 0.6, "{single}");
    assert_eq!(intervals::interval(&[]), intervals::Interval::default());
}
