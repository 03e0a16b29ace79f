//! What is looked up while somebody still speaks, so that their answer need not wait for it.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, PersonId, RecallId, Span};

use super::VoiceContext;
use crate::effect::{Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner};

/// Fewer words tell nothing.
const WORDS_MIN: usize = 3;
/// It is looked up again once so many more letters were said, and nothing sooner than this.
const GROWN_LETTERS: usize = 12;
const LOOKS_EVERY: Span = Span(1_000);
/// What was found for longer ago belongs to something else.
const GOOD_FOR: Span = Span::seconds(10);
/// Words that are looked for.
const RECALL_WORDS_CHARS: usize = 600;

/// Words that were said since a look-up, and leave what it found as it is: so many letters.
const REST_LETTERS_MAX: usize = 3;
/// People for whom something is looked up at once.
const SLOTS_MAX: usize = 8;

/// The newest look-up for each who speaks, or has just spoken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Prepared {
    slots: Vec<Slot>,
    /// When something was looked up last, for anybody.
    newest: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Slot {
    person: PersonId,
    recall: RecallId,
    started: Moment,
    /// The letters of the words that were looked for.
    letters: String,
    /// What was found, once it is there.
    found: Option<Recollection>,
}

impl Prepared {
    /// Somebody goes on speaking: what fits is looked up, now and then.
    pub fn partial(
        &mut self,
        person: &PersonId,
        text: &str,
        context: &VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let (said, now) = (letters(text), step.moment());
        let before = self.slots.iter().find(|slot| slot.person == *person);
        let grown =
            before.is_none_or(|slot| said.chars().count() >= slot.letters.chars().count() + GROWN_LETTERS);
        let waits = !self.slots.is_empty() && now.since(self.newest) < LOOKS_EVERY;
        if text.split_whitespace().count() < WORDS_MIN || !grown || waits {
            return;
        }
        let scope = Scope::room(context.room);
        let Some(recall) = launch(text, std::slice::from_ref(person), scope, context, step) else {
            return;
        };
        self.drop_for(person);
        if self.slots.len() >= SLOTS_MAX {
            self.slots.remove(0);
        }
        self.newest = now;
        self.slots.push(Slot {
            person: person.clone(),
            recall,
            started: now,
            letters: said,
            found: None,
        });
    }

    /// What was looked up is there, if it is still wanted.
    pub fn recalled(&mut self, recall: RecallId, found: Option<Recollection>) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.recall == recall) {
            slot.found = Some(found.unwrap_or_default());
        }
    }

    /// How long a look-up has taken.
    pub fn took(&self, recall: RecallId, now: Moment) -> Span {
        let slot = self.slots.iter().find(|slot| slot.recall == recall);
        slot.map_or(Span::ZERO, |slot| now.since(slot.started))
    }

    /// What was prepared for somebody's words, found or still on its way; none where they said more than was looked for.
    pub fn take(
        &mut self,
        person: &PersonId,
        words: &str,
        now: Moment,
    ) -> Option<Result<Recollection, (RecallId, Moment)>> {
        let at = self.slots.iter().position(|slot| slot.person == *person)?;
        let slot = self.slots.remove(at);
        let said = letters(words);
        let rest = said.strip_prefix(slot.letters.as_str())?;
        if rest.chars().count() > REST_LETTERS_MAX || now.since(slot.started) > GOOD_FOR {
            return None;
        }
        Some(slot.found.ok_or((slot.recall, slot.started)))
    }

    /// Somebody begins anew: what was looked up for them belongs to something else.
    pub fn drop_for(&mut self, person: &PersonId) {
        self.slots.retain(|slot| slot.person != *person);
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Words as they compare, however the ears have written them down.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Looks up what fits some words, unless the settings want nothing.
pub(super) fn launch(
    words: &str,
    people: &[PersonId],
    scope: Scope,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> Option<RecallId> {
    let room = context.room;
    let (wanted, memory) = (&step.settings.context, &step.settings.memory);
    let max_facts = match memory.enabled {
        true => memory.max_voice_facts as usize * 2,
        false => 0,
    };
    if (wanted.max_relevant_messages == 0 && max_facts == 0) || words.trim().is_empty() {
        return None;
    }
    let window = context.log.window(step.settings);
    let recall = step.counters.recall.take_next();
    let words: String = words.chars().take(RECALL_WORDS_CHARS).collect();
    let event = JournalEvent::RecallStarted {
        recall,
        query_characters: words.chars().count(),
        people: people.len(),
    };
    step.ledger.write(scope, event);
    step.ledger.want(Effect::Recall(RecallQuery {
        recall,
        room: room.clone(),
        words,
        exclude: window.iter().map(|message| message.id.clone()).collect(),
        max_messages: wanted.max_relevant_messages as usize,
        view: step.view(room, people.to_vec()),
        people: people.to_vec(),
        max_facts,
        gems_only: false,
        max_lasting: 0,
        min_confidence: 0.0,
        unjudged: false,
    }));
    let deadline = step.moment() + Span::from_seconds(wanted.recall_timeout_seconds);
    step.flights
        .expect(LookUp::Recall(recall), Owner::Voice(room.clone()), deadline);
    Some(recall)
}

#[cfg(test)]
#[path = "prepared_tests.rs"]
mod tests;
