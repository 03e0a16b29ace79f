//! Carries out what the mind wants, as the director says it goes.

use mind::{Answer, Delivery, Effect, Input, RoomWish};
use vocabulary::{Span, ToolResult};

use super::{Happening, World};
use crate::director::{Director, SendReport};

impl<D: Director> World<D> {
    pub(super) fn perform(&mut self, effect: &Effect) {
        match effect {
            Effect::Room(_, RoomWish::Send(delivery)) => self.send(delivery),
            Effect::Ask(asking) => {
                let (ask, plan) = (asking.ask, self.director.ask(asking));
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
}
