//! The members of an answer by the names that models give them.

use gist::links::canonical;
use serde_json::{Map, Value};
use vocabulary::{MediaKind, MediaWish};

use super::words::one_line;
use super::{MEDIA_PROMPT_CHARS_MAX, ThoughtAction};
use crate::watch::reading::wording::shortened;

/// What each member is called, by its own name first: all in lower case, without signs between words.
const NAMES: [(&str, &[&str]); 7] = [
    ("action", &["action", "decision"]),
    ("text", &["text", "message", "content", "words"]),
    ("channel", &["channel", "room", "channelname", "channelid"]),
    (
        "replyto",
        &[
            "replyto",
            "inreplyto",
            "replytohandle",
            "replytomessage",
            "replytoid",
        ],
    ),
    ("media", &["media", "mediawish", "attachment"]),
    ("reason", &["reason", "why", "reasoning", "rationale"]),
    ("prompt", &["prompt", "query", "description", "search", "text"]),
];

const POST: [&str; 10] = [
    "postnow", "post", "send", "sendnow", "say", "share", "speak", "publish", "reply", "postit",
];
const HOLD: [&str; 9] = [
    "hold",
    "wait",
    "keep",
    "later",
    "keepholding",
    "holdit",
    "defer",
    "postpone",
    "holdforlater",
];
const DROP: [&str; 14] = [
    "drop",
    "skip",
    "dropit",
    "none",
    "no",
    "nothing",
    "silence",
    "silent",
    "staysilent",
    "discard",
    "ignore",
    "pass",
    "noaction",
    "donothing",
];

/// A member by its own name, whatever the model calls it. Null is as good as missing.
pub(super) fn field<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let names = NAMES
        .iter()
        .find(|(own, _)| *own == name)
        .map_or(&[][..], |(_, names)| *names);
    let named = |wanted: &&str| {
        let mut members = object.iter();
        members.find_map(|(key, value)| (squeezed(key) == *wanted && !value.is_null()).then_some(value))
    };
    names.iter().find_map(named)
}

/// A member as text; empty where it is none.
pub(super) fn text_field(object: &Map<String, Value>, name: &str) -> String {
    let text = field(object, name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// What is to become of a thought; none where nobody could tell.
pub(super) fn action(written: &str) -> Option<ThoughtAction> {
    let written = squeezed(written);
    let is = |words: &[&str]| words.contains(&written.as_str());
    match () {
        () if is(&POST) => Some(ThoughtAction::PostNow),
        () if is(&HOLD) => Some(ThoughtAction::Hold),
        () if is(&DROP) => Some(ThoughtAction::Drop),
        () => None,
    }
}

/// The handle of a message: `m3`, also where it was written as `[m3]`, `M3` or 3.
pub(super) fn reply_to(value: Option<&Value>) -> Option<String> {
    let written = match value? {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let bare = written.trim_matches(['[', ']', '(', ')', '@', '#', '"', '`', ' ']);
    let digits = bare.strip_prefix('m').unwrap_or(bare);
    let is_number =
        !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("m{digits}"))
}

/// What is to go with the words; and what was wrong with a wish that cannot be followed.
pub(super) fn media(object: &Map<String, Value>) -> (Option<MediaWish>, Option<&'static str>) {
    let (kind, prompt) = match field(object, "media") {
        Some(Value::Object(wish)) => {
            let kind = by_name(wish, &["kind", "type", "mediatype"]);
            (kind, text_field(wish, "prompt"))
        }
        // `"media": "gif"` beside `"mediaPrompt": …`.
        Some(Value::String(kind)) => (kind.clone(), by_name(object, &["mediaprompt", "mediaquery"])),
        _ => (
            by_name(object, &["mediakind", "mediatype"]),
            by_name(object, &["mediaprompt", "mediaquery"]),
        ),
    };
    let prompt = shortened(&one_line(&prompt), MEDIA_PROMPT_CHARS_MAX);
    let kind = match squeezed(&kind).as_str() {
        "" | "none" | "null" | "no" | "text" => return (None, None),
        "image" | "picture" | "photo" | "img" | "drawing" => MediaKind::Image,
        "video" | "clip" => MediaKind::Video,
        "gif" | "gifs" => MediaKind::Gif,
        _ => {
            return (
                None,
                Some("a wish for media of a kind that is not known was left out"),
            );
        }
    };
    if prompt.is_empty() || canonical(&prompt).is_some() {
        return (
            None,
            Some("a wish for media that does not say of what was left out"),
        );
    }
    (Some(MediaWish { kind, prompt }), None)
}

fn by_name(object: &Map<String, Value>, names: &[&str]) -> String {
    let mut members = object.iter();
    let named = members.find(|(key, _)| names.contains(&squeezed(key).as_str()));
    named
        .and_then(|(_, value)| value.as_str())
        .unwrap_or_default()
        .to_owned()
}

/// `reply_to`, `replyTo` and `Reply to` are one name; `[SKIP]` is `skip`.
fn squeezed(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
