//! What happens in a room: messages are judged and put in line, edits and deletions followed, commands obeyed, and what
//! is forgotten let go of.

use settings::Settings;
use vocabulary::{AuthorKind, Forget, JournalSeq, Message, MessageId, RoomFacts, RoomKind};

use super::Room;
use super::bots::only_read;
use super::command::{Obeyed, is_forgotten, listening_wish};
use super::missed::{caught_up, message_missed};
use super::obeying::obey;
use super::talking::{talk, typed_in_voice, voice_event};
use crate::addressing::{AddressSignal, FollowupLimits, Heard};
use crate::input::{Forgotten, RoomEvent};
use crate::journal::{JournalEvent, Scope};
use crate::log::Log;
use crate::memory::command;
use crate::reasons::{AgainRefusal, CancelReason, DropReason};
use crate::replies::{Trigger, reacted};
use crate::step_context::StepContext;
use gist::gems::scrub::ScrubBrief;

/// Whoever edits a message later than this does not mean to call anybody by it.
const EDIT_CALLS_WITHIN_MS: i64 = 60 * 60 * 1_000;

impl Room {
    /// Takes in what happened; what a command asks of others, where it was one.
    pub fn happened(&mut self, event: RoomEvent, step: &mut StepContext<'_>) -> Option<Obeyed> {
        match event {
            RoomEvent::Described(facts) => self.facts = Some(facts),
            RoomEvent::MessageArrived(message) => return self.message_arrived(message, step),
            RoomEvent::MessageMissed(message) => return message_missed(self, message, step),
            RoomEvent::CaughtUp => caught_up(self, step),
            RoomEvent::MessageEdited { id, text } => self.message_edited(&id, text, step),
            RoomEvent::MessageDeleted { id } => self.message_deleted(&id, step),
            RoomEvent::TypingChanged { person, typing } => {
                self.floor.typing_changed(person, typing, step.moment());
            }
            RoomEvent::NoteTaken { shared_by, text } => self.log.hold_note(&shared_by, &text, step),
            RoomEvent::ShareStarted(share) => self.watch.share_started(share, step),
            RoomEvent::FrameArrived { share, glimpse } => self.watch.frame_arrived(&share, glimpse, step),
            RoomEvent::ShareEnded { share, reason } => {
                self.watch.share_ended(&self.id, &share, reason, step);
            }
            RoomEvent::WatchChosen { share } => self.watch.chosen(&self.id, share.as_ref(), step),
            RoomEvent::SessionEnded => self.session_ended(step),
            event @ (RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::SpeechStarted { .. }
            | RoomEvent::SpeechContinues { .. }
            | RoomEvent::SpeechPartial { .. }
            | RoomEvent::SpeechEnded { .. }
            | RoomEvent::UtteranceHeard { .. }
            | RoomEvent::UtteranceMissed { .. }
            | RoomEvent::VoiceLoads
            | RoomEvent::VoiceServiceStands { .. }
            | RoomEvent::VoiceServiceKnows(_)
            | RoomEvent::SpeakersOverlapped { .. }
            | RoomEvent::VoiceJoined { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::SpeechPaid { .. }
            | RoomEvent::PlaybackProgressed { .. }
            | RoomEvent::VoiceLeft { .. }
            | RoomEvent::ListeningChosen { .. }
            | RoomEvent::SoundPlayed { .. }
            | RoomEvent::SoundFailed { .. }
            | RoomEvent::PlaybackStarted { .. }
            | RoomEvent::PlaybackEnded { .. }
            | RoomEvent::PlaybackFailed { .. }) => voice_event(self, event, step),
            RoomEvent::ReactionChanged {
                message,
                person,
                emoji,
                added: true,
            } if person == step.identity.id => {
                let (replies, mut context) = self.lend();
                reacted(replies, (&message, &emoji), None, &mut context, step);
            }
            RoomEvent::ReactionFailed {
                message,
                emoji,
                detail,
            } => {
                let (replies, mut context) = self.lend();
                reacted(replies, (&message, &emoji), Some(&detail), &mut context, step);
            }
            // These concern the community: the router has seen to them.
            RoomEvent::Ended
            | RoomEvent::QuietChosen { .. }
            | RoomEvent::ReactionChanged { .. }
            | RoomEvent::FrameRefused { .. } => {}
        }
        None
    }

    pub(super) fn message_arrived(&mut self, message: Message, step: &mut StepContext<'_>) -> Option<Obeyed> {
        let scope = Scope::room(&self.id).about(&message.id);
        let kind = message.author.kind;
        let ignored = |reason| JournalEvent::MessageIgnored { reason };
        if !self.seen.insert(&message.id) {
            // Platforms echo Denizen's own messages back; that is no news.
            if kind != AuthorKind::Denizen {
                step.ledger.write(scope, ignored(DropReason::Duplicate));
            }
            return None;
        }
        let only_heard = match kind {
            AuthorKind::Person => None,
            AuthorKind::Denizen => {
                // A room may show a message before it confirms it, or without ever doing so: it was said all the same.
                self.outbox.spoke(step.moment());
                Some(DropReason::OwnMessage)
            }
            AuthorKind::OtherBot => only_read(self, &message, step),
        };
        if let Some(reason) = only_heard {
            return self.only_hear(message, reason, step);
        }
        let images = message.attachments.iter().filter(|file| file.is_image());
        let received = JournalEvent::MessageReceived {
            author: message.author.id.clone(),
            author_name: message.author.name.clone(),
            characters: message.text.chars().count(),
            images: images.count(),
        };
        let cause = step.ledger.write(scope.clone(), received);
        self.floor.spoke(&message.author.id, step.moment());
        talk(self, step, |voice, context, step| {
            voice.typed(&message, context, step);
        });
        let scope = scope.because(Some(cause));
        if kind != AuthorKind::Person {
            self.judge(message, scope, step);
            return None;
        }
        let wish = || listening_wish(&message.text, false, step.settings);
        if let Some(command) = command::read(&message.text).or_else(wish) {
            return obey(self, &command, &message, scope, step);
        }
        if self.voice.reads(&message.author.id, step.settings) {
            typed_in_voice(self, message, cause, step);
            return None;
        }
        self.judge(message, scope, step);
        None
    }

    /// A message is part of the conversation, and nothing else comes of it.
    pub(super) fn only_hear(
        &mut self,
        message: Message,
        reason: DropReason,
        step: &mut StepContext<'_>,
    ) -> Option<Obeyed> {
        self.seen.insert(&message.id);
        let scope = Scope::room(&self.id).about(&message.id);
        if !message.sign {
            self.take_in(message, step);
        }
        step.ledger.write(scope, JournalEvent::MessageIgnored { reason });
        None
    }

    /// Decides whether a message is to be answered, and remembers it either way.
    fn judge(&mut self, message: Message, scope: Scope, step: &mut StepContext<'_>) {
        let signal = judged(self, &message, limits(step.settings), step);
        let (replies, context) = self.lend();
        let admitted = replies.admit(&message, signal, scope.clone(), &context, step);
        self.take_in(message, step);
        match admitted {
            Ok(trigger) => {
                let (replies, mut context) = self.lend();
                replies.enqueue(trigger, &mut context, step);
            }
            Err(denied) => denied.skip(scope, step),
        }
    }

    /// Why a message cannot be answered on an operator's wish; none: it can.
    pub fn again_refused(&self, id: &MessageId) -> Option<AgainRefusal> {
        let Some(message) = self.log.log().find(id) else {
            return Some(AgainRefusal::NotInConversation);
        };
        match self.replies.holds(id) {
            _ if message.author.kind != AuthorKind::Person => Some(AgainRefusal::NotByAPerson),
            (_, true) => Some(AgainRefusal::BeingAnswered),
            (true, _) => Some(AgainRefusal::Waiting),
            (false, false) => None,
        }
    }

    /// An operator wants a message answered: it is put in line, and a reply is owed, whoever it was meant for.
    pub fn reply_again(&mut self, id: &MessageId, step: &mut StepContext<'_>) {
        let refused = self.again_refused(id);
        let scope = Scope::room(&self.id).about(id);
        let cause = step.ledger.write(scope, JournalEvent::ReplyRequested { refused });
        let wanted = self.log.log().find(id).filter(|_| refused.is_none());
        let Some(message) = wanted else { return };
        let signal = judged(self, message, limits(step.settings), step);
        let trigger = Trigger::wished(message, signal, cause);
        let (replies, mut context) = self.lend();
        replies.enqueue(trigger, &mut context, step);
    }

    /// Remembers a message, whoever wrote it.
    pub(super) fn take_in(&mut self, message: Message, step: &mut StepContext<'_>) {
        let heard = heard(self.log.log(), &message);
        self.people.observe(&heard, step.identity, limits(step.settings));
        let (replies, voice) = (&self.replies, &self.voice);
        let is_needed =
            |id: &MessageId| matches!(replies.holds(id), (true, _) | (_, true)) || voice.holds(id);
        self.log.take_in(message, is_needed, step);
    }

    /// A message from before, read from the store: it is part of the conversation, and nobody waits for an answer to it.
    pub fn message_recovered(&mut self, message: Message, step: &mut StepContext<'_>) {
        self.seen.insert(&message.id);
        self.take_in(message, step);
    }

    fn message_edited(&mut self, id: &MessageId, text: String, step: &mut StepContext<'_>) {
        if !self.log.edit(id, text) {
            return;
        }
        let (while_waiting, while_answering) = self.replies.holds(id);
        let event = JournalEvent::MessageEdited {
            while_waiting,
            while_answering,
        };
        let cause = step.ledger.write(Scope::room(&self.id).about(id), event);
        let asked = self.replies.is_asking_about(id);
        if while_answering {
            let (replies, mut context) = self.lend();
            replies.supersede(CancelReason::MessageEdited, Some(cause), &mut context, step);
        }
        if !asked {
            self.judge_again(id, cause, step);
        }
    }

    /// A message reads otherwise now: one that calls Denizen since is answered, and one that does not any more is let go
    /// while nobody has been asked about it.
    fn judge_again(&mut self, id: &MessageId, cause: JournalSeq, step: &mut StepContext<'_>) {
        let Some(message) = self.log.log().find(id).cloned() else {
            return;
        };
        let age = step.now().wall.0.saturating_sub(message.at.0);
        // What was said aloud is answered aloud, or not at all.
        if message.spoken || message.author.kind != AuthorKind::Person || age > EDIT_CALLS_WITHIN_MS {
            return;
        }
        // With whom its author talked when it was written cannot be told from what was said since.
        let limits = FollowupLimits {
            enabled: false,
            ..limits(step.settings)
        };
        let signal = judged(self, &message, limits, step);
        let scope = Scope::room(&self.id).about(id).because(Some(cause));
        let (replies, mut context) = self.lend();
        replies.judged_again(&message, signal, scope, &mut context, step);
    }

    fn message_deleted(&mut self, id: &MessageId, step: &mut StepContext<'_>) {
        if !self.log.delete(id) {
            return;
        }
        let (while_waiting, while_answering) = self.replies.holds(id);
        let event = JournalEvent::MessageDeleted {
            while_waiting,
            while_answering,
        };
        let cause = step.ledger.write(Scope::room(&self.id).about(id), event);
        let (replies, mut context) = self.lend();
        replies.message_deleted(id, cause, &mut context, step);
        talk(self, step, |voice, context, step| {
            voice.message_deleted(id, context, step)
        });
    }

    /// Lets go of what is forgotten: messages, and what the summary says of them.
    /// Whether a summary changed.
    pub fn forget(
        &mut self,
        forgotten: &Forgotten,
        brief: &ScrubBrief<'_>,
        step: &mut StepContext<'_>,
    ) -> bool {
        // A prompt in the making may hold it.
        let (replies, mut context) = self.lend();
        replies.supersede(CancelReason::Forgotten, None, &mut context, step);
        self.replies.forget(brief);
        for report in self.outbox.forget(brief, step) {
            self.said(report, None, step);
        }
        let community = step.ledger.community().clone();
        let everything = self.log.log().newest(usize::MAX);
        let gone: Vec<MessageId> = everything
            .filter(|message| is_forgotten(message, forgotten, &community))
            .map(|message| message.id.clone())
            .collect();
        for id in &gone {
            self.message_deleted(id, step);
        }
        self.watch.forget(&self.id, brief, step);
        let person = match &forgotten.what {
            Forget::Person {
                person,
                community: of,
                ..
            } => Some(person).filter(|_| of.as_ref().is_none_or(|of| *of == community)),
            _ => None,
        };
        talk(self, step, |voice, context, step| {
            voice.forget(person, !gone.is_empty(), brief, context, step);
        });
        if let Forget::Person {
            person,
            community: of,
            ..
        } = &forgotten.what
            && of.as_ref().is_none_or(|of| *of == community)
        {
            self.people.forget(person);
            self.floor.forget(person);
            self.unconfirmed.forget(person);
        }
        self.log.forget(brief, step)
    }
}

/// How strongly a message of this room is meant for Denizen.
pub(super) fn judged(
    room: &Room,
    message: &Message,
    limits: FollowupLimits,
    step: &StepContext<'_>,
) -> AddressSignal {
    let is_direct = |facts: &RoomFacts| facts.kind == RoomKind::Direct;
    if room.facts.as_ref().is_some_and(is_direct) && message.author.kind == AuthorKind::Person {
        return AddressSignal::direct_message();
    }
    room.people
        .judge(&heard(room.log.log(), message), step.identity, limits)
}

fn heard<'a>(log: &'a Log, message: &'a Message) -> Heard<'a> {
    Heard {
        author: &message.author.id,
        author_name: &message.author.name,
        by_denizen: message.author.kind == AuthorKind::Denizen,
        text: &message.text,
        at: message.at,
        mentions: &message.mentions,
        reply_to_author: (message.reply_to.as_ref())
            .and_then(|id| log.author_of(id).or(message.reply_to_author.as_ref())),
        spoken: message.spoken,
    }
}

pub(super) fn limits(settings: &Settings) -> FollowupLimits {
    let addressing = &settings.addressing;
    FollowupLimits {
        enabled: addressing.followup_enabled,
        messages: addressing.followup_messages,
        minutes: addressing.followup_minutes,
        least_score: addressing.score_enabled.then_some(addressing.score_threshold),
    }
}
