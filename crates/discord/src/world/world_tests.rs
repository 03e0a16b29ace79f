//! What is remembered, for whom, and what is forgotten.

use serde_json::{Value, json};

use super::guild_memory::PEOPLE_MAX;
use super::*;

const SEE: u64 = 1 << 10;
const SAY: u64 = 1 << 11;
const HISTORY: u64 = 1 << 16;
const NOW: WallTime = WallTime(1_000);

fn id(number: u64) -> Snowflake {
    Snowflake::new(number).expect("an id")
}

fn tell(cache: &mut GuildCache, name: &str, data: Value) {
    cache.apply(&GatewayEvent::read(name, &data).unwrap_or_else(|| panic!("{name} was not read")));
}

/// An open channel, one for builders, a private thread in the open one, a thread in the builders'.
fn workshop() -> GuildCache {
    let mut cache = GuildCache::default();
    tell(
        &mut cache,
        "READY",
        json!({"user": {"id": "7", "username": "denizen", "bot": true}}),
    );
    let everyone = (SEE | SAY | HISTORY).to_string();
    tell(
        &mut cache,
        "GUILD_CREATE",
        json!({"id": "10", "name": "Workshop", "owner_id": "1",
        "roles": [{"id": "10", "name": "@everyone", "permissions": everyone}, {"id": "30", "name": "Builders", "permissions": "0"}],
        "channels": [{"id": "20", "type": 0, "name": "general"},
            {"id": "21", "type": 0, "name": "plans", "permission_overwrites": [
                {"id": "10", "type": 0, "deny": SEE.to_string(), "allow": "0"},
                {"id": "30", "type": 0, "allow": SEE.to_string(), "deny": "0"}]}],
        "threads": [{"id": "80", "type": 12, "name": "secret", "parent_id": "20"},
            {"id": "81", "type": 11, "name": "bolts", "parent_id": "21"}],
        "members": [{"user": {"id": "5", "username": "ada", "global_name": "Ada"}, "nick": "Countess", "roles": ["30"]},
            {"user": {"id": "6", "username": "bob"}, "roles": []}]}),
    );
    cache
}

fn may_see(cache: &GuildCache, channel: u64, person: u64) -> Option<bool> {
    let rights = cache.permissions(id(channel), id(person), NOW)?;
    Some(rights.has(Permissions::VIEW_CHANNEL))
}

#[test]
fn a_channel_is_seen_by_those_who_may_and_threads_take_its_rights() {
    let mut cache = workshop();
    let open = [20, 21, 80, 81].map(|channel| cache.is_open(id(channel)));
    assert_eq!(open, [true, false, false, false]);
    for channel in [21, 81] {
        assert_eq!(may_see(&cache, channel, 5), Some(true));
        assert_eq!(may_see(&cache, channel, 6), Some(false));
        assert_eq!(may_see(&cache, channel, 1), Some(true), "the owner");
        assert_eq!(may_see(&cache, channel, 9), None, "nobody knows them");
    }
    assert_eq!(may_see(&cache, 80, 6), Some(false));
    tell(
        &mut cache,
        "THREAD_MEMBERS_UPDATE",
        json!({"id": "80", "guild_id": "10", "added_members": [{"user_id": "6"}]}),
    );
    assert_eq!(may_see(&cache, 80, 6), Some(true));
    tell(
        &mut cache,
        "THREAD_MEMBERS_UPDATE",
        json!({"id": "80", "guild_id": "10", "removed_member_ids": ["6"]}),
    );
    assert_eq!(may_see(&cache, 80, 6), Some(false));
}

#[test]
fn rights_change_with_roles_channels_and_people() {
    let mut cache = workshop();
    tell(
        &mut cache,
        "GUILD_MEMBER_UPDATE",
        json!({"guild_id": "10", "user": {"id": "6", "username": "bob"}, "roles": ["30"]}),
    );
    assert_eq!(may_see(&cache, 21, 6), Some(true));
    tell(
        &mut cache,
        "CHANNEL_UPDATE",
        json!({"id": "21", "guild_id": "10", "type": 0, "name": "plans"}),
    );
    assert!(cache.is_open(id(21)) && cache.is_open(id(81)));
    tell(
        &mut cache,
        "GUILD_ROLE_UPDATE",
        json!({"guild_id": "10", "role": {"id": "10", "permissions": "0"}}),
    );
    assert!(!cache.is_open(id(21)) && !cache.is_open(id(20)));
    tell(
        &mut cache,
        "GUILD_ROLE_DELETE",
        json!({"guild_id": "10", "role_id": "10"}),
    );
    assert!(!cache.is_open(id(20)), "what is not known is not open");
}

#[test]
fn whoever_is_timed_out_may_read_and_not_speak() {
    let mut cache = workshop();
    let until = "2026-11-16T12:00:00Z";
    tell(
        &mut cache,
        "GUILD_MEMBER_UPDATE",
        json!({"guild_id": "10", "user": {"id": "6"}, "roles": [], "communication_disabled_until": until}),
    );
    let rights = |now| cache.permissions(id(20), id(6), now).expect("they are known");
    assert!(rights(NOW).has(Permissions::VIEW_CHANNEL) && !rights(NOW).has(Permissions::SEND_MESSAGES));
    assert!(rights(WallTime(i64::MAX)).has(Permissions::SEND_MESSAGES));
}

#[test]
fn names_are_found_both_ways_and_only_where_they_belong() {
    let mut cache = workshop();
    let names = cache.names(Some(id(10)));
    assert_eq!(names.person(id(5)).as_deref(), Some("Countess"));
    assert_eq!(names.person(id(7)).as_deref(), Some("denizen"));
    assert_eq!(
        (
            names.channel(id(21), id(21)).as_deref(),
            names.role(id(30)).as_deref()
        ),
        (Some("plans"), Some("Builders"))
    );
    assert_eq!(cache.names(None).channel(id(21), id(21)), None);
    for name in ["countess", "ADA", "ada"] {
        assert_eq!(cache.people_named(id(10), name), [id(5)]);
    }
    assert_eq!(cache.channels_named(id(10), "bolts"), [id(81)]);
    tell(
        &mut cache,
        "MESSAGE_CREATE",
        json!({"id": "99", "channel_id": "20", "guild_id": "10",
        "author": {"id": "8", "username": "cleo"}, "member": {"nick": "Pharaoh", "roles": []}}),
    );
    assert_eq!(
        cache.names(Some(id(10))).person(id(8)).as_deref(),
        Some("Pharaoh")
    );
    tell(
        &mut cache,
        "MESSAGE_CREATE",
        json!({"id": "98", "channel_id": "20", "guild_id": "10", "webhook_id": "9",
        "author": {"id": "9", "username": "Ada"}, "member": {"roles": ["30"]}}),
    );
    assert_eq!(cache.people_named(id(10), "ada"), [id(5)], "a webhook is nobody");
}

#[test]
fn an_outage_forgets_nothing_and_leaving_everything() {
    let mut cache = workshop();
    tell(
        &mut cache,
        "GUILD_DELETE",
        json!({"id": "10", "unavailable": true}),
    );
    assert!(!cache.is_available(id(10)) && cache.channel(id(20)).is_some());
    tell(&mut cache, "GUILD_DELETE", json!({"id": "10"}));
    assert!(cache.channel(id(20)).is_none() && cache.member(id(10), id(5)).is_none());
    assert_eq!((cache.guilds().count(), cache.guild_of(id(20))), (0, None));
}

#[test]
fn threads_that_are_told_anew_replace_those_of_their_channels() {
    let mut cache = workshop();
    tell(
        &mut cache,
        "THREAD_LIST_SYNC",
        json!({"guild_id": "10", "channel_ids": ["21"],
        "threads": [{"id": "82", "type": 11, "name": "nuts", "parent_id": "21"}]}),
    );
    let there = [80, 81, 82].map(|thread| cache.channel(id(thread)).is_some());
    assert_eq!(there, [true, false, true]);
    tell(
        &mut cache,
        "CHANNEL_DELETE",
        json!({"id": "21", "guild_id": "10", "type": 0}),
    );
    assert!(cache.channel(id(82)).is_none(), "its threads go with it");
}

#[test]
fn who_is_in_voice_is_known() {
    let mut cache = workshop();
    tell(
        &mut cache,
        "VOICE_STATE_UPDATE",
        json!({"guild_id": "10", "channel_id": "20", "user_id": "5", "session_id": "s"}),
    );
    assert_eq!(cache.in_voice(id(20)).count(), 1);
    tell(
        &mut cache,
        "VOICE_STATE_UPDATE",
        json!({"guild_id": "10", "channel_id": null, "user_id": "5"}),
    );
    assert_eq!(cache.in_voice(id(20)).count(), 0);
}

#[test]
fn memory_is_bounded_and_whoever_was_seen_last_is_kept() {
    let mut cache = workshop();
    for number in 0..PEOPLE_MAX as u64 + 50 {
        let member = json!({"guild_id": "10", "user": {"id": (1_000 + number).to_string()}, "roles": []});
        tell(&mut cache, "GUILD_MEMBER_ADD", member);
        let thread =
            json!({"id": (100_000 + number).to_string(), "guild_id": "10", "type": 11, "parent_id": "20"});
        tell(&mut cache, "THREAD_CREATE", thread);
    }
    assert!(cache.member(id(10), id(5)).is_none(), "not seen for longest");
    assert!(cache.member(id(10), id(1_000 + PEOPLE_MAX as u64)).is_some());
    assert!(cache.channels(id(10)).count() <= 1_002);
    assert!(cache.channel(id(20)).is_some() && cache.channel(id(100_000 + PEOPLE_MAX as u64)).is_some());
}

#[test]
fn emoji_that_are_added_meanwhile_are_known() {
    let mut cache = workshop();
    let emoji = json!([{"id": "90", "name": "wave"}, {"id": "91", "name": "lost", "available": false}]);
    tell(
        &mut cache,
        "GUILD_EMOJIS_UPDATE",
        json!({"guild_id": "10", "emojis": emoji}),
    );
    assert!(cache.emoji(id(10), "wave").is_some() && cache.emoji(id(10), "lost").is_none());
    tell(
        &mut cache,
        "GUILD_EMOJIS_UPDATE",
        json!({"guild_id": "10", "emojis": []}),
    );
    assert!(cache.emoji(id(10), "wave").is_none());
}
