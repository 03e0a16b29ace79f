//! Models that asked to be left alone for long, or that are because asking them is paid for and leads to nothing. Nobody
//! waits that long in a room: it is said, and the room goes on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskPurpose, ModelChoice, ModelRole, Moment, Span};

use super::manner::{Manner, is_reply};
use crate::reasons::RestCause;

/// The longest that a reply waits for a model because the provider asks for it.
pub(crate) const PATIENCE_MAX: Span = Span::seconds(60);
/// While a question that tries it is under way, everybody but whoever calls Denizen waits for what comes of it, and no
/// longer than that.
const TRIAL_MAX: Span = Span::seconds(60);
/// Starts that follow each other faster are no more tries: it may be what crashes.
const BETWEEN_STARTS: Span = Span::minutes(10);
/// Models that are known to rest; a community has few.
const RESTS_MAX: usize = 16;

/// Whom a question goes to, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedModel {
    /// The very model where that is known, else as the settings choose it.
    pub choice: ModelChoice,
    /// Where no model is named, its provider has a default for each role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<ModelRole>,
    #[serde(default = "replies", alias = "onlyFor")]
    purpose: AskPurpose,
}

fn replies() -> AskPurpose {
    AskPurpose::TextReply
}

impl AskedModel {
    pub fn of(choice: &ModelChoice, purpose: AskPurpose) -> Self {
        Self {
            role: choice.model.is_empty().then(|| purpose.role()),
            choice: choice.clone(),
            purpose,
        }
    }
}

/// Models that are not asked for a while.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ModelRests {
    resting: Vec<Rest>,
}

/// One of them, or one that may become one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rest {
    #[serde(flatten)]
    pub model: AskedModel,
    /// Why it rests.
    #[serde(default = "asked")]
    pub cause: RestCause,
    /// From then on the next question tries it.
    until: Moment,
    /// From then on whoever calls Denizen by name has it tried; none: no sooner than others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    called_from: Option<Moment>,
    /// What its provider asked for ends then.
    #[serde(default)]
    asked_until: Moment,
    /// When it failed last.
    #[serde(default)]
    since: Moment,
    /// How often in a row it has.
    #[serde(default)]
    failures: u32,
    /// How many pauses that has begun.
    #[serde(default)]
    pauses: u32,
    /// Its provider asked for a wait so short that a reply waits for it: nothing is asked until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    short_until: Option<Moment>,
    /// A question that tries it is under way, until then at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trial_until: Option<Moment>,
    /// When a start last let it be tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started: Option<Moment>,
}

fn asked() -> RestCause {
    RestCause::Asked
}

impl Rest {
    /// One that may become one.
    fn new(model: &AskedModel, cause: RestCause) -> Self {
        Self {
            model: model.clone(),
            cause,
            until: Moment(0),
            called_from: None,
            asked_until: Moment(0),
            since: Moment(0),
            failures: 0,
            pauses: 0,
            short_until: None,
            trial_until: None,
            started: None,
        }
    }

    /// Until when it is left alone: by whoever calls Denizen, or by all others, who also wait for what comes of a trial.
    pub fn until(&self, is_called: bool) -> Moment {
        match is_called {
            true => self.called_from.unwrap_or(self.until),
            false => self.until.max(self.trial_until.unwrap_or_default()),
        }
    }

    /// Whether it is a reason not to ask this one: one failure serves all that it tells of.
    pub fn covers(&self, asked: &AskedModel) -> bool {
        let provider = self.model.choice.provider == asked.choice.provider;
        let model = self.model.choice == asked.choice && self.model.role == asked.role;
        match self.cause {
            RestCause::Key | RestCause::Region | RestCause::Unreachable => provider,
            // An account may have a quota for each model: whoever waits for a reply finds out, and nobody else.
            RestCause::Spent => model || (provider && !is_reply(asked.purpose)),
            RestCause::Mute | RestCause::Empty | RestCause::TooLong | RestCause::Rejected => {
                model && self.model.purpose == asked.purpose
            }
            _ => model,
        }
    }

    /// Whether it is about this one: what that answers or fails with then says something of the rest.
    fn is_of(&self, asked: &AskedModel) -> bool {
        let is_another = (&self.model.choice, self.model.role) != (&asked.choice, asked.role);
        self.covers(asked) && (self.cause != RestCause::Spent || !is_another)
    }

    /// What it is asked for under these settings.
    pub fn serves(&self, settings: &Settings, known: &BTreeMap<AskPurpose, ModelChoice>) -> Vec<AskPurpose> {
        let asked = AskPurpose::ALL
            .into_iter()
            .filter(|purpose| settings.asks_for(*purpose));
        let is_its = |purpose: &AskPurpose| match known.get(purpose) {
            Some(choice) => self.is_of(&AskedModel::of(choice, *purpose)),
            None => self.is_of(&AskedModel::of(&settings.choice_for(*purpose), *purpose)),
        };
        asked.filter(is_its).collect()
    }

    /// Whether its provider has said that it does not want to be asked now.
    fn holds(&self, now: Moment) -> bool {
        self.until > now || self.asked_until > now
    }
}

impl ModelRests {
    /// A question of `launched` failed for such a reason, and is over unless it is asked again a little later: where its
    /// model is left alone for that, for how long at most, and for how long now.
    pub fn failed(
        &mut self,
        (model, cause): (&AskedModel, RestCause),
        asked_for: Option<Span>,
        (launched, is_over): (Moment, bool),
        now: Moment,
    ) -> Option<(Span, Span)> {
        let rest = self.known_or_new(model, cause);
        // Questions that were under way together are answered alike: that is no second time.
        let is_new = launched >= rest.since;
        rest.failures = rest.failures.saturating_add(is_new.into());
        rest.since = now;
        rest.trial_until = None;
        let manner = Manner::of(cause, model.purpose);
        let begins = is_over && rest.failures >= manner.from;
        begins.then(|| {
            // Failures that began none do not widen the first.
            if is_new || rest.pauses == 0 {
                rest.pauses = rest.pauses.saturating_add(1);
            }
            let patience = Span(manner.first.0 << (rest.pauses - 1).min(8)).min(manner.widest);
            // A shorter wait was kept, and in vain.
            let asked_for = asked_for.filter(|wait| *wait > PATIENCE_MAX);
            let asked_for = asked_for.unwrap_or(manner.widest);
            let pause = asked_for.min(patience);
            rest.until = now + pause;
            rest.called_from = Some(now + Span(pause.0 / manner.called_after));
            rest.asked_until = Moment(now.0.saturating_add(asked_for.0));
            (asked_for, pause)
        })
    }

    /// The newest of all from now on.
    fn known_or_new(&mut self, model: &AskedModel, cause: RestCause) -> &mut Rest {
        let is_it = |rest: &Rest| rest.cause == cause && rest.is_of(model);
        let known = self.resting.iter().position(is_it);
        let rest = known.map_or_else(|| Rest::new(model, cause), |at| self.resting.remove(at));
        if self.resting.len() >= RESTS_MAX {
            self.resting.remove(0);
        }
        self.resting.push_mut(rest)
    }

    /// Its provider asked for a short wait, which is kept by everybody and told nobody.
    pub fn waits_shortly(&mut self, (model, cause): (&AskedModel, RestCause), wait: Span, now: Moment) {
        let rest = self.known_or_new(model, cause);
        rest.since = now;
        rest.short_until = rest.short_until.max(Some(now + wait));
    }

    /// Until when such a wait is kept, and why.
    pub fn short_wait(&self, model: &AskedModel, now: Moment) -> Option<(Moment, RestCause)> {
        let covering = self.resting.iter().filter(|rest| rest.covers(model));
        let waits = covering.filter_map(|rest| Some((rest.short_until?, rest.cause)));
        waits
            .filter(|(until, _)| *until > now)
            .max_by_key(|(until, _)| *until)
    }

    /// Whether one more failure for such a reason has it left alone.
    pub fn is_on_the_brink(&self, model: &AskedModel, cause: RestCause) -> bool {
        let mut known = self.resting.iter();
        let failures = known
            .find(|rest| rest.cause == cause && rest.is_of(model))
            .map_or(0, |rest| rest.failures);
        failures + 1 >= Manner::of(cause, model.purpose).from
    }

    /// Why a question that goes to this one is not asked now, and until when.
    pub fn of(&self, model: &AskedModel, is_called: bool, now: Moment) -> Option<(Moment, RestCause)> {
        let resting = self.resting.iter().filter(|rest| rest.covers(model));
        let until = resting.map(|rest| (rest.until(is_called), rest.cause));
        until
            .filter(|(until, _)| *until > now)
            .max_by_key(|(until, _)| *until)
    }

    /// Whether it has rested and not answered since: to try it is one question, and no more.
    pub fn has_rested(&self, model: &AskedModel) -> bool {
        let mut resting = self.resting.iter().filter(|rest| rest.until > Moment(0));
        resting.any(|rest| rest.covers(model))
    }

    /// Somebody has changed something: what was changed may give an answer its words, and whoever pays may have paid. What
    /// a provider asks for does not hang on settings.
    pub fn settings_changed(&mut self, now: Moment) {
        let of_purpose = [
            RestCause::Mute,
            RestCause::Empty,
            RestCause::TooLong,
            RestCause::Rejected,
        ];
        self.resting.retain(|rest| !of_purpose.contains(&rest.cause));
        self.lift_where(now, |rest| rest.cause != RestCause::Asked);
    }

    /// A provider accepts the key: how many rested because it did not. Where nobody could tell which one was meant, it
    /// is that one.
    pub fn key_accepted(&mut self, provider: &str) -> usize {
        let before = self.resting.len();
        let of = [provider, "auto"];
        let is_it =
            |rest: &Rest| rest.cause == RestCause::Key && of.contains(&rest.model.choice.provider.as_str());
        self.resting.retain(|rest| !is_it(rest));
        before - self.resting.len()
    }

    /// Providers that do not accept the key.
    pub fn refused_keys(&self) -> impl Iterator<Item = &str> {
        let refused = self.resting.iter().filter(|rest| rest.cause == RestCause::Key);
        refused.map(|rest| rest.model.choice.provider.as_str())
    }

    /// Somebody has looked after the models: the next question tries each of them, and where that is in vain it rests for
    /// longer. How many they are.
    pub fn lift(&mut self, now: Moment) -> usize {
        self.lift_where(now, |_| true)
    }

    fn lift_where(&mut self, now: Moment, is_meant: impl Fn(&Rest) -> bool) -> usize {
        let resting = self.resting.iter_mut().filter(|rest| rest.holds(now));
        let lifted = resting.filter(|rest| is_meant(rest)).map(|rest| {
            rest.until = rest.until.min(now);
            rest.called_from = None;
            rest.trial_until = None;
        });
        lifted.count()
    }

    /// The process was started, perhaps by somebody who has paid: whoever calls Denizen by name has each of them tried.
    /// To be refused a key costs nothing, and a start is how it gets another, or another way.
    pub fn started(&mut self, now: Moment) {
        for rest in self.resting.iter_mut().filter(|rest| rest.holds(now)) {
            let is_due = |at: Moment| now.since(at) >= BETWEEN_STARTS;
            let is_free = matches!(
                rest.cause,
                RestCause::Key | RestCause::Region | RestCause::Unreachable
            );
            if is_free || rest.started.is_none_or(is_due) {
                rest.called_from = Some(rest.until(true).min(now));
                rest.trial_until = None;
                rest.started = Some(now);
            }
        }
    }

    /// A question goes to a model; where that is one which has asked for patience, it is a trial.
    pub fn tried(&mut self, model: &AskedModel, now: Moment) {
        let resting = self.resting.iter_mut().filter(|rest| rest.holds(now));
        for rest in resting.filter(|rest| rest.covers(model)) {
            rest.trial_until = Some(now + TRIAL_MAX);
        }
    }

    /// A model has answered a question of `launched`: what it failed with before that is over. Whether the answer has words
    /// is told later.
    pub fn answered(&mut self, model: &AskedModel, launched: Moment) {
        self.resting
            .retain(|rest| !rest.is_of(model) || launched < rest.since || rest.cause == RestCause::Empty);
    }

    /// These have answered somebody else, in words: how many of them rested.
    pub fn answered_elsewhere(&mut self, models: &[AskedModel], now: Moment) -> usize {
        let rested = self.resting(now).count();
        for model in models {
            self.answered(model, now);
            self.spoke(model);
        }
        rested - self.resting(now).count()
    }

    /// There were words in it.
    pub fn spoke(&mut self, model: &AskedModel) {
        self.resting
            .retain(|rest| !rest.covers(model) || rest.cause != RestCause::Empty);
    }

    /// A question of `launched` came to nothing: another one may try.
    pub fn tried_in_vain(&mut self, model: &AskedModel, launched: Moment) {
        let resting = self.resting.iter_mut().filter(|rest| launched >= rest.since);
        for rest in resting.filter(|rest| rest.covers(model)) {
            rest.trial_until = None;
        }
    }

    /// All that are not to be asked now, those among them that are to be tried or are being tried too; and those that owe
    /// somebody a word, which nothing else tells of.
    pub fn resting(&self, now: Moment) -> impl Iterator<Item = &Rest> {
        let is_wordless = |rest: &Rest| rest.cause == RestCause::Empty && rest.failures > 1;
        self.resting
            .iter()
            .filter(move |rest| rest.holds(now) || is_wordless(rest))
    }
}

#[cfg(test)]
#[path = "rests_tests.rs"]
mod rests_tests;
