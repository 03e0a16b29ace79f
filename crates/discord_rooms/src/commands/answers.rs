//! What is answered to `/denizen why`, `status`, `forget` and `ask`.

use mind::{Input, RoomEvent};
use runtime::ports::MessageQuery;
use runtime::wall;
use settings::Forgetting;
use vocabulary::{Author, AuthorKind, Forget, Message, MessageId, TurnKey};

use super::{NOT_PERMITTED, Used};
use crate::names;
use crate::reading::{direct_facts, shown};

/// Lines of a chain that are shown.
const LINES_MAX: usize = 12;
const MESSAGES_LOOKED_AT: usize = 30;
const QUESTION_MAX: usize = 1_500;

impl Used {
    /// The chain from what was heard to what was said, or not.
    pub(super) async fn why(&self) -> String {
        if !self.may_look() {
            return NOT_PERMITTED.to_owned();
        }
        let Some(id) = self.asked_about().await else {
            return "Nobody has written anything here that I have read.".to_owned();
        };
        let (store, community) = (self.handle.store(), self.handle.community());
        let message = store.message(community, &id).await.ok().flatten();
        let here = self.channel().map(names::room);
        // What was said elsewhere is not told here.
        let Some(message) = message.filter(|stored| Some(&stored.message.room) == here.as_ref()) else {
            return "I do not know this message, or it is not of this channel.".to_owned();
        };
        let chain = match store.why(community, &id).await {
            Ok(chain) => chain,
            Err(error) => return format!("It cannot be read at the moment: {error}"),
        };
        let verdict = explain::verdict(&chain, &id);
        let mut lines = vec![format!("**{}**", verdict.sentence)];
        lines.push(format!("(a message of {})", message.message.author.name));
        let names = explain::PeopleNames::of(&chain);
        let links = chain.iter().take(LINES_MAX);
        lines.extend(links.map(|entry| format!("- {}", names.sentence(entry))));
        lines.join("\n")
    }

    /// The message that a link or an id names, or the newest one of a person.
    async fn asked_about(&self) -> Option<MessageId> {
        if let Some(given) = self.text("message") {
            let last = given.rsplit('/').next().unwrap_or_default();
            return Some(MessageId::new(last));
        }
        let said = self.messages_here().await;
        let newest = said
            .iter()
            .rev()
            .find(|message| message.author.kind == AuthorKind::Person);
        newest.map(|message| message.id.clone())
    }

    async fn messages_here(&self) -> Vec<Message> {
        let Some(channel) = self.channel() else {
            return Vec::new();
        };
        let query = MessageQuery {
            room: names::room(channel),
            before: None,
            after: None,
            limit: MESSAGES_LOOKED_AT,
        };
        let page = self.handle.store().messages(self.handle.community(), query).await;
        let stored = page.map(|page| page.messages).unwrap_or_default();
        stored.into_iter().map(|stored| stored.message).collect()
    }

    pub(super) async fn status(&self) -> String {
        let in_force = self.handle.in_force();
        let settings = &in_force.settings;
        let model = self.handle.language().status(settings);
        let by = match model.offline {
            true => "a built-in model that is no language model".to_owned(),
            false => model.model,
        };
        let remembers = match self.handle.memory() {
            Some(_) => "I remember what is said, and `/denizen forget` takes it back",
            None => "I remember nothing beyond the conversation",
        };
        let here = self.channel().map(names::room);
        let is_blocked = |id: &String| here.as_ref().is_some_and(|room| room.as_str() == id);
        let quiet = match settings.replies.blocked_channel_ids.iter().any(is_blocked) {
            true => "I say nothing in this channel (`/denizen quiet`)",
            false => "I answer here when I am mentioned, called by name or replied to",
        };
        let mut lines = vec![format!(
            "I am {}. {quiet}. My replies are written by {by}. {remembers}.",
            settings.identity.name
        )];
        if self.may_change()
            && let Some(spending) = self.handle.spending().await
        {
            let dollars = spending.all.cost_micro_dollars as f64 / 1_000_000.0;
            lines.push(format!("Today my models have cost ${dollars:.4} in this server."));
        }
        lines.join("\n")
    }

    /// Forgets what somebody wants forgotten of themselves.
    pub(super) async fn forget(&self) -> String {
        if self.handle.in_force().settings.permissions.forgetting == Forgetting::Operator {
            return "Only whoever runs me may have something forgotten here. Ask them.".to_owned();
        }
        let community = self.handle.community().clone();
        let user = &self.interaction.user;
        let person = names::person(user.id);
        let what = match self.text("what").as_deref() {
            Some("me") if self.flag("sure") != Some(true) => {
                return "That forgets everything of you here, for good: what you said, and what I have kept of it. Use the \
                        command again with `sure: True`."
                    .to_owned();
            }
            Some("me") => Forget::Person {
                name: self.author().name,
                community: Some(community),
                person,
            },
            _ => {
                let said = self.messages_here().await;
                let last = said.iter().rev().find(|message| message.author.id == person);
                let Some(last) = last else {
                    return "There is nothing of yours here that I could forget.".to_owned();
                };
                Forget::Turns(vec![TurnKey::of_message(&community, &last.id)])
            }
        };
        match self.handle.forget(&what).await {
            Ok(_) => "It is forgotten, for good.".to_owned(),
            Err(refused) => format!("It is not forgotten, or not everywhere: {refused}"),
        }
    }

    fn author(&self) -> Author {
        let nick = self
            .interaction
            .member
            .as_ref()
            .and_then(|member| member.nick.as_deref());
        Author {
            id: names::person(self.interaction.user.id),
            name: shown(nick.unwrap_or_else(|| self.interaction.user.shown())),
            kind: AuthorKind::Person,
        }
    }

    /// What is to be asked here, or why it cannot be.
    pub(super) fn question(&self) -> Result<String, &'static str> {
        if self.channel().is_none() {
            return Err("There is no channel here.");
        }
        let question = self.text("question").unwrap_or_default();
        match question.chars().count() {
            0 => Err("There is no question."),
            1..=QUESTION_MAX => Ok(question),
            _ => Err("That is too long for a command. Mention me and write it."),
        }
    }

    /// Takes a question in as if its author had mentioned Denizen.
    pub(super) async fn ask(&self, question: String) {
        let Some(channel) = self.channel() else { return };
        let author = self.author();
        if self.interaction.guild.is_none() {
            let facts = direct_facts(channel, &author.name);
            let described = Input::Room(names::room(channel), RoomEvent::Described(facts));
            if let Err(error) = self.handle.accept(described).await {
                tracing::warn!(%error, "a direct conversation could not be described");
            }
        }
        let message = Message {
            id: names::message(self.interaction.id),
            room: names::room(channel),
            author,
            text: question,
            at: wall(),
            reply_to: None,
            reply_to_author: None,
            mentions: vec![names::bot(self.inside.own())],
            attachments: Vec::new(),
            spoken: false,
            sign: false,
        };
        if let Err(error) = self.handle.accept(Input::message_arrived(message)).await {
            tracing::error!(%error, "a question that was asked by a command was not taken in");
        }
    }
}
