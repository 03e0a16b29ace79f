//! A message arrives: it is judged, and admitted ones are put in line.

use settings::Settings;
use vocabulary::{AuthorKind, JournalSeq, Message, MessageId, Moment, PersonId};

use super::DropReason;
use super::burst::{Burst, Trigger};
use super::gate::AtGate;
use super::room::TextRoom;
use crate::addressing::{FollowupLimits, Heard};
use crate::admission::Gate;
use crate::journal::{JournalEvent, Scope};
use crate::log::Log;
use crate::memory::command;
use crate::memory::triggers::SessionEnding;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

/// Messages that may wait in one channel.
const QUEUE_MESSAGES_MAX: usize = 60;

impl TextRoom {
    /// Takes a message in; how it ends the conversation, where it is a command that does.
    pub fn message_arrived(&mut self, message: Message, step: &mut StepContext<'_>) -> Option<SessionEnding> {
        let scope = Scope::room(&self.id).about(&message.id);
        if !self.seen.insert(&message.id) {
            // Platforms echo Denizen's own messages back; that is no news.
            if message.author.kind != AuthorKind::Denizen {
                step.ledger.write(
                    scope,
                    JournalEvent::MessageIgnored {
                        reason: DropReason::Duplicate,
                    },
                );
            }
            return None;
        }
        if message.author.kind != AuthorKind::Person {
            let own = message.author.kind == AuthorKind::Denizen;
            let reason = if own {
                // A room may show a message before it confirms it, or without ever doing so: it was said all the same.
                self.outbox.spoke(step.moment());
                DropReason::OwnMessage
            } else {
                DropReason::OtherBot
            };
            self.take_in(message, step);
            step.ledger.write(scope, JournalEvent::MessageIgnored { reason });
            return None;
        }
        let received = JournalEvent::MessageReceived {
            author: message.author.id.clone(),
            author_name: message.author.name.clone(),
            characters: message.text.chars().count(),
            images: message
                .attachments
                .iter()
                .filter(|attachment| attachment.is_image())
                .count(),
        };
        let cause = step.ledger.write(scope.clone(), received);
        self.typing.sent(&message.author.id, step.moment());
        self.watch.heard(step.moment());
        let scope = scope.because(Some(cause));
        if let Some(command) = command::read(&message.text) {
            return self.obey(&command, &message, scope, step);
        }
        self.judge(message, scope, step);
        None
    }

    fn judge(&mut self, message: Message, scope: Scope, step: &mut StepContext<'_>) {
        let heard = heard(&self.compaction.log, &message);
        let signal = self
            .conversation
            .judge(&heard, step.identity, limits(step.settings));
        let joins_burst = !signal.is_for_others() && self.open_burst_of(&message, step);
        let at = AtGate {
            gate: Gate::BeforeQueueing,
            author: &message.author.id,
            signal: &signal,
            except: &[],
            joins_burst,
            scope: scope.clone(),
        };
        let (admission, cause) = self.ask_gate(at, step);
        let (id, author) = (message.id.clone(), message.author.id.clone());
        self.take_in(message, step);
        if !admission.allow {
            let event = JournalEvent::ReplySkipped {
                reason: SkipReason::NotAdmitted,
                detail: String::new(),
            };
            step.ledger.write(scope.because(Some(cause)), event);
            return;
        }
        let (reason, forced) = (admission.reason, admission.forced);
        self.enqueue(
            Trigger {
                message: id,
                author,
                signal,
                reason,
                forced,
                cause,
            },
            step,
        );
    }

    /// Remembers a message, whoever wrote it.
    pub(super) fn take_in(&mut self, message: Message, step: &mut StepContext<'_>) {
        // Field by field, because what is heard borrows the log while the conversation changes.
        let heard = heard(&self.compaction.log, &message);
        self.conversation
            .observe(&heard, step.identity, limits(step.settings));
        let (bursts, turn) = (&self.bursts, &self.turn);
        let waits = |id: &MessageId| bursts.iter().any(|burst| burst.holds(id));
        let is_needed = |id: &MessageId| turn.as_ref().is_some_and(|turn| turn.burst.holds(id)) || waits(id);
        self.compaction.take_in(message, is_needed, step);
    }

    /// A message from before, read from the store: it is part of the conversation, and nobody waits for an answer to it.
    pub fn message_recovered(&mut self, message: Message, step: &mut StepContext<'_>) {
        self.seen.insert(&message.id);
        self.take_in(message, step);
    }

    /// Whether anything that was said here is still known word for word.
    pub fn holds_messages(&self) -> bool {
        self.compaction.log.newest(1).next().is_some()
    }

    /// Whether the author has a burst waiting, or being answered, that this message would belong to.
    fn open_burst_of(&self, message: &Message, step: &StepContext<'_>) -> bool {
        let (author, now) = (&message.author.id, step.moment());
        let activity = &step.settings.activity;
        self.bursts.iter().any(|burst| burst.takes(author, now, activity))
            || self
                .turn
                .as_ref()
                .is_some_and(|turn| turn.can_be_superseded() && turn.burst.takes(author, now, activity))
    }

    fn enqueue(&mut self, trigger: Trigger, step: &mut StepContext<'_>) {
        let now = step.moment();
        if trigger.signal.triggered {
            step.exchange = Some(self.id.clone());
        }
        let activity = &step.settings.activity;
        let continues_turn = self
            .turn
            .as_ref()
            .is_some_and(|turn| turn.can_be_superseded() && turn.burst.takes(&trigger.author, now, activity));
        if continues_turn {
            self.supersede(crate::reasons::CancelReason::BurstGrew, Some(trigger.cause), step);
        }
        self.make_room(&trigger.author, 1, step);
        let blocked = self.turn.is_some();
        let (message, cause) = (trigger.message.clone(), trigger.cause);
        let place = self.bursts.iter().position(|burst| {
            burst.takes(&trigger.author, now, activity)
                || (blocked && burst.takes_while_blocked(&trigger.author, activity))
        });
        let index = match place {
            Some(index) => {
                self.bursts[index].add(trigger, now);
                index
            }
            None => {
                self.bursts.push(Burst::new(trigger, now));
                self.bursts.len() - 1
            }
        };
        self.note_queued(index, &message, cause, now, step);
    }

    fn note_queued(
        &self,
        index: usize,
        message: &MessageId,
        cause: JournalSeq,
        now: Moment,
        step: &mut StepContext<'_>,
    ) {
        let burst = &self.bursts[index];
        let event = JournalEvent::MessageQueued {
            burst_messages: burst.triggers.len(),
            queue_length: self.bursts.iter().map(|burst| burst.triggers.len()).sum(),
            closes_in: burst.closes_at(&self.typing, &step.settings.activity).since(now),
        };
        step.ledger
            .write(Scope::room(&self.id).about(message).because(Some(cause)), event);
    }

    /// Keeps the queue bounded: the oldest message that is owed no reply goes first; then an older one of the same
    /// author, whose reply the newer one gets; else the oldest of all.
    pub(super) fn make_room(&mut self, newest_author: &PersonId, coming: usize, step: &mut StepContext<'_>) {
        let waiting: usize = self.bursts.iter().map(|burst| burst.triggers.len()).sum();
        for _ in QUEUE_MESSAGES_MAX..waiting + coming {
            self.drop_one(newest_author, step);
        }
    }

    fn drop_one(&mut self, newest_author: &PersonId, step: &mut StepContext<'_>) {
        let place = |wanted: &dyn Fn(&Trigger) -> bool| {
            let mut all = self
                .bursts
                .iter()
                .enumerate()
                .flat_map(|(b, burst)| (0..burst.triggers.len()).map(move |t| (b, t)));
            all.find(|&(b, t)| wanted(&self.bursts[b].triggers[t]))
        };
        let victim = place(&|trigger| !trigger.forced)
            .or_else(|| place(&|trigger| trigger.author == *newest_author))
            .or_else(|| place(&|_| true));
        let Some((b, t)) = victim else { return };
        let dropped = self.bursts[b].triggers.remove(t);
        self.bursts.retain(|burst| !burst.triggers.is_empty());
        let detail = match (dropped.forced, dropped.author == *newest_author) {
            (true, true) => format!(
                "more than {QUEUE_MESSAGES_MAX} messages wait; a newer one of its author's is answered"
            ),
            _ => format!("more than {QUEUE_MESSAGES_MAX} messages wait"),
        };
        let scope = Scope::room(&self.id)
            .about(&dropped.message)
            .because(Some(dropped.cause));
        step.ledger.write(
            scope,
            JournalEvent::ReplySkipped {
                reason: SkipReason::QueueFull,
                detail,
            },
        );
    }
}

fn heard<'a>(log: &'a Log, message: &'a Message) -> Heard<'a> {
    Heard {
        author: &message.author.id,
        author_name: &message.author.name,
        by_denizen: message.author.kind == AuthorKind::Denizen,
        text: &message.text,
        at: message.at,
        mentions: &message.mentions,
        reply_to_author: message.reply_to.as_ref().and_then(|id| log.author_of(id)),
    }
}

fn limits(settings: &Settings) -> FollowupLimits {
    let addressing = &settings.addressing;
    FollowupLimits {
        enabled: addressing.followup_enabled,
        messages: addressing.followup_messages,
        minutes: addressing.followup_minutes,
    }
}
