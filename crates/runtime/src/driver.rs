//! The driver of one community: takes inputs in, makes them durable, steps the mind, and hands its wishes on.
//!
//! A durable input is written before it is stepped. Journal lines follow from inputs, so a crash between the two writes
//! loses nothing: the next start steps the input again and writes the same lines. Reflexes have a lane of their own.

mod changed_lately;
pub(crate) mod changes;
mod keeping;
mod looks;
mod open_deliveries;
mod reflexes;
mod remembering;
mod unstored;

use mind::memory::Listening;
use mind::{Effect, Input, JournalEntry, Mind, RoomWish, ShellEvent, Wake};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use vocabulary::{CapturedTurn, CommunityId, Now, Span};

use crate::ailments::Ailments;
use crate::clock::Clock;
use crate::handle::{Arrival, HandleQueues, InForce, NotAccepted};
use crate::lane::comes_again;
use crate::live::LiveEvent;
use crate::memory::MemoryService;
use crate::performer::Performer;
use crate::ports::{Batch, Committed, MessageChange, RecordedInput, Store, StoreError};
use changed_lately::ChangedLately;
use changes::Shown;
pub(crate) use keeping::begin_segment;
use keeping::keep_state;
use open_deliveries::OpenDeliveries;
use reflexes::Reflexes;
use remembering::Awaited;
pub(crate) use remembering::clear_away;
use unstored::{Unstored, take_in_with_waiting};

/// Inputs that may wait before a community says that it is busy.
pub(crate) const INPUTS_WAITING_MAX: usize = 1_024;
/// Inputs that share one write.
pub(crate) const BATCH_INPUTS_MAX: usize = 64;
/// Looks that are answered in a row before whatever else waits: whoever only looks holds nobody up.
const LOOKS_IN_A_ROW: usize = 16;
/// After so many inputs the mind's state is kept, so that a restart has little to step again.
const STATE_EVERY_INPUTS: u64 = 512;
/// A recording goes on in a new stretch after this, so that old ones can be let go.
const SEGMENT_LASTS: Span = Span::hours(24);

pub(crate) struct Driver {
    community: CommunityId,
    store: std::sync::Arc<dyn Store>,
    memory: Option<MemoryService>,
    mind: Mind,
    clock: Clock,
    in_force: InForce,
    performer: Performer,
    wake: Option<Wake>,
    last_input: u64,
    state_at: u64,
    segment_began: Now,
    /// The number of its first input.
    segment_first: u64,
    /// Journal lines that are decided and not on disk yet.
    unwritten: Vec<JournalEntry>,
    /// Summaries that go into memory's buffer with them.
    uncaptured: Vec<CapturedTurn>,
    /// Deliveries under way, so that a sent message can be stored with its turn and ask.
    open_deliveries: OpenDeliveries,
    reflexes: Reflexes,
    changed_lately: ChangedLately,
    unstored: Unstored,
    arriving_reflexes: mpsc::Receiver<Arrival>,
    /// What the mind has forgotten, while memory forgets it.
    forgetting: JoinSet<Awaited>,
    /// What is being cleared away because somebody wants it forgotten.
    clearing: TaskTracker,
}

impl Driver {
    #[allow(clippy::too_many_arguments, reason = "each is a part a driver is made of")]
    pub fn new(
        community: CommunityId,
        store: std::sync::Arc<dyn Store>,
        memory: Option<MemoryService>,
        mind: Mind,
        clock: Clock,
        in_force: InForce,
        performer: Performer,
        last_input: u64,
        ailments: Ailments,
    ) -> Self {
        let segment_began = clock.now();
        let changed_lately = ChangedLately::of(&community);
        Self {
            community,
            store,
            memory,
            mind,
            clock,
            in_force,
            performer,
            wake: None,
            last_input,
            state_at: last_input,
            segment_began,
            segment_first: last_input + 1,
            unwritten: Vec::new(),
            uncaptured: Vec::new(),
            open_deliveries: OpenDeliveries::default(),
            reflexes: Reflexes::default(),
            changed_lately,
            unstored: Unstored::telling(ailments),
            // None comes in before it runs.
            arriving_reflexes: mpsc::channel(1).1,
            forgetting: JoinSet::new(),
            clearing: TaskTracker::new(),
        }
    }

    /// Runs until it is asked to stop or every handle is gone. Reflexes go first, then what models and rooms answer.
    pub async fn run(mut self, queues: HandleQueues, mut outcomes: mpsc::Receiver<Input>) {
        let HandleQueues {
            inputs: mut arrivals,
            reflexes,
            looks: mut queries,
            mut orders,
        } = queues;
        self.arriving_reflexes = reflexes;
        let mut looked = 0;
        loop {
            let sleep = self.unstored.not_before_again(self.sleep_until_wake());
            let due = self.reflexes.due().map(|due| self.unstored.not_before_again(due));
            let again = self.unstored.again_at();
            let has_room = self.unstored.has_room();
            let mut batch = Vec::new();
            tokio::select! {
                biased;
                Some(reflex) = self.arriving_reflexes.recv() => {
                    self.step_reflex(reflex);
                    continue;
                }
                Some(look) = queries.recv(), if looked < LOOKS_IN_A_ROW => {
                    looks::show(&self, look);
                    looked += 1;
                    continue;
                }
                Some(order) = orders.recv() => {
                    remembering::forget(&mut self, order).await;
                    looked = 0;
                    continue;
                }
                Some(Ok(awaited)) = self.forgetting.join_next() => {
                    remembering::clear_awaited(&mut self, awaited).await;
                    looked = 0;
                    continue;
                }
                Some(input) = outcomes.recv(), if has_room => match self.step_if_reflex(input) {
                    Some(durable) => batch.push(durable),
                    None => continue,
                },
                arrival = arrivals.recv() => match arrival {
                    Some(arrival) => batch.push(arrival),
                    None => break,
                },
                () = tokio::time::sleep_until(due.unwrap_or(sleep)), if due.is_some() => {}
                () = tokio::time::sleep_until(again.unwrap_or(sleep)), if again.is_some() => {}
                () = tokio::time::sleep_until(sleep) => {
                    if !self.is_wake_reached() {
                        continue;
                    }
                    batch.push(Arrival::of(Input::Shell(ShellEvent::WakeReached)));
                }
                () = std::future::ready(()), if looked >= LOOKS_IN_A_ROW => {
                    looked = 0;
                    continue;
                }
            }
            looked = 0;
            if has_room {
                self.gather(&mut batch, &mut outcomes, &mut arrivals);
            }
            let stopping = batch
                .iter()
                .any(|arrival| arrival.input == Input::Shell(ShellEvent::ShutdownRequested));
            if let Err(error) = take_in_with_waiting(&mut self, batch).await {
                tracing::error!(community = %self.community, %error, "what happened could not be stored; it is tried again");
            }
            if stopping {
                break;
            }
        }
        self.performer.stop();
        if let Err(error) = self.write_down(Vec::new()).await {
            tracing::error!(community = %self.community, %error, "the last reflexes could not be stored");
        }
        if let Err(error) = keep_state(&mut self).await {
            tracing::error!(community = %self.community, %error, "the state could not be kept; the next start takes a little longer");
        }
        // Whoever has memory forget is done soon, or gone; what is not cleared away now the next start sees to.
        while let Some(Ok(awaited)) = self.forgetting.join_next().await {
            remembering::clear_awaited(&mut self, awaited).await;
        }
        self.clearing.close();
        self.clearing.wait().await;
    }

    /// Until the next wake, or until the clock has to be looked at again.
    fn sleep_until_wake(&self) -> Instant {
        Instant::now() + self.clock.sleep(self.wake.map(|wake| wake.at))
    }

    fn is_wake_reached(&self) -> bool {
        self.wake.is_some_and(|wake| self.clock.now().moment >= wake.at)
    }

    /// Takes in one input of our own.
    pub async fn take_in(&mut self, input: Input) -> Result<(), StoreError> {
        self.take_in_batch(vec![Arrival::of(input)]).await
    }

    async fn take_in_batch(&mut self, arrivals: Vec<Arrival>) -> Result<(), StoreError> {
        let mut inputs = Vec::with_capacity(arrivals.len());
        let mut waiting = Vec::new();
        let mut is_ours = Vec::with_capacity(arrivals.len());
        let reflexes = self.reflexes.recorded(self.last_input);
        let first = self.last_input + reflexes.len() as u64 + 1;
        {
            let mut listening = Listening::new(&self.mind);
            for (arrival, seq) in arrivals.into_iter().zip(first..) {
                is_ours.push(unstored::is_ours(&arrival));
                let mut input = self.changed_lately.as_it_stands(arrival.input);
                if !listening.keeps(&input) {
                    changes::take_words_out(&mut input);
                }
                let recorded = RecordedInput {
                    seq,
                    now: self.clock.now(),
                    stepped_before: None,
                    input,
                };
                inputs.push((recorded, arrival.settings));
                waiting.extend(arrival.accepted);
            }
        }
        let changes: Vec<MessageChange> = inputs
            .iter()
            .filter_map(|(recorded, _)| self.change_of(recorded))
            .collect();
        let shown = Shown::of(&changes);
        let captures = remembering::captures(self, &inputs);
        let captured = !captures.is_empty();
        let batch = Batch {
            inputs: inputs.iter().map(|(recorded, _)| recorded.clone()).collect(),
            changes,
            captures,
            comes_again: inputs.iter().all(|(recorded, _)| comes_again(&recorded.input)),
            ..Batch::default()
        };
        let committed = match self.write_down_with(reflexes, batch).await {
            Ok(committed) => committed,
            Err(error) => {
                let ours = inputs.into_iter().zip(is_ours).filter(|(_, is_ours)| *is_ours);
                self.unstored
                    .put_back(ours.map(|((recorded, _), _)| recorded.input));
                for accepted in waiting {
                    let _ = accepted.send(Err(NotAccepted::NotStored(error.to_string())));
                }
                return Err(error);
            }
        };
        self.unstored.moved_on();
        for (recorded, _) in &inputs {
            self.open_deliveries.arrived(&recorded.input);
        }
        if let Some(service) = self.memory.as_ref().filter(|_| captured) {
            service.intake().note_captured();
        }
        let changed = inputs
            .iter()
            .filter_map(|(recorded, _)| changes::changed_words(recorded));
        self.performer.follow_changes(changed.collect());
        self.publish_stored(shown, &committed).await;
        for accepted in waiting {
            let _ = accepted.send(Ok(()));
        }
        self.step_all(inputs).await
    }

    /// Writes reflexes that were stepped, what was decided, and durable inputs that are still to be stepped, in one write.
    async fn write_down_with(
        &mut self,
        reflexes: Vec<RecordedInput>,
        durable: Batch,
    ) -> Result<Committed, StoreError> {
        let first = durable
            .inputs
            .first()
            .map(|recorded| (recorded.seq, recorded.now));
        let (stepped, wishes) = (reflexes.len(), self.reflexes.wishes_waiting());
        let (lines, summaries) = (self.unwritten.len(), self.uncaptured.len());
        let count = (stepped + durable.inputs.len()) as u64;
        // While the disk takes nothing, what comes again is tried again like anything else.
        let comes_again = durable.comes_again && wishes == 0 && !self.unstored.is_failing();
        let batch = Batch {
            inputs: reflexes.into_iter().chain(durable.inputs).collect(),
            journal: self.unwritten.clone(),
            captures: durable
                .captures
                .into_iter()
                .chain(self.uncaptured.clone())
                .collect(),
            comes_again,
            ..durable
        };
        if batch.inputs.is_empty() && lines == 0 {
            return Ok(Committed::default());
        }
        self.reflexes.begin_write(first);
        let written = self.write(batch).await;
        self.reflexes.end_write(written.is_ok());
        let committed = written?;
        self.last_input += count;
        for wish in self.reflexes.written(stepped, wishes) {
            self.perform(wish);
        }
        if summaries > 0
            && let Some(service) = &self.memory
        {
            self.uncaptured.drain(..summaries);
            service.intake().note_captured();
        }
        for entry in self.unwritten.drain(..lines) {
            self.performer.publish(LiveEvent::Journal { entry });
        }
        Ok(committed)
    }

    /// Writes reflexes that were stepped and lines that were decided. Those that cannot be written now are written with
    /// the next ones; until then no state is kept, so that a restart decides them again.
    async fn write_down(&mut self, summaries: Vec<CapturedTurn>) -> Result<(), StoreError> {
        self.uncaptured.extend(summaries);
        let reflexes = self.reflexes.recorded(self.last_input);
        self.write_down_with(reflexes, Batch::default()).await?;
        if self.last_input - self.state_at >= STATE_EVERY_INPUTS {
            keep_state(self).await?;
        }
        Ok(())
    }

    async fn step_all(&mut self, inputs: Vec<(RecordedInput, Option<InForce>)>) -> Result<(), StoreError> {
        let mut wishes = Vec::new();
        let mut summaries = Vec::new();
        for (recorded, settings) in inputs {
            if let Some(settings) = settings {
                self.in_force = settings;
            }
            self.publish_change(&recorded.input);
            let presence = changes::presence_changed(&recorded.input);
            let step = self
                .mind
                .step(recorded.now, recorded.input, &self.in_force.settings);
            self.wake = step.wake;
            for room in changes::presence_shown(presence, &step.effects) {
                self.publish_presence(&room);
            }
            for effect in step.effects {
                match effect {
                    Effect::Journal(entry) => {
                        self.unstored.note_ears(&entry);
                        self.unwritten.push(*entry);
                    }
                    Effect::OfferToMemory {
                        room,
                        text,
                        seen_with,
                    } => summaries.extend(remembering::summary(self, &room, &text, seen_with.as_deref())),
                    wish => wishes.push(wish),
                }
            }
        }
        self.reflexes.forget_taken_back();
        let written = self.write_down(summaries).await;
        for wish in wishes {
            if !self.reflexes.is_taken_back(&wish) {
                self.perform(wish);
            }
        }
        written
    }

    fn perform(&mut self, wish: Effect) {
        if let Effect::Room(_, RoomWish::Send(delivery) | RoomWish::WriteDown { delivery, .. }) = &wish {
            self.open_deliveries.open(delivery);
        }
        self.performer.perform(wish);
    }
}
