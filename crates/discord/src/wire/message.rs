//! Messages, and what is said of them later.

use vocabulary::WallTime;

use super::contents::{Embed, Emoji, Poll, PostedFile, Sticker};
use super::message_kind::MessageKind;
use super::people::{Member, User};
use super::{Fields, Snowflake};

/// Lists in messages are not read any further.
const LIST_MAX: usize = 100;
/// A quoted message holds no second one, so deeper ones are not Discord's.
const QUOTED: u8 = 1;
/// Components hold components: a container, a section in it, a text in that.
const COMPONENT_DEPTH: u8 = 4;

/// A message as it stands in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedMessage {
    pub id: Snowflake,
    pub channel: Snowflake,
    /// None in direct messages, and in what REST answers.
    pub guild: Option<Snowflake>,
    pub author: User,
    /// What the author is in the server; missing for webhooks and in what REST answers.
    pub member: Option<Member>,
    /// It came through a webhook, whose name and picture anybody may have chosen.
    pub webhook: Option<Snowflake>,
    /// The application that wrote it.
    pub application: Option<Snowflake>,
    pub kind: MessageKind,
    /// Empty without the intent for message content, but in direct messages and where the bot is mentioned.
    pub content: String,
    pub sent_at: WallTime,
    pub edited_at: Option<WallTime>,
    /// Who is mentioned, each with what they are in the server.
    pub mentions: Vec<(User, Option<Member>)>,
    pub mentioned_roles: Vec<Snowflake>,
    pub mentions_everyone: bool,
    pub files: Vec<PostedFile>,
    pub embeds: Vec<Embed>,
    pub stickers: Vec<Sticker>,
    pub poll: Option<Poll>,
    pub reactions: Vec<ReactionCount>,
    /// Texts of its components, in their order: newer messages of bots have all their words there.
    pub component_texts: Vec<String>,
    /// The message that it answers, forwards or is about.
    pub reference: Option<MessageReference>,
    /// The message that it answers, where the server sent it along and it is not deleted.
    pub answered: Option<Box<PostedMessage>>,
    /// What it forwards. These have no author.
    pub forwarded: Vec<ForwardedMessage>,
    /// The thread that was begun at it.
    pub thread: Option<Snowflake>,
    /// What the sender made up to know it by.
    pub nonce: Option<String>,
    /// Only one person sees it.
    pub is_ephemeral: bool,
    pub is_voice_message: bool,
    pub is_pinned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageReference {
    pub message: Option<Snowflake>,
    pub channel: Option<Snowflake>,
    pub guild: Option<Snowflake>,
    pub is_forward: bool,
}

/// What a forward shows of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardedMessage {
    pub content: String,
    pub sent_at: Option<WallTime>,
    pub files: Vec<PostedFile>,
    pub embeds: Vec<Embed>,
    pub stickers: Vec<Sticker>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactionCount {
    pub emoji: Emoji,
    pub count: u64,
    pub is_own: bool,
}

/// A change of a message. Servers send it when an embed has loaded, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageChanged {
    pub id: Snowflake,
    pub channel: Snowflake,
    pub guild: Option<Snowflake>,
    /// When its text was changed by its author; none: something else did.
    pub edited_at: Option<WallTime>,
    /// What it says now, where that was sent.
    pub content: Option<String>,
    /// All of it, where the server sent enough.
    pub message: Option<Box<PostedMessage>>,
}

const FLAG_EPHEMERAL: u64 = 1 << 6;
const FLAG_VOICE: u64 = 1 << 13;

impl PostedMessage {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        Self::read_to(fields, QUOTED)
    }

    fn read_to(fields: Fields<'_>, quoted: u8) -> Option<Self> {
        let id = fields.id("id")?;
        let flags = fields.number("flags").unwrap_or_default();
        let answered = fields.inner("referenced_message").filter(|_| quoted > 0);
        let kind = MessageKind::of(fields.number("type"));
        Some(Self {
            id,
            channel: fields.id("channel_id")?,
            guild: fields.id("guild_id"),
            author: User::read(fields.inner("author")?)?,
            member: fields.inner("member").map(Member::read),
            webhook: fields.id("webhook_id"),
            application: fields.id("application_id"),
            kind,
            content: fields.text("content").unwrap_or_default().to_owned(),
            // An id tells it, too.
            sent_at: fields.time("timestamp").unwrap_or_else(|| id.time()),
            edited_at: fields.time("edited_timestamp"),
            mentions: fields
                .objects("mentions")
                .take(LIST_MAX)
                .filter_map(mention)
                .collect(),
            mentioned_roles: fields.ids("mention_roles").take(LIST_MAX).collect(),
            mentions_everyone: fields.flag("mention_everyone"),
            files: files(fields),
            embeds: embeds(fields),
            stickers: stickers(fields),
            poll: fields.inner("poll").and_then(Poll::read),
            reactions: fields
                .objects("reactions")
                .take(LIST_MAX)
                .filter_map(ReactionCount::read)
                .collect(),
            component_texts: component_texts(fields),
            reference: fields.inner("message_reference").map(MessageReference::read),
            answered: answered
                .and_then(|answered| Self::read_to(answered, quoted - 1))
                .map(Box::new),
            forwarded: fields
                .objects("message_snapshots")
                .take(LIST_MAX)
                .map(ForwardedMessage::read)
                .collect(),
            thread: fields.inner("thread").and_then(|thread| thread.id("id")),
            nonce: nonce(fields),
            is_ephemeral: flags & FLAG_EPHEMERAL != 0,
            is_voice_message: flags & FLAG_VOICE != 0,
            is_pinned: fields.flag("pinned"),
        })
    }

    /// What the author is called here.
    pub fn author_name(&self) -> &str {
        let nick = self.member.as_ref().and_then(|member| member.nick.as_deref());
        nick.unwrap_or_else(|| self.author.shown())
    }
}

impl MessageChanged {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            id: fields.id("id")?,
            channel: fields.id("channel_id")?,
            guild: fields.id("guild_id"),
            edited_at: fields.time("edited_timestamp"),
            content: fields.text("content").map(str::to_owned),
            message: PostedMessage::read(fields).map(Box::new),
        })
    }
}

impl MessageReference {
    fn read(fields: Fields<'_>) -> Self {
        Self {
            message: fields.id("message_id"),
            channel: fields.id("channel_id"),
            guild: fields.id("guild_id"),
            is_forward: fields.number("type") == Some(1),
        }
    }
}

impl ForwardedMessage {
    fn read(fields: Fields<'_>) -> Self {
        let message = fields.inner("message").unwrap_or(fields);
        Self {
            content: message.text("content").unwrap_or_default().to_owned(),
            sent_at: message.time("timestamp"),
            files: files(message),
            embeds: embeds(message),
            stickers: stickers(message),
        }
    }
}

impl ReactionCount {
    fn read(fields: Fields<'_>) -> Option<Self> {
        Some(Self {
            emoji: Emoji::read(fields.inner("emoji")?)?,
            count: fields.number("count").unwrap_or(1),
            is_own: fields.flag("me"),
        })
    }
}

fn mention(fields: Fields<'_>) -> Option<(User, Option<Member>)> {
    Some((User::read(fields)?, fields.inner("member").map(Member::read)))
}

fn files(fields: Fields<'_>) -> Vec<PostedFile> {
    let files = fields.objects("attachments").take(LIST_MAX);
    files.filter_map(PostedFile::read).collect()
}

fn embeds(fields: Fields<'_>) -> Vec<Embed> {
    fields.objects("embeds").take(LIST_MAX).map(Embed::read).collect()
}

fn stickers(fields: Fields<'_>) -> Vec<Sticker> {
    let newer = fields.objects("sticker_items").chain(fields.objects("stickers"));
    newer.take(LIST_MAX).filter_map(Sticker::read).collect()
}

/// A number or a text; servers give back what they were given.
fn nonce(fields: Fields<'_>) -> Option<String> {
    let text = fields.text("nonce").map(str::to_owned);
    text.or_else(|| Some(fields.number("nonce")?.to_string()))
}

fn component_texts(fields: Fields<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    collect_texts(fields, COMPONENT_DEPTH, &mut texts);
    texts
}

fn collect_texts(fields: Fields<'_>, depth: u8, texts: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    for component in fields.objects("components") {
        if texts.len() >= LIST_MAX {
            return;
        }
        texts.extend(component.words("content").map(str::to_owned));
        collect_texts(component, depth - 1, texts);
    }
}
