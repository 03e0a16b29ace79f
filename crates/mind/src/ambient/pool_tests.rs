//! Where it may post, and which channel a model means.

use serde_json::json;
use settings::{Document, Settings};
use vocabulary::RoomId;

use super::{eligible, meant, refusal};

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

#[test]
fn a_name_is_read_with_its_mark_and_in_any_case() {
    let pool = rooms(&["lobby", "dev"]);
    for name in ["dev", "#dev", " #Dev ", "DEV"] {
        assert_eq!(meant(name, None, &pool), Some(&pool[1]), "{name}");
    }
    assert_eq!(meant("kitchen", None, &pool), None);
    assert_eq!(meant("kitchen", Some(&pool[0]), &pool), None);
}

#[test]
fn without_a_name_it_is_the_one_before_or_the_only_one() {
    let pool = rooms(&["lobby", "dev"]);
    assert_eq!(meant("", None, &pool), None);
    assert_eq!(meant("", Some(&RoomId::from("dev")), &pool), Some(&pool[1]));
    assert_eq!(meant("", Some(&RoomId::from("gone")), &pool), None);
    assert_eq!(
        meant(" # ", Some(&RoomId::from("gone")), &pool[..1]),
        Some(&pool[0])
    );
    assert_eq!(meant("", None, &[]), None);
}
