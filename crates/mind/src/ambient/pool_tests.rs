//! Where it may post, and which channel a model means.

use serde_json::json;
use settings::{Document, Settings};
use vocabulary::RoomId;

use super::{NamedRoom, eligible, meant, refusal, told_apart};

fn settings(values: &[(&str, serde_json::Value)]) -> Settings {
    let mut document = Document::default();
    for (key, value) in values {
        document.set(format!("permissions.replies.{key}"), value.clone());
    }
    Settings::read(&document).expect("the settings are right")
}

fn rooms(names: &[&str]) -> Vec<RoomId> {
    names.iter().map(|name| RoomId::from(*name)).collect()
}

#[test]
fn reply_channels_are_no_pool() {
    let settings = settings(&[("replyChannelIds", json!(["lobby"]))]);
    assert_eq!(eligible(&settings), []);
}

#[test]
fn each_channel_is_there_once_in_the_operators_order() {
    let settings = settings(&[("discoveryChannelIds", json!(["dev", "lobby", "dev"]))]);
    assert_eq!(eligible(&settings), rooms(&["dev", "lobby"]));
}

#[test]
fn blocked_ones_and_those_left_out_say_why() {
    let settings = settings(&[
        ("discoveryChannelIds", json!(["dev", "lobby", "garden"])),
        ("blockedChannelIds", json!(["dev"])),
        ("allowedChannelIds", json!(["dev", "lobby"])),
    ]);
    assert_eq!(eligible(&settings), rooms(&["lobby"]));
    let why = |room: &str| refusal(&RoomId::from(room), &settings).unwrap_or_default();
    assert!(why("dev").contains("blockedChannelIds"));
    assert!(why("garden").contains("allowedChannelIds"));
    assert_eq!(why("lobby"), "");
}

/// A pool of rooms with these ids and names.
fn pool(rooms: &[(&str, &str)]) -> Vec<NamedRoom> {
    let ids: Vec<RoomId> = rooms.iter().map(|(id, _)| RoomId::from(*id)).collect();
    told_apart(ids.iter().zip(rooms.iter().map(|(_, name)| *name)))
}

#[test]
fn a_name_is_read_with_its_mark_and_in_any_case() {
    let pool = pool(&[("1001", "lobby"), ("1002", "dev")]);
    for name in ["dev", "#dev", " #Dev ", "DEV"] {
        assert_eq!(meant(name, None, &pool), Some(&pool[1].room), "{name}");
    }
    assert_eq!(meant("kitchen", None, &pool), None);
    assert_eq!(meant("kitchen", Some(&pool[0].room), &pool), None);
}

#[test]
fn without_a_name_it_is_the_one_before_or_the_only_one() {
    let pool = pool(&[("1001", "lobby"), ("1002", "dev")]);
    assert_eq!(meant("", None, &pool), None);
    assert_eq!(meant("", Some(&RoomId::from("1002")), &pool), Some(&pool[1].room));
    assert_eq!(meant("", Some(&RoomId::from("gone")), &pool), None);
    assert_eq!(
        meant(" # ", Some(&RoomId::from("gone")), &pool[..1]),
        Some(&pool[0].room)
    );
    assert_eq!(meant("", None, &[]), None);
}

#[test]
fn rooms_that_share_a_name_are_told_apart() {
    let pool = pool(&[
        ("1", "General"),
        ("2", "general"),
        ("3", "general (2)"),
        ("4", "dev"),
    ]);
    let names: Vec<&str> = pool.iter().map(|named| named.name.as_str()).collect();
    assert_eq!(names, ["General", "general (2)", "general (2) (2)", "dev"]);
    assert_eq!(meant("#general (2)", None, &pool), Some(&RoomId::from("2")));
    assert_eq!(meant("general", None, &pool), Some(&RoomId::from("1")));
}
