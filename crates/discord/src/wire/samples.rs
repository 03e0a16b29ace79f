//! One of every event, as Discord writes it: for tests of reading, and of reading what was damaged.

use serde_json::{Value, json};

fn user(id: u64) -> Value {
    json!({"id": id.to_string(), "username": format!("user{id}"), "global_name": "User", "discriminator": "0",
        "avatar": null, "bot": false, "public_flags": 0})
}

fn member(id: u64) -> Value {
    json!({"user": user(id), "nick": "Nick", "roles": ["30"], "joined_at": "2024-01-01T00:00:00.000000+00:00",
        "communication_disabled_until": null, "pending": false, "deaf": false, "mute": false})
}

fn channel() -> Value {
    json!({"id": "20", "guild_id": "10", "type": 0, "name": "general", "topic": "all things", "parent_id": "19",
        "position": 1, "nsfw": false, "rate_limit_per_user": 5, "last_message_id": "99",
        "permission_overwrites": [{"id": "10", "type": 0, "allow": "0", "deny": "1024"},
            {"id": "5", "type": 1, "allow": "1024", "deny": "0"}]})
}

fn thread() -> Value {
    json!({"id": "80", "guild_id": "10", "type": 11, "name": "a thread", "parent_id": "20", "owner_id": "5",
        "thread_metadata": {"archived": false, "locked": true, "auto_archive_duration": 60},
        "applied_tags": ["41"], "newly_created": true, "member": {"id": "80", "user_id": "7", "flags": 0}})
}

fn role() -> Value {
    json!({"id": "30", "name": "Builders", "permissions": "3072", "position": 2, "mentionable": true, "managed": false})
}

fn reaction() -> Value {
    json!({"user_id": "5", "channel_id": "20", "message_id": "99", "guild_id": "10", "member": member(5),
        "emoji": {"id": null, "name": "🔥"}, "message_author_id": "7", "burst": false, "type": 0})
}

fn voice_state() -> Value {
    json!({"guild_id": "10", "channel_id": "21", "user_id": "5", "member": member(5), "session_id": "s",
        "deaf": false, "mute": false, "self_deaf": false, "self_mute": true, "self_video": false, "suppress": false})
}

fn guild() -> Value {
    let mut of_guild = channel();
    of_guild.as_object_mut().expect("an object").remove("guild_id");
    let forum =
        json!({"id": "22", "type": 15, "name": "help", "available_tags": [{"id": "41", "name": "solved"}]});
    json!({"id": "10", "name": "Workshop", "owner_id": "5", "preferred_locale": "en-GB", "member_count": 3,
        "roles": [{"id": "10", "name": "@everyone", "permissions": "104324673", "position": 0}, role()],
        "channels": [of_guild, forum], "threads": [thread()], "members": [member(5), member(7)],
        "voice_states": [voice_state()], "large": false, "unavailable": false, "joined_at": "2024-01-01T00:00:00Z"})
}

fn interaction() -> Value {
    json!({"id": "100", "application_id": "91", "type": 2, "guild_id": "10", "channel_id": "20", "token": "secret",
        "member": {"user": user(5), "roles": ["30"], "permissions": "2048"}, "locale": "de", "guild_locale": "en-GB",
        "data": {"id": "101", "name": "denizen", "type": 1,
            "options": [{"name": "forget", "type": 1, "options": [
                {"name": "who", "type": 6, "value": "5"}, {"name": "days", "type": 4, "value": 3},
                {"name": "share", "type": 10, "value": 0.5}, {"name": "all", "type": 5, "value": true},
                {"name": "why", "type": 3, "value": "because", "focused": true}]}],
            "resolved": {"users": {"5": user(5)}, "members": {"5": {"nick": "Nick", "roles": []}},
                "messages": {"1301234567890123456": super::message_tests::full()}}}})
}

/// A button, and a form in both of its shapes.
pub fn other_interactions() -> [Value; 3] {
    let base = |kind: u64, data: Value| {
        json!({"id": "100", "type": kind, "token": "secret", "user": user(5), "channel": {"id": "20"}, "data": data,
            "message": super::message_tests::full()})
    };
    let field = json!({"type": 4, "custom_id": "name", "value": "Den"});
    [
        base(
            3,
            json!({"custom_id": "again", "component_type": 3, "values": ["a", "b"]}),
        ),
        base(
            5,
            json!({"custom_id": "form", "components": [{"type": 1, "components": [field]}]}),
        ),
        base(
            5,
            json!({"custom_id": "form", "components": [{"type": 18, "component": field}]}),
        ),
    ]
}

/// Names and data of every event that is known.
pub fn events() -> Vec<(&'static str, Value)> {
    let message = super::message_tests::full;
    let mut edited = message();
    edited["edited_timestamp"] = json!("2026-11-16T12:01:00Z");
    let of_guild = |member: Value| {
        let mut member = member;
        member["guild_id"] = json!("10");
        member
    };
    vec![
        (
            "READY",
            json!({"v": 10, "user": user(7), "session_id": "abc", "resume_gateway_url": "wss://resume.example",
                "guilds": [{"id": "10", "unavailable": true}], "application": {"id": "91", "flags": 0}, "shard": [0, 1]}),
        ),
        ("RESUMED", json!({"_trace": []})),
        ("GUILD_CREATE", guild()),
        (
            "GUILD_UPDATE",
            json!({"id": "10", "name": "Workshop 2", "owner_id": "5", "roles": [role()]}),
        ),
        ("GUILD_DELETE", json!({"id": "10", "unavailable": true})),
        ("CHANNEL_CREATE", channel()),
        ("CHANNEL_UPDATE", channel()),
        ("CHANNEL_DELETE", channel()),
        ("THREAD_CREATE", thread()),
        ("THREAD_UPDATE", thread()),
        (
            "THREAD_DELETE",
            json!({"id": "80", "guild_id": "10", "parent_id": "20", "type": 11}),
        ),
        (
            "THREAD_LIST_SYNC",
            json!({"guild_id": "10", "channel_ids": ["20"], "threads": [thread()], "members": [{"id": "80"}]}),
        ),
        (
            "THREAD_MEMBER_UPDATE",
            json!({"id": "80", "guild_id": "10", "user_id": "7"}),
        ),
        (
            "THREAD_MEMBERS_UPDATE",
            json!({"id": "80", "guild_id": "10", "member_count": 2, "added_members": [{"id": "80", "user_id": "5"}],
                "removed_member_ids": ["6"]}),
        ),
        ("MESSAGE_CREATE", message()),
        ("MESSAGE_UPDATE", edited),
        (
            "MESSAGE_DELETE",
            json!({"id": "99", "channel_id": "20", "guild_id": "10"}),
        ),
        (
            "MESSAGE_DELETE_BULK",
            json!({"ids": ["98", "99"], "channel_id": "20", "guild_id": "10"}),
        ),
        ("MESSAGE_REACTION_ADD", reaction()),
        ("MESSAGE_REACTION_REMOVE", reaction()),
        (
            "MESSAGE_REACTION_REMOVE_ALL",
            json!({"channel_id": "20", "message_id": "99", "guild_id": "10"}),
        ),
        (
            "MESSAGE_REACTION_REMOVE_EMOJI",
            json!({"channel_id": "20", "message_id": "99", "guild_id": "10", "emoji": {"id": "70", "name": "blob"}}),
        ),
        ("GUILD_ROLE_CREATE", json!({"guild_id": "10", "role": role()})),
        ("GUILD_ROLE_UPDATE", json!({"guild_id": "10", "role": role()})),
        ("GUILD_ROLE_DELETE", json!({"guild_id": "10", "role_id": "30"})),
        ("GUILD_MEMBER_ADD", of_guild(member(6))),
        ("GUILD_MEMBER_UPDATE", of_guild(member(5))),
        ("GUILD_MEMBER_REMOVE", json!({"guild_id": "10", "user": user(6)})),
        (
            "GUILD_MEMBERS_CHUNK",
            json!({"guild_id": "10", "members": [member(5)], "chunk_index": 0, "chunk_count": 1, "nonce": "n"}),
        ),
        (
            "TYPING_START",
            json!({"channel_id": "20", "guild_id": "10", "user_id": "5", "timestamp": 1_794_830_400, "member": member(5)}),
        ),
        ("VOICE_STATE_UPDATE", voice_state()),
        (
            "VOICE_SERVER_UPDATE",
            json!({"token": "secret", "guild_id": "10", "endpoint": "voice.example:443"}),
        ),
        ("INTERACTION_CREATE", interaction()),
    ]
}
