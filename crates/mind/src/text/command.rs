//! Commands in a room, notices about them, and forgetting what a room itself still holds.

use vocabulary::{AuthorKind, CommunityId, Forget, Message, MessageId, TurnKey};

use super::room::TextRoom;
use crate::effect::Effect;
use crate::input::Forgotten;
use crate::journal::{JournalEvent, Scope};
use crate::memory::command::Command;
use crate::memory::gems::scrub::ScrubBrief;
use crate::memory::triggers::SessionEnding;
use crate::parcel::{Errand, Parcel};
use crate::step_context::StepContext;

/// Wishes to forget that are kept in mind at once.
const FORGETTING_MAX: usize = 16;

impl TextRoom {
    /// Carries a command out. It is no part of the conversation: no model sees it.
    pub(super) fn obey(
        &mut self,
        command: &Command,
        message: &Message,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> Option<SessionEnding> {
        let event = JournalEvent::CommandTaken {
            command: command.name().to_owned(),
        };
        step.ledger.write(scope, event);
        let author = &message.author;
        match command {
            Command::New | Command::Reset => {
                self.session_ended(step);
                self.notice(
                    "A new conversation begins. What was said before is remembered.",
                    step,
                );
            }
            Command::ForgetMe => {
                let what = Forget::Person {
                    person: author.id.clone(),
                    name: author.name.clone(),
                    community: Some(step.ledger.community().clone()),
                };
                self.have_forgotten(what, step);
            }
            Command::ForgetThat => match self.last_said_by(message, step.ledger.community()) {
                Some(turns) => self.have_forgotten(Forget::Turns(turns), step),
                None => self.notice("There is nothing of yours here that I could forget.", step),
            },
        }
        command.ending()
    }

    /// Asks for it, and keeps in mind that it was asked for: a promise to forget outlives the process.
    fn have_forgotten(&mut self, what: Forget, step: &mut StepContext<'_>) {
        if self.forgetting.len() < FORGETTING_MAX && !self.forgetting.contains(&what) {
            self.forgetting.push(what.clone());
        }
        let asked_in = self.id.clone();
        step.ledger.want(Effect::Forget { what, asked_in });
    }

    /// The process is back, and may have ended in the middle of it. To forget twice does no harm.
    pub(super) fn restart_forgetting(&mut self, step: &mut StepContext<'_>) {
        for what in self.forgetting.clone() {
            let asked_in = self.id.clone();
            step.ledger.want(Effect::Forget { what, asked_in });
        }
    }

    /// Somebody here was told how it went.
    pub fn forgetting_ended(&mut self, forgotten: &Forgotten) {
        // A failure is told as well, and does not say of what.
        let failed = forgotten.failure.is_some();
        self.forgetting.retain(|what| !failed && *what != forgotten.what);
    }

    /// The newest message of the same author, and what Denizen answered to it.
    fn last_said_by(&self, message: &Message, community: &CommunityId) -> Option<Vec<TurnKey>> {
        let everything: Vec<&Message> = self.compaction.log.newest(usize::MAX).collect();
        let last = everything
            .iter()
            .rfind(|other| other.author.id == message.author.id && other.id != message.id)?;
        let answers = everything.iter().filter(|other| {
            other.author.kind == AuthorKind::Denizen && other.reply_to.as_ref() == Some(&last.id)
        });
        let ids = std::iter::once(last).chain(answers);
        Some(
            ids.map(|message| TurnKey::of_message(community, &message.id))
                .collect(),
        )
    }

    /// Says something that no model wrote.
    pub fn notice(&mut self, text: &str, step: &mut StepContext<'_>) {
        let turn = step.counters.turn.take_next();
        let parcel = Parcel {
            errand: Errand::Notice,
            room: self.id.clone(),
            turn,
            ask: step.counters.ask,
            text: text.to_owned(),
            reply_to: None,
            answered: None,
            attachments: Vec::new(),
            scope: Scope::room(&self.id).turn(turn),
        };
        self.say(parcel, step);
    }

    /// Lets go of what is forgotten: messages, and what the summary says of them.
    /// Whether a summary changed.
    pub fn forget(
        &mut self,
        forgotten: &Forgotten,
        brief: &ScrubBrief<'_>,
        step: &mut StepContext<'_>,
    ) -> bool {
        // A prompt in the making may hold it.
        self.supersede(crate::reasons::CancelReason::Forgotten, None, step);
        let gone: Vec<MessageId> = self
            .compaction
            .log
            .newest(usize::MAX)
            .filter(|message| is_forgotten(message, forgotten, step))
            .map(|message| message.id.clone())
            .collect();
        for id in &gone {
            self.message_deleted(id, step);
        }
        self.forget_seen(brief, step);
        if let Forget::Person {
            person, community, ..
        } = &forgotten.what
            && community
                .as_ref()
                .is_none_or(|community| community == step.ledger.community())
        {
            self.conversation.forget(person);
        }
        self.compaction.forget(brief, step)
    }
}

fn is_forgotten(message: &Message, forgotten: &Forgotten, step: &StepContext<'_>) -> bool {
    let key = TurnKey::of_message(step.ledger.community(), &message.id);
    let is_message = |turn: &TurnKey| *turn == key || turn.as_str() == message.id.as_str();
    // What memory let go of must not come back from here, whatever was asked for.
    let is_meant = match &forgotten.what {
        Forget::Person {
            person, community, ..
        } => {
            message.author.id == *person
                && community
                    .as_ref()
                    .is_none_or(|community| community == step.ledger.community())
        }
        Forget::Turns(turns) => turns.iter().any(is_message),
        Forget::Room { community, room } => message.room == *room && community == step.ledger.community(),
        Forget::Community(community) => community == step.ledger.community(),
        Forget::Gems(_) | Forget::Session(_) => false,
    };
    is_meant || forgotten.turn_ids.iter().any(is_message)
}
