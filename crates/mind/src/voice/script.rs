//! What a small model writes is a script of several people: only its own line of it is said.

use vocabulary::AuthorKind;

use super::VoiceContext;
use super::deciding::current;
use super::plain::is_plain;
use super::turn::VoiceTurn;
use crate::prompt::speaker;
use crate::reply::Cast;
use crate::step_context::StepContext;

/// The people of the script, and what Denizen is asked in it.
pub(super) struct Script {
    own_name: String,
    others: Vec<String>,
    answered: Option<String>,
    pub question: String,
}

impl Script {
    /// None where the model is large enough to write nothing but its answer.
    pub fn of(turn: &VoiceTurn, context: &VoiceContext<'_>, step: &StepContext<'_>) -> Option<Self> {
        if !is_plain(step) {
            return None;
        }
        let mut others: Vec<String> = Vec::new();
        for message in context.log.window(step.settings) {
            let name = speaker(&message.author.name);
            if message.author.kind != AuthorKind::Denizen && !others.contains(&name) {
                others.push(name);
            }
        }
        let asked = turn.answered().map(|utterance| &utterance.message);
        let current = current(&turn.utterances, context);
        let asked = current.into_iter().find(|message| Some(&message.id) == asked);
        Some(Self {
            own_name: step.settings.identity.name.clone(),
            others,
            answered: asked.map(|message| message.author.name.clone()),
            question: asked.map_or_else(String::new, |message| message.text.clone()),
        })
    }

    pub fn cast(&self) -> Cast<'_> {
        Cast {
            own_name: &self.own_name,
            others: &self.others,
            answered: self.answered.as_deref(),
        }
    }
}
