//! What is answered to `/denizen why`, `status`, `forget` and `ask`.

use mind::Input;
use runtime::ports::MessageQuery;
use runtime::wall;
use settings::Forgetting;
use vocabulary::{Author, AuthorKind, Forget, Message, MessageId, TurnKey};

use super::Used;
use super::place;
use super::quiet::QuietAsker;
use crate::names;
use crate::reading::{NOTICES, Reading};
use crate::telling_apart::Account;
use crate::wording::Phrase;

/// Lines of a chain that are shown.
const LINES_MAX: usize = 12;
const MESSAGES_LOOKED_AT: usize = 30;
const QUESTION_MAX: usize = 1_500;

impl Used {
    /// The chain from what was heard to what was said, or not.
    pub(super) async fn why(&self) -> String {
        if !self.may_look() {
            return self.say(Phrase::NotPermitted);
        }
        let Some(id) = self.asked_about().await else {
            return self.say(Phrase::NothingRead);
        };
        let (store, community) = (self.handle.store(), self.handle.community());
        let message = store.message(community, &id).await.ok().flatten();
        let here = self.channel().map(names::room);
        // What was said elsewhere is not told here.
        let Some(message) = message.filter(|stored| Some(&stored.message.room) == here.as_ref()) else {
            return self.say(Phrase::UnknownMessage);
        };
        let chain = match store.why(community, &id).await {
            Ok(chain) => chain,
            Err(error) => return self.tell(Phrase::NotReadable, &[("error", &error.to_string())]),
        };
        let verdict = explain::verdict(&chain, &id);
        let mut lines = vec![format!("**{}**", verdict.sentence)];
        lines.push(self.tell(Phrase::MessageOf, &[("name", &message.message.author.name)]));
        let names = explain::PeopleNames::of(&chain);
        let links = chain.iter().take(LINES_MAX);
        lines.extend(links.map(|entry| format!("- {}", names.sentence(entry))));
        lines.join("\n")
    }

    /// The message that a link or an id names, or the newest one that somebody wrote: a person, or another bot.
    async fn asked_about(&self) -> Option<MessageId> {
        if let Some(given) = self.text("message") {
            let last = given.rsplit('/').next().unwrap_or_default();
            return Some(MessageId::new(last));
        }
        let said = self.messages_here().await;
        let newest = said.iter().rev().find(|message| {
            message.author.kind != AuthorKind::Denizen && message.author.id.as_str() != NOTICES
        });
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
            true => self.say(Phrase::BuiltInModel),
            false => model.model,
        };
        let remembers = match self.handle.memory() {
            Some(_) => Phrase::Remembers,
            None => Phrase::RemembersNothing,
        };
        let speaks = match self.channel() {
            Some(channel) => match place::cannot_speak(self, channel) {
                None => QuietAsker(self).here(channel).await,
                why => why,
            },
            None => None,
        };
        let mut lines = vec![
            self.tell(Phrase::IAm, &[("name", &settings.identity.name)]),
            speaks.unwrap_or_else(|| self.say(Phrase::AnswersHere)),
            self.tell(Phrase::WrittenBy, &[("model", &by)]),
            self.say(remembers),
        ];
        if self.may_change()
            && let Some(spending) = self.handle.spending().await
        {
            let dollars = spending.all.cost_micro_dollars as f64 / 1_000_000.0;
            lines.push(self.tell(Phrase::CostToday, &[("dollars", &format!("{dollars:.4}"))]));
        }
        lines.join(" ")
    }

    /// Forgets what somebody wants forgotten of themselves.
    pub(super) async fn forget(&self) -> String {
        if self.handle.in_force().settings.permissions.forgetting == Forgetting::Operator {
            return self.say(Phrase::OperatorForgets);
        }
        let community = self.handle.community().clone();
        let user = &self.interaction.user;
        let person = names::person(user.id);
        let what = match self.text("what").as_deref() {
            Some("me") if self.flag("sure") != Some(true) => {
                return self.say(Phrase::AreYouSure);
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
                    return self.say(Phrase::NothingToForget);
                };
                Forget::Turns(vec![TurnKey::of_message(&community, &last.id)])
            }
        };
        match self.handle.forget(&what).await {
            Ok(_) => self.say(Phrase::IsForgotten),
            Err(refused) => self.tell(Phrase::NotForgotten, &[("error", &refused.to_string())]),
        }
    }

    pub(super) fn author(&self) -> Author {
        let nick = self
            .interaction
            .member
            .as_ref()
            .and_then(|member| member.nick.as_deref());
        let user = &self.interaction.user;
        let name = nick.unwrap_or_else(|| user.shown());
        let told_apart = |reading: Reading<'_>| reading.told_apart(Account::of(user), name);
        Author {
            id: names::person(user.id),
            name: self.inside.read(self.interaction.guild, told_apart),
            kind: AuthorKind::Person,
        }
    }

    /// What is to be asked here, or why it cannot be.
    pub(super) async fn question(&self) -> Result<String, String> {
        let Some(channel) = self.channel() else {
            return Err(self.say(Phrase::NoChannel));
        };
        if let Some(why) = place::cannot_speak(self, channel) {
            return Err(why);
        }
        if let Some(quiet) = QuietAsker(self).here(channel).await {
            return Err(quiet);
        }
        let question = self.text("question").unwrap_or_default();
        match question.chars().count() {
            0 => Err(self.say(Phrase::NoQuestion)),
            1..=QUESTION_MAX => Ok(question),
            _ => Err(self.say(Phrase::QuestionTooLong)),
        }
    }

    /// Takes a question in as if its author had mentioned Denizen.
    pub(super) async fn ask(&self, question: String) {
        let Some(channel) = self.channel() else { return };
        let author = self.author();
        if let Err(why) = place::enter(self, channel).await {
            tracing::warn!(%why, "a question that was asked by a command was not taken in");
            return;
        }
        let message = Message {
            id: names::asked(self.interaction.id),
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
