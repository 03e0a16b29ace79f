//! Carries out what the mind wants, as the director says it goes; what memory is to store, keep or forget among it.

use mind::{
    Answer, Delivery, Effect, Gathering, Input, MemoryEvent, RoomEvent, RoomWish, StoredGems, StoringOutcome,
};
use vocabulary::{CapturedTurn, Forget, RoomId, Span, ToolResult};

use super::{Happening, World, talking};
use crate::director::{Director, SendReport};

/// How long a room takes to show a reaction.
const REACTION_TAKES: Span = Span(200);

impl<D: Director> World<D> {
    pub(super) fn perform(&mut self, effect: &Effect) {
        match effect {
            Effect::Room(_, RoomWish::Send(delivery)) => self.send(delivery),
            Effect::Room(room, RoomWish::React { message, emoji }) => {
                let event = match emoji.starts_with(':') {
                    true => RoomEvent::ReactionFailed {
                        message: message.clone(),
                        emoji: emoji.clone(),
                        detail: format!("there is no emoji {emoji} in this room"),
                    },
                    false => RoomEvent::ReactionChanged {
                        message: message.clone(),
                        person: self.mind.denizen().clone(),
                        emoji: emoji.clone(),
                        added: true,
                    },
                };
                self.later(REACTION_TAKES, Input::Room(room.clone(), event));
            }
            Effect::Ask(asking) => {
                let (ask, mut plan) = (asking.ask, self.director.ask(asking));
                if let Some(delivery) = &asking.aloud {
                    talking::answer_natively(self, asking, delivery, &mut plan);
                }
                if plan.ignores_cancel {
                    self.stubborn.insert(ask);
                }
                for (after, text) in plan.pieces {
                    self.later(after, Input::Answer(Answer::AskProgressed { ask, text }));
                }
                for (after, outcome) in plan.ends {
                    self.later(after, Input::Answer(Answer::AskEnded { ask, outcome }));
                }
            }
            Effect::CancelAsk { ask } => {
                if !self.stubborn.contains(ask) {
                    self.cancelled.insert(*ask);
                }
                talking::stop_native(self, *ask);
            }
            Effect::Recall(query) => {
                let recall = query.recall;
                if let Some((after, found)) = self.director.recall(query, &self.platform) {
                    self.later(after, Input::Answer(Answer::Recalled { recall, found }));
                }
            }
            Effect::RunTool(tool) => {
                if let Some((after, text, failed)) = self.director.tool(tool) {
                    let result = ToolResult {
                        call_id: tool.call.id.clone(),
                        name: tool.call.name.clone(),
                        text,
                        failed,
                    };
                    self.later(
                        after,
                        Input::Answer(Answer::ToolEnded {
                            run: tool.run,
                            result,
                        }),
                    );
                }
            }
            Effect::StoreGems(gathering) => self.store_gems(gathering),
            Effect::Forget { what, asked_in } => self.forget(what, asked_in),
            Effect::OfferToMemory {
                room,
                text,
                seen_with,
            } => self.keep_summary(room, text, seen_with.as_deref()),
            Effect::GatherSurroundings(gather) => {
                for (after, found) in self.director.gather(gather) {
                    let gather = gather.gather;
                    self.later(
                        after,
                        Input::Answer(Answer::SurroundingsGathered { gather, found }),
                    );
                }
            }
            Effect::MakeMedia(order) => {
                for (after, outcome) in self.director.make(order) {
                    let media = order.media;
                    self.later(after, Input::Answer(Answer::MediaEnded { media, outcome }));
                }
            }
            Effect::Room(room, RoomWish::WatchScreen { share }) => self.screens.watch(room, share),
            Effect::Room(room, RoomWish::UnwatchScreen) => self.screens.unwatch(room),
            Effect::Room(_, RoomWish::WriteDown { delivery, at }) => talking::write_down(self, delivery, *at),
            Effect::Room(
                room,
                wish @ (RoomWish::JoinVoice
                | RoomWish::LeaveVoice
                | RoomWish::Speak { .. }
                | RoomWish::StopSpeaking
                | RoomWish::Listen { .. }
                | RoomWish::PlaySound { .. }
                | RoomWish::InstructService { .. }
                | RoomWish::TellService { .. }),
            ) => talking::voice_wish(self, room, wish),
            Effect::Room(_, RoomWish::ShowTyping { .. })
            | Effect::Room(_, RoomWish::ShowDraft { .. })
            | Effect::Room(_, RoomWish::DropDraft { .. })
            | Effect::Journal(_) => {}
        }
    }

    fn send(&mut self, delivery: &Delivery) {
        let plan = self.director.send(delivery);
        let (now, life) = (self.now, self.life);
        if let Some(after) = plan.lands {
            let landing = Happening::Landing(life, Box::new(delivery.clone()), plan.survives_crash);
            self.agenda.plan(now + after, landing);
        }
        if let Some(after) = plan.echoed {
            self.agenda
                .plan(now + after, Happening::Echoed(life, delivery.id.clone()));
        }
        match plan.report {
            SendReport::Sent => self.agenda.plan(
                now + plan.reported,
                Happening::Confirmed(life, delivery.id.clone()),
            ),
            SendReport::Nothing => {}
            SendReport::Failed { retryable } => self.later(
                plan.reported,
                Input::Answer(Answer::SendFailed {
                    delivery: delivery.id.clone(),
                    detail: "the room did not take it".to_owned(),
                    retryable,
                }),
            ),
        }
    }

    pub(super) fn later(&mut self, after: Span, input: Input) {
        self.agenda
            .plan(self.now + after, Happening::Outcome(self.life, input));
    }

    fn store_gems(&mut self, gathering: &Gathering) {
        let plan = self.director.store(gathering);
        let stored = if plan.lands {
            self.trace.memory.store(gathering)
        } else {
            StoredGems::default()
        };
        let outcome = match plan.report {
            None => return,
            Some(true) => StoringOutcome::Stored(stored),
            Some(false) => StoringOutcome::Failed {
                detail: "the store is locked".to_owned(),
            },
        };
        let extraction = gathering.extraction;
        self.later(
            plan.after,
            Input::Answer(Answer::GemsStored { extraction, outcome }),
        );
    }

    /// The mind hears of a captured turn a moment after it is on disk.
    pub(super) fn tell_of(&mut self, turn: Option<CapturedTurn>) {
        if let Some(turn) = turn {
            self.later(
                Span::ZERO,
                Input::Memory(MemoryEvent::TurnsBuffered { turns: vec![turn] }),
            );
        }
    }

    fn forget(&mut self, what: &Forget, asked_in: &RoomId) {
        let forgotten = self.trace.memory.forget(what, asked_in);
        self.later(
            Span::ZERO,
            Input::Memory(MemoryEvent::Forgotten(Box::new(forgotten))),
        );
    }

    fn keep_summary(&mut self, room: &RoomId, text: &str, seen_with: Option<&str>) {
        let (settings, at) = (self.settings.clone(), self.wall());
        let turn = self
            .trace
            .memory
            .capture_summary(&self.mind, room, text, seen_with, &settings, at);
        self.tell_of(turn);
    }
}
