//! Carries the mind's wishes out, each in a task of its own, and brings back what came of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mind::{
    Answer, Delivery, Effect, Forgotten, Gather, Gathering, Input, MemoryEvent, RecallQuery, RoomEvent,
    RoomWish, StoringOutcome, ToolRun,
};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use vocabulary::{
    AskId, AskPurpose, CommunityId, Forget, MediaOrder, MessageId, PersonId, RoomId, Span, ToolResult,
    WallTime,
};

use crate::ailments::Ailments;
use crate::asking::{AskJob, Asker};
use crate::community::Parts;
use crate::following::{Changes, Follower};
use crate::forgetting::forget_in_room;
use crate::handle::{ForgetOrder, InForce};
use crate::live::{LiveEvent, LiveFeed};
use crate::memory::MemoryService;
use crate::outbound;
use crate::ports::{OutboundServices, RawResponse, Rooms, Store};
use crate::recalling::{FoundBy, look_up};
use crate::reply_model::ReplyModelTold;
use crate::screens::Screens;
use crate::voice::VoiceFloor;

/// The mind counts from a step, the shell from when it carries the step out.
const CLOCKS_APART: Duration = Duration::from_millis(500);

/// A question to a model that is being asked.
struct AskUnderWay {
    task: AbortHandle,
    raw: RawResponse,
    /// What it is for, and how long it has.
    patience: (AskPurpose, Span),
    since: Instant,
}

pub(crate) struct Performer {
    community: CommunityId,
    denizen: PersonId,
    store: Arc<dyn Store>,
    rooms: Arc<dyn Rooms>,
    memory: Option<MemoryService>,
    follower: Option<Follower>,
    screens: Screens,
    outbound: OutboundServices,
    forgetting: mpsc::Sender<ForgetOrder>,
    asker: Asker,
    voice: VoiceFloor,
    live: LiveFeed,
    in_force: watch::Receiver<InForce>,
    outcomes: mpsc::Sender<Input>,
    tasks: TaskTracker,
    asks: BTreeMap<AskId, AskUnderWay>,
    others: Vec<AbortHandle>,
}

impl Performer {
    #[allow(clippy::too_many_arguments, reason = "each is a part a performer is made of")]
    pub fn new(
        parts: &Parts,
        screens: Screens,
        voice: VoiceFloor,
        live: LiveFeed,
        in_force: watch::Receiver<InForce>,
        outcomes: mpsc::Sender<Input>,
        forgetting: mpsc::Sender<ForgetOrder>,
        ailments: Ailments,
        reply_model: ReplyModelTold,
    ) -> Self {
        Self {
            community: parts.community.clone(),
            denizen: parts.denizen.clone(),
            store: parts.store.clone(),
            rooms: parts.rooms.clone(),
            memory: parts.memory.clone(),
            follower: parts
                .memory
                .clone()
                .map(|service| Follower::begin(service, parts.community.clone(), in_force.clone())),
            asker: Asker::new(
                parts,
                screens.clone(),
                live.clone(),
                in_force.clone(),
                outcomes.clone(),
                ailments,
                reply_model,
            ),
            screens,
            voice,
            outbound: parts.outbound.clone(),
            forgetting,
            live,
            in_force,
            outcomes,
            tasks: TaskTracker::new(),
            asks: BTreeMap::new(),
            others: Vec::new(),
        }
    }

    pub fn publish(&self, event: LiveEvent) {
        self.live.publish(event);
    }

    pub fn rooms(&self) -> &Arc<dyn Rooms> {
        &self.rooms
    }

    /// What pages are told.
    pub fn live(&self) -> &LiveFeed {
        &self.live
    }

    /// Has memory follow changes of messages that it may have: how each stands, none if it was taken back.
    pub fn follow_changes(&self, changes: Changes) {
        if let Some(follower) = &self.follower {
            follower.follow(changes);
        }
    }

    /// Starts carrying one wish out.
    pub fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Room(_, RoomWish::Send(delivery)) => self.send(delivery),
            Effect::Room(room, RoomWish::React { message, emoji }) => self.react(room, message, emoji),
            Effect::Room(room, RoomWish::ShowTyping { typing }) => self.rooms.show_typing(&room, typing),
            Effect::Room(room, RoomWish::ShowDraft { turn, text }) => {
                self.rooms.show_draft(&room, turn, &text);
            }
            Effect::Room(room, RoomWish::DropDraft { turn }) => self.rooms.drop_draft(&room, turn),
            Effect::Ask(asking) => {
                let ask = asking.ask;
                self.asks.retain(|_, under_way| !under_way.task.is_finished());
                let aloud = asking.aloud.is_some().then(|| self.voice.native(&asking.room));
                let job = AskJob::new(*asking);
                let (raw, patience, since) = (job.raw(), job.patience(), Instant::now());
                let asker = self.asker.clone();
                let task = match aloud {
                    Some(native) => self.tasks.spawn(asker.run_aloud(job, native)),
                    None => self.tasks.spawn(asker.run(job)),
                };
                let task = task.abort_handle();
                let under_way = AskUnderWay {
                    task,
                    raw,
                    patience,
                    since,
                };
                self.asks.insert(ask, under_way);
            }
            Effect::CancelAsk { ask } => {
                let under_way = self.asks.remove(&ask);
                if let Some(given_up) = under_way.filter(|under_way| !under_way.task.is_finished()) {
                    given_up.task.abort();
                    let (asker, (purpose, deadline)) = (self.asker.clone(), given_up.patience);
                    if given_up.since.elapsed() + CLOCKS_APART >= Duration::from_millis(deadline.0) {
                        asker.note_overdue(purpose, deadline);
                    }
                    let raw = given_up.raw;
                    self.tasks
                        .spawn(async move { asker.note_cancelled(ask, &raw).await });
                }
            }
            Effect::Recall(query) => self.recall(query),
            Effect::StoreGems(gathering) => self.store_gems(*gathering),
            Effect::Forget { what, asked_in } => self.forget(what, asked_in),
            // The driver captures it in the write of its journal line.
            Effect::OfferToMemory { .. } => {}
            Effect::Room(_, RoomWish::WriteDown { delivery, at }) => self.write_down(delivery, at),
            Effect::Room(
                room,
                wish @ (RoomWish::JoinVoice
                | RoomWish::LeaveVoice
                | RoomWish::Speak { .. }
                | RoomWish::StopSpeaking
                | RoomWish::Listen { .. }
                | RoomWish::InstructService { .. }
                | RoomWish::TellService { .. }
                | RoomWish::PlaySound { .. }),
            ) => self.voice.perform(&room, wish),
            Effect::Room(room, RoomWish::WatchScreen { share }) => self.screens.watch(&room, &share),
            Effect::Room(room, RoomWish::UnwatchScreen) => self.screens.unwatch(&room),
            Effect::GatherSurroundings(gather) => self.gather(*gather),
            Effect::MakeMedia(order) => self.make(order),
            Effect::RunTool(run) => self.run_tool(*run),
            Effect::Journal(_) => {}
        }
    }

    /// Lets go of everything under way; the mind takes it up again at the next start.
    pub fn stop(&self) {
        self.voice.stop();
        let asks = self.asks.values().map(|under_way| &under_way.task);
        for task in asks.chain(&self.others) {
            task.abort();
        }
        let unfollowed = self.follower.as_ref().map_or(0, Follower::unfollowed);
        if unfollowed > 0 {
            tracing::warn!(community = %self.community, messages = unfollowed, "memory has not followed edited or deleted messages yet; the next start tries again, if it comes soon");
        }
    }

    fn send(&mut self, delivery: Delivery) {
        let (rooms, outcomes) = (self.rooms.clone(), self.outcomes.clone());
        self.spawn(async move {
            let input = match rooms.deliver(&delivery).await {
                Ok(message) => Input::Answer(Answer::MessageSent {
                    delivery: delivery.id,
                    message,
                }),
                Err(failure) => Input::Answer(Answer::SendFailed {
                    delivery: delivery.id,
                    detail: failure.detail,
                    retryable: failure.retryable,
                }),
            };
            let _ = outcomes.send(input).await;
        });
    }

    /// A reaction of its own is stored and shown as everybody's are.
    fn react(&mut self, room: RoomId, message: MessageId, emoji: String) {
        let (rooms, outcomes, person) = (self.rooms.clone(), self.outcomes.clone(), self.denizen.clone());
        self.spawn(async move {
            let event = match rooms.react(&room, &message, &emoji).await {
                Ok(()) => RoomEvent::ReactionChanged {
                    message,
                    person,
                    emoji,
                    added: true,
                },
                Err(failure) => RoomEvent::ReactionFailed {
                    message,
                    emoji,
                    detail: failure.detail,
                },
            };
            let _ = outcomes.send(Input::Room(room, event)).await;
        });
    }

    /// What was said aloud stands among the messages; no room has to take it.
    fn write_down(&mut self, delivery: Delivery, at: WallTime) {
        let name = self.in_force.borrow().settings.identity.name.clone();
        let message = delivery.as_message(self.denizen.clone(), &name, at);
        self.tell(Input::Answer(Answer::MessageSent {
            delivery: delivery.id,
            message,
        }));
    }

    fn tell(&mut self, input: Input) {
        let outcomes = self.outcomes.clone();
        self.spawn(async move {
            let _ = outcomes.send(input).await;
        });
    }

    fn recall(&mut self, query: RecallQuery) {
        let (store, memory, outcomes) = (self.store.clone(), self.memory.clone(), self.outcomes.clone());
        let community = self.community.clone();
        self.spawn(async move {
            let by = FoundBy::WordsAndMeaning;
            let found = look_up(store.as_ref(), memory.as_ref(), &community, &query, by).await;
            let recall = query.recall;
            let _ = outcomes
                .send(Input::Answer(Answer::Recalled { recall, found }))
                .await;
        });
    }

    fn store_gems(&mut self, gathering: Gathering) {
        let (memory, outcomes) = (self.memory.clone(), self.outcomes.clone());
        self.spawn(async move {
            let outcome = match &memory {
                None => StoringOutcome::Failed {
                    detail: "there is no memory; the log says why it could not be opened".to_owned(),
                },
                Some(service) => match service.intake().store(&gathering).await {
                    Ok(stored) => StoringOutcome::Stored(stored),
                    Err(fault) => StoringOutcome::Failed {
                        detail: fault.to_string(),
                    },
                },
            };
            let extraction = gathering.extraction;
            let _ = outcomes
                .send(Input::Answer(Answer::GemsStored { extraction, outcome }))
                .await;
        });
    }

    fn forget(&mut self, what: Forget, asked_in: RoomId) {
        let (memory, outcomes, forgetting) = (
            self.memory.clone(),
            self.outcomes.clone(),
            self.forgetting.clone(),
        );
        self.spawn(async move {
            let forgotten = forget_in_room(memory.as_ref(), &forgetting, &what, asked_in.clone()).await;
            if let Err(failure) = forgotten {
                let forgotten = Forgotten {
                    // It is not all gone, so it is not said which is.
                    what: Forget::Turns(Vec::new()),
                    names: Vec::new(),
                    texts: Vec::new(),
                    turn_ids: Vec::new(),
                    gems: 0,
                    turns: 0,
                    asked_in: Some(asked_in),
                    failure: Some(failure),
                };
                let _ = outcomes
                    .send(Input::Memory(MemoryEvent::Forgotten(Box::new(forgotten))))
                    .await;
            }
        });
    }

    fn gather(&mut self, gather: Gather) {
        let (outbound, outcomes) = (self.outbound.clone(), self.outcomes.clone());
        let settings = self.in_force.borrow().settings.clone();
        self.spawn(async move {
            let _ = outcomes
                .send(outbound::gather(&outbound, &gather, &settings).await)
                .await;
        });
    }

    fn make(&mut self, order: MediaOrder) {
        let (outbound, store, outcomes) = (self.outbound.clone(), self.store.clone(), self.outcomes.clone());
        let (community, settings) = (self.community.clone(), self.in_force.borrow().settings.clone());
        self.spawn(async move {
            let ended = outbound::make(&outbound, store.as_ref(), &community, &order, &settings).await;
            let _ = outcomes.send(ended).await;
        });
    }

    fn run_tool(&mut self, run: ToolRun) {
        let (store, memory, outcomes) = (self.store.clone(), self.memory.clone(), self.outcomes.clone());
        let (outbound, settings) = (self.outbound.clone(), self.in_force.borrow().settings.clone());
        let community = self.community.clone();
        self.spawn(async move {
            let within = crate::tools::Within {
                community: &community,
                store: store.as_ref(),
                memory: memory.as_ref(),
                outbound: &outbound,
                settings: &settings,
            };
            let result = crate::tools::run(&within, &run).await;
            let _ = outcomes
                .send(Input::Answer(Answer::ToolEnded { run: run.run, result }))
                .await;
        });
    }

    fn spawn(&mut self, work: impl Future<Output = ()> + Send + 'static) {
        self.others.retain(|task| !task.is_finished());
        self.others.push(self.tasks.spawn(work).abort_handle());
    }
}

impl std::fmt::Debug for Performer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Performer")
            .field("community", &self.community)
            .finish_non_exhaustive()
    }
}

/// A tool result: what it gave, or what went wrong.
pub(crate) fn tool_ended(run: &ToolRun, gave: Result<String, String>) -> ToolResult {
    let failed = gave.is_err();
    ToolResult {
        call_id: run.call.id.clone(),
        name: run.call.name.clone(),
        text: gave.unwrap_or_else(|why| why),
        failed,
    }
}

/// A tool result that says what went wrong.
pub(crate) fn tool_failed(run: &ToolRun, why: String) -> ToolResult {
    tool_ended(run, Err(why))
}
