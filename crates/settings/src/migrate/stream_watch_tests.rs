//! Each of the old keys of stream watch: alone, in both modes, against its pair, at the bounds, and beside its new name.

use serde_json::{Value, json};

use crate::{Document, MigrationNote, Settings, migrate};

fn document(keys: Value) -> Document {
    Document::from_value(json!({"voice": {"streamWatch": keys}})).expect("an object")
}

/// Migrates, and insists that the outcome can be read and that nothing is left to migrate.
fn migrated(old: &Value) -> (Document, Vec<MigrationNote>) {
    let (new, notes) = migrate(&document(old.clone()));
    Settings::read(&new).unwrap_or_else(|errors| panic!("{old}: {errors:?}"));
    assert_eq!(migrate(&new), (new.clone(), Vec::new()), "{old}: once is enough");
    (new, notes)
}

fn remark<'a>(notes: &'a [MigrationNote], key: &str) -> &'a MigrationNote {
    let key = format!("voice.streamWatch.{key}");
    notes
        .iter()
        .find(|note| note.old_key == key)
        .unwrap_or_else(|| panic!("nothing is said about {key}: {notes:?}"))
}

#[test]
fn every_old_key_goes_where_it_was_in_force() {
    // What there was, and what is left of it.
    let cases = [
        (json!({"brainContextMode": "direct"}), json!({})),
        (json!({"brainContextMode": "context_brain"}), json!({})),
        (json!({"brainContextEnabled": true}), json!({})),
        (json!({"brainContextEnabled": false}), json!({})),
        // Commentary: one of a pair.
        (
            json!({"brainContextMode": "direct", "directMinIntervalSeconds": 20}),
            json!({"commentaryIntervalSeconds": 20}),
        ),
        (
            json!({"brainContextMode": "direct", "directMinIntervalSeconds": 20, "minCommentaryIntervalSeconds": 9}),
            json!({"commentaryIntervalSeconds": 20}),
        ),
        (
            json!({"brainContextMode": "context_brain", "directMinIntervalSeconds": 20, "minCommentaryIntervalSeconds": 9}),
            json!({"commentaryIntervalSeconds": 9}),
        ),
        (
            json!({"brainContextMode": "direct", "minCommentaryIntervalSeconds": 9}),
            json!({}),
        ),
        (
            json!({"brainContextMode": "context_brain", "directMinIntervalSeconds": 20}),
            json!({}),
        ),
        // Notes kept: the other pair.
        (
            json!({"brainContextMode": "direct", "directMaxEntries": 6, "brainContextMaxEntries": 20}),
            json!({"maxNoteEntries": 6}),
        ),
        (
            json!({"brainContextMode": "context_brain", "directMaxEntries": 6, "brainContextMaxEntries": 20}),
            json!({"maxNoteEntries": 20}),
        ),
        (
            json!({"brainContextMode": "direct", "brainContextMaxEntries": 20}),
            json!({}),
        ),
        (
            json!({"brainContextMode": "context_brain", "directMaxEntries": 6}),
            json!({}),
        ),
        // Without a mode, the keys tell which there was.
        (
            json!({"directMaxEntries": 6, "brainContextMaxEntries": 20}),
            json!({"maxNoteEntries": 6}),
        ),
        (
            json!({"brainContextMaxEntries": 20, "minCommentaryIntervalSeconds": 9}),
            json!({"maxNoteEntries": 20, "commentaryIntervalSeconds": 9}),
        ),
        (
            json!({"brainContextMode": "both", "directMaxEntries": 6, "brainContextMaxEntries": 20}),
            json!({"maxNoteEntries": 6}),
        ),
        // Those without a counterpart, whatever the mode.
        (
            json!({"brainContextMinIntervalSeconds": 4}),
            json!({"noteIntervalSeconds": 4}),
        ),
        (
            json!({"brainContextMode": "direct", "brainContextMinIntervalSeconds": 4}),
            json!({"noteIntervalSeconds": 4}),
        ),
        (
            json!({"noteMinIntervalSeconds": 7}),
            json!({"noteIntervalSeconds": 7}),
        ),
        (
            json!({"noteMinIntervalSeconds": 7, "brainContextMinIntervalSeconds": 4}),
            json!({"noteIntervalSeconds": 7}),
        ),
        (
            json!({"directChangeThreshold": 0.04}),
            json!({"changeThreshold": 0.04}),
        ),
        (
            json!({"brainContextMode": "context_brain", "directChangeThreshold": 0.04}),
            json!({"changeThreshold": 0.04}),
        ),
        (json!({"directChangeThreshold": 0.15}), json!({})),
        (
            json!({"directChangeMinIntervalSeconds": 4}),
            json!({"changeMinIntervalSeconds": 4}),
        ),
        // What is new stays.
        (
            json!({"maxFramesPerMinute": 60, "directMaxEntries": 6}),
            json!({"maxFramesPerMinute": 60, "maxNoteEntries": 6}),
        ),
    ];
    for (old, wanted) in cases {
        let (new, notes) = migrated(&old);
        assert_eq!(new, document(wanted), "{old}: {notes:?}");
        let before = old.as_object().expect("an object").keys();
        let gone: Vec<&String> = before
            .filter(|key| Settings::knob(&format!("voice.streamWatch.{key}")).is_err())
            .collect();
        assert_eq!(notes.len(), gone.len(), "{old}: each is told once: {notes:?}");
    }
}

#[test]
fn old_numbers_are_brought_into_todays_ranges_and_that_is_said() {
    let cases = [
        // An interval of two seconds was allowed once.
        (
            "brainContextMinIntervalSeconds",
            json!(2),
            "noteIntervalSeconds",
            json!(3),
        ),
        (
            "brainContextMinIntervalSeconds",
            json!(0),
            "noteIntervalSeconds",
            json!(3),
        ),
        (
            "brainContextMinIntervalSeconds",
            json!(600),
            "noteIntervalSeconds",
            json!(120),
        ),
        (
            "noteMinIntervalSeconds",
            json!(1),
            "noteIntervalSeconds",
            json!(3),
        ),
        (
            "directMinIntervalSeconds",
            json!(3),
            "commentaryIntervalSeconds",
            json!(5),
        ),
        (
            "directMinIntervalSeconds",
            json!(0),
            "commentaryIntervalSeconds",
            json!(5),
        ),
        (
            "minCommentaryIntervalSeconds",
            json!(500),
            "commentaryIntervalSeconds",
            json!(120),
        ),
        ("directMaxEntries", json!(0), "maxNoteEntries", json!(1)),
        ("directMaxEntries", json!(100), "maxNoteEntries", json!(24)),
        ("brainContextMaxEntries", json!(-1), "maxNoteEntries", json!(1)),
        ("brainContextMaxEntries", json!(7.5), "maxNoteEntries", json!(8)),
        ("directChangeThreshold", json!(0), "changeThreshold", json!(0.005)),
        (
            "directChangeThreshold",
            json!(0.001),
            "changeThreshold",
            json!(0.005),
        ),
        ("directChangeThreshold", json!(2), "changeThreshold", json!(1.0)),
        (
            "directChangeMinIntervalSeconds",
            json!(60),
            "changeMinIntervalSeconds",
            json!(30),
        ),
        (
            "directChangeMinIntervalSeconds",
            json!(0),
            "changeMinIntervalSeconds",
            json!(1),
        ),
    ];
    for (old, value, new, wanted) in cases {
        let (outcome, notes) = migrated(&json!({ old: value }));
        let key = format!("voice.streamWatch.{new}");
        assert_eq!(outcome.get(&key), Some(&wanted), "{old} {value}");
        let note = remark(&notes, old);
        assert_eq!(note.new_keys, [key]);
        assert!(
            note.remark.contains(&format!("{value} became {wanted}")),
            "{old} {value}: {}",
            note.remark
        );
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_dropped_and_named() {
    for key in [
        "directMinIntervalSeconds",
        "directMaxEntries",
        "directChangeThreshold",
        "directChangeMinIntervalSeconds",
        "brainContextMinIntervalSeconds",
        "brainContextMaxEntries",
        "minCommentaryIntervalSeconds",
        "noteMinIntervalSeconds",
    ] {
        for value in [json!("8"), json!(null), json!(true), json!([])] {
            let (outcome, notes) = migrated(&json!({ key: value }));
            assert!(outcome.is_empty(), "{key} {value}");
            let note = remark(&notes, key);
            assert!(
                note.new_keys.is_empty() && note.remark.contains(&format!("{value} cannot be used")),
                "{note:?}"
            );
        }
    }
    for key in ["brainContextMode", "brainContextEnabled"] {
        let (outcome, notes) = migrated(&json!({ key: 3 }));
        assert!(outcome.is_empty());
        assert!(remark(&notes, key).remark.contains('3'), "{notes:?}");
    }
}

#[test]
fn a_key_that_is_set_under_its_new_name_wins() {
    let cases = [
        ("directMinIntervalSeconds", "commentaryIntervalSeconds", json!(40)),
        (
            "minCommentaryIntervalSeconds",
            "commentaryIntervalSeconds",
            json!(40),
        ),
        ("directMaxEntries", "maxNoteEntries", json!(3)),
        ("brainContextMaxEntries", "maxNoteEntries", json!(3)),
        ("directChangeThreshold", "changeThreshold", json!(0.02)),
        (
            "directChangeMinIntervalSeconds",
            "changeMinIntervalSeconds",
            json!(9),
        ),
        ("brainContextMinIntervalSeconds", "noteIntervalSeconds", json!(33)),
        ("noteMinIntervalSeconds", "noteIntervalSeconds", json!(33)),
    ];
    for (old, new, value) in cases {
        let (outcome, notes) = migrated(&json!({ old: 1, new: value }));
        assert_eq!(outcome, document(json!({ new: value })), "{old}");
        let note = remark(&notes, old);
        assert!(
            note.new_keys.is_empty() && note.remark.contains("keeps its value"),
            "{note:?}"
        );
    }
}

#[test]
fn remarks_say_what_a_person_would_ask_about() {
    let (_, notes) = migrated(&json!({
        "brainContextMode": "direct", "brainContextEnabled": false, "brainContextMaxEntries": 8,
        "directChangeThreshold": 0.15, "directMaxEntries": 10,
    }));
    let about = |key: &str| remark(&notes, key).remark.clone();
    assert!(about("brainContextMode").contains("one way of watching"));
    let switch = about("brainContextEnabled");
    assert!(
        switch.contains("always")
            && switch.contains("switches nothing off")
            && switch.contains("streamWatch.enabled"),
        "{switch}"
    );
    let idle = about("brainContextMaxEntries");
    assert!(
        idle.contains("not in force") && idle.contains("directMaxEntries") && idle.contains("maxNoteEntries"),
        "{idle}"
    );
    assert!(about("directChangeThreshold").contains("0.15 was the default once"));
    assert_eq!(about("directMaxEntries"), "the key has a new name");
}

#[test]
fn all_nine_at_once_in_either_mode() {
    let old = |mode: &str| {
        json!({
            "brainContextMode": mode, "brainContextEnabled": true, "directMinIntervalSeconds": 8, "directMaxEntries": 12,
            "directChangeThreshold": 0.15, "directChangeMinIntervalSeconds": 4, "brainContextMinIntervalSeconds": 2,
            "brainContextMaxEntries": 8, "minCommentaryIntervalSeconds": 6,
        })
    };
    let shared = |commentary: u64, entries: u64| {
        document(json!({
            "commentaryIntervalSeconds": commentary, "maxNoteEntries": entries,
            "changeMinIntervalSeconds": 4, "noteIntervalSeconds": 3,
        }))
    };
    let (direct, notes) = migrated(&old("direct"));
    assert_eq!((direct, notes.len()), (shared(8, 12), 9));
    let (context_brain, notes) = migrated(&old("context_brain"));
    assert_eq!((context_brain, notes.len()), (shared(6, 8), 9));
}
