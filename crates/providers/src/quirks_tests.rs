use super::*;
use crate::allowance::bare;
use crate::narrowing::Piece;
use settings::Settings;

fn question() -> ModelRequest {
    bare(
        AskPurpose::TextReply,
        Settings::default().choice_for(AskPurpose::TextReply),
    )
}

const PLACE: &str = "http://127.0.0.1:11434/v1";

#[test]
fn what_was_found_is_known_after_a_restart_and_forgotten_when_something_is_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("abilities.json");
    let request = question();
    let before = Quirks::kept_in(&file);
    before.remember(PLACE, "m", &request, Feature::Tools);
    before.note_unreadable(PLACE, "m", &AttachmentId::from("cat.png"));

    let after = Quirks::kept_in(&file);
    assert!(!after.takes(PLACE, "m", &request, Feature::Tools));
    assert!(after.takes(PLACE, "m", &request, Feature::Pictures));
    assert!(after.takes(PLACE, "other", &request, Feature::Tools));
    assert!(after.is_unreadable(PLACE, "m", &AttachmentId::from("cat.png")));
    let lacks: Vec<String> = after
        .found_of(PLACE, "m")
        .into_iter()
        .map(|lack| lack.what)
        .collect();
    assert_eq!(lacks, ["tools"]);

    after.forget_all();
    assert!(Quirks::kept_in(&file).takes(PLACE, "m", &request, Feature::Tools));
}

#[test]
fn after_a_week_a_server_is_given_another_try() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("abilities.json");
    let found_ago = |hours: i64| {
        let since = Timestamp::now() - SignedDuration::from_hours(hours);
        let finding = Kept {
            of: key(PLACE, "m", Feature::Tools.name()),
            since: since.to_string(),
        };
        std::fs::write(&file, serde_json::to_string(&[finding]).expect("JSON")).expect("written");
        Quirks::kept_in(&file)
    };
    assert!(!found_ago(6 * 24).takes(PLACE, "m", &question(), Feature::Tools));
    assert!(found_ago(7 * 24 + 1).takes(PLACE, "m", &question(), Feature::Tools));
}

#[test]
fn a_file_that_cannot_be_read_is_begun_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("abilities.json");
    std::fs::write(&file, "{ no").expect("written");
    let quirks = Quirks::kept_in(&file);
    assert!(quirks.takes(PLACE, "m", &question(), Feature::Tools));
    quirks.remember(PLACE, "m", &question(), Feature::Tools);
    assert!(!Quirks::kept_in(&file).takes(PLACE, "m", &question(), Feature::Tools));
}

#[test]
fn what_helped_without_a_reason_is_left_out_for_a_while_and_for_good_the_second_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("abilities.json");
    let request = question();
    let stream = Parameter::at("stream").expect("a name");
    let pieces = [Piece::Feature(Feature::Tools), Piece::Parameter(stream.clone())];
    let doubted_ago = |minutes: i64| {
        let since = (Timestamp::now() - SignedDuration::from_mins(minutes)).to_string();
        let findings = ["perhaps tools", "perhaps the parameter stream"].map(|what| Kept {
            of: key(PLACE, "m", what),
            since: since.clone(),
        });
        std::fs::write(&file, serde_json::to_string(&findings).expect("JSON")).expect("written");
        Quirks::kept_in(&file)
    };
    let new = doubted_ago(9);
    assert!(!new.takes(PLACE, "m", &request, Feature::Tools));
    assert_eq!(new.refused(PLACE, "m"), std::slice::from_ref(&stream));
    assert_eq!(new.found_of(PLACE, "m").len(), 2, "it is told meanwhile");

    let old = doubted_ago(11);
    assert!(old.takes(PLACE, "m", &request, Feature::Tools));
    assert_eq!(old.refused(PLACE, "m"), []);
    assert_eq!(old.found_of(PLACE, "m"), []);
    for piece in &pieces {
        assert!(old.was_doubted((PLACE, "m"), &request, piece));
        old.note_doubtful_piece((PLACE, "m"), &request, piece);
        assert!(!old.was_doubted((PLACE, "m"), &request, piece));
    }
    assert!(!old.takes(PLACE, "m", &request, Feature::Tools));
    assert_eq!(old.refused(PLACE, "m"), [stream]);

    let mended = doubted_ago(11);
    for piece in &pieces {
        mended.forget_doubtful_piece((PLACE, "m"), &request, piece);
        mended.note_doubtful_piece((PLACE, "m"), &request, piece);
        assert!(
            mended.was_doubted((PLACE, "m"), &request, piece),
            "that was the first time"
        );
    }
}
