//! `/denizen` on Discord: which commands there are, who may use them, and where their answers go.

mod answers;
mod ids;
mod place;
mod quiet;
mod screen;
mod settings;
mod specs;
mod voice;

use std::sync::Arc;
use std::time::Duration;

use discord::rest::{InteractionReplies, InteractionReply, RestClient};
use discord::wire::{CommandCall, Interaction, InteractionAsk, OptionValue, Snowflake};
use discord::world::Permissions;
use runtime::{Handle, Town};
use vocabulary::text::shortened;

use crate::names;
use crate::residence::Inside;
use crate::wording::{Language, Phrase};

use quiet::QuietAsker;
use screen::ScreenAsker;
pub(crate) use specs::specs;
use voice::VoiceAsker;

/// Discord takes 2,000 characters.
const ANSWER_MAX: usize = 1_900;

/// Discord waits three seconds for an answer.
const SETTLED_AGAIN: Duration = Duration::from_millis(100);
const SETTLED_LOOKS: usize = 20;

/// Somebody used a command.
pub(crate) struct Used {
    inside: Arc<Inside>,
    interaction: Interaction,
    call: CommandCall,
    handle: Handle,
    /// What whoever asks reads.
    language: Language,
}

/// Answers what somebody asked by a command; anything else is nobody's here.
pub(crate) async fn attend(inside: Arc<Inside>, town: Town, rest: RestClient, interaction: Interaction) {
    let application = interaction.application.or_else(|| inside.own());
    let Some(application) = application else { return };
    let token = interaction.token.clone();
    let replies = InteractionReplies::new(rest, application, interaction.id, token);
    let (call, is_completion) = match &interaction.asks {
        InteractionAsk::Command(call) => (call.clone(), false),
        InteractionAsk::Completion(call) => (call.clone(), true),
        _ => return,
    };
    if is_completion {
        let typed = text_option(&call, "key").unwrap_or_default();
        let choices = InteractionReply::Choices(settings::completions(&typed));
        return told(replies.answer(&choices).await);
    }
    let community = names::community_of(interaction.guild);
    let language = Language::of(interaction.locale.as_deref());
    let mut hosted = town.community(&community);
    for _ in 0..SETTLED_LOOKS {
        if hosted.is_some() || town.is_full() {
            break;
        }
        // It is only just made for whoever is the first to say anything there.
        tokio::time::sleep(SETTLED_AGAIN).await;
        hosted = town.community(&community);
    }
    let Some(hosted) = hosted else {
        let why = match town.is_full() {
            true => Phrase::NoPlace,
            false => Phrase::NotHereYet,
        };
        return told(replies.answer(&private(&language.say(why))).await);
    };
    let used = Used {
        inside,
        interaction,
        call,
        handle: hosted.handle,
        language,
    };
    match used.call.path.get(1).map(String::as_str) {
        Some("forget") => {
            // It may take longer than the three seconds that Discord waits.
            told(
                replies
                    .answer(&InteractionReply::Later { is_private: true })
                    .await,
            );
            let answer = used.forget().await;
            told(replies.edit(&shortened(&answer, ANSWER_MAX)).await.map(drop));
        }
        Some("ask") => match used.question().await {
            Ok(question) => {
                let content = shortened(&format!("> {question}"), ANSWER_MAX);
                let shown = InteractionReply::Words {
                    content,
                    is_private: false,
                };
                told(replies.answer(&shown).await);
                used.ask(question).await;
            }
            Err(why) => told(replies.answer(&private(&why)).await),
        },
        other => {
            let answer = match other {
                Some("why") => used.why().await,
                Some("status") => used.status().await,
                Some("settings") => used.settings().await,
                Some("quiet") => QuietAsker(&used).quiet().await,
                Some("join") => VoiceAsker(&used).join().await,
                Some("leave") => VoiceAsker(&used).leave().await,
                Some("watch") => ScreenAsker(&used).watch().await,
                _ => used.say(Phrase::UnknownCommand),
            };
            told(replies.answer(&private(&answer)).await);
        }
    }
}

impl Used {
    fn say(&self, phrase: Phrase) -> String {
        self.language.say(phrase)
    }

    fn tell(&self, phrase: Phrase, with: &[(&str, &str)]) -> String {
        self.language.tell(phrase, with)
    }

    fn channel(&self) -> Option<Snowflake> {
        self.interaction.channel
    }

    fn has(&self, wanted: Permissions) -> bool {
        let has = Permissions::of(self.interaction.permissions.unwrap_or_default());
        has.has(wanted) || has.has(Permissions::ADMINISTRATOR)
    }

    /// In direct messages everybody looks after themselves.
    fn may_look(&self) -> bool {
        self.interaction.guild.is_none() || self.has(Permissions::MANAGE_MESSAGES) || self.may_change()
    }

    /// What is set in direct messages would be set for everybody who writes there.
    fn may_change(&self) -> bool {
        self.interaction.guild.is_some() && self.has(Permissions::MANAGE_GUILD)
    }

    fn text(&self, name: &str) -> Option<String> {
        text_option(&self.call, name)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match self.call.options.get(name)? {
            OptionValue::Flag(flag) => Some(*flag),
            _ => None,
        }
    }
}

fn text_option(call: &CommandCall, name: &str) -> Option<String> {
    match call.options.get(name)? {
        OptionValue::Text(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        _ => None,
    }
}

fn private(words: &str) -> InteractionReply {
    InteractionReply::Words {
        content: shortened(words, ANSWER_MAX),
        is_private: true,
    }
}

fn told(answered: Result<(), discord::rest::RestFailure>) {
    if let Err(failure) = answered {
        tracing::warn!(%failure, "a command was not answered");
    }
}
