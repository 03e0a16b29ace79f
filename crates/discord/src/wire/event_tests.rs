//! Every event as Discord writes it, and what others make of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vocabulary::WallTime;

use super::samples::{events, other_interactions};
use super::{ChannelKind, Emoji, GatewayEvent, InteractionAsk, Op, OptionValue, Payload, Snowflake};

fn id(number: u64) -> Snowflake {
    Snowflake::new(number).expect("an id")
}

fn sample(name: &str) -> Value {
    let events: BTreeMap<&str, Value> = events().into_iter().collect();
    events[name].clone()
}

fn read(name: &str) -> GatewayEvent {
    GatewayEvent::read(name, &sample(name)).unwrap_or_else(|| panic!("{name} was not read"))
}

#[test]
fn every_event_is_read() {
    for (name, data) in events() {
        let event = GatewayEvent::read(name, &data).unwrap_or_else(|| panic!("{name} was not read"));
        assert!(
            !matches!(event, GatewayEvent::Unknown { .. }),
            "{name} is unknown"
        );
    }
}

#[test]
fn what_is_unknown_is_told_by_its_name_and_what_is_malformed_is_not_read() {
    for data in [json!({}), json!(null), json!([1])] {
        let event = GatewayEvent::read("SOUNDS_OF_SILENCE", &data);
        assert!(matches!(event, Some(GatewayEvent::Unknown { name }) if name == "SOUNDS_OF_SILENCE"));
        assert!(GatewayEvent::read("MESSAGE_CREATE", &data).is_none());
    }
    let Some(GatewayEvent::Unknown { name }) = GatewayEvent::read(&"X".repeat(5_000), &json!({})) else {
        panic!("it is unknown");
    };
    assert_eq!(name.len(), 64);
}

#[test]
fn a_server_comes_with_its_channels_threads_and_people() {
    let GatewayEvent::GuildCreated(guild) = read("GUILD_CREATE") else {
        panic!("a server");
    };
    assert_eq!((guild.name.as_str(), guild.owner), ("Workshop", Some(id(5))));
    assert_eq!(guild.roles.as_ref().map(Vec::len), Some(2));
    let channel = &guild.channels[0];
    assert_eq!((channel.guild, channel.kind), (Some(id(10)), ChannelKind::Text));
    assert!(!channel.overwrites[0].is_of_person && channel.overwrites[0].deny == 1_024);
    assert!(channel.overwrites[1].is_of_person && channel.overwrites[1].allow == 1_024);
    assert_eq!(guild.channels[1].tags[&id(41)], "solved");
    assert!(!guild.channels[1].kind.has_messages());
    let thread = guild.threads[0].thread.as_ref().expect("a thread");
    assert!(thread.is_locked && !thread.is_archived && thread.is_joined && thread.is_new);
    assert_eq!(guild.voice_states[0].channel, Some(id(21)));
    assert!(guild.voice_states[0].is_muted && !guild.voice_states[0].is_deafened);
    let GatewayEvent::GuildUpdated(changed) = read("GUILD_UPDATE") else {
        panic!("a change");
    };
    assert!(changed.channels.is_empty() && changed.roles.is_some());
}

#[test]
fn an_outage_is_no_farewell() {
    let gone = |name, data: Value| match GatewayEvent::read(name, &data) {
        Some(GatewayEvent::GuildGone { is_outage, .. }) => is_outage,
        other => panic!("{other:?}"),
    };
    assert!(gone("GUILD_DELETE", json!({"id": "10", "unavailable": true})));
    assert!(gone("GUILD_CREATE", json!({"id": "10", "unavailable": true})));
    assert!(!gone("GUILD_DELETE", json!({"id": "10"})));
}

#[test]
fn deletions_one_by_one_and_in_bulk_are_one_event() {
    let deleted = |name| match read(name) {
        GatewayEvent::MessagesDeleted { messages, .. } => messages,
        other => panic!("{other:?}"),
    };
    assert_eq!(deleted("MESSAGE_DELETE"), [id(99)]);
    assert_eq!(deleted("MESSAGE_DELETE_BULK"), [id(98), id(99)]);
}

#[test]
fn reactions_threads_and_typing_say_who_and_where() {
    let GatewayEvent::ReactionAdded(reaction) = read("MESSAGE_REACTION_ADD") else {
        panic!("a reaction");
    };
    assert_eq!(reaction.emoji, Emoji::Character("🔥".to_owned()));
    assert_eq!((reaction.user, reaction.author), (id(5), Some(id(7))));
    let GatewayEvent::ThreadsListed(list) = read("THREAD_LIST_SYNC") else {
        panic!("a list");
    };
    assert_eq!((list.parents, list.threads.len()), (Some(vec![id(20)]), 1));
    let GatewayEvent::ThreadPeopleChanged { added, removed, .. } = read("THREAD_MEMBERS_UPDATE") else {
        panic!("people");
    };
    assert_eq!((added, removed), (vec![id(5)], vec![id(6)]));
    let GatewayEvent::TypingStarted { user, at, .. } = read("TYPING_START") else {
        panic!("typing");
    };
    assert_eq!((user, at), (id(5), Some(WallTime(1_794_830_400_000))));
}

#[test]
fn a_command_is_read_with_its_path_and_options() {
    let GatewayEvent::InteractionCreated(interaction) = read("INTERACTION_CREATE") else {
        panic!("a command");
    };
    assert_eq!(
        (interaction.user.id, interaction.permissions),
        (id(5), Some(2_048))
    );
    assert_eq!(interaction.locale.as_deref(), Some("de"));
    assert!(
        !format!("{interaction:?}").contains("secret"),
        "a token prints itself"
    );
    let InteractionAsk::Command(call) = interaction.asks else {
        panic!("a command");
    };
    assert_eq!(call.path, ["denizen", "forget"]);
    assert_eq!(call.options["who"], OptionValue::Id(id(5)));
    assert_eq!(call.options["days"], OptionValue::Whole(3));
    assert_eq!(call.options["share"], OptionValue::Fraction(0.5));
    assert_eq!(call.options["all"], OptionValue::Flag(true));
    assert_eq!(call.options["why"], OptionValue::Text("because".to_owned()));
    assert_eq!(call.focused.as_deref(), Some("why"));
    assert_eq!((call.people.len(), call.messages.len()), (1, 1));
}

#[test]
fn buttons_and_forms_are_read() {
    let asked = other_interactions().map(|data| match GatewayEvent::read("INTERACTION_CREATE", &data) {
        Some(GatewayEvent::InteractionCreated(interaction)) => {
            assert_eq!(interaction.channel, Some(id(20)));
            interaction.asks
        }
        other => panic!("{other:?}"),
    });
    let InteractionAsk::Component { values, .. } = &asked[0] else {
        panic!("a button");
    };
    assert_eq!(values, &["a", "b"]);
    for form in &asked[1..] {
        let InteractionAsk::Form { fields, .. } = form else {
            panic!("a form");
        };
        assert_eq!(fields["name"], "Den");
    }
}

#[test]
fn what_voice_wants_is_kept_secret() {
    let event = read("VOICE_SERVER_UPDATE");
    assert!(!format!("{event:?}").contains("secret"), "a token prints itself");
}

#[test]
fn a_payload_is_read_with_its_sequence() {
    let payload = Payload::read(r#"{"op":0,"s":"7","t":"TYPING_START","d":{"a":1}}"#).expect("a payload");
    assert_eq!((payload.op, payload.sequence), (Op::Dispatch, Some(7)));
    assert_eq!(
        (payload.name.as_str(), payload.data),
        ("TYPING_START", json!({"a": 1}))
    );
    let hello = Payload::read(r#"{"op":10}"#).expect("a payload");
    assert_eq!(
        (hello.op, hello.sequence, hello.data),
        (Op::Hello, None, json!(null))
    );
    let deep = format!(r#"{{"op":0,"d":{}{}}}"#, "[".repeat(500), "]".repeat(500));
    for nothing in ["", "{", "[]", r#"{"d":1}"#, r#"{"op":"x"}"#, deep.as_str()] {
        assert_eq!(Payload::read(nothing), None, "{nothing}");
    }
}
