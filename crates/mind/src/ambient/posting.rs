//! A post goes out: typing is shown, its pieces are sent one after the other, each once, and it is counted.

use vocabulary::{DeliveryId, Message, Span};

use super::feed::Candidate;
use super::links::{canonical, links_of};
use super::posts::Post;
use super::run::{Draft, Run, Stage};
use super::view::PostLink;
use super::{Ambient, Around};
use crate::effect::{Delivery, Effect};
use crate::journal::JournalEvent;
use crate::reasons::{InitiativeSkip, RunOutcome};
use crate::step_context::StepContext;
use crate::text::dispatch::split;

/// How long a room may take to confirm a piece.
const CONFIRMATION_DEADLINE: Span = Span::seconds(60);

impl Ambient {
    pub(super) fn send(
        &mut self,
        mut run: Run,
        mut draft: Draft,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        if run.trial {
            let words = format!("it would have been posted in {}", draft.room);
            return self.end(run, RunOutcome::Trial, &words, step);
        }
        // A picture may have taken a while.
        if let Some(why) = self.no_moment_to_post(&run, &draft.room, step) {
            return self.skip(run, InitiativeSkip::MomentPassed, why, Some(draft.ask), step);
        }
        if self.waits_for_quiet(&run, around, step) {
            return self.hold_draft(run, draft, step);
        }
        let target = draft.reply_to.take();
        draft.reply_to = target.filter(|id| around.rooms.get(&draft.room).is_some_and(|room| room.has(id)));
        let mut pieces = split(
            &draft.text,
            step.settings.activity.max_message_characters as usize,
        );
        if pieces.is_empty() {
            pieces.push(String::new());
        }
        let community = step.ledger.community().clone();
        let last = pieces.len() - 1;
        let delivery = |(part, text): (usize, String)| Delivery {
            id: DeliveryId::new(format!("{community}-t{}-{}", run.turn, part + 1)),
            room: draft.room.clone(),
            turn: run.turn,
            ask: draft.ask,
            text,
            reply_to: draft.reply_to.clone().filter(|_| part == 0),
            may_notify: Vec::new(),
            attachments: if part == last {
                draft.attachments.clone()
            } else {
                Vec::new()
            },
        };
        let deliveries = pieces.into_iter().enumerate().map(delivery).collect();
        step.ledger.want(Effect::ShowTyping {
            room: draft.room.clone(),
            typing: true,
        });
        run.stage = Stage::Posting {
            draft,
            deliveries,
            sent: Vec::new(),
            failures: 0,
            due: step.moment(),
            confirming: false,
        };
        self.send_piece(run, step);
    }

    fn send_piece(&mut self, mut run: Run, step: &mut StepContext<'_>) {
        if let Stage::Posting {
            deliveries,
            sent,
            due,
            confirming,
            ..
        } = &mut run.stage
        {
            let delivery = deliveries[sent.len()].clone();
            *due = step.moment() + CONFIRMATION_DEADLINE;
            *confirming = true;
            let event = JournalEvent::DeliveryStarted {
                delivery: delivery.id.clone(),
                part: sent.len() + 1,
                parts: deliveries.len(),
                characters: delivery.text.chars().count(),
            };
            run.cause = step.ledger.write(run.scope(), event);
            step.ledger.want(Effect::Send(delivery));
        }
        self.run = Some(run);
    }

    /// The piece whose turn it is has waited long enough, for its sending or for the room's word.
    pub(super) fn posting_due(&mut self, run: Run, step: &mut StepContext<'_>) {
        let Stage::Posting { confirming, .. } = &run.stage else {
            return;
        };
        if *confirming {
            self.piece_failed(run, "the room did not confirm it in time", true, step);
        } else {
            self.send_piece(run, step);
        }
    }

    /// Whether a delivery is a piece of the post under way.
    pub fn posts(&self, delivery: &DeliveryId) -> bool {
        match self.run.as_ref().map(|run| &run.stage) {
            Some(Stage::Posting { deliveries, .. }) => deliveries.iter().any(|own| own.id == *delivery),
            _ => false,
        }
    }

    pub fn message_sent(&mut self, delivery: &DeliveryId, message: &Message, step: &mut StepContext<'_>) {
        let Some(mut run) = self.run.take_if(|run| sends(run, delivery)) else {
            return;
        };
        let done = match &mut run.stage {
            Stage::Posting {
                deliveries,
                sent,
                failures,
                ..
            } => {
                sent.push(message.id.clone());
                *failures = 0;
                sent.len() == deliveries.len()
            }
            _ => true,
        };
        if done {
            self.posted(run, step);
        } else {
            self.send_piece(run, step);
        }
    }

    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) {
        if let Some(run) = self.run.take_if(|run| sends(run, delivery)) {
            self.piece_failed(run, detail, retryable, step);
        }
    }

    fn piece_failed(&mut self, mut run: Run, detail: &str, retryable: bool, step: &mut StepContext<'_>) {
        let activity = &step.settings.activity;
        let Stage::Posting {
            draft,
            deliveries,
            sent,
            failures,
            due,
            confirming,
        } = &mut run.stage
        else {
            return;
        };
        let delay =
            Span::from_seconds(activity.retry_delay_seconds * f64::from(1_u32 << (*failures).min(16)));
        *failures += 1;
        let retry_in = (retryable && *failures <= activity.max_retries).then_some(delay);
        let delivery = deliveries[sent.len()].id.clone();
        if retry_in.is_some() {
            *due = step.moment() + delay;
            *confirming = false;
        }
        let (begun, ask, room) = (!sent.is_empty(), draft.ask, draft.room.clone());
        let event = JournalEvent::DeliveryFailed {
            delivery,
            detail: detail.to_owned(),
            retry_in,
        };
        run.cause = step.ledger.write(run.scope(), event);
        match retry_in {
            Some(_) => self.run = Some(run),
            // What is in the room is a post, however it ends.
            None if begun => self.posted(run, step),
            None => {
                step.ledger.want(Effect::ShowTyping { room, typing: false });
                self.skip(run, InitiativeSkip::SendFailed, detail, Some(ask), step);
            }
        }
    }

    /// It is in the room.
    fn posted(&mut self, mut run: Run, step: &mut StepContext<'_>) {
        let Stage::Posting { draft, sent, .. } = run.stage.clone() else {
            return;
        };
        step.ledger.want(Effect::ShowTyping {
            room: draft.room.clone(),
            typing: false,
        });
        let now = step.now();
        let from = |url: &String| {
            // It was shown in its canonical form, whatever the source calls it.
            let is_it = |candidate: &&Candidate| canonical(&candidate.item.url).as_ref() == Some(url);
            let candidate = run.candidates.iter().find(is_it);
            candidate.map(|candidate| candidate.item.source.clone())
        };
        let links: Vec<PostLink> = links_of(&draft.text)
            .into_iter()
            .map(|url| PostLink {
                source: from(&url),
                url,
            })
            .collect();
        let held = if run.revisits { self.held.take() } else { None };
        let media = draft
            .media
            .as_ref()
            .filter(|_| !draft.attachments.is_empty())
            .map(|wish| wish.kind);
        let event = JournalEvent::InitiativePost {
            ask: draft.ask,
            messages: sent.clone(),
            characters: draft.text.chars().count(),
            links: links.iter().map(|link| link.url.clone()).collect(),
            media,
            reply_to: draft.reply_to.clone(),
            revisions: held.as_ref().map_or(0, |held| held.revisions),
            held_for: held
                .as_ref()
                .map_or(Span::ZERO, |held| now.moment.since(held.created)),
        };
        run.cause = step.ledger.write(run.scope().about_all(&sent), event);
        self.sources.shared(&links, now.moment);
        self.posts.add(Post {
            turn: run.turn,
            room: draft.room,
            messages: sent,
            text: draft.text,
            moment: now.moment,
            at: now.wall,
            links,
            media,
            reactions: Vec::new(),
            replies: Vec::new(),
        });
        self.end(run, RunOutcome::Posted, "it was posted", step);
    }
}

fn sends(run: &Run, delivery: &DeliveryId) -> bool {
    match &run.stage {
        Stage::Posting { deliveries, sent, .. } => deliveries
            .get(sent.len())
            .is_some_and(|open| open.id == *delivery),
        _ => false,
    }
}
