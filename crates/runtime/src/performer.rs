//! Carries the mind's wishes out, each in a task of its own, and brings back what came of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::{Delivery, Effect, Input, RecallQuery, Recollection, ToolRun};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio_util::task::TaskTracker;
use vocabulary::{AskId, CommunityId, PersonId, RoomId, ToolResult};

use crate::asking::{AskJob, Asker};
use crate::clock::wall;
use crate::community::Parts;
use crate::handle::InForce;
use crate::live::{LiveEvent, LiveFeed};
use crate::ports::{Memory, Offering, RawResponse, Rooms, Store};

pub(crate) struct Performer {
    community: CommunityId,
    denizen: PersonId,
    store: Arc<dyn Store>,
    rooms: Arc<dyn Rooms>,
    memory: Arc<dyn Memory>,
    asker: Asker,
    live: LiveFeed,
    in_force: watch::Receiver<InForce>,
    outcomes: mpsc::Sender<Input>,
    tasks: TaskTracker,
    asks: BTreeMap<AskId, (AbortHandle, RawResponse)>,
    others: Vec<AbortHandle>,
}

impl Performer {
    pub fn new(
        parts: &Parts,
        live: LiveFeed,
        in_force: watch::Receiver<InForce>,
        outcomes: mpsc::Sender<Input>,
    ) -> Self {
        Self {
            community: parts.community.clone(),
            denizen: parts.denizen.clone(),
            store: parts.store.clone(),
            rooms: parts.rooms.clone(),
            memory: parts.memory.clone(),
            asker: Asker::new(parts, live.clone(), outcomes.clone()),
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

    /// Starts carrying one wish out.
    pub fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Send(delivery) => self.send(delivery),
            Effect::ShowTyping { room, typing } => {
                let name = self.in_force.borrow().settings.identity.name.clone();
                self.publish(LiveEvent::Typing {
                    room,
                    person: self.denizen.clone(),
                    name,
                    typing,
                });
            }
            Effect::ShowDraft { room, turn, text } => self.publish(LiveEvent::Draft { room, turn, text }),
            Effect::DropDraft { room, turn } => self.publish(LiveEvent::DraftDropped { room, turn }),
            Effect::Ask(asking) => {
                let ask = asking.ask;
                self.asks.retain(|_, (task, _)| !task.is_finished());
                let job = AskJob::new(*asking);
                let raw = job.raw();
                let task = self.tasks.spawn(self.asker.clone().run(job));
                self.asks.insert(ask, (task.abort_handle(), raw));
            }
            Effect::CancelAsk { ask } => {
                if let Some((task, raw)) = self.asks.remove(&ask).filter(|(task, _)| !task.is_finished()) {
                    task.abort();
                    let asker = self.asker.clone();
                    self.tasks
                        .spawn(async move { asker.note_cancelled(ask, &raw).await });
                }
            }
            Effect::Recall(query) => self.recall(query),
            Effect::OfferToMemory { room, text } => self.offer(room, text),
            Effect::RunTool(run) => self.run_tool(*run),
            Effect::Journal(_) => {}
        }
    }

    /// Lets go of everything under way; the mind takes it up again at the next start.
    pub fn stop(&self) {
        let asks = self.asks.values().map(|(task, _)| task);
        for task in asks.chain(&self.others) {
            task.abort();
        }
    }

    fn send(&mut self, delivery: Delivery) {
        let (rooms, outcomes) = (self.rooms.clone(), self.outcomes.clone());
        self.spawn(async move {
            let input = match rooms.deliver(&delivery).await {
                Ok(message) => Input::MessageSent {
                    delivery: delivery.id,
                    message,
                },
                Err(failure) => Input::SendFailed {
                    delivery: delivery.id,
                    detail: failure.detail,
                    retryable: failure.retryable,
                },
            };
            let _ = outcomes.send(input).await;
        });
    }

    fn recall(&mut self, query: RecallQuery) {
        let (store, outcomes) = (self.store.clone(), self.outcomes.clone());
        self.spawn(async move {
            let found = match store
                .search(&query.room, &query.words, &query.exclude, query.max_messages)
                .await
            {
                Ok(messages) => Recollection {
                    messages,
                    failure: None,
                },
                Err(error) => Recollection {
                    messages: Vec::new(),
                    failure: Some(error.to_string()),
                },
            };
            let _ = outcomes
                .send(Input::Recalled {
                    recall: query.recall,
                    found,
                })
                .await;
        });
    }

    fn offer(&mut self, room: RoomId, text: String) {
        let (memory, community) = (self.memory.clone(), self.community.clone());
        self.spawn(async move {
            memory
                .offer(Offering {
                    community,
                    room,
                    text,
                    at: wall(),
                })
                .await
        });
    }

    fn run_tool(&mut self, run: ToolRun) {
        let (store, outcomes) = (self.store.clone(), self.outcomes.clone());
        self.spawn(async move {
            let result = crate::tools::run(store.as_ref(), &run).await;
            let _ = outcomes.send(Input::ToolEnded { run: run.run, result }).await;
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

/// A tool result that says what went wrong.
pub(crate) fn tool_failed(run: &ToolRun, why: String) -> ToolResult {
    ToolResult {
        call_id: run.call.id.clone(),
        name: run.call.name.clone(),
        text: why,
        failed: true,
    }
}
