//! What becomes of an answer: posted now, with its picture where one can be had, held for later, or dropped.

use gist::links::{keep_links, links_of};
use vocabulary::{AskId, MediaId, MediaKind, MediaOutcome, ModelAnswer, Moment, RoomId, Span};

use super::moment::{has_to_wait, passed_for_posting, switched_off};
use super::pool;
use super::posting::Draft;
use super::reading::{ThoughtAction, ThoughtReading, read_thought};
use super::rooms::may_answer;
use super::run::{Next, Run, RunContext, Stage};
use super::thought::Refined;
use super::view::{Revision, RunStepKind};
use crate::journal::JournalEvent;
use crate::media::MediaUse;
use crate::mentions::inert_mentions;
use crate::reasons::{InitiativeSkip, RunOutcome};
use crate::reply::whole_words;
use crate::step_context::StepContext;
use crate::step_context::flight::Owner;
use crate::step_context::making::{Commission, Making, failed};

impl Run {
    pub fn decide(
        &mut self,
        ask: AskId,
        answer: &ModelAnswer,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let reading = read_thought(whole_words(answer), &step.settings.identity.name);
        if let Some(what) = reading.repaired {
            let what = what.to_owned();
            self.write(JournalEvent::AnswerRepaired { ask, what }, step);
        }
        // The settings may have changed while it thought.
        if let Some(passed) = switched_off(self, step) {
            return Next::passed(passed, Some(ask));
        }
        let mut names = pool::names(step.settings, context.rooms);
        names.retain(|named| pool::may_be_told(&named.room, &self.pool, context.rooms));
        self.pool = names.iter().map(|named| named.room.clone()).collect();
        let before = context.held.filter(|_| self.revisits).map(|held| &held.room);
        let room = pool::meant(&reading.channel, before, &names).cloned();
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
        self.told(RunStepKind::Decided, words, Some(ask), step);
        self.decision = Some(revision.clone());
        match (reading.action, room) {
            (ThoughtAction::Drop, _) if !reading.is_understood => {
                Next::skip(InitiativeSkip::Unreadable, reading.reason, Some(ask))
            }
            (ThoughtAction::Drop, _) => Next::skip(InitiativeSkip::Dropped, reading.reason, Some(ask)),
            (_, None) => {
                let detail = match reading.channel.as_str() {
                    "" => "it named none, and there are several".to_owned(),
                    named => format!("“{named}”"),
                };
                Next::skip(InitiativeSkip::InvalidChannel, detail, Some(ask))
            }
            (ThoughtAction::PostNow, Some(room)) => self.post_now(reading, room, ask, context, step),
            (ThoughtAction::Hold, Some(room)) => Next::Hold(Refined {
                text: reading.text,
                room,
                media: reading.media,
                reason: reading.reason,
                revision,
            }),
        }
    }

    fn post_now(
        &mut self,
        reading: ThoughtReading,
        room: RoomId,
        ask: AskId,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let settings = step.settings;
        // What is shown, counted and compared is what will stand in the room.
        let text = inert_mentions(&reading.text, None);
        let text = keep_links(&text, settings.discovery.max_links_per_post as usize);
        self.post = Some(text.clone());
        if context.books.posts.said_before(&text) && !text.is_empty() {
            return Next::skip(InitiativeSkip::RepeatsItself, "", Some(ask));
        }
        let shared = context.books.sources.shared_lately(settings, step.moment());
        if links_of(&text).iter().any(|link| shared.contains(link)) {
            return Next::skip(InitiativeSkip::SharedBefore, "", Some(ask));
        }
        let handle = reading.reply_to.as_ref();
        let answers = handle.and_then(|handle| self.handles.iter().find(|(known, ..)| known == handle));
        let answers = answers.filter(|(_, place, id)| {
            let seen = context.rooms.room(&room);
            let author = seen.and_then(|seen| seen.log.author_of(id));
            *place == room && author.is_none_or(|author| may_answer(author, settings))
        });
        let mut draft = Draft {
            ask,
            text,
            reply_to: answers.map(|(.., id)| id.clone()),
            room,
            media: reading.media,
            attachments: Vec::new(),
        };
        draft.answer_only_what_is_there(context.rooms);
        if let Some(why) = has_to_wait(self, &draft.room, context.rooms, step) {
            return self.hold_draft(draft, why);
        }
        self.make_media(draft, context, step)
    }

    /// Holds what was to be posted.
    fn hold_draft(&self, draft: Draft, why: &str) -> Next {
        let Some(revision) = self.decision.clone() else {
            return Next::Wait;
        };
        Next::Hold(Refined {
            text: revision.text.clone(),
            room: draft.room,
            media: draft.media,
            reason: why.to_owned(),
            revision,
        })
    }

    /// Has the picture made that a draft wants, if it may have one.
    fn make_media(&mut self, draft: Draft, context: &mut RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        let Some(wish) = draft.media.clone() else {
            return self.send(draft, context, step);
        };
        let kind = wish.kind;
        if self.trial {
            let words = match step.media_refused(kind, MediaUse::Thought) {
                Some(why) => format!("it wants a {}, and would not get it: {why}", kind.noun()),
                None => format!("a {} would be made: {}", kind.noun(), wish.prompt),
            };
            self.told(RunStepKind::Media, words, None, step);
            return self.send(draft, context, step);
        }
        // Its lines are about the room it is meant for.
        self.stage = making(MediaId(0), kind, step.moment(), draft.clone());
        let scope = self.scope();
        if let Some(why) = step.media_unaffordable(kind, MediaUse::Thought, &scope) {
            self.cause = failed(kind, &why, true, MediaUse::Thought, scope, step);
            return self.without_media(&why, draft, context, step);
        }
        let (made, cause) = step.order_media(Commission {
            wish,
            goes_with: MediaUse::Thought,
            owner: Owner::Ambient,
            patience: Span::seconds(step.settings.media.timeout_seconds),
            scope,
        });
        self.cause = cause;
        self.stage = making(made.media, kind, made.started, draft);
        let words = format!("wants a {}", kind.noun());
        self.told(RunStepKind::Media, words, None, step);
        Next::Wait
    }

    pub fn media_ended(
        &mut self,
        outcome: MediaOutcome,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let Some((making, mut draft)) = self.in_the_making() else {
            return Next::Wait;
        };
        let (made, cause) = making.ended(outcome, MediaUse::Thought, self.scope(), step);
        self.cause = cause;
        let made = match made {
            Ok(made) => made,
            Err(why) => return self.without_media(&why, draft, context, step),
        };
        if let Some(cost) = made.cost_micro_dollars {
            let now = step.moment();
            step.thoughts.paid(self.turn, cost, now);
        }
        let words = format!("the {} is there", making.kind.noun());
        self.told(RunStepKind::Media, words, None, step);
        draft.attachments.push(made.attachment);
        self.send(draft, context, step)
    }

    /// It is not waited for any more.
    pub fn media_lost(
        &mut self,
        why: &str,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let Some((making, draft)) = self.in_the_making() else {
            return Next::Wait;
        };
        self.cause = making.given_up(why, MediaUse::Thought, self.scope(), step);
        self.without_media(why, draft, context, step)
    }

    /// There is no picture; the words go out all the same, if there are any.
    fn without_media(
        &mut self,
        why: &str,
        draft: Draft,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let kind = draft.media.as_ref().map_or(MediaKind::Image, |wish| wish.kind);
        let words = format!("no {}: {why}", kind.noun());
        self.told(RunStepKind::Media, words, None, step);
        if draft.text.is_empty() {
            return Next::skip(InitiativeSkip::MediaFailed, why, Some(draft.ask));
        }
        self.send(draft, context, step)
    }

    /// What is being made for it, and what it goes with.
    fn in_the_making(&self) -> Option<(Making, Draft)> {
        let Stage::Making {
            media,
            kind,
            started,
            draft,
        } = &self.stage
        else {
            return None;
        };
        let making = Making {
            media: *media,
            kind: *kind,
            started: *started,
            prompt: draft
                .media
                .as_ref()
                .map_or_else(String::new, |wish| wish.prompt.clone()),
        };
        Some((making, draft.clone()))
    }

    /// A post goes out, unless its moment has passed; a picture may have taken a while.
    fn send(&mut self, mut draft: Draft, context: &RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        if self.trial {
            return Next::End {
                outcome: RunOutcome::Trial,
                words: format!("it would have been posted in {}", draft.room),
            };
        }
        let (posts, rooms) = (&context.books.posts, context.rooms);
        if let Some(passed) = passed_for_posting(self, &draft.room, posts, rooms, step) {
            return Next::passed(passed, Some(draft.ask));
        }
        if let Some(why) = has_to_wait(self, &draft.room, rooms, step) {
            return self.hold_draft(draft, why);
        }
        draft.answer_only_what_is_there(context.rooms);
        self.stage = Stage::Posting(draft.clone());
        step.outgoing.push(draft.parcel(self.turn, self.scope()));
        Next::Wait
    }
}

fn making(media: MediaId, kind: MediaKind, started: Moment, draft: Draft) -> Stage {
    Stage::Making {
        media,
        kind,
        started,
        draft,
    }
}
