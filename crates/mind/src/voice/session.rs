//! A voice session: how Denizen came into the voice of a room, for how long it stays, and why it leaves.

use serde::{Deserialize, Serialize};
use settings::VoiceSettings;
use vocabulary::{Moment, Span};

use super::utterance::Utterance;
use crate::reasons::{VoiceEndCause, VoiceJoinCause};

/// Once in, it lets people finish before it says hello.
const GREETS_AFTER: Span = Span(1_000);
/// Hellos that are tried.
const GREETINGS_MAX: u64 = 2;
/// And so long after the first.
const GREETS_AGAIN_AFTER: Span = Span::seconds(3);
/// So long before the end it says that it will leave.
const WARNS_BEFORE: Span = Span::minutes(2);
/// So long it takes for saying that it leaves, at most.
const FAREWELL_WITHIN: Span = Span::seconds(15);
/// A lost connection is taken up again after this, so often.
const REJOINS_AFTER: Span = Span::seconds(3);
const REJOINS_MAX: u64 = 3;
/// Whoever is not let in by then, and loads nothing any more, is not.
const JOINS_WITHIN: Span = Span::seconds(30);
/// Whoever wants to leave has left by then.
const LEAVES_WITHIN: Span = Span::seconds(10);
/// Whoever has spoken to it by its name within this is the one it talks with.
const FOCUS: Span = Span::seconds(20);

/// Whoever said its name and goes on within this is still calling it.
const CALL_GOES_ON_WITHIN: Span = Span(3_000);

/// So many failures of its ears in a row are no accident.
const EAR_FAILURES_TOLD: u64 = 3;

/// Sounds that a model is told of.
const SOUNDS_MAX: usize = 24;

/// Where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    #[default]
    Out,
    /// It wants in, and was on its way then.
    Joining(Moment),
    /// It is in, since then.
    In(Moment),
}

/// The session of a room, or that there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VoiceSession {
    pub standing: Standing,
    pub because: Option<VoiceJoinCause>,
    /// Why it is about to leave.
    pub leaving: Option<VoiceEndCause>,
    leaving_since: Moment,
    /// It says that it leaves, and why, since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    farewell: Option<Moment>,
    /// When somebody, or Denizen, was last heard.
    last_activity: Moment,
    warned: bool,
    /// It has said that it cannot answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub owned_up: bool,
    greetings: u64,
    /// The next hello is tried then at the earliest.
    greets_from: Moment,
    pub greeted: bool,
    /// Nobody here understands speech.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deaf: bool,
    /// How often in a row its ears failed; from so many on, people are told.
    #[serde(skip_serializing_if = "is_zero")]
    ear_failures: u64,
    /// It has no voice here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mute: bool,
    /// The realtime service that hears and speaks for it, where one does just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<super::service::Seat>,
    /// The conversation that it keeps, where it thinks for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<super::native::NativeLink>,
    /// There is one, and it cannot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub service_failed: bool,
    /// Who called it by name last, and when.
    focus: Option<(vocabulary::PersonId, Moment)>,
    /// Who said nothing but its name last, and when they had.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<(vocabulary::PersonId, Moment)>,
    /// The operator's short sounds, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<String>,
    /// When one was last picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound_at: Option<Moment>,
    pub heard: u64,
    pub spoken: u64,
    rejoins: u64,
    rejoin_at: Option<Moment>,
    /// It was asked back while it was leaving: why, and by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted_back: Option<(VoiceJoinCause, Option<vocabulary::PersonId>)>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What time has made due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionDue {
    Leave(VoiceEndCause),
    Warn(Span),
    Rejoin,
    /// It was not let in, and nobody has said so.
    NotLetIn,
    /// It wanted to leave, and nobody has said that it has.
    Gone(VoiceEndCause),
}

impl VoiceSession {
    pub fn is_out(&self) -> bool {
        self.standing == Standing::Out
    }

    pub fn is_in(&self) -> bool {
        matches!(self.standing, Standing::In(_)) && self.leaving.is_none()
    }

    /// Since when it is in.
    pub fn since(&self) -> Option<Moment> {
        match self.standing {
            Standing::In(since) => Some(since),
            _ => None,
        }
    }

    /// It is about to say why it leaves; whether it has not begun to before.
    pub fn says_farewell(&mut self, now: Moment) -> bool {
        let is_new = self.farewell.is_none();
        self.farewell.get_or_insert(now);
        is_new
    }

    /// Whether it need not wait until it has said why it leaves.
    pub fn has_said_farewell(&self, now: Moment) -> bool {
        self.farewell.is_none_or(|since| since + FAREWELL_WITHIN <= now)
    }

    /// It wants out.
    pub fn leave(&mut self, because: VoiceEndCause, now: Moment) {
        self.leaving = Some(because);
        self.leaving_since = now;
    }

    /// It is asked back while it leaves; whether it will come. Who comes into a room that was empty brings it back, who
    /// sent it away has to ask.
    pub fn want_back(&mut self, because: VoiceJoinCause, by: Option<&vocabulary::PersonId>) -> bool {
        let asked = because != VoiceJoinCause::WithPeople;
        let wanted = asked || self.leaving == Some(VoiceEndCause::NobodyLeft);
        if wanted {
            self.wanted_back = Some((because, by.cloned()));
        }
        wanted
    }

    /// It wants in.
    pub fn join(&mut self, because: VoiceJoinCause, now: Moment) {
        let (rejoins, greeted) = match because {
            VoiceJoinCause::Reconnect => (self.rejoins, true),
            _ => (0, false),
        };
        *self = Self {
            standing: Standing::Joining(now),
            because: Some(because),
            last_activity: now,
            rejoins,
            greeted,
            ..Self::default()
        };
    }

    /// It is still on its way, and not forgotten.
    pub fn loads(&mut self, now: Moment) {
        if let Standing::Joining(since) = &mut self.standing {
            *since = now;
        }
    }

    /// It is in; whether that is news.
    pub fn joined(&mut self, hears: bool, speaks: bool, sounds: Vec<String>, now: Moment) -> bool {
        if matches!(self.standing, Standing::In(_)) {
            return false;
        }
        self.because.get_or_insert(VoiceJoinCause::Brought);
        self.standing = Standing::In(now);
        self.deaf = !hears;
        self.mute = !speaks;
        self.sounds = sounds;
        self.sounds.truncate(SOUNDS_MAX);
        self.last_activity = now;
        self.rejoin_at = None;
        true
    }

    /// It is out. What it was, and whether it comes back by itself.
    pub fn left(&mut self, lost: bool, now: Moment) -> Self {
        let was = std::mem::take(self);
        if lost && was.rejoins < REJOINS_MAX {
            self.rejoins = was.rejoins + 1;
            self.rejoin_at = Some(now + REJOINS_AFTER);
        }
        was
    }

    /// Somebody, or Denizen, was heard.
    pub fn heard_something(&mut self, now: Moment) {
        self.last_activity = now;
        // A connection that carries speech is one that holds.
        self.rejoins = 0;
    }

    pub fn last_activity(&self) -> Moment {
        self.last_activity
    }

    pub fn focus_on(&mut self, person: &vocabulary::PersonId, now: Moment) {
        self.focus = Some((person.clone(), now));
    }

    pub fn is_focused_on(&self, person: &vocabulary::PersonId, now: Moment) -> bool {
        let focus = self.focus.as_ref();
        focus.is_some_and(|(focus, at)| focus == person && now.since(*at) <= FOCUS)
    }

    /// The ears failed, or did not; whether people are to be told that they do, or do not any more.
    pub fn ears(&mut self, failed: bool) -> bool {
        let before = self.ear_failures;
        self.ear_failures = if failed { before + 1 } else { 0 };
        match failed {
            true => self.ear_failures == EAR_FAILURES_TOLD,
            false => before >= EAR_FAILURES_TOLD,
        }
    }

    /// Somebody said something: their bare name for Denizen is a call, to which more may belong.
    pub fn called(&mut self, utterance: &Utterance) {
        let is_call = utterance.direct && utterance.bare_name;
        self.call = is_call.then(|| (utterance.person.clone(), utterance.ended));
    }

    /// Whether whoever begins to speak then has just called it.
    pub fn was_called_by(&self, person: &vocabulary::PersonId, began: Moment) -> bool {
        let call = self.call.as_ref();
        call.is_some_and(|(caller, ended)| caller == person && began.since(*ended) <= CALL_GOES_ON_WITHIN)
    }

    /// Nobody is the one it talks with.
    pub fn let_go_of_everybody(&mut self) {
        self.call = None;
        self.focus = None;
    }

    pub fn forget(&mut self, person: &vocabulary::PersonId) {
        self.call.take_if(|(caller, _)| caller == person);
        self.focus.take_if(|(focus, _)| focus == person);
    }

    /// What time has made due.
    pub fn due(&mut self, settings: &VoiceSettings, now: Moment) -> Option<SessionDue> {
        if let Some(because) = self.leaving {
            return (self.leaving_since + LEAVES_WITHIN <= now).then_some(SessionDue::Gone(because));
        }
        match self.standing {
            Standing::Out => {
                let at = self.rejoin_at.take_if(|at| *at <= now)?;
                (at <= now).then_some(SessionDue::Rejoin)
            }
            Standing::Joining(since) => (since + JOINS_WITHIN <= now).then_some(SessionDue::NotLetIn),
            Standing::In(_) if !settings.enabled => Some(SessionDue::Leave(VoiceEndCause::SwitchedOff)),
            Standing::In(since) => {
                let ends = since + Span::minutes(settings.max_session_minutes);
                if ends <= now {
                    return Some(SessionDue::Leave(VoiceEndCause::TooLong));
                }
                if self.last_activity + Span::seconds(settings.inactivity_seconds) <= now {
                    return Some(SessionDue::Leave(VoiceEndCause::Inactive));
                }
                let warns = !self.warned && ends - WARNS_BEFORE <= now && ends.since(since) > WARNS_BEFORE;
                warns.then(|| {
                    self.warned = true;
                    SessionDue::Warn(ends.since(now))
                })
            }
        }
    }

    /// When the next of these may be due.
    pub fn next_due(&self, settings: &VoiceSettings) -> Option<Moment> {
        if self.leaving.is_some() {
            return Some(self.leaving_since + LEAVES_WITHIN);
        }
        match self.standing {
            Standing::Out => self.rejoin_at,
            Standing::Joining(since) => Some(since + JOINS_WITHIN),
            Standing::In(since) => {
                let ends = since + Span::minutes(settings.max_session_minutes);
                let quiet = self.last_activity + Span::seconds(settings.inactivity_seconds);
                let farewell = self.farewell.map(|since| since + FAREWELL_WITHIN);
                if farewell.is_some() {
                    return farewell;
                }
                let warns = ends.since(since) > WARNS_BEFORE && !self.warned;
                let warning = warns.then(|| ends - WARNS_BEFORE);
                [Some(ends), Some(quiet), warning].into_iter().flatten().min()
            }
        }
    }

    /// From when on it may say hello; none where it has, or may not any more.
    pub fn greets_at(&self, settings: &VoiceSettings) -> Option<Moment> {
        let since = self.since()?;
        let window = Span::seconds(settings.join_greeting_seconds);
        let due = !self.greeted && self.greetings < GREETINGS_MAX && window > Span::ZERO;
        due.then(|| (since + GREETS_AFTER).max(self.greets_from))
    }

    /// Whether it may say hello now.
    pub fn may_greet(&mut self, settings: &VoiceSettings, now: Moment) -> bool {
        let Some(at) = self.greets_at(settings) else {
            return false;
        };
        if self.is_in_greeting_window(settings, now) {
            return at <= now;
        }
        self.greeted = true;
        false
    }

    /// Whether it came in a moment ago.
    pub fn is_in_greeting_window(&self, settings: &VoiceSettings, now: Moment) -> bool {
        self.greeting_ends(settings).is_some_and(|end| now <= end)
    }

    /// Until when a hello is one; none where it is not in.
    pub fn greeting_ends(&self, settings: &VoiceSettings) -> Option<Moment> {
        let window = Span::seconds(settings.join_greeting_seconds);
        self.since().map(|since| since + window)
    }

    /// Says hello; the number of the attempt.
    pub fn greets(&mut self, now: Moment) -> u64 {
        self.greets_from = now + GREETS_AGAIN_AFTER;
        self.greetings += 1;
        self.greetings
    }

    /// It has said something: a hello would come late.
    pub fn has_spoken(&mut self) {
        self.greeted = true;
        self.spoken += 1;
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
