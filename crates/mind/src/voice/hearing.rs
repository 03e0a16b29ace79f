//! What happens in the voice of a room: people come and go, speak, and are understood or not.

use settings::VoiceJoinPolicy;
use vocabulary::{Author, AuthorKind, JournalSeq, Message, PersonId, Span, UnheardReason, VoiceLoss};

use super::barge_in::{self, Overlap};
use super::mouth::Mouth;
use super::people::VoicePeople;
use super::utterance::Utterance;
use super::{Voice, VoiceContext, deciding, native, native_answer, playing, signs, staying, thoughts, want};
use crate::addressing::{AddressSignal, NameCue};
use crate::admission::is_low_signal;
use crate::effect::RoomWish;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{
    BargeInReason, CancelReason, RoomChange, VoiceEndCause, VoiceJoinCause, VoiceTurnReason,
};
use crate::step_context::StepContext;

/// What was heard, besides its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    pub spoken: Span,
    pub silence: Span,
    pub took: Span,
}

impl Voice {
    /// Somebody came.
    pub fn person_joined(
        &mut self,
        author: &Author,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if author.kind == AuthorKind::Denizen || !self.people.join(author, step.now().wall) {
            return;
        }
        let event = JournalEvent::VoicePersonJoined {
            person: author.id.clone(),
            person_name: author.name.clone(),
            people: self.people.count(),
        };
        let cause = step.ledger.write(Scope::room(context.room), event);
        native::moved(self, &author.name, true, context, step);
        thoughts::changed(self, RoomChange::Joined, context, step);
        let with_people = step.settings.voice.join_policy == VoiceJoinPolicy::WithPeople;
        if with_people && author.kind == AuthorKind::Person {
            let because = VoiceJoinCause::WithPeople;
            // Why it stays away is written down; nobody asked.
            let _ = self.join(because, Some(&author.id), Some(cause), context, step);
        }
    }

    /// Somebody went; with the last of them so does Denizen.
    pub fn person_left(
        &mut self,
        person: &PersonId,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(person_name) = self.people.leave(person, step.now().wall) else {
            return;
        };
        let people = self.people.count();
        let event = JournalEvent::VoicePersonLeft {
            person: person.clone(),
            person_name: person_name.clone(),
            people,
        };
        step.ledger.write(Scope::room(context.room), event);
        native::moved(self, &person_name, false, context, step);
        thoughts::changed(self, RoomChange::Left, context, step);
        if people == 0 {
            self.leave(VoiceEndCause::NobodyLeft, context, step);
        }
    }

    /// Denizen is in.
    pub fn joined(
        &mut self,
        hears: bool,
        speaks: bool,
        sounds: Vec<String>,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if self.session.since().is_some() {
            if self.session.deaf == hears || self.session.mute == speaks {
                self.session.deaf = !hears;
                self.session.mute = !speaks;
                let event = JournalEvent::VoiceHearingChanged { hears };
                let cause = step.ledger.write(Scope::room(context.room), event);
                signs::put_up(self, cause, context, step);
            }
            leave_out(&self.people, context, step);
            return;
        }
        if !self.session.joined(hears, speaks, sounds, step.moment()) {
            return;
        }
        let event = JournalEvent::VoiceSessionStarted {
            because: self.session.because.unwrap_or(VoiceJoinCause::Brought),
            people: self.people.count(),
        };
        let cause = step.ledger.write(Scope::room(context.room), event);
        if self.session.because != Some(VoiceJoinCause::Reconnect) {
            signs::put_up(self, cause, context, step);
        }
        leave_out(&self.people, context, step);
    }

    /// Denizen is out.
    pub fn left(
        &mut self,
        reason: VoiceLoss,
        detail: &str,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if self.session.is_out() {
            return;
        }
        if let Some(turn) = self.turn.as_mut().filter(|_| self.mouth.is_heard()) {
            turn.cut_for.get_or_insert(VoiceTurnReason::SessionEnded);
        }
        // How far it got is known as far as it was told.
        if let Some(said) = self.mouth.lost(context.room, step) {
            playing::said(self, said, context, step);
        }
        self.fall_silent(VoiceTurnReason::SessionEnded, context, step);
        let because = match (self.session.leaving, reason) {
            (Some(because), _) => because,
            (None, VoiceLoss::Refused) => VoiceEndCause::Refused,
            (None, VoiceLoss::Lost | VoiceLoss::Asked) => VoiceEndCause::Lost,
        };
        let comes_back = because == VoiceEndCause::Lost && self.people.count() > 0;
        staying::session_over(self, because, detail, None, comes_back, context, step);
    }

    pub fn sound_played(
        &mut self,
        person: Option<&PersonId>,
        name: &str,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.session.heard_something(step.moment());
        let event = JournalEvent::VoiceSoundPlayed {
            person: person.cloned(),
            sound: name.to_owned(),
        };
        step.ledger.write(Scope::room(context.room), event);
        thoughts::changed(self, RoomChange::Sound, context, step);
    }

    /// Somebody typed something.
    pub fn typed(&mut self, message: &Message, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        native::read(self, message, context, step);
        if self.people.get(&message.author.id).is_some() {
            thoughts::changed(self, RoomChange::Typed, context, step);
        }
    }

    pub fn speech_started(
        &mut self,
        person: &PersonId,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.prepared.drop_for(person);
        self.people.speech_started(person, step.moment());
        if self.people.is_listened_to(person) {
            playing::let_speak_on(self, person, context, step);
            native_answer::hold_back(self, context, step);
            thoughts::changed(self, RoomChange::Speech, context, step);
            self.session.heard_something(step.moment());
        }
    }

    /// Somebody goes on speaking while Denizen is heard: it may fall silent.
    pub fn speech_continues(
        &mut self,
        person: &PersonId,
        spoken: Span,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.people.speaks_on(person, step.moment());
        let is_heard = self.mouth.is_heard();
        let is_listened_to = self.people.is_listened_to(person);
        let Some(present) = self.people.get_mut(person) else {
            return;
        };
        if present.ignored && present.partial.is_empty() {
            return;
        }
        if is_heard {
            present.over = Some(spoken);
        }
        let overlap = Overlap {
            spoken,
            limit: Span(step.settings.voice.barge_in_ms),
            is_listened_to,
            is_heard,
            partial: &present.partial,
        };
        let decided = barge_in::decide(&overlap);
        if !decided.stop {
            return;
        }
        present.over = None;
        note_barge_in(&self.mouth, person, true, decided.reason, spoken, context, step);
        self.mouth.stop(context.room, step);
        if let Some(turn) = &mut self.turn {
            turn.cancel_ask(context.room, CancelReason::SpokenOver, step);
            turn.held.clear();
        }
    }

    /// What somebody who still speaks has said so far: what fits is looked up meanwhile.
    pub fn speech_partial(
        &mut self,
        person: &PersonId,
        text: &str,
        context: &VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.people.speech_partial(person, text, step.moment());
        if self.session.is_in() && self.people.get(person).is_some() && self.people.is_listened_to(person) {
            self.prepared.partial(person, text, context, step);
        }
    }

    pub fn speech_ended(
        &mut self,
        person: &PersonId,
        context: &VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let over = self.people.get_mut(person).and_then(|present| {
            let partial = present.partial.clone();
            present.over.take().map(|spoken| (spoken, partial))
        });
        if let Some((spoken, partial)) = over {
            let reason = match barge_in::is_backchannel(&partial) {
                _ if !self.people.is_listened_to(person) => BargeInReason::NotListenedTo,
                true => BargeInReason::Backchannel,
                false => BargeInReason::TooShort,
            };
            note_barge_in(&self.mouth, person, false, reason, spoken, context, step);
        }
        self.people.speech_ended(person, step.moment());
        if self.people.is_listened_to(person) {
            self.session.heard_something(step.moment());
        }
    }

    /// Somebody made a sound of which no words came.
    pub fn missed(
        &mut self,
        person: &PersonId,
        reason: UnheardReason,
        detail: &str,
        spoken: Span,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.people.words_came(person);
        let event = JournalEvent::UtteranceMissed {
            person: person.clone(),
            reason,
            detail: detail.to_owned(),
            spoken,
        };
        step.ledger.write(Scope::room(context.room), event);
        if matches!(reason, UnheardReason::Failed | UnheardReason::TimedOut) {
            signs::ears_did(self, Some(detail), context, step);
        }
    }

    /// Somebody said something, which stands in the log: it is put in line to be decided on.
    pub fn heard(
        &mut self,
        message: &Message,
        clip: Clip,
        signal: &AddressSignal,
        cause: JournalSeq,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let now = step.moment();
        let person = &message.author.id;
        self.people.words_came(person);
        // Whose words come in pieces speaks on.
        self.people.speaks_on(person, now);
        thoughts::changed(self, RoomChange::Speech, context, step);
        self.session.heard_something(now);
        self.session.heard += 1;
        // A nod does not go on.
        if let Some(turn) = self.turn.as_mut().filter(|_| !is_low_signal(&message.text)) {
            turn.overtaken = true;
        }
        signs::ears_did(self, None, context, step);
        let last_answered = self.mouth.last_to.as_ref() == Some(person);
        let utterance = Utterance {
            message: message.id.clone(),
            person: person.clone(),
            direct: false,
            bare_name: false,
            near_name: false,
            names_somebody_else: false,
            goes_elsewhere: false,
            spoken_of: false,
            score: None,
            focused: self.session.is_focused_on(person, now),
            last_answered,
            answers_question: last_answered && self.mouth.asked,
            spoken: clip.spoken,
            ended: now - Span(clip.took.0 + clip.silence.0),
            heard: now,
            cause,
        };
        let mut utterance = utterance.addressed(signal, NameCue::of(&message.text, step.identity));
        let began = utterance.ended - utterance.spoken;
        // Who called and then says what they want has said both in one breath, however long the ears took for it.
        let goes_on = self.session.was_called_by(person, began);
        let is_for_another = utterance.names_somebody_else || utterance.goes_elsewhere || utterance.spoken_of;
        utterance.direct |= goes_on && !is_for_another && !is_low_signal(&message.text);
        self.session.called(&utterance);
        deciding::said(self, utterance, context, step);
    }
}

/// Writes down that Denizen was spoken over, and what came of it.
fn note_barge_in(
    mouth: &Mouth,
    person: &PersonId,
    stop: bool,
    reason: BargeInReason,
    spoken: Span,
    context: &VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let event = JournalEvent::BargeInDecided {
        person: person.clone(),
        stop,
        reason,
        spoken,
    };
    let mut scope = Scope::room(context.room);
    if let Some(saying) = mouth.saying() {
        scope = scope.turn(saying.turn);
    }
    step.ledger.write(scope, event);
}

/// Has nothing written down of those who do not want to be listened to.
pub(super) fn leave_out(people: &VoicePeople, context: &VoiceContext<'_>, step: &mut StepContext<'_>) {
    for person in people.not_listened_to() {
        let wish = RoomWish::Listen {
            person: person.clone(),
            listen: false,
        };
        want(context.room, wish, step);
    }
}
