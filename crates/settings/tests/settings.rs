//! What operators say is checked by key, migrated before defaults, and explained.

use serde_json::json;
use settings::{Document, Limits, Settings, manual, migrate, schema};

fn document(value: serde_json::Value) -> Document {
    Document::from_value(value).expect("an object")
}

fn problems(value: serde_json::Value) -> Vec<String> {
    Settings::read(&document(value))
        .expect_err("something is wrong")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn every_declared_default_is_within_its_own_limits_and_read_back() {
    let settings = Settings::default();
    assert_eq!(settings.identity.name, "Denizen");
    for knob in Settings::knobs() {
        knob.limits
            .check(&knob.key, &knob.default)
            .expect("a default must be allowed");
        assert!(
            !knob.doc.is_empty() && !knob.section_doc.is_empty(),
            "{} has no help",
            knob.key
        );
    }
}

#[test]
fn keys_are_unique_and_camel_case() {
    let mut keys: Vec<String> = Settings::knobs().into_iter().map(|knob| knob.key).collect();
    assert!(keys.iter().all(|key| !key.contains('_') && key.contains('.')));
    keys.sort();
    let before = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), before);
}

#[test]
fn an_explicit_zero_survives_where_zero_is_in_range() {
    let settings = Settings::read(&document(
        json!({"activity": {"maxMessagesPerHour": 0, "minSecondsBetweenMessages": 0}}),
    ))
    .expect("valid");
    assert_eq!(settings.activity.max_messages_per_hour, 0);
    assert_eq!(settings.activity.min_seconds_between_messages, 0);
}

#[test]
fn nested_and_flat_documents_mean_the_same() {
    let nested = document(json!({"permissions": {"replies": {"blockedUserIds": ["x"]}}}));
    let flat = document(json!({"permissions.replies.blockedUserIds": ["x"]}));
    assert_eq!(nested, flat);
    assert_eq!(
        Settings::read(&flat).expect("valid").replies.blocked_user_ids,
        ["x"]
    );
}

#[test]
fn a_bad_value_is_refused_with_key_value_and_remedy() {
    assert_eq!(
        problems(json!({"activity": {"replyCoalesceWindowSeconds": 21}})),
        ["activity.replyCoalesceWindowSeconds: 21 is out of range. Give a whole number from 0 to 20"]
    );
    assert_eq!(
        problems(json!({"activity.replyCoalesceWindowSeconds": "soon"})),
        [
            "activity.replyCoalesceWindowSeconds: \"soon\" is not a whole number. Give a whole number from 0 to 20"
        ]
    );
    assert_eq!(problems(json!({"llm.provider": "skynet"})).len(), 1);
    assert_eq!(
        problems(json!({"permissions.allowInitiativeReplies": "yes"})).len(),
        1
    );
    assert_eq!(problems(json!({"identity.aliases": ["ok", ""]})).len(), 1);
    assert_eq!(problems(json!({"identity.name": ""})).len(), 1);
    assert_eq!(problems(json!({"addressClassifierLlm.threshold": 1.5})).len(), 1);
}

#[test]
fn all_problems_are_told_at_once_and_an_unknown_key_names_the_nearest() {
    let problems = problems(json!({"llm.provdier": "auto", "memory.maxRecentMessages": 3}));
    assert_eq!(problems.len(), 2);
    assert!(
        problems
            .iter()
            .any(|problem| problem.contains("Did you mean llm.provider?")),
        "{problems:?}"
    );
}

#[test]
fn a_former_key_is_refused_with_its_new_name() {
    assert_eq!(
        problems(json!({"voice.streamWatch.directMaxEntries": 8})),
        [
            "voice.streamWatch.directMaxEntries: there is no such setting. It is voice.streamWatch.maxNoteEntries now; `denizen settings migrate` brings old documents up to date"
        ]
    );
}

#[test]
fn a_document_laid_over_another_leaves_what_it_does_not_name() {
    let mut document = document(json!({"llm.model": "x", "identity.name": "Robin"}));
    document.lay_over(Document::from_value(json!({"identity": {"name": "Sam"}})).expect("an object"));
    assert_eq!(
        (document.get("llm.model"), document.get("identity.name")),
        (Some(&json!("x")), Some(&json!("Sam")))
    );
}

#[test]
fn text_that_is_not_json_or_no_object_is_refused_clearly() {
    assert!(
        Document::from_json("{")
            .expect_err("broken")
            .to_string()
            .contains("not JSON")
    );
    assert!(
        Document::from_json("[1]")
            .expect_err("a list")
            .to_string()
            .contains("a list")
    );
}

#[test]
fn the_older_channel_list_goes_into_both_newer_ones_before_defaults() {
    let (migrated, notes) = migrate(&document(
        json!({"permissions": {"initiativeChannelIds": ["a", "b"]}}),
    ));
    let settings = Settings::read(&migrated).expect("valid after migration");
    assert_eq!(settings.replies.reply_channel_ids, ["a", "b"]);
    assert_eq!(settings.replies.discovery_channel_ids, ["a", "b"]);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].new_keys.len(), 2);
}

#[test]
fn a_value_under_the_new_key_wins_over_a_migrated_one() {
    let old = document(
        json!({"permissions.initiativeChannelIds": ["old"], "permissions.replies.replyChannelIds": ["new"]}),
    );
    let (migrated, notes) = migrate(&old);
    assert_eq!(
        Settings::read(&migrated)
            .expect("valid")
            .replies
            .reply_channel_ids,
        ["new"]
    );
    assert!(notes[0].remark.contains("keeps its value"), "{notes:?}");
}

#[test]
fn a_current_document_is_left_alone() {
    let current = document(json!({"llm.model": "x"}));
    assert_eq!(migrate(&current), (current.clone(), Vec::new()));
}

#[test]
fn typed_values_are_read_as_what_the_knob_takes() {
    let knob = |key: &str| Settings::knob(key).expect("a known key");
    assert_eq!(
        knob("identity.aliases").parse_typed("Den, Denny").expect("valid"),
        json!(["Den", "Denny"])
    );
    assert_eq!(
        knob("identity.aliases").parse_typed("").expect("valid"),
        json!([])
    );
    assert_eq!(
        knob("identity.name").parse_typed("42").expect("valid"),
        json!("42")
    );
    assert_eq!(
        knob("activity.replySettleSeconds")
            .parse_typed("0.5")
            .expect("valid"),
        json!(0.5)
    );
    assert!(knob("activity.maxRetries").parse_typed("many").is_err());
}

#[test]
fn the_schema_and_the_manual_know_every_knob() {
    let (schema, manual) = (schema(), manual());
    for knob in Settings::knobs() {
        let path = format!("/properties/{}", knob.key.replace('.', "/properties/"));
        assert!(
            schema
                .pointer(&path)
                .is_some_and(|property| property["default"] == knob.default),
            "{path}"
        );
        assert!(manual.contains(&format!("| `{}` |", knob.key)));
    }
}

#[test]
fn every_name_of_a_choice_means_a_value_of_its_own() {
    let mut choices = 0;
    for knob in Settings::knobs() {
        let Limits::Choice { options } = knob.limits else {
            continue;
        };
        choices += 1;
        let read = |option: &&str| {
            let said = document(json!({ knob.key.clone(): option }));
            Settings::read(&said).unwrap_or_else(|errors| panic!("{} = {option}: {errors:?}", knob.key))
        };
        let values: Vec<Settings> = options.iter().map(read).collect();
        for (at, value) in values.iter().enumerate() {
            let same = values.iter().filter(|other| *other == value).count();
            assert_eq!(
                same, 1,
                "{} = {} is read as another choice",
                knob.key, options[at]
            );
        }
    }
    assert!(choices > 15, "only {choices} choices were found");
}

#[test]
fn a_choice_that_is_none_is_refused_with_those_that_are() {
    assert_eq!(
        problems(json!({"context.compaction.summariser": "clippy"})),
        [
            "context.compaction.summariser: \"clippy\" is not one of the choices. Give one of auto, model, offline"
        ]
    );
}

#[test]
fn a_knob_that_is_gone_does_not_stop_a_start_and_is_taken_out() {
    let old = document(json!({
        "voice.streamWatch.nativeDiscordPreferredStreamType": "video",
        "memory.maxUserFacts": 7,
    }));
    assert_eq!(Settings::read(&old).expect("it starts").memory.max_user_facts, 7);
    let (migrated, notes) = migrate(&old);
    assert_eq!(migrated, document(json!({"memory.maxUserFacts": 7})));
    let dropped: Vec<&str> = notes.iter().map(|note| note.old_key.as_str()).collect();
    let gone = "voice.streamWatch.nativeDiscordPreferredStreamType";
    assert_eq!(dropped, [gone]);
    let refused = Settings::knob(gone).expect_err("it is gone");
    assert!(refused.to_string().contains("It is gone"), "{refused}");
}
