//! What was spent today, as a page shows it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskPurpose, ModelChoice, Now, Span};

use super::book::tomorrow;
use super::limits::allowed;
use super::{Foreseen, ModelRests, SpendingBook};
use crate::reasons::{RestCause, Shortage, SpendingGate, SpendingPurpose, SpendingRefusal, SpendingScope};

/// How much of an allowance of 24 hours is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Meter {
    pub used: u64,
    pub limit: u64,
    /// When some of it comes back.
    pub frees_in: Option<Span>,
}

/// What was spent today (UTC) in one community, by purpose, and what was saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpendingView {
    /// When the next day begins.
    pub begins_anew_in: Span,
    /// Everything together.
    pub all: SpendingLine,
    /// Everything but replies.
    pub background: SpendingLine,
    pub purposes: Vec<PurposeView>,
    /// What each gate kept from being asked.
    pub saved: Vec<SavedView>,
    /// Models that are left alone for a while.
    pub resting: Vec<RestingModel>,
}

/// One purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PurposeView {
    pub purpose: SpendingPurpose,
    #[serde(flatten)]
    pub line: SpendingLine,
    /// Questions that were not asked because nothing was left.
    pub refused: u64,
    /// That nothing is left today, so that nothing is asked: what was used, and of how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_up: Option<String>,
    /// Nothing is asked tomorrow either: one question may take more than a whole day has, or a day has nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_good: bool,
    /// What to do about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Its model costs no money.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// Questions under way, whose price is reserved.
    pub under_way: u64,
    /// What happens when nothing is left.
    pub at_the_limit: String,
}

/// What was used, and of how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpendingLine {
    /// Requests, every try counted.
    pub calls: u64,
    pub input_tokens: u64,
    /// Of the input, what providers had read before and ask less for.
    pub cached_tokens: u64,
    pub output_tokens: u64,
    /// As far as prices are known.
    pub cost_micro_dollars: u64,
    /// Calls whose price nobody knows.
    pub unpriced_calls: u64,
    /// Calls of models without a known price: they are charged at what the maker asks, like the dearest of their family, or
    /// by a guess.
    #[serde(default)]
    pub assumed_calls: u64,
    /// What was saved because providers had read part of the input before; fewer than none where keeping it cost more.
    #[serde(default)]
    pub cache_saved_micro_dollars: i64,
    /// Calls that are known to be free; they bind nothing.
    pub free_calls: u64,
    pub free_tokens: u64,
    pub calls_limit: u64,
    pub tokens_limit: u64,
    pub cost_limit_micro_dollars: u64,
}

/// What one gate kept from being asked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    pub gate: SpendingGate,
    pub times: u64,
}

/// A model that is not asked for a while.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RestingModel {
    /// As the settings choose it; where they name none, the provider's default for what it serves.
    pub choice: ModelChoice,
    /// Which one that is, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<ModelChoice>,
    /// What it serves under the settings in force.
    #[serde(default)]
    pub serves: Vec<AskPurpose>,
    /// The settings that name another for that.
    #[serde(default)]
    pub keys: Vec<String>,
    /// When whoever calls Denizen by name has it tried. Zero: with the next question.
    pub asked_again_in: Span,
    /// Why it is left alone.
    pub why: RestCause,
}

/// The page of a community.
pub(crate) fn view(
    (book, rests): (&SpendingBook, &ModelRests),
    models: &BTreeMap<AskPurpose, ModelChoice>,
    foreseen: &Foreseen<'_>,
    now: Now,
    settings: &Settings,
) -> SpendingView {
    let mut today = book.clone();
    today.turn_page(now);
    let line = |scope, counted: &dyn Fn(SpendingPurpose) -> bool, purpose| {
        let mut line = SpendingLine::default();
        for spent in SpendingPurpose::ALL
            .into_iter()
            .filter(|purpose| counted(*purpose))
            .map(|purpose| today.spent_on(purpose))
        {
            line.calls = line.calls.saturating_add(spent.calls);
            line.input_tokens = line.input_tokens.saturating_add(spent.input_tokens);
            line.cached_tokens = line.cached_tokens.saturating_add(spent.cached_tokens);
            line.output_tokens = line.output_tokens.saturating_add(spent.output_tokens);
            line.cost_micro_dollars = line.cost_micro_dollars.saturating_add(spent.micro_dollars);
            line.unpriced_calls = line.unpriced_calls.saturating_add(spent.unpriced);
            line.assumed_calls = line.assumed_calls.saturating_add(spent.assumed);
            let saved = &mut line.cache_saved_micro_dollars;
            *saved = saved.saturating_add(spent.cache_saved);
            line.free_calls = line.free_calls.saturating_add(spent.free_calls);
            line.free_tokens = line.free_tokens.saturating_add(spent.free_tokens);
        }
        let share = allowed(purpose, scope, settings).unwrap_or_default();
        line.calls_limit = share.calls;
        line.tokens_limit = share.tokens;
        line.cost_limit_micro_dollars = share.micro_dollars;
        line
    };
    let any = SpendingPurpose::Memory;
    let purposes = SpendingPurpose::ALL.into_iter().map(|purpose| {
        let refusal = today.used_up(purpose, foreseen, settings);
        let for_good = |refusal: &SpendingRefusal| refusal.shortage() != Shortage::UsedUp;
        PurposeView {
            purpose,
            line: line(SpendingScope::Purpose, &|other| other == purpose, purpose),
            refused: today.spent_on(purpose).refused,
            for_good: refusal.as_ref().is_some_and(for_good),
            remedy: refusal.as_ref().map(|refusal| refusal.remedy(settings)),
            used_up: refusal.map(|refusal| refusal.words()),
            free: foreseen.is_free(purpose),
            under_way: today.under_way(purpose),
            at_the_limit: purpose.at_the_limit().to_owned(),
        }
    });
    let saved = SpendingGate::ALL.into_iter().map(|gate| SavedView {
        gate,
        times: today.saved().get(&gate).copied().unwrap_or_default(),
    });
    let resting = rests.resting(now.moment).map(|rest| RestingModel {
        choice: rest.model.choice.clone(),
        asked: None,
        serves: rest.serves(settings, models),
        keys: keys_of(&rest.serves(settings, models), settings),
        asked_again_in: rest.until(true).since(now.moment),
        why: rest.cause,
    });
    SpendingView {
        begins_anew_in: tomorrow(now).0,
        all: line(SpendingScope::Everything, &|_| true, any),
        background: line(
            SpendingScope::Background,
            &|purpose| purpose != SpendingPurpose::Replies,
            any,
        ),
        purposes: purposes.collect(),
        saved: saved.collect(),
        resting: resting.collect(),
    }
}

/// Each once.
fn keys_of(purposes: &[AskPurpose], settings: &Settings) -> Vec<String> {
    let mut keys = Vec::new();
    for purpose in purposes {
        let key = settings.keys_for(*purpose).model.to_owned();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}
