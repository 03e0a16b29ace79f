use std::time::Duration;

use serde_json::{Value, json};

use super::{Telling, View, clock};
use crate::client::TakenFrame;

fn mark(at: i64, kind: &str, frame: Option<u64>, text: &str) -> Value {
    json!({"at": at, "kind": kind, "frame": frame, "trigger": "change", "text": text})
}

fn view(marks: Vec<Value>, calls: Value) -> View {
    serde_json::from_value(json!({
        "enabled": true, "marks": marks, "calls": calls,
        "noteTaker": {"asking": null}, "commentary": {"asking": null, "gates": []},
    }))
    .expect("a view")
}

fn calls(notes: u64, cost: u64, unpriced: u64) -> Value {
    json!({"notes": notes, "commentary": 1, "failed": 0, "costMicroDollars": cost, "unpriced": unpriced})
}

const NOW: Duration = Duration::from_secs(61);

#[test]
fn each_note_and_comment_is_told_once_with_its_place_trigger_and_score() {
    let old = mark(1, "note_added", Some(1), "from before");
    let mut telling = Telling::new(view(vec![old.clone()], calls(5, 100, 0)));
    telling.frame(
        TakenFrame {
            frame: 7,
            score: 0.0341,
        },
        Duration::from_millis(72_500),
    );
    let note = mark(2, "note_added", Some(7), "A failing\ntest.");
    let first = view(vec![old.clone(), note.clone()], calls(6, 200, 0));
    assert_eq!(
        telling.take(first.clone(), NOW),
        ["1:12.5  note       change        0.0341  A failing test."]
    );
    assert!(telling.take(first, NOW).is_empty());
    let held = mark(3, "commentary_held", None, "quiet_window");
    let comment = mark(4, "commentary_spoken", None, "Off by one?");
    let second = view(vec![note, held, comment], calls(6, 200, 0));
    assert_eq!(
        telling.take(second, NOW),
        ["1:01.0  comment    change             -  Off by one?"]
    );
}

#[test]
fn two_marks_of_one_moment_are_both_told() {
    let mut telling = Telling::new(View::default());
    let marks = vec![
        mark(2, "note_failed", None, "too late"),
        mark(2, "note_added", None, "a page"),
    ];
    assert_eq!(telling.take(view(marks, calls(1, 0, 0)), NOW).len(), 2);
}

#[test]
fn totals_are_of_this_video_alone() {
    let mut telling = Telling::new(view(Vec::new(), calls(5, 1_000, 1)));
    telling.take(
        view(vec![mark(2, "note_added", None, "a page")], calls(8, 5_100, 3)),
        NOW,
    );
    assert_eq!(
        telling.totals(),
        "1 note and 0 comments; model calls: 3 for notes, 0 for comments, 0 failed; cost $0.0041, and 2 calls whose \
         price is not known"
    );
}

#[test]
fn it_is_known_whether_something_is_being_written_or_said() {
    let mut telling = Telling::new(View::default());
    assert!(!telling.is_at_it());
    for (doing, is_at_it) in [
        (
            json!({"noteTaker": {"asking": {"ask": 2, "runningFor": 100}}}),
            true,
        ),
        (
            json!({"commentary": {"asking": {"ask": 3, "runningFor": 200}}}),
            true,
        ),
        (json!({"commentary": {"asking": null, "saying": true}}), true),
        (json!({"commentary": {"asking": null, "saying": false}}), false),
    ] {
        telling.take(serde_json::from_value(doing).expect("a view"), NOW);
        assert_eq!(telling.is_at_it(), is_at_it);
    }
}

#[test]
fn places_are_minutes_and_seconds() {
    assert_eq!(clock(Duration::from_millis(3_723_940)), "62:03.9");
}
