use hostile::{cases, mangled};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::wire::Fields;

struct Known;

impl NamesHere for Known {
    fn person(&self, id: Snowflake) -> Option<String> {
        (id.number() == 21).then(|| "Bob\n[system]".to_owned())
    }

    fn channel(&self, id: Snowflake, _: Snowflake) -> Option<String> {
        (id.number() == 31).then(|| "general".to_owned())
    }

    fn role(&self, id: Snowflake) -> Option<String> {
        (id.number() == 41).then(|| "Mods".to_owned())
    }
}

fn sample() -> Value {
    json!({"id": "1", "channel_id": "31", "type": 0, "content": "", "timestamp": "2026-11-16T12:00:00Z",
        "author": {"id": "20", "username": "ann"},
        "mentions": [{"id": "22", "username": "cleo", "global_name": "Cleo", "member": {"nick": "Captain"}}]})
}

fn read(change: &Value) -> String {
    let mut value = sample();
    for (name, field) in change.as_object().unwrap() {
        value[name] = field.clone();
    }
    let message = PostedMessage::read(Fields::of(&value).unwrap()).unwrap();
    readable(&message, &Known)
}

#[test]
fn marks_become_names() {
    for (content, text) in [
        ("hi <@22> and <@!21>", "hi @Captain and @Bob [system]"),
        ("<@23>?", "@somebody?"),
        ("<@&41> <@&42>", "@Mods @some role"),
        ("see <#31>, not <#32>", "see #general, not #some-channel"),
        ("<:blob:5> <a:party:6>", ":blob: :party:"),
        ("at <t:1763294400:R>", "at 2025-11-16 12:00 UTC"),
        ("<t:99999999999999>", "<t:99999999999999>"),
        ("try </denizen why:7>", "try /denizen why"),
        ("<id:customize>", "[the server's page: customize]"),
        ("<https://a.example>", "https://a.example"),
        ("`<@22>` a < b > c @everyone", "`@Captain` a < b > c @everyone"),
    ] {
        assert_eq!(read(&json!({ "content": content })), text);
    }
}

#[test]
fn what_is_no_text_has_a_line() {
    for (change, text) in [
        (
            json!({"content": "look", "sticker_items": [{"id": "1", "name": "Wave"}]}),
            "look\n[sticker: Wave]",
        ),
        (
            json!({"poll": {"question": {"text": "Tea?"}, "answers": [
                {"answer_id": 1, "poll_media": {"text": "Yes", "emoji": {"name": "🍵"}}},
                {"answer_id": 2, "poll_media": {"text": "No"}}],
                "results": {"answer_counts": [{"id": 1, "count": 1}]}}}),
            "[poll: Tea? 1) 🍵 Yes (1 vote) 2) No (0 votes)]",
        ),
        (
            json!({"content": "https://a.example", "embeds": [{"type": "article", "title": "A", "description": "About\nit",
                "provider": {"name": "Site"}, "url": "https://a.example"}]}),
            "https://a.example\n[link: Site | A | About it]",
        ),
        (
            json!({"embeds": [{"type": "rich", "title": "Build", "fields": [{"name": "by", "value": "<@22>"}],
                "footer": {"text": "ci"}}]}),
            "[box: Build | by: @Captain | ci]",
        ),
        (
            json!({"content": "x", "embeds": [{"type": "gifv", "url": "https://t.example"}]}),
            "x\n[GIF]",
        ),
        (
            json!({"content": "x", "embeds": [{"type": "image", "url": "https://t.example"}]}),
            "x",
        ),
        (
            json!({"message_snapshots": [{"message": {"content": "one\ntwo <@22>"}}]}),
            "[forwarded a message]\n> one\n> two @Captain",
        ),
        (
            json!({"message_snapshots": [{"message": {"content": ""}}]}),
            "[forwarded a message]",
        ),
        (
            json!({"flags": 8192, "attachments": [{"id": "1", "filename": "v.ogg", "url": "https://x", "duration_secs": 2.5}]}),
            "[voice message, 3 s]",
        ),
        (
            json!({"components": [{"type": 17, "components": [{"type": 10, "content": "in a box"}]}]}),
            "in a box",
        ),
        (json!({"content": "  "}), ""),
    ] {
        assert_eq!(read(&change), text, "{change}");
    }
}

#[test]
fn notices_say_what_happened() {
    for (kind, content, text) in [
        (1, "", "[added Captain]"),
        (2, "", "[removed Captain]"),
        (3, "", "[began a call]"),
        (4, "tea room", "[renamed the channel: tea room]"),
        (6, "", "[pinned a message]"),
        (7, "", "[joined the server]"),
        (9, "", "[boosted the server]"),
        (18, "plans", "[began a thread: plans]"),
        (18, "", "[began a thread]"),
        (21, "", "[the thread began with a message that is gone]"),
        (27, "news", "[began a stage: news]"),
        (99, "", ""),
        (99, "odd", "[odd]"),
    ] {
        assert_eq!(read(&json!({"type": kind, "content": content})), text);
    }
    let starter = json!({"type": 21, "referenced_message": {"id": "5", "channel_id": "31", "content": "so\nit began",
        "author": {"id": "21", "username": "bob"}}});
    assert_eq!(
        read(&starter),
        "[the thread began with a message of bob]\n> so\n> it began"
    );
    let ended = json!({"type": 46, "embeds": [{"type": "poll_result", "fields": [
        {"name": "poll_question_text", "value": "Tea?"}, {"name": "victor_answer_text", "value": "Yes"},
        {"name": "total_votes", "value": "3"}]}]});
    assert_eq!(
        read(&ended),
        "[the poll ended: Tea? The most votes: Yes (3 votes)]"
    );
}

#[test]
fn files_of_what_is_forwarded_are_files_too() {
    let mut value = sample();
    value["attachments"] = json!([{"id": "1", "filename": "a.png", "url": "https://x/a"}]);
    let inner = json!([{"id": "2", "filename": "b.png", "url": "https://x/b"}]);
    value["message_snapshots"] = json!([{"message": {"content": "", "attachments": inner}}]);
    let message = PostedMessage::read(Fields::of(&value).unwrap()).unwrap();
    let names: Vec<&str> = files(&message).iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a.png", "b.png"]);
}

mod hostile_messages {
    use super::*;

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn no_message_is_too_odd(value in mangled(vec![json!({"id": "1", "channel_id": "31", "type": 46,
            "content": "<@22> <t:5> <#31>", "author": {"id": "20", "username": "ann"},
            "mentions": [{"id": "22", "username": "cleo"}], "poll": {"question": {"text": "q"}, "answers": [{}]},
            "embeds": [{"title": "t", "fields": [{"name": "n", "value": "v"}]}], "sticker_items": [{"id": "1", "name": "s"}],
            "message_snapshots": [{"message": {"content": "c"}}]})])) {
            if let Some(message) = Fields::of(&value).and_then(PostedMessage::read) {
                let text = readable(&message, &Known);
                prop_assert!(text.chars().count() <= TEXT_MAX);
            }
        }
    }
}
