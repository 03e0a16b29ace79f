//! Answers to commands, buttons and what is being typed. They go by the interaction's own token, not by the bot's.

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use vocabulary::Span;

use super::client::{Call, RestClient};
use super::failure::RestFailure;
use super::lookups::typed;
use super::messages::allowed_mentions;
use super::route::Route;
use crate::wire::{Fields, PostedMessage, Snowflake};

/// The first answer must be there within three seconds.
const FIRST_PATIENCE: Span = Span(2_500);
const EPHEMERAL: u64 = 1 << 6;

/// The first answer to an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InteractionReply {
    /// Words. Private ones are seen only by whoever asked.
    Words { content: String, is_private: bool },
    /// Words follow within a quarter of an hour.
    Later { is_private: bool },
    /// A button's message will change, or stays as it is.
    Noted,
    /// What could be typed: what is shown, and what the bot is told.
    Choices(Vec<(String, String)>),
}

/// Where the answers to one interaction go.
#[derive(Clone, Debug)]
pub struct InteractionReplies {
    client: RestClient,
    application: Snowflake,
    interaction: Snowflake,
    token: SecretString,
}

impl InteractionReply {
    fn body(&self) -> Value {
        match self {
            Self::Words { content, is_private } => json!({"type": 4, "data": words(content, *is_private)}),
            Self::Later { is_private } => json!({"type": 5, "data": {"flags": flags(*is_private)}}),
            Self::Noted => json!({"type": 6}),
            Self::Choices(choices) => {
                // Discord takes 25.
                let choices = choices.iter().take(25);
                let choices: Vec<Value> = choices
                    .map(|(shown, value)| json!({"name": shown, "value": value}))
                    .collect();
                json!({"type": 8, "data": {"choices": choices}})
            }
        }
    }
}

fn words(content: &str, is_private: bool) -> Value {
    json!({"content": content, "flags": flags(is_private), "allowed_mentions": allowed_mentions(&[], false)})
}

fn flags(is_private: bool) -> u64 {
    if is_private { EPHEMERAL } else { 0 }
}

impl InteractionReplies {
    pub fn new(
        client: RestClient,
        application: Snowflake,
        interaction: Snowflake,
        token: SecretString,
    ) -> Self {
        Self {
            client,
            application,
            interaction,
            token,
        }
    }

    /// The first answer, within three seconds.
    pub async fn answer(&self, reply: &InteractionReply) -> Result<(), RestFailure> {
        let route = Route::new(
            "POST /interactions/{}/{}/callback",
            &[&self.interaction.to_string(), self.token.expose_secret()],
        );
        let call = Call {
            patience: FIRST_PATIENCE,
            ..Call::once("answering a command", route)
        };
        self.client.ask(call.body(reply.body())).await?;
        Ok(())
    }

    /// Changes the first answer, or gives it where it was put off.
    pub async fn edit(&self, content: &str) -> Result<PostedMessage, RestFailure> {
        let deed = "changing the answer to a command";
        let call = Call::repeatable(deed, self.route("PATCH /webhooks/{}/{}/messages/@original"));
        let body = json!({"content": content, "allowed_mentions": allowed_mentions(&[], false)});
        let value = self.client.ask(call.body(body)).await?;
        typed(deed, Fields::of(&value).and_then(PostedMessage::read))
    }

    /// One more answer.
    pub async fn follow_up(&self, content: &str, is_private: bool) -> Result<PostedMessage, RestFailure> {
        let deed = "answering a command once more";
        let call = Call::once(deed, self.route("POST /webhooks/{}/{}"));
        let value = self.client.ask(call.body(words(content, is_private))).await?;
        typed(deed, Fields::of(&value).and_then(PostedMessage::read))
    }

    /// Takes the first answer back.
    pub async fn delete(&self) -> Result<(), RestFailure> {
        let route = self.route("DELETE /webhooks/{}/{}/messages/@original");
        self.client
            .ask(Call::repeatable("taking the answer to a command back", route))
            .await?;
        Ok(())
    }

    fn route(&self, name: &'static str) -> Route {
        Route::new(name, &[&self.application.to_string(), self.token.expose_secret()])
    }
}
