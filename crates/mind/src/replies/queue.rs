//! The bursts of a room that wait for their turn, and who gives way when too many do.

use serde::{Deserialize, Serialize};
use settings::ActivitySettings;
use vocabulary::{MessageId, Moment, PersonId, RoomId};

use super::burst::{Burst, Trigger};
use crate::floor::Floor;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::DelayReason;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Messages that may wait in one room.
const QUEUE_MESSAGES_MAX: usize = 60;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Queue {
    bursts: Vec<Burst>,
    /// The burst at the head has been said to wait for spacing.
    delay_noted: bool,
}

impl Queue {
    pub fn is_empty(&self) -> bool {
        self.bursts.is_empty()
    }

    pub fn holds(&self, id: &MessageId) -> bool {
        self.bursts.iter().any(|burst| burst.holds(id))
    }

    /// Whether a message by `author` now would belong to a burst that waits.
    pub fn takes(&self, author: &PersonId, now: Moment, activity: &ActivitySettings) -> bool {
        self.bursts.iter().any(|burst| burst.takes(author, now, activity))
    }

    /// Every message that waits.
    pub fn message_ids(&self) -> impl Iterator<Item = &MessageId> {
        let triggers = self.bursts.iter().flat_map(|burst| &burst.triggers);
        triggers.map(|trigger| &trigger.message)
    }

    /// Puts an admitted message in line; while a turn is under way (`blocked`), its author's burst takes it at any time.
    pub fn add(
        &mut self,
        trigger: Trigger,
        blocked: bool,
        room: &RoomId,
        floor: &Floor,
        step: &mut StepContext<'_>,
    ) {
        self.make_room(room, &trigger.author, 1, step);
        let (now, activity) = (step.moment(), &step.settings.activity);
        let scope = Scope::room(room)
            .about(&trigger.message)
            .because(Some(trigger.cause));
        let joins = |burst: &Burst| {
            burst.takes(&trigger.author, now, activity)
                || ((blocked || burst.not_before > Some(now))
                    && burst.takes_while_blocked(&trigger.author, activity))
        };
        let index = match self.bursts.iter().position(joins) {
            Some(index) => {
                self.bursts[index].add(trigger, now);
                index
            }
            None => {
                self.bursts.push(Burst::new(trigger, now));
                self.bursts.len() - 1
            }
        };
        let burst = &self.bursts[index];
        let event = JournalEvent::MessageQueued {
            burst_messages: burst.triggers.len(),
            queue_length: self.messages(),
            closes_in: burst.closes_at(floor, activity).since(now),
            behind_reply: Some(blocked),
        };
        step.ledger.write(scope, event);
    }

    /// Puts a burst back in line whose answer was given up.
    pub fn put_back(&mut self, burst: Burst, room: &RoomId, step: &mut StepContext<'_>) {
        let author = burst.author.clone();
        self.bursts.insert(0, burst);
        self.make_room(room, &author, 0, step);
    }

    /// A message that waits, and whether others share its burst.
    pub fn waiting(&self, id: &MessageId) -> Option<(&Trigger, bool)> {
        self.bursts.iter().find_map(|burst| {
            let trigger = burst.triggers.iter().find(|trigger| trigger.message == *id)?;
            Some((trigger, burst.triggers.len() > 1))
        })
    }

    /// A message that waits was judged anew.
    pub fn replace(&mut self, judged: Trigger) {
        let waiting = self.bursts.iter_mut().flat_map(|burst| &mut burst.triggers);
        for trigger in waiting.filter(|trigger| trigger.message == judged.message) {
            *trigger = judged.clone();
        }
    }

    /// A message was taken back; whether nothing is left to answer of what waited.
    pub fn take_back(&mut self, id: &MessageId) -> bool {
        for burst in &mut self.bursts {
            burst.triggers.retain(|trigger| trigger.message != *id);
        }
        let waited = self.bursts.len();
        self.bursts.retain(|burst| !burst.triggers.is_empty());
        self.bursts.len() < waited
    }

    /// Everything that waits.
    pub fn take_all(&mut self) -> Vec<Burst> {
        std::mem::take(&mut self.bursts)
    }

    /// The first burst that is finished, those that are owed a reply before all others, where Denizen may speak (again)
    /// from `allowed_at` on. That it has to wait for that is told once.
    pub fn next_finished(
        &mut self,
        allowed_at: Moment,
        room: &RoomId,
        floor: &Floor,
        step: &mut StepContext<'_>,
    ) -> Option<Burst> {
        let (now, activity) = (step.moment(), &step.settings.activity);
        let is_finished = |burst: &Burst| burst.closes_at(floor, activity) <= now;
        let is_owed = |burst: &Burst| burst.is_forced() && is_finished(burst);
        let owed = self.bursts.iter().position(is_owed);
        let index = owed.or_else(|| self.bursts.iter().position(is_finished))?;
        if allowed_at <= now {
            self.delay_noted = false;
            return Some(self.bursts.remove(index));
        }
        if !self.delay_noted {
            self.delay_noted = true;
            let triggers = &self.bursts[index].triggers;
            let scope = Scope::room(room)
                .about_all(triggers.iter().map(|trigger| &trigger.message))
                .because(triggers.last().map(|trigger| trigger.cause));
            let event = JournalEvent::TurnDelayed {
                reason: DelayReason::Spacing,
                delay: allowed_at.since(now),
            };
            step.ledger.write(scope, event);
        }
        None
    }

    /// When the first burst is finished, and whether that it then has to wait was told.
    pub fn next_close(&self, floor: &Floor, activity: &ActivitySettings) -> Option<(Moment, bool)> {
        let closes = self.bursts.iter().map(|burst| burst.closes_at(floor, activity));
        Some((closes.min()?, self.delay_noted))
    }

    fn messages(&self) -> usize {
        self.bursts.iter().map(|burst| burst.triggers.len()).sum()
    }

    /// Keeps the queue bounded: the oldest message that is owed no reply goes first; then an older one of the same
    /// author, whose reply the newer one gets; else the oldest of all.
    fn make_room(
        &mut self,
        room: &RoomId,
        newest_author: &PersonId,
        coming: usize,
        step: &mut StepContext<'_>,
    ) {
        for _ in QUEUE_MESSAGES_MAX..self.messages() + coming {
            let Some(dropped) = self.drop_one(newest_author) else {
                return;
            };
            let detail = match (dropped.forced, dropped.author == *newest_author) {
                (true, true) => format!(
                    "more than {QUEUE_MESSAGES_MAX} messages wait; a newer one of its author's is answered"
                ),
                _ => format!("more than {QUEUE_MESSAGES_MAX} messages wait"),
            };
            let scope = Scope::room(room)
                .about(&dropped.message)
                .because(Some(dropped.cause));
            let reason = SkipReason::QueueFull;
            step.ledger
                .write(scope, JournalEvent::ReplySkipped { reason, detail });
        }
    }

    fn drop_one(&mut self, newest_author: &PersonId) -> Option<Trigger> {
        let first = |wanted: &dyn Fn(&Trigger) -> bool| {
            let mut bursts = self.bursts.iter().enumerate();
            bursts.find_map(|(index, burst)| Some((index, burst.triggers.iter().position(wanted)?)))
        };
        let (burst, trigger) = first(&|trigger| !trigger.forced)
            .or_else(|| first(&|trigger| trigger.author == *newest_author))
            .or_else(|| first(&|_| true))?;
        let dropped = self.bursts[burst].triggers.remove(trigger);
        self.bursts.retain(|burst| !burst.triggers.is_empty());
        Some(dropped)
    }
}
