//! What the bot writes: messages, changes of them, reactions, threads, that it is typing, and which commands it has.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use vocabulary::Span;

use super::client::{Call, RestClient};
use super::commands::CommandSpec;
use super::failure::{RestFailure, RestFault};
use super::form::{FilePart, listed};
use super::lookups::typed;
use super::route::Route;
use crate::wire::{Emoji, Fields, PostedMessage, Snowflake};

/// Notices of typing that come too late are worth nothing.
const TYPING_PATIENCE: Span = Span::seconds(5);
const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;
/// What Discord takes as the name of a thread.
const THREAD_NAME_MAX: usize = 100;
/// Discord takes 25 characters.
const NONCE_BYTES: usize = 12;
/// The most people that Discord takes in the list of whom a message may notify.
const NOTIFIED_MAX: usize = 100;

/// A message to be sent.
#[derive(Clone, Debug, Default)]
pub struct MessageToSend {
    pub content: String,
    /// The message that it answers. If that is gone by then, it is sent all the same.
    pub reply_to: Option<Snowflake>,
    /// Whether whoever wrote that is notified.
    pub notifies_replied: bool,
    /// Who may be notified by their mention in the text. Nobody else is, and never everybody.
    pub may_notify: Vec<Snowflake>,
    pub files: Vec<FilePart>,
    /// See [`nonce`].
    pub nonce: Option<String>,
    /// It makes no sound and shows no notice.
    pub is_silent: bool,
}

/// What a part of a delivery is known by, so that it is sent once however often it is tried. The same for the same
/// delivery and part, in every process.
pub fn nonce(delivery: &str, part: usize) -> String {
    let digest = Sha256::digest(format!("{part}:{delivery}").as_bytes());
    digest[..NONCE_BYTES]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Whom a message may notify; given with everything that is written.
pub(super) fn allowed_mentions(users: &[Snowflake], replied: bool) -> Value {
    let users: Vec<String> = users
        .iter()
        .take(NOTIFIED_MAX)
        .map(Snowflake::to_string)
        .collect();
    json!({"parse": [], "users": users, "roles": [], "replied_user": replied})
}

impl MessageToSend {
    fn body(&self) -> Value {
        let mut body = json!({
            "content": self.content,
            "allowed_mentions": allowed_mentions(&self.may_notify, self.notifies_replied),
        });
        if let Some(reply_to) = self.reply_to {
            body["message_reference"] =
                json!({"message_id": reply_to.to_string(), "fail_if_not_exists": false});
        }
        if let Some(nonce) = &self.nonce {
            body["nonce"] = json!(nonce);
            body["enforce_nonce"] = json!(true);
        }
        if self.is_silent {
            body["flags"] = json!(SUPPRESS_NOTIFICATIONS);
        }
        if !self.files.is_empty() {
            body["attachments"] = listed(&self.files);
        }
        body
    }
}

impl RestClient {
    /// Sends a message. With a nonce it is tried again where nobody knows whether it arrived.
    pub async fn create_message(
        &self,
        channel: Snowflake,
        message: &MessageToSend,
    ) -> Result<PostedMessage, RestFailure> {
        let deed = "sending a message";
        let route = Route::new("POST /channels/{}/messages", &[&channel.to_string()]);
        let call = Call {
            files: &message.files,
            again: message.nonce.is_some(),
            ..Call::once(deed, route).body(message.body())
        };
        let value = self.ask(call).await?;
        typed(deed, Fields::of(&value).and_then(PostedMessage::read))
    }

    /// Changes the text of a message of the bot's.
    pub async fn edit_message(
        &self,
        channel: Snowflake,
        message: Snowflake,
        content: &str,
        may_notify: &[Snowflake],
    ) -> Result<PostedMessage, RestFailure> {
        let deed = "changing a message";
        let call = Call::repeatable(
            deed,
            of_message("PATCH /channels/{}/messages/{}", channel, message),
        );
        let body = json!({"content": content, "allowed_mentions": allowed_mentions(may_notify, false)});
        let value = self.ask(call.body(body)).await?;
        typed(deed, Fields::of(&value).and_then(PostedMessage::read))
    }

    /// A message that is gone already is deleted, too.
    pub async fn delete_message(&self, channel: Snowflake, message: Snowflake) -> Result<(), RestFailure> {
        let route = of_message("DELETE /channels/{}/messages/{}", channel, message);
        match self.ask(Call::repeatable("deleting a message", route)).await {
            Err(failure) if failure.fault != RestFault::UnknownMessage => Err(failure),
            _ => Ok(()),
        }
    }

    pub async fn react(
        &self,
        channel: Snowflake,
        message: Snowflake,
        emoji: &Emoji,
    ) -> Result<(), RestFailure> {
        let name = "PUT /channels/{}/messages/{}/reactions/{}/@me";
        let route = of_reaction(name, channel, message, emoji);
        self.ask(Call::repeatable("reacting to a message", route)).await?;
        Ok(())
    }

    /// Takes a reaction of the bot's back.
    pub async fn unreact(
        &self,
        channel: Snowflake,
        message: Snowflake,
        emoji: &Emoji,
    ) -> Result<(), RestFailure> {
        let name = "DELETE /channels/{}/messages/{}/reactions/{}/@me";
        let route = of_reaction(name, channel, message, emoji);
        self.ask(Call::repeatable("taking a reaction back", route))
            .await?;
        Ok(())
    }

    /// Shows for ten seconds, or until a message comes, that the bot is writing.
    pub async fn show_typing(&self, channel: Snowflake) -> Result<(), RestFailure> {
        let route = Route::new("POST /channels/{}/typing", &[&channel.to_string()]);
        let call = Call {
            patience: TYPING_PATIENCE,
            ..Call::once("showing that the bot is typing", route)
        };
        self.ask(call).await?;
        Ok(())
    }

    /// Begins a thread at a message; its id.
    pub async fn create_thread(
        &self,
        channel: Snowflake,
        message: Snowflake,
        name: &str,
    ) -> Result<Snowflake, RestFailure> {
        let deed = "beginning a thread";
        let route = of_message("POST /channels/{}/messages/{}/threads", channel, message);
        let name = vocabulary::text::plain_line(name, THREAD_NAME_MAX);
        let value = self
            .ask(Call::once(deed, route).body(json!({"name": name})))
            .await?;
        typed(deed, Fields::of(&value).and_then(|fields| fields.id("id")))
    }

    /// Makes these the bot's commands, and no others: everywhere, or in one server, where they are there at once.
    pub async fn overwrite_commands(
        &self,
        application: Snowflake,
        guild: Option<Snowflake>,
        commands: &[CommandSpec],
    ) -> Result<(), RestFailure> {
        let application = application.to_string();
        let route = match guild {
            None => Route::new("PUT /applications/{}/commands", &[&application]),
            Some(guild) => Route::new(
                "PUT /applications/{}/guilds/{}/commands",
                &[&application, &guild.to_string()],
            ),
        };
        let body = commands.iter().map(CommandSpec::body).collect();
        self.ask(Call::repeatable("telling Discord the bot's commands", route).body(body))
            .await?;
        Ok(())
    }
}

fn of_message(name: &'static str, channel: Snowflake, message: Snowflake) -> Route {
    Route::new(name, &[&channel.to_string(), &message.to_string()])
}

fn of_reaction(name: &'static str, channel: Snowflake, message: Snowflake, emoji: &Emoji) -> Route {
    let emoji = match emoji {
        Emoji::Character(text) => text.clone(),
        // Discord wants some name, and goes by the id.
        Emoji::Custom { id, name, .. } => format!("{}:{id}", name.as_deref().unwrap_or("emoji")),
    };
    Route::new(name, &[&channel.to_string(), &message.to_string(), &emoji])
}
