//! The fast lane: reflexes are stepped at once and written with the next batch.
//!
//! What is performed at once is only what a reflex may do without a trace: show that Denizen is typing, fall silent.
//! Every other wish waits until the input that led to it is on disk, so that a crash never leaves a deed behind whose
//! cause nobody knows. A reflex that comes in while durable inputs are being written is stepped before them although
//! its number is greater: `stepped_before` says so, and whoever steps the inputs again heeds it.

use std::time::Duration;

use mind::memory::Listening;
use mind::{Effect, Input, RoomWish};
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::Now;

use super::changes::take_words_out;
use super::{BATCH_INPUTS_MAX, Driver};
use crate::handle::{Arrival, NotAccepted};
use crate::lane::{Lane, is_reflex_effect};
use crate::ports::{Batch, Committed, RecordedInput, StoreError};

/// A reflex that leaves nothing to be done is on disk so long after it was stepped, if nothing else is written before.
const WRITTEN_WITHIN: Duration = Duration::from_millis(250);

/// Reflexes that may wait for the disk; where there are more, storage has failed for long, and a reflex is refused.
const UNWRITTEN_MAX: usize = 1_024;

/// Reflexes that were stepped and are not on disk yet.
#[derive(Debug, Default)]
pub(super) struct Reflexes {
    stepped: Vec<Reflex>,
    /// Wishes of theirs that wait for the write; none in the place of one that was taken back meanwhile.
    wishes: Vec<Option<Effect>>,
    /// What was taken back at once while older wishes waited for the disk.
    taken_back: Vec<Effect>,
    /// When they are written at the latest.
    due: Option<Instant>,
    /// Durable inputs that are being written: the number of the first, and when they count as having come.
    being_written: Option<(u64, Now)>,
}

#[derive(Debug)]
struct Reflex {
    now: Now,
    input: Input,
    stepped_before: Option<u64>,
}

impl Reflexes {
    pub fn is_empty(&self) -> bool {
        self.stepped.is_empty()
    }

    /// When they have to be written.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// As they are recorded, with the numbers after `last`.
    pub fn recorded(&self, last: u64) -> Vec<RecordedInput> {
        let numbers = last + 1..;
        let reflexes = self.stepped.iter().zip(numbers);
        let recorded = reflexes.map(|(reflex, seq)| RecordedInput {
            seq,
            now: reflex.now,
            stepped_before: reflex.stepped_before,
            input: reflex.input.clone(),
        });
        recorded.collect()
    }

    /// The first `count` of them are on disk; the wishes that waited for that.
    pub fn written(&mut self, count: usize, wishes: usize) -> Vec<Effect> {
        self.stepped.drain(..count);
        if self.stepped.is_empty() {
            self.due = None;
        }
        self.wishes.drain(..wishes).flatten().collect()
    }

    /// Durable inputs are being written; what is stepped meanwhile is stepped before them.
    pub fn begin_write(&mut self, first: Option<(u64, Now)>) {
        self.being_written = first;
    }

    /// They are written, and stepped next; or they could not be written, and were never there.
    pub fn end_write(&mut self, is_written: bool) {
        self.being_written = None;
        if !is_written {
            for reflex in &mut self.stepped {
                reflex.stepped_before = None;
            }
        }
    }

    /// Lets go of what was taken back before: nothing older waits.
    pub fn forget_taken_back(&mut self) {
        self.taken_back.clear();
    }

    /// Whether an older wish was taken back while it waited for the disk.
    pub fn is_taken_back(&self, wish: &Effect) -> bool {
        self.taken_back.iter().any(|taken| takes_back(taken, wish))
    }

    fn take_back(&mut self, taken: &Effect) {
        if matches!(
            taken,
            Effect::CancelAsk { .. } | Effect::Room(_, RoomWish::StopSpeaking)
        ) {
            for wish in &mut self.wishes {
                wish.take_if(|wish| takes_back(taken, wish));
            }
            self.taken_back.push(taken.clone());
        }
    }

    /// A wish waits until what led to it is on disk; that is written at once, for somebody waits for it in turn.
    fn wait(&mut self, wish: Effect, now: Instant) {
        self.wishes.push(Some(wish));
        self.due = Some(now);
    }

    pub fn wishes_waiting(&self) -> usize {
        self.wishes.len()
    }
}

/// Whether one wish takes another, older one back.
fn takes_back(taken: &Effect, wish: &Effect) -> bool {
    match (taken, wish) {
        (Effect::CancelAsk { ask }, Effect::Ask(asking)) => asking.ask == *ask,
        (Effect::Room(room, RoomWish::StopSpeaking), Effect::Room(other, RoomWish::Speak { .. })) => {
            room == other
        }
        _ => false,
    }
}

impl Driver {
    /// Steps a reflex at once. Its journal lines are written with it, its wishes wait for that unless they are reflexes too.
    pub(super) fn step_reflex(&mut self, mut arrival: Arrival) {
        if !Listening::new(&self.mind).keeps(&arrival.input) {
            take_words_out(&mut arrival.input);
        }
        if self.reflexes.stepped.len() >= UNWRITTEN_MAX {
            if let Some(accepted) = arrival.accepted {
                let _ = accepted.send(Err(NotAccepted::Busy));
            }
            return;
        }
        let mut now = self.clock.now();
        let mut stepped_before = None;
        if let Some((first, came)) = self.reflexes.being_written {
            // Time does not go back for the inputs that are stepped after it.
            now = came;
            stepped_before = Some(first);
        }
        self.reflexes.stepped.push(Reflex {
            now,
            input: arrival.input.clone(),
            stepped_before,
        });
        self.reflexes
            .due
            .get_or_insert_with(|| Instant::now() + WRITTEN_WITHIN);
        let step = self.mind.step(now, arrival.input, &self.in_force.settings);
        self.wake = step.wake;
        for effect in step.effects {
            match effect {
                Effect::Journal(entry) => self.unwritten.push(*entry),
                wish if is_reflex_effect(&wish) => {
                    self.reflexes.take_back(&wish);
                    self.performer.perform(wish);
                }
                wish => self.reflexes.wait(wish, Instant::now()),
            }
        }
        if let Some(accepted) = arrival.accepted {
            // Nobody waiting any more is no error.
            let _ = accepted.send(Ok(()));
        }
    }

    /// Steps an outcome at once that is a reflex; any other goes in with a batch.
    pub(super) fn step_if_reflex(&mut self, input: Input) -> Option<Arrival> {
        let arrival = Arrival::of(input);
        match Lane::of(&arrival.input) {
            Lane::Durable => Some(arrival),
            Lane::Reflex => {
                self.step_reflex(arrival);
                None
            }
        }
    }

    /// Adds what waits to a batch, outcomes first. A reflex among them is stepped before the batch, as if it had come then.
    pub(super) fn gather(
        &mut self,
        batch: &mut Vec<Arrival>,
        outcomes: &mut mpsc::Receiver<Input>,
        arrivals: &mut mpsc::Receiver<Arrival>,
    ) {
        while batch.len() < BATCH_INPUTS_MAX {
            match outcomes.try_recv() {
                Ok(input) => batch.extend(self.step_if_reflex(input)),
                Err(_) => match arrivals.try_recv() {
                    Ok(arrival) => batch.push(arrival),
                    Err(_) => break,
                },
            }
        }
    }

    /// Writes a batch; reflexes that come in meanwhile are stepped and do not wait for the disk.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<Committed, StoreError> {
        let (store, community) = (self.store.clone(), self.community.clone());
        let writing = async move { store.commit(&community, batch).await };
        tokio::pin!(writing);
        loop {
            tokio::select! {
                biased;
                Some(reflex) = self.arriving_reflexes.recv() => self.step_reflex(reflex),
                written = &mut writing => {
                    match &written {
                        Ok(_) => self.unstored.wrote(),
                        Err(error) => self.unstored.failed(error),
                    }
                    return written;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mind::{Effect, RoomWish};
    use tokio::time::Instant;
    use vocabulary::{AskId, DeliveryId, RoomId, TurnId};

    use super::{Reflexes, WRITTEN_WITHIN};

    fn speak(room: &str) -> Effect {
        let wish = RoomWish::Speak {
            delivery: DeliveryId::new("d1"),
            turn: TurnId(1),
            sentence: "And then.".to_owned(),
            last: false,
        };
        Effect::Room(RoomId::new(room), wish)
    }

    #[test]
    fn a_wish_that_waits_for_the_disk_does_not_wait_for_its_time() {
        let now = Instant::now();
        let mut reflexes = Reflexes {
            due: Some(now + WRITTEN_WITHIN),
            ..Reflexes::default()
        };
        reflexes.wait(speak("lounge"), now);
        assert_eq!(reflexes.due(), Some(now));
    }

    #[test]
    fn a_stop_takes_back_what_still_waits_for_the_disk() {
        let mut reflexes = Reflexes {
            wishes: vec![Some(speak("lounge")), Some(speak("kitchen"))],
            ..Reflexes::default()
        };
        let stop = Effect::Room(RoomId::new("lounge"), RoomWish::StopSpeaking);
        reflexes.take_back(&stop);
        assert_eq!(reflexes.written(0, 2), [speak("kitchen")]);
        assert!(reflexes.is_taken_back(&speak("lounge")));
        assert!(!reflexes.is_taken_back(&speak("kitchen")));
        assert!(!reflexes.is_taken_back(&Effect::CancelAsk { ask: AskId(1) }));
        reflexes.forget_taken_back();
        assert!(
            !reflexes.is_taken_back(&speak("lounge")),
            "what is said later is said"
        );
    }
}
