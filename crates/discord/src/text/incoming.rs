//! A message as a model reads it: names instead of ids, and a line in brackets for each thing that is no text.

use jiff::Timestamp;
use vocabulary::text::{counted, plain_line, shortened};

use super::markup::{Mark, Piece, pieces};
use crate::wire::{
    Embed, Emoji, ForwardedMessage, MessageKind, Poll, PostedFile, PostedMessage, Snowflake, Sticker, User,
};

/// NamesHere that people and servers gave themselves are cut to this.
const NAME_MAX: usize = 80;
/// A preview's words, of each of its parts.
const PREVIEW_MAX: usize = 300;
const PREVIEWS_MAX: usize = 4;
const EMBED_FIELDS_MAX: usize = 8;
/// Discord's own limit is 4,000; another server may have none.
const TEXT_MAX: usize = 8_000;

/// What ids stand for where a message stands.
pub trait NamesHere {
    fn person(&self, id: Snowflake) -> Option<String>;
    /// The name of a channel, where everybody may know it who reads the channel `here`.
    fn channel(&self, id: Snowflake, here: Snowflake) -> Option<String>;
    fn role(&self, id: Snowflake) -> Option<String>;

    /// What somebody is to be called whom a message itself calls so.
    fn mentioned(&self, _user: &User, name: String) -> String {
        name
    }
}

/// Its words and all that hangs on it but its files, see [`files`]. Empty where it says nothing.
pub fn readable(message: &PostedMessage, names: &dyn NamesHere) -> String {
    let reader = Reader { message, names };
    let mut lines = vec![match message.kind.is_said() {
        true => reader.text(&message.content),
        false => reader.notice(),
    }];
    lines.extend(message.component_texts.iter().map(|text| reader.text(text)));
    lines.extend(
        message
            .forwarded
            .iter()
            .map(|forwarded| reader.forwarded(forwarded)),
    );
    if message.is_voice_message {
        lines.push(voice(&message.files));
    }
    lines.extend(message.poll.as_ref().map(|poll| reader.poll(poll)));
    lines.extend(message.stickers.iter().map(sticker));
    if message.kind != MessageKind::PollEnded {
        lines.extend(reader.previews(&message.embeds));
    }
    lines.retain(|line| !line.trim().is_empty());
    shortened(&lines.join("\n"), TEXT_MAX)
}

/// Its files, and those of what it forwards.
pub fn files(message: &PostedMessage) -> Vec<&PostedFile> {
    let forwarded = message.forwarded.iter().flat_map(|forwarded| &forwarded.files);
    message.files.iter().chain(forwarded).collect()
}

struct Reader<'a> {
    message: &'a PostedMessage,
    names: &'a dyn NamesHere,
}

impl Reader<'_> {
    /// With names instead of ids.
    fn text(&self, text: &str) -> String {
        let pieces = pieces(text).into_iter().map(|piece| match piece {
            Piece::Plain(text) => text.to_owned(),
            Piece::Mark(Mark::Person(id), _) => format!("@{}", self.person(id)),
            Piece::Mark(Mark::Role(id), _) => format!("@{}", named(self.names.role(id), "some role")),
            Piece::Mark(Mark::Channel(id), _) => {
                format!(
                    "#{}",
                    named(self.names.channel(id, self.message.channel), "some-channel")
                )
            }
            Piece::Mark(Mark::Emoji(name), _) => format!(":{name}:"),
            Piece::Mark(Mark::Time(seconds), mark) => time(seconds).unwrap_or_else(|| mark.to_owned()),
            Piece::Mark(Mark::Command(names), _) => format!("/{names}"),
            Piece::Mark(Mark::Page(page), _) => format!("[the server's page: {page}]"),
            Piece::Mark(Mark::Link(link), _) => link.to_owned(),
        });
        pieces.collect()
    }

    /// As the message itself calls them, which is how they are called here and now.
    fn person(&self, id: Snowflake) -> String {
        let mut mentions = self.message.mentions.iter();
        let mentioned = mentions.find(|(user, _)| user.id == id).map(|(user, member)| {
            let nick = member.as_ref().and_then(|member| member.nick.as_deref());
            let name = nick.unwrap_or_else(|| user.shown()).to_owned();
            self.names.mentioned(user, name)
        });
        named(mentioned.or_else(|| self.names.person(id)), "somebody")
    }

    /// What Discord says happened; whoever did it is the author.
    fn notice(&self) -> String {
        let message = self.message;
        let words = plain_line(&self.text(&message.content), PREVIEW_MAX);
        let whom = message.mentions.first().map(|(user, _)| self.person(user.id));
        let whom = whom.unwrap_or_else(|| "somebody".to_owned());
        let notice = match message.kind {
            MessageKind::RecipientAdded => format!("added {whom}"),
            MessageKind::RecipientRemoved => format!("removed {whom}"),
            MessageKind::Call => "began a call".to_owned(),
            MessageKind::ChannelRenamed => format!("renamed the channel: {words}"),
            MessageKind::ChannelPicture => "changed the channel's picture".to_owned(),
            MessageKind::Pinned => "pinned a message".to_owned(),
            MessageKind::Joined => "joined the server".to_owned(),
            MessageKind::Boosted => "boosted the server".to_owned(),
            MessageKind::ThreadBegun => format!("began a thread: {words}"),
            MessageKind::ThreadStarter => return self.thread_starter(),
            MessageKind::StageBegun => format!("began a stage: {words}"),
            MessageKind::StageEnded => format!("ended a stage: {words}"),
            MessageKind::StageTopic => format!("changed the stage's topic: {words}"),
            MessageKind::PollEnded => return self.poll_result(),
            // What nobody here knows says nothing, unless it has words.
            MessageKind::Other(_) => words,
            MessageKind::Plain | MessageKind::Reply | MessageKind::CommandAnswer => return String::new(),
        };
        match notice.is_empty() {
            true => notice,
            false => format!("[{}]", notice.trim_end_matches([' ', ':'])),
        }
    }

    fn thread_starter(&self) -> String {
        match &self.message.answered {
            Some(first) => format!(
                "[the thread began with a message of {}]\n{}",
                plain_line(first.author_name(), NAME_MAX),
                quoted(&readable(first, self.names))
            ),
            None => "[the thread began with a message that is gone]".to_owned(),
        }
    }

    fn forwarded(&self, forwarded: &ForwardedMessage) -> String {
        let mut lines = vec![self.text(&forwarded.content)];
        lines.extend(forwarded.stickers.iter().map(sticker));
        lines.extend(self.previews(&forwarded.embeds));
        lines.retain(|line| !line.trim().is_empty());
        match lines.is_empty() {
            true => "[forwarded a message]".to_owned(),
            false => format!("[forwarded a message]\n{}", quoted(&lines.join("\n"))),
        }
    }

    fn poll(&self, poll: &Poll) -> String {
        let answers = poll.answers.iter().enumerate().map(|(index, answer)| {
            let emoji = answer
                .emoji
                .as_ref()
                .map(|emoji| format!("{} ", emoji_text(emoji)));
            let votes = answer.votes.map(|votes| format!(" ({})", count(votes, "vote")));
            format!(
                "{}) {}{}{}",
                index + 1,
                emoji.unwrap_or_default(),
                plain_line(&answer.text, NAME_MAX),
                votes.unwrap_or_default()
            )
        });
        let answers: Vec<String> = answers.collect();
        let kind = if poll.is_final { "ended poll" } else { "poll" };
        let several = if poll.allows_several {
            ", several answers allowed"
        } else {
            ""
        };
        let question = plain_line(&self.text(&poll.question), PREVIEW_MAX);
        format!("[{kind}{several}: {question} {}]", answers.join(" "))
    }

    /// A poll's end comes with its figures in an embed.
    fn poll_result(&self) -> String {
        let embeds = self.message.embeds.iter();
        let fields = embeds.flat_map(|embed| &embed.fields);
        let field = |wanted: &str| {
            let found = fields.clone().find(|(name, _)| name == wanted);
            found.map(|(_, value)| plain_line(value, PREVIEW_MAX))
        };
        let question = field("poll_question_text").unwrap_or_default();
        let votes = field("total_votes").and_then(|votes| votes.parse().ok());
        let votes = votes
            .map(|votes| format!(" ({})", count(votes, "vote")))
            .unwrap_or_default();
        // Nobody won where there was a tie, or no vote.
        match field("victor_answer_text") {
            Some(winner) => format!("[the poll ended: {question} The most votes: {winner}{votes}]"),
            None => format!("[the poll ended: {question}{votes}]"),
        }
    }

    fn previews(&self, embeds: &[Embed]) -> Vec<String> {
        let previews = embeds.iter().take(PREVIEWS_MAX);
        previews.filter_map(|embed| self.preview(embed)).collect()
    }

    fn preview(&self, embed: &Embed) -> Option<String> {
        let words = |text: &Option<String>| {
            let text = text
                .as_deref()
                .map(|text| plain_line(&self.text(text), PREVIEW_MAX));
            text.filter(|text| !text.is_empty())
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(words(&embed.provider).or_else(|| words(&embed.author)));
        parts.extend(words(&embed.title));
        parts.extend(words(&embed.description));
        for (name, value) in embed.fields.iter().take(EMBED_FIELDS_MAX) {
            let field = format!("{}: {}", self.text(name), self.text(value));
            parts.push(plain_line(&field, PREVIEW_MAX));
        }
        parts.extend(words(&embed.footer).filter(|_| embed.kind == "rich"));
        parts.dedup();
        let what = match embed.kind.as_str() {
            "gifv" => "GIF",
            "image" => "picture",
            "video" => "video",
            "rich" => "box",
            _ => "link",
        };
        match parts.is_empty() {
            // A picture's address is in the text already.
            true => (what == "GIF").then(|| "[GIF]".to_owned()),
            false => Some(format!("[{what}: {}]", parts.join(" | "))),
        }
    }
}

fn named(name: Option<String>, otherwise: &str) -> String {
    let name = name.map(|name| plain_line(&name, NAME_MAX));
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| otherwise.to_owned())
}

fn time(seconds: i64) -> Option<String> {
    let time = Timestamp::from_second(seconds).ok()?;
    Some(time.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

fn sticker(sticker: &Sticker) -> String {
    format!("[sticker: {}]", plain_line(&sticker.name, NAME_MAX))
}

fn voice(files: &[PostedFile]) -> String {
    let length = files.iter().find_map(|file| file.duration_ms);
    match length {
        Some(length) => format!("[voice message, {} s]", length.div_ceil(1_000)),
        None => "[voice message]".to_owned(),
    }
}

fn emoji_text(emoji: &Emoji) -> String {
    match emoji {
        Emoji::Character(text) => plain_line(text, NAME_MAX),
        Emoji::Custom { name, .. } => format!(":{}:", name.as_deref().unwrap_or("emoji")),
    }
}

fn count(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
#[path = "incoming_tests.rs"]
mod tests;
