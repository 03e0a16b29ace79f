//! What hangs on a message beside its text.

use super::{Fields, Snowflake};

/// A picture, a file, a voice message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedFile {
    pub id: Snowflake,
    pub name: String,
    /// Signed, and good for about a day.
    pub url: String,
    /// The same, through Discord's own media server.
    pub proxy_url: Option<String>,
    pub content_type: Option<String>,
    pub description: Option<String>,
    pub size: u64,
    pub width: Option<u64>,
    pub height: Option<u64>,
    /// Of a voice message.
    pub duration_ms: Option<u64>,
    pub is_spoiler: bool,
}

impl PostedFile {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let name = fields.words("filename").unwrap_or("file").to_owned();
        Some(Self {
            id: fields.id("id")?,
            url: fields
                .words("url")
                .or_else(|| fields.words("proxy_url"))?
                .to_owned(),
            proxy_url: fields.words("proxy_url").map(str::to_owned),
            content_type: fields.words("content_type").map(str::to_owned),
            description: fields.words("description").map(str::to_owned),
            size: fields.number("size").unwrap_or_default(),
            width: fields.number("width"),
            height: fields.number("height"),
            duration_ms: fields
                .fraction("duration_secs")
                .map(|seconds| (seconds.max(0.0) * 1_000.0) as u64),
            is_spoiler: name.starts_with("SPOILER_"),
            name,
        })
    }
}

/// A box under a message: of a link, or as a bot made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embed {
    /// `rich`, `link`, `video`, `image`, `gifv`, `article`, `poll_result`.
    pub kind: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub url: Option<String>,
    pub author: Option<String>,
    pub provider: Option<String>,
    pub footer: Option<String>,
    /// Names and values.
    pub fields: Vec<(String, String)>,
    /// The address of its picture, or of its small one.
    pub picture: Option<String>,
    pub video: Option<String>,
}

impl Embed {
    /// Whatever is there.
    pub fn read(fields: Fields<'_>) -> Self {
        let own = |name: &str| fields.words(name).map(str::to_owned);
        let inner = |part: &str, name: &str| Some(fields.inner(part)?.words(name)?.to_owned());
        let named = |field: Fields<'_>| {
            let text = |name| field.text(name).unwrap_or_default().to_owned();
            (text("name"), text("value"))
        };
        Self {
            kind: own("type").unwrap_or_else(|| "rich".to_owned()),
            title: own("title"),
            description: own("description"),
            url: own("url"),
            author: inner("author", "name"),
            provider: inner("provider", "name"),
            footer: inner("footer", "text"),
            fields: fields.objects("fields").take(25).map(named).collect(),
            picture: inner("image", "url").or_else(|| inner("thumbnail", "url")),
            video: inner("video", "url"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sticker {
    pub id: Snowflake,
    pub name: String,
}

impl Sticker {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            id: fields.id("id")?,
            name: fields.words("name").unwrap_or("sticker").to_owned(),
        })
    }
}

/// A character, or a server's own picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Emoji {
    Character(String),
    /// Its name is unknown where it was deleted.
    Custom {
        id: Snowflake,
        name: Option<String>,
        is_animated: bool,
    },
}

impl Emoji {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let name = fields.words("name").map(str::to_owned);
        match fields.id("id") {
            Some(id) => Some(Self::Custom {
                id,
                name,
                is_animated: fields.flag("animated"),
            }),
            None => name.map(Self::Character),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    pub question: String,
    pub answers: Vec<PollAnswer>,
    pub allows_several: bool,
    /// The counts are the last ones.
    pub is_final: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollAnswer {
    pub text: String,
    pub emoji: Option<Emoji>,
    /// Unknown where the server did not count yet.
    pub votes: Option<u64>,
}

impl Poll {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let results = fields.inner("results");
        let votes = |answer: Option<u64>| {
            let mut counts = results?.objects("answer_counts");
            // Answers without a vote are left out of the counts.
            let found = counts.find(|count| count.number("id") == answer);
            Some(found.and_then(|count| count.number("count")).unwrap_or_default())
        };
        let answer = |fields: Fields<'_>| {
            let shown = fields.inner("poll_media").unwrap_or(fields);
            PollAnswer {
                text: shown.text("text").unwrap_or_default().to_owned(),
                emoji: shown.inner("emoji").and_then(Emoji::read),
                votes: votes(fields.number("answer_id")),
            }
        };
        Some(Self {
            question: fields.inner("question")?.text("text")?.to_owned(),
            answers: fields.objects("answers").take(20).map(answer).collect(),
            allows_several: fields.flag("allow_multiselect"),
            is_final: results.is_some_and(|results| results.flag("is_finalized")),
        })
    }
}
