//! What becomes of an answer: posted now, held for later, or dropped.

use vocabulary::{AskId, ModelAnswer, RoomId};

use super::links::{keep_links, links_of};
use super::reading::{ThoughtAction, ThoughtReading, read_thought};
use super::run::{Draft, Run};
use super::thought::{Refined, settle};
use super::ticking::gap;
use super::view::Revision;
use super::{Ambient, Around, pool};
use crate::journal::JournalEvent;
use crate::reasons::InitiativeSkip;
use crate::step_context::StepContext;
use crate::text::dispatch::inert_mentions;

impl Ambient {
    pub(super) fn decide(
        &mut self,
        mut run: Run,
        ask: AskId,
        answer: &ModelAnswer,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let reading = read_thought(&answer.text, &step.settings.identity.name);
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask,
                what: what.to_owned(),
            };
            run.cause = step.ledger.write(run.scope(), event);
        }
        // The settings may have changed while it thought.
        if let Some(why) = self.switched_off(&run, step) {
            return self.skip(run, InitiativeSkip::MomentPassed, why, Some(ask), step);
        }
        run.pool = pool::eligible(step.settings);
        let before = self.held.as_ref().filter(|_| run.revisits).map(|held| &held.room);
        let room = pool::meant(&reading.channel, before, &run.pool).cloned();
        let revision = Revision {
            at: step.now().wall,
            ask,
            action: reading.action,
            text: reading.text.clone(),
            room: room.clone(),
            media: reading.media.clone(),
            reason: reading.reason.clone(),
        };
        let words = format!("{}: {}", reading.action.name(), reading.reason);
        run.step(step.now().wall, "decided", words, Some(ask));
        run.decision = Some(revision.clone());
        let room = match (reading.action, room) {
            (ThoughtAction::Drop, _) => {
                return self.skip(run, InitiativeSkip::Dropped, &reading.reason, Some(ask), step);
            }
            (_, None) => {
                let detail = match reading.channel.as_str() {
                    "" => "it named none, and there are several".to_owned(),
                    named => format!("“{named}”"),
                };
                return self.skip(run, InitiativeSkip::InvalidChannel, &detail, Some(ask), step);
            }
            (_, Some(room)) => room,
        };
        match reading.action {
            ThoughtAction::PostNow => self.post_now(run, reading, room, ask, around, step),
            ThoughtAction::Hold | ThoughtAction::Drop => {
                let refined = Refined {
                    text: reading.text,
                    room,
                    media: reading.media,
                    reason: reading.reason,
                    revision,
                };
                self.hold(run, refined, step);
            }
        }
    }

    pub(super) fn hold(&mut self, run: Run, refined: Refined, step: &mut StepContext<'_>) {
        let (ask, reason) = (refined.revision.ask, refined.reason.clone());
        if !run.trial {
            let now = step.now();
            let before = self.held.take().filter(|_| run.revisits);
            self.held = Some(settle(before, refined, now.moment, now.wall, gap(step.settings)));
        }
        self.skip(run, InitiativeSkip::Held, &reason, Some(ask), step);
    }

    fn post_now(
        &mut self,
        mut run: Run,
        reading: ThoughtReading,
        room: RoomId,
        ask: AskId,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let settings = step.settings;
        let now = step.moment();
        let text = inert_mentions(&reading.text, None);
        let text = keep_links(&text, settings.discovery.max_links_per_post as usize);
        let refusal = if self.posts.said_before(&text) && !text.is_empty() {
            Some(InitiativeSkip::RepeatsItself)
        } else {
            let shared = self.sources.shared_lately(settings, now);
            let again = links_of(&text).iter().any(|link| shared.contains(link));
            again.then_some(InitiativeSkip::SharedBefore)
        };
        run.post = Some(text.clone());
        if let Some(reason) = refusal {
            return self.skip(run, reason, "", Some(ask), step);
        }
        // The message it answers may be gone by now.
        let reply_to = reading.reply_to.as_ref().and_then(|handle| {
            let (_, place, id) = run.handles.iter().find(|(known, ..)| known == handle)?;
            let there = around.rooms.get(&room)?.has(id);
            (*place == room && there).then(|| id.clone())
        });
        let draft = Draft {
            ask,
            room,
            text,
            reply_to,
            media: reading.media,
            attachments: Vec::new(),
        };
        if self.waits_for_quiet(&run, around, step) {
            return self.hold_draft(run, draft, step);
        }
        self.picture(run, draft, around, step);
    }
}
