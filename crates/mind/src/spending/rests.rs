//! Models that asked to be left alone for long, or that are because asking them is paid for and leads to nothing. Nobody
//! waits that long in a room: it is said, and the room goes on.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskPurpose, ModelChoice, ModelRole, Moment, RoomId, Span};

use crate::reasons::RestCause;

/// The longest that a reply waits for a model because the provider asks for it.
pub(crate) const PATIENCE_MAX: Span = Span::seconds(60);
/// A model is tried again after so long, whatever its provider said; each time it asks again for patience, after twice
/// that.
const FIRST_TRY_AFTER: Span = Span::minutes(5);
/// And never later than that.
const REST_MAX: Span = Span::hours(1);
/// While a question that tries it is under way, background work waits for what comes of it, and no longer than that.
const TRIAL_MAX: Span = Span::seconds(60);
/// How long a model is left alone for what it was asked and said nothing: each time is paid for.
pub(crate) const MUTE_REST: Span = REST_MAX;
/// Models that are known to rest; a community has few.
const RESTS_MAX: usize = 16;

/// A model as questions choose it. Where none is named, its provider has a default for each role: two models, each with
/// quotas of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChosenModel {
    pub choice: ModelChoice,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<ModelRole>,
    /// For what alone it is left alone; none: whatever for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only_for: Option<AskPurpose>,
}

impl ChosenModel {
    /// The one that is asked by such a choice for a purpose.
    pub fn of(choice: &ModelChoice, purpose: AskPurpose) -> Self {
        Self {
            choice: choice.clone(),
            role: choice.model.is_empty().then(|| purpose.role()),
            only_for: None,
        }
    }

    /// The same for one purpose: it may do for others.
    pub fn only_for(&self, purpose: AskPurpose) -> Self {
        Self {
            only_for: Some(purpose),
            ..self.clone()
        }
    }

    /// As what it may rest where it is asked by such a choice for a purpose: altogether, or for that.
    pub fn both(choice: &ModelChoice, purpose: AskPurpose) -> [Self; 2] {
        let model = Self::of(choice, purpose);
        let narrow = model.only_for(purpose);
        [model, narrow]
    }

    /// What it is asked for under these settings.
    pub fn serves(&self, settings: &Settings) -> Vec<AskPurpose> {
        let asked = AskPurpose::ALL
            .into_iter()
            .filter(|purpose| settings.asks_for(*purpose));
        asked
            .filter(|purpose| Self::both(&settings.choice_for(*purpose), *purpose).contains(self))
            .collect()
    }
}

/// Models that are not asked for a while.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ModelRests {
    resting: Vec<Rest>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rest {
    #[serde(flatten)]
    pub model: ChosenModel,
    /// From then on the next question tries it.
    pub until: Moment,
    /// What its provider asked for ends then.
    #[serde(default)]
    asked_until: Moment,
    /// When it asked last.
    #[serde(default)]
    since: Moment,
    /// How often in a row it has asked for patience.
    #[serde(default)]
    times: u32,
    /// A question that tries it is under way, until then at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trial_until: Option<Moment>,
    /// Its account has nothing left, rather than that it asked to be left alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    spent: bool,
    /// Rooms in which somebody was told of it.
    #[serde(default)]
    told: Vec<RoomId>,
}

impl Rest {
    /// Why it rests.
    pub fn cause(&self) -> RestCause {
        match (self.model.only_for, self.spent) {
            (Some(_), _) => RestCause::Mute,
            (None, true) => RestCause::Spent,
            (None, false) => RestCause::Asked,
        }
    }

    /// Whether its provider has said that it does not want to be asked now.
    fn holds(&self, now: Moment) -> bool {
        self.until > now || self.asked_until > now
    }
}

impl ModelRests {
    /// A provider asks, to a question of `launched`, for a wait that is longer than anybody waits in a room: for how long
    /// the model is left alone.
    pub fn begin(
        &mut self,
        model: &ChosenModel,
        asked_for: Span,
        launched: Moment,
        now: Moment,
    ) -> Option<Span> {
        if asked_for <= PATIENCE_MAX {
            return None;
        }
        let before = self.resting.iter().find(|rest| rest.model == *model);
        let times = match before {
            // Questions that were under way together are answered alike: that is no second time.
            Some(before) if launched < before.since => before.times,
            Some(before) => before.times.saturating_add(1),
            None => 0,
        };
        let patience = Span(FIRST_TRY_AFTER.0 << times.min(8)).min(REST_MAX);
        let rest = asked_for.min(patience);
        // It is the same trouble as before: whoever was told of it has heard it.
        let told = before.map(|before| before.told.clone()).unwrap_or_default();
        self.resting.retain(|rest| rest.model != *model);
        if self.resting.len() >= RESTS_MAX {
            self.resting.remove(0);
        }
        self.resting.push(Rest {
            model: model.clone(),
            until: now + rest,
            asked_until: Moment(now.0.saturating_add(asked_for.0)),
            since: now,
            times,
            trial_until: None,
            spent: false,
            told,
        });
        Some(rest)
    }

    /// It rests because its account has nothing left.
    pub fn has_nothing_left(&mut self, model: &ChosenModel) {
        let rest = self.resting.iter_mut().find(|rest| rest.model == *model);
        if let Some(rest) = rest {
            rest.spent = true;
        }
    }

    /// Why a question that goes to one of these is not asked now: which of them rests, until when and why.
    pub fn of(
        &self,
        models: [ChosenModel; 2],
        is_background: bool,
        now: Moment,
    ) -> Option<(ChosenModel, Moment, RestCause)> {
        models.into_iter().find_map(|model| {
            let until = self.until(&model, is_background, now)?;
            let rest = self.resting.iter().find(|rest| rest.model == model)?;
            Some((model, until, rest.cause()))
        })
    }

    /// Somebody has changed something: what was changed may give an answer its words, and whoever pays may have paid. What
    /// a provider asks for does not hang on settings.
    pub fn settings_changed(&mut self, now: Moment) {
        self.resting.retain(|rest| rest.cause() != RestCause::Mute);
        self.lift_where(now, |rest| rest.cause() == RestCause::Spent);
    }

    /// Somebody has looked after the models, or started the process anew: the next question tries each of them, and where
    /// that is in vain it rests for longer. How many they are.
    pub fn lift(&mut self, now: Moment) -> usize {
        self.lift_where(now, |_| true)
    }

    fn lift_where(&mut self, now: Moment, is_meant: impl Fn(&Rest) -> bool) -> usize {
        let resting = self.resting.iter_mut().filter(|rest| rest.holds(now));
        let lifted = resting.filter(|rest| is_meant(rest)).map(|rest| {
            rest.until = rest.until.min(now);
            rest.trial_until = None;
        });
        lifted.count()
    }

    /// A question goes to a model; where that is one which has asked for patience, it is a trial.
    pub fn tried(&mut self, model: &ChosenModel, now: Moment) {
        let rest = self.resting.iter_mut().find(|rest| rest.model == *model);
        if let Some(rest) = rest.filter(|rest| rest.holds(now)) {
            rest.trial_until = Some(now + TRIAL_MAX);
        }
    }

    /// A model has answered a question of `launched`: what its provider asked for before that is over.
    pub fn answered(&mut self, model: &ChosenModel, launched: Moment) {
        self.resting
            .retain(|rest| rest.model != *model || launched < rest.since);
    }

    /// The models for these purposes have answered somebody else: how many of them rested.
    pub fn answered_for(&mut self, purposes: &[AskPurpose], settings: &Settings, now: Moment) -> usize {
        let before = self.resting.len();
        for purpose in purposes {
            for model in ChosenModel::both(&settings.choice_for(*purpose), *purpose) {
                self.answered(&model, now);
            }
        }
        before - self.resting.len()
    }

    /// A question of `launched` came to nothing, otherwise than by a request for patience: another one may try.
    pub fn tried_in_vain(&mut self, model: &ChosenModel, launched: Moment) {
        let rest = self.resting.iter_mut().find(|rest| rest.model == *model);
        if let Some(rest) = rest.filter(|rest| launched >= rest.since) {
            rest.trial_until = None;
        }
    }

    /// Until when a model is left alone; background work also waits for what comes of a trial.
    pub fn until(&self, model: &ChosenModel, is_background: bool, now: Moment) -> Option<Moment> {
        let rest = self.resting.iter().find(|rest| rest.model == *model)?;
        let trial = rest.trial_until.filter(|_| is_background);
        let until = rest.until.max(trial.unwrap_or_default());
        (until > now).then_some(until)
    }

    /// Whether somebody in a room is to be told of it: once, however often it is tried in vain.
    pub fn is_to_be_told(&mut self, model: &ChosenModel, room: &RoomId, now: Moment) -> bool {
        let mut resting = self.resting.iter_mut().filter(|rest| rest.until > now);
        let Some(rest) = resting.find(|rest| rest.model == *model) else {
            return false;
        };
        let news = !rest.told.contains(room);
        if news {
            rest.told.push(room.clone());
        }
        news
    }

    /// All that have asked not to be asked now, those among them that are to be tried or are being tried too.
    pub fn resting(&self, now: Moment) -> impl Iterator<Item = &Rest> {
        self.resting.iter().filter(move |rest| rest.holds(now))
    }
}

#[cfg(test)]
#[path = "rests_tests.rs"]
mod rests_tests;
