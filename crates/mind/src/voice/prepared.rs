//! What is looked up while somebody still speaks, so that their answer need not wait for it.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, PersonId, RecallId, RoomId, Span};

use crate::effect::{Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner};

/// Fewer words tell nothing.
const WORDS_MIN: usize = 3;
/// It is looked up again once so much more was said, and not sooner than this.
const GROWN_CHARS: usize = 24;
const LOOKS_EVERY: Span = Span(1_200);
/// What was found for longer ago belongs to something else.
const GOOD_FOR: Span = Span::seconds(10);
/// Words that are looked for.
const RECALL_WORDS_CHARS: usize = 600;

/// The newest look-up for somebody who speaks, or has just spoken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Prepared {
    person: Option<PersonId>,
    recall: Option<RecallId>,
    started: Moment,
    words_chars: usize,
    found: Option<Recollection>,
}

impl Prepared {
    /// Somebody goes on speaking: what fits is looked up, now and then.
    pub fn partial(&mut self, person: &PersonId, text: &str, room: &RoomId, step: &mut StepContext<'_>) {
        let chars = text.chars().count();
        let same = self.person.as_ref() == Some(person);
        let grown = !same || chars >= self.words_chars + GROWN_CHARS;
        let waits = same && step.moment().since(self.started) < LOOKS_EVERY;
        if text.split_whitespace().count() < WORDS_MIN || !grown || waits {
            return;
        }
        let Some(recall) = launch(text, std::slice::from_ref(person), Scope::room(room), room, step) else {
            return;
        };
        *self = Self {
            person: Some(person.clone()),
            recall: Some(recall),
            started: step.moment(),
            words_chars: chars,
            found: None,
        };
    }

    /// What was looked up is there, if it is the newest.
    pub fn recalled(&mut self, recall: RecallId, found: Option<Recollection>) {
        if self.recall.take_if(|newest| *newest == recall).is_some() {
            self.found = Some(found.unwrap_or_default());
        }
    }

    /// How long the newest look-up has taken.
    pub fn took(&self, now: Moment) -> Span {
        now.since(self.started)
    }

    /// What was prepared for somebody's words: found, or still on its way.
    pub fn take(
        &mut self,
        person: &PersonId,
        now: Moment,
    ) -> Option<Result<Recollection, (RecallId, Moment)>> {
        let prepared = std::mem::take(self);
        let fits = prepared.person.as_ref() == Some(person) && now.since(prepared.started) <= GOOD_FOR;
        if !fits {
            return None;
        }
        match (prepared.found, prepared.recall) {
            (Some(found), _) => Some(Ok(found)),
            (None, Some(recall)) => Some(Err((recall, prepared.started))),
            (None, None) => None,
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Looks up what fits some words, unless the settings want nothing.
pub(super) fn launch(
    words: &str,
    people: &[PersonId],
    scope: Scope,
    room: &RoomId,
    step: &mut StepContext<'_>,
) -> Option<RecallId> {
    let (wanted, memory) = (&step.settings.context, &step.settings.memory);
    let max_facts = match memory.enabled {
        true => memory.max_voice_facts as usize * 2,
        false => 0,
    };
    if (wanted.max_relevant_messages == 0 && max_facts == 0) || words.trim().is_empty() {
        return None;
    }
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
        exclude: Vec::new(),
        max_messages: wanted.max_relevant_messages as usize,
        view: step.view(room, people.to_vec()),
        people: people.to_vec(),
        max_facts,
        gems_only: false,
        max_lasting: 0,
    }));
    let deadline = step.moment() + Span::from_seconds(wanted.recall_timeout_seconds);
    step.flights
        .expect(LookUp::Recall(recall), Owner::Voice(room.clone()), deadline);
    Some(recall)
}
