//! What is written is read back; what is of another shape is carried over as far as it fits.

use serde_json::json;
use vocabulary::{AskId, CommunityId, JournalSeq, PersonId, RoomId, TurnId};

use super::{SCHEMA, Unreadable, keep, keep_input, read, read_input, salvage};
use crate::input::{Input, ShellEvent};
use crate::mind::{Genesis, Mind};

fn genesis() -> Genesis {
    Genesis {
        community: CommunityId::new("local"),
        denizen: PersonId::new("denizen"),
        seed: 7,
        last_journal: JournalSeq(40),
        last_turn: TurnId(4),
        last_ask: AskId(5),
    }
}

fn lived() -> Mind {
    let mut mind = Mind::new(genesis());
    mind.take_room("lounge", &json!(null));
    mind
}

#[test]
fn a_state_is_read_as_it_was_written() {
    let mind = lived();
    let kept = keep(&mind);
    assert!(
        kept.starts_with(&format!("{{\"schema\":{SCHEMA},\"body\":")),
        "{kept}"
    );
    assert_eq!(read(&kept), Ok(mind));
}

#[test]
fn an_input_is_read_as_it_was_written() {
    let input = Input::Shell(ShellEvent::ShutdownRequested);
    assert_eq!(read_input(&keep_input(&input, None)), Ok((input.clone(), None)));
    assert_eq!(read_input(&keep_input(&input, Some(7))), Ok((input, Some(7))));
}

#[test]
fn what_is_no_json_is_damaged_and_nothing_is_carried_over() {
    let half = &keep(&lived())[..80];
    assert!(matches!(read(half), Err(Unreadable::Damaged(_))));
    assert!(matches!(salvage(half, genesis()), Err(Unreadable::Damaged(_))));
    assert!(matches!(
        read_input("{\"schema\":2,"),
        Err(Unreadable::Damaged(_))
    ));
}

#[test]
fn json_that_is_no_state_breaks_nobody() {
    let numbers = [
        "5",
        "[]",
        "\"x\"",
        "null",
        "{\"schema\":2,\"body\":[]}",
        "{\"schema\":1,\"body\":7}",
    ];
    for text in numbers {
        assert!(read(text).is_err(), "{text}");
        let _ = salvage(text, genesis());
    }
    for part in ["flights", "rooms", "ambient", "deliveries", "memory"] {
        for schema in 1..=SCHEMA {
            let mut body = serde_json::to_value(lived()).unwrap();
            body[part] = json!("x");
            let kept = json!({ "schema": schema, "body": body }).to_string();
            assert!(read(&kept).is_err(), "{part} of {schema}");
            assert!(salvage(&kept, genesis()).is_ok(), "{part} of {schema}");
        }
    }
}

#[test]
fn a_state_that_has_counted_to_the_end_is_damaged() {
    for path in ["/journalSeq", "/counters/turn", "/counters/ask"] {
        let mut body = serde_json::to_value(lived()).unwrap();
        *body.pointer_mut(path).expect("a counter") = json!(u64::MAX);
        let kept = json!({ "schema": SCHEMA, "body": body }).to_string();
        assert!(matches!(read(&kept), Err(Unreadable::Damaged(_))), "{path}");
    }
}

#[test]
fn a_state_of_a_newer_schema_is_carried_over_by_name_and_what_is_unknown_is_told() {
    let mut body = serde_json::to_value(lived()).unwrap();
    body["rooms"]["lounge"]["hologram"] = json!({"on": true});
    body["ambient"]["spending"] = json!("a lot");
    body["counters"]["turn"] = json!(99);
    let text = json!({"schema": SCHEMA + 1, "body": body}).to_string();
    assert!(matches!(read(&text), Err(Unreadable::OtherShape { .. })));
    let (mind, told) = salvage(&text, genesis()).unwrap();
    let state = serde_json::to_value(&mind).unwrap();
    assert_eq!(state["counters"]["turn"], json!(99));
    assert!(told.carried.contains(&"counters".to_owned()), "{told:?}");
    assert!(
        told.lost.contains(&"rooms.lounge.hologram".to_owned()),
        "{told:?}"
    );
    assert!(told.lost.contains(&"ambient.spending".to_owned()), "{told:?}");
    assert!(
        mind.session(&RoomId::new("lounge"), &settings::Settings::default())
            .is_some()
    );
}

#[test]
fn one_room_that_does_not_fit_costs_none_of_many_others() {
    let mut mind = lived();
    for number in 0..3_500 {
        mind.take_room(&format!("room-{number}"), &json!(null));
    }
    let mut body = serde_json::to_value(&mind).unwrap();
    body["rooms"]["room-7"]["sessionsEnded"] = json!("none");
    let text = json!({"schema": SCHEMA, "body": body}).to_string();
    let (again, told) = salvage(&text, genesis()).unwrap();
    assert_eq!(told.lost, ["rooms.room-7.sessionsEnded"]);
    assert_eq!(again, mind);
}

#[test]
fn the_good_items_of_a_list_are_carried_over_without_the_bad_ones() {
    let mut body = serde_json::to_value(lived()).unwrap();
    body["rooms"]["lounge"]["seen"] = json!(["m1", "m2", 3, "m4", "m5"]);
    let text = json!({"schema": SCHEMA, "body": body}).to_string();
    let (mind, told) = salvage(&text, genesis()).unwrap();
    let state = serde_json::to_value(&mind).unwrap();
    assert_eq!(
        state["rooms"]["lounge"]["seen"],
        json!(["m1", "m2", "m4", "m5"]),
        "{told:?}"
    );
    assert_eq!(told.lost, ["rooms.lounge.seen (1 of 5)"]);
}
