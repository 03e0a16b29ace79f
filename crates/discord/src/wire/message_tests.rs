//! Messages as Discord writes them, and as others do.

use serde_json::{Value, json};
use vocabulary::WallTime;

use super::{Emoji, Fields, MessageChanged, MessageKind, PostedMessage};

/// A message with something of everything.
pub fn full() -> Value {
    json!({
        "id": "1301234567890123456", "channel_id": "20", "guild_id": "10", "type": 19, "content": "<@7> look",
        "timestamp": "2026-11-16T12:00:00.000000+00:00", "edited_timestamp": null, "tts": false, "pinned": false,
        "author": {"id": "5", "username": "ada", "global_name": "Ada", "discriminator": "0", "bot": false, "public_flags": 64},
        "member": {"nick": "Countess", "roles": ["30", "31"], "joined_at": "2024-01-01T00:00:00Z", "mute": false},
        "mentions": [{"id": "7", "username": "denizen", "bot": true, "member": {"nick": "Den", "roles": []}}],
        "mention_roles": ["30"], "mention_everyone": false, "flags": 8192, "nonce": 42,
        "attachments": [{"id": "50", "filename": "SPOILER_a.png", "url": "https://cdn/a.png", "size": 12, "width": 3,
            "height": 4, "content_type": "image/png", "duration_secs": 1.5, "description": "a cat"}],
        "embeds": [{"type": "article", "title": "T", "description": "D", "url": "https://x", "author": {"name": "A"},
            "provider": {"name": "P"}, "footer": {"text": "F"}, "fields": [{"name": "n", "value": "v"}],
            "thumbnail": {"url": "https://t"}, "video": {"url": "https://v"}}],
        "sticker_items": [{"id": "60", "name": "wave", "format_type": 1}],
        "poll": {"question": {"text": "Tea?"}, "allow_multiselect": true, "answers": [
            {"answer_id": 1, "poll_media": {"text": "yes", "emoji": {"name": "🍵"}}},
            {"answer_id": 2, "poll_media": {"text": "no"}}],
            "results": {"is_finalized": true, "answer_counts": [{"id": 1, "count": 3}]}},
        "reactions": [{"emoji": {"id": "70", "name": "blob", "animated": true}, "count": 2, "me": true}],
        "components": [{"type": 17, "components": [{"type": 10, "content": "in a box"}]}],
        "message_reference": {"type": 0, "message_id": "99", "channel_id": "20", "guild_id": "10"},
        "referenced_message": {"id": "99", "channel_id": "20", "content": "earlier", "author": {"id": "7"},
            "referenced_message": {"id": "98", "channel_id": "20", "content": "earliest", "author": {"id": "5"}}},
        "message_snapshots": [{"message": {"content": "passed on", "timestamp": "2026-11-16T11:00:00Z", "embeds": []}}],
        "thread": {"id": "80", "type": 11}, "webhook_id": "90", "application_id": "91",
    })
}

fn read(value: &Value) -> Option<PostedMessage> {
    PostedMessage::read(Fields::of(value)?)
}

#[test]
fn a_message_is_read_with_all_that_hangs_on_it() {
    let message = read(&full()).expect("a message");
    assert_eq!(message.author_name(), "Countess");
    assert_eq!(message.author.shown(), "Ada");
    assert_eq!(
        (message.kind, message.content.as_str()),
        (MessageKind::Reply, "<@7> look")
    );
    assert_eq!(message.sent_at, WallTime(1_794_830_400_000));
    assert_eq!(message.edited_at, None);
    let (user, member) = &message.mentions[0];
    assert_eq!((user.name.as_str(), user.is_bot), ("denizen", true));
    assert_eq!(
        member.as_ref().and_then(|member| member.nick.as_deref()),
        Some("Den")
    );
    let file = &message.files[0];
    assert!(file.is_spoiler && file.duration_ms == Some(1_500) && file.width == Some(3));
    let embed = &message.embeds[0];
    assert_eq!(embed.fields, [("n".to_owned(), "v".to_owned())]);
    assert_eq!(embed.picture.as_deref(), Some("https://t"));
    let poll = message.poll.as_ref().expect("a poll");
    assert_eq!((poll.answers[0].votes, poll.answers[1].votes), (Some(3), Some(0)));
    assert_eq!(poll.answers[0].emoji, Some(Emoji::Character("🍵".to_owned())));
    assert!(poll.is_final && poll.allows_several);
    assert!(message.reactions[0].is_own && message.reactions[0].count == 2);
    assert_eq!(message.component_texts, ["in a box"]);
    let answered = message.answered.as_ref().expect("the answered one");
    assert_eq!(
        (answered.content.as_str(), &answered.answered),
        ("earlier", &None)
    );
    assert_eq!(message.forwarded[0].content, "passed on");
    assert_eq!(message.nonce.as_deref(), Some("42"));
    assert!(message.is_voice_message && !message.is_ephemeral);
    assert!(message.thread.is_some() && message.webhook.is_some() && message.application.is_some());
}

#[test]
fn a_message_that_another_server_writes_is_read_alike() {
    let value = json!({
        "id": 1_301_234_567_890_123_456_u64, "channel_id": 20, "content": "hello", "tts": null,
        "timestamp": "2026-11-16T12:00:00Z",
        "author": {"id": 5, "username": "ada", "public_flags": "64"}, "member": {"roles": [{"id": "30"}, "31"]},
    });
    let message = read(&value).expect("a message");
    let like = read(&full()).expect("a message");
    assert_eq!(
        (message.id, message.channel, message.sent_at),
        (like.id, like.channel, like.sent_at)
    );
    assert_eq!(
        message.member.map(|member| member.roles),
        like.member.map(|member| member.roles)
    );
    assert!(message.mentions.is_empty() && !message.is_pinned);
    assert!(message.kind.is_said());
}

#[test]
fn a_message_without_a_time_was_sent_when_its_id_was_made() {
    let value = json!({"id": "175928847299117063", "channel_id": "2", "author": {"id": "5"}});
    let message = read(&value).expect("a message");
    assert_eq!(message.sent_at, WallTime(1_462_015_105_796));
    for without in ["id", "channel_id", "author"] {
        let mut value = value.clone();
        value.as_object_mut().expect("an object").remove(without);
        assert_eq!(read(&value), None, "{without}");
    }
}

#[test]
fn an_embed_that_loaded_is_no_edit() {
    let loaded = json!({"id": "9", "channel_id": "20", "guild_id": "10", "embeds": [{"type": "link"}]});
    let loaded = MessageChanged::read(Fields::of(&loaded).expect("an object")).expect("a change");
    assert_eq!(
        (loaded.edited_at, loaded.content, loaded.message),
        (None, None, None)
    );
    let mut edited = full();
    edited["edited_timestamp"] = json!("2026-11-16T12:01:00Z");
    let edited = MessageChanged::read(Fields::of(&edited).expect("an object")).expect("a change");
    assert_eq!(edited.edited_at, Some(WallTime(1_794_830_460_000)));
    assert!(edited.message.is_some());
}
