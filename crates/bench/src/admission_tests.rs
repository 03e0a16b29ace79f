use super::room::{MILLISECONDS_A_MINUTE, parse};
use super::*;

fn line(at: i64, author: &str, text: &str, addressees: &[&str]) -> String {
    serde_json::json!({
        "room": "r", "seq": 0, "at": at, "author": author, "text": text, "annotated": true, "addressees": addressees,
    })
    .to_string()
}

fn written(lines: &[String]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("kitchen.ndjson");
    std::fs::write(&file, lines.join("\n")).expect("the folder is ours");
    (folder, file)
}

fn refusal(lines: &[String]) -> String {
    let (_folder, file) = written(lines);
    let problem = run(&[file], FollowupLimits::default()).expect_err("the file is malformed");
    format!("{problem:#}")
}

#[test]
fn every_much_addressed_person_plays_denizen_in_turn() {
    let (_folder, file) = written(&[
        line(1, "ann", "bob: tea?", &["bob"]),
        line(1, "bob", "please", &["ann"]),
        line(2, "ann", "bob: milk?", &["bob"]),
        line(2, "cid", "what about me", &["bob"]),
    ]);
    let report = run(&[file], FollowupLimits::default()).expect("the file is well-formed");
    assert_eq!(report.pooled.players, 1);
    assert_eq!(
        report.pooled.score,
        Score {
            rightly_admitted: 2,
            missed: 1,
            ..Score::default()
        }
    );
    assert_eq!(report.rooms[0].room, "kitchen");
}

#[test]
fn a_malformed_line_is_named_with_its_file_and_remedy() {
    let refusal = refusal(&[line(1, "ann", "hi", &[]), "{\"author\": 3}".to_owned()]);
    assert!(refusal.contains("kitchen.ndjson, line 2"), "{refusal}");
    assert!(refusal.contains("addressees (a list of authors)"), "{refusal}");
    assert!(refusal.contains("correct the line"), "{refusal}");
}

#[test]
fn a_minute_that_no_day_has_is_refused() {
    let refusal = refusal(&[line(1_440, "ann", "hi", &[])]);
    assert!(refusal.contains("line 1: at is 1440"), "{refusal}");
}

#[test]
fn a_missing_file_is_named() {
    let problem = run(
        &[PathBuf::from("/nowhere/room.ndjson")],
        FollowupLimits::default(),
    )
    .expect_err("there is no such file");
    assert!(format!("{problem:#}").contains("/nowhere/room.ndjson"));
}

#[test]
fn an_empty_file_is_refused() {
    assert!(refusal(&[]).contains("holds no messages"));
}

#[test]
fn no_file_at_all_is_refused() {
    let problem = run(&[], FollowupLimits::default()).expect_err("nothing to measure");
    assert!(problem.to_string().contains("at least one"));
}

#[test]
fn a_room_goes_on_past_midnight() {
    let spoken = parse(
        Path::new("night"),
        &[line(1_439, "ann", "late", &[]), line(1, "ann", "later", &[])].join("\n"),
    )
    .expect("both lines are well-formed");
    assert_eq!(spoken[1].at.0 - spoken[0].at.0, 2 * MILLISECONDS_A_MINUTE);
}
