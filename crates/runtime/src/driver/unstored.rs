//! While the disk takes nothing: outcomes of our own wait in memory, in their order, and are tried again soon.
//!
//! People who say something meanwhile are told that it could not be stored, and say it again. Nobody can ask a model or
//! a room to answer again, so what those brought back is kept until it is on disk. What waits is bounded: once it is
//! full, outcomes stay with whoever brings them.

use std::collections::VecDeque;
use std::time::Duration;

use mind::{Input, JournalEntry, JournalEvent, ShellEvent};
use tokio::time::Instant;

use super::Driver;
use crate::ailments::Ailments;
use crate::handle::Arrival;
use crate::ports::StoreError;

/// Outcomes that wait here; more wait where they come from.
const WAITING_MAX: usize = 64;
/// The first try after a failure, and the longest that is waited for a later one.
const AGAIN_AFTER: Duration = Duration::from_millis(100);
const AGAIN_AFTER_MAX: Duration = Duration::from_secs(2);
/// An outcome that was tried so often by itself, while other writes succeed, can never be stored.
const HOPELESS_AFTER: u32 = 60;

/// What could not be stored, and when it is tried again.
#[derive(Debug, Default)]
pub(super) struct Unstored {
    waiting: VecDeque<Input>,
    /// Writes that failed one after the other.
    failures: u32,
    /// How often the first that waits was tried.
    tries_of_first: u32,
    again_at: Option<Instant>,
    ailments: Ailments,
}

impl Unstored {
    /// A line says that ears fail again and again, or hear again: whoever looks after Denizen is told.
    pub fn note_ears(&self, entry: &JournalEntry) {
        let room = entry.scope.room.as_ref();
        if let (JournalEvent::VoiceEarsChanged { failing, detail }, Some(room)) = (&entry.event, room) {
            self.ailments
                .set_ears(room.as_str(), failing.then(|| detail.clone()));
        }
        if let (JournalEvent::VoiceSessionEnded { .. }, Some(room)) = (&entry.event, room) {
            self.ailments.set_ears(room.as_str(), None);
        }
    }

    pub fn telling(ailments: Ailments) -> Self {
        Self {
            ailments,
            ..Self::default()
        }
    }

    /// When it is tried again; none while writes succeed.
    pub fn again_at(&self) -> Option<Instant> {
        self.again_at
    }

    /// Whether the last write failed.
    pub fn is_failing(&self) -> bool {
        self.failures > 0
    }

    /// Timers that would write something wait for the next try.
    pub fn not_before_again(&self, at: Instant) -> Instant {
        self.again_at.map_or(at, |again| again.max(at))
    }

    /// Whether another outcome may wait here.
    pub fn has_room(&self) -> bool {
        self.waiting.len() < WAITING_MAX
    }

    /// What is to be written next: what waits goes first, then what came. Once a try has failed they go one by one, so
    /// that one that cannot be stored is found out; what came after them waits with them.
    fn next_batch(&mut self, came: Vec<Arrival>) -> Vec<Arrival> {
        if self.waiting.is_empty() {
            return came;
        }
        let (ours, theirs): (Vec<_>, Vec<_>) = came.into_iter().partition(is_ours);
        let ours = ours.into_iter().map(|arrival| arrival.input);
        self.waiting.extend(ours.filter(is_kept));
        let most = if self.tries_of_first > 1 { 1 } else { WAITING_MAX };
        let some = most.min(self.waiting.len());
        self.waiting
            .drain(..some)
            .map(Arrival::of)
            .chain(theirs)
            .collect()
    }

    /// Inputs of our own that were not written wait, before what waits already.
    pub fn put_back(&mut self, inputs: impl DoubleEndedIterator<Item = Input>) {
        for input in inputs.filter(is_kept).rev() {
            self.waiting.push_front(input);
        }
        self.tries_of_first = self.tries_of_first.saturating_add(1);
    }

    /// Inputs were written, so that another is the first that waits.
    pub fn moved_on(&mut self) {
        self.tries_of_first = 0;
    }

    /// A write succeeded. What still waits goes with the next one, at once.
    pub fn wrote(&mut self) {
        if self.failures > 0 {
            tracing::info!(tries = self.failures, "the disk takes writes again");
            self.ailments.set_storage(None);
        }
        self.failures = 0;
        self.again_at = (!self.waiting.is_empty()).then(Instant::now);
    }

    /// A write failed: it is tried again, later each time.
    pub fn failed(&mut self, error: &StoreError) {
        let tries = self.failures.max(self.tries_of_first).min(10);
        let wait = AGAIN_AFTER.saturating_mul(1 << tries).min(AGAIN_AFTER_MAX);
        self.failures = self.failures.saturating_add(1);
        self.again_at = Some(Instant::now() + wait);
        self.ailments.set_storage(Some(format!(
            "nothing can be stored: {error}. Messages are refused meanwhile, and it is tried again every {} seconds",
            AGAIN_AFTER_MAX.as_secs()
        )));
    }
}

/// Whether an input is of our own, so that nobody is told when it is not stored.
pub(super) fn is_ours(arrival: &Arrival) -> bool {
    arrival.accepted.is_none()
}

/// A wake comes by itself, as long as its time has come.
fn is_kept(input: &Input) -> bool {
    *input != Input::Shell(ShellEvent::WakeReached)
}

/// Takes in what waits, and then what came. Where nothing is left to be written after a failure, a state is, to see
/// whether the disk is back.
pub(super) async fn take_in_with_waiting(driver: &mut Driver, came: Vec<Arrival>) -> Result<(), StoreError> {
    let is_try_again = driver.unstored.again_at.is_some();
    let batch = driver.unstored.next_batch(came);
    let has_more = !driver.unwritten.is_empty() || !driver.reflexes.is_empty();
    if batch.is_empty() && !has_more && is_try_again {
        return super::keep_state(driver).await;
    }
    let taken_in = driver.take_in_batch(batch).await;
    if taken_in.is_err() && driver.unstored.tries_of_first >= HOPELESS_AFTER {
        give_up_the_first(driver).await;
    }
    taken_in
}

/// Lets an outcome go that cannot be stored although others can.
async fn give_up_the_first(driver: &mut Driver) {
    if !driver.unwritten.is_empty() || !driver.reflexes.is_empty() {
        return;
    }
    if super::keep_state(driver).await.is_ok()
        && let Some(hopeless) = driver.unstored.waiting.pop_front()
    {
        driver.unstored.moved_on();
        tracing::error!(community = %driver.community, outcome = kind(&hopeless), "an outcome can never be stored, and was let go");
    }
}

/// What an input is called, without anybody's words.
fn kind(input: &Input) -> &'static str {
    match input {
        Input::Room(..) => "of a room",
        Input::Answer(_) => "an answer",
        Input::Memory(_) => "of memory",
        Input::Operator(_) => "of the operator",
        Input::Shell(_) => "of the shell",
    }
}

#[cfg(test)]
#[path = "unstored_tests.rs"]
mod tests;
