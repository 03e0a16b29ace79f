//! Which share of the day a purpose has, and whether a question still fits into it.

use settings::Settings;

use super::book::Used;
use super::fare::Fare;
use crate::reasons::{SpendingLimit, SpendingPurpose, SpendingRefusal, SpendingScope};

const DOLLAR: f64 = 1_000_000.0;

/// What may be used of a day within a scope; none where the scope is not asked.
pub(super) fn allowed(purpose: SpendingPurpose, scope: SpendingScope, settings: &Settings) -> Option<Used> {
    let percent = match scope {
        SpendingScope::Purpose => percent_of(purpose, settings),
        SpendingScope::Background if purpose == SpendingPurpose::Replies => return None,
        SpendingScope::Background => settings.spending_percent.background,
        SpendingScope::Everything => 100,
    };
    let day = &settings.spending_per_day;
    let share = |whole: u64| (u128::from(whole) * u128::from(percent) / 100) as u64;
    Some(Used {
        calls: share(day.calls),
        tokens: share(day.tokens),
        micro_dollars: share((day.dollars * DOLLAR).round() as u64),
    })
}

fn percent_of(purpose: SpendingPurpose, settings: &Settings) -> u64 {
    let percent = &settings.spending_percent;
    match purpose {
        SpendingPurpose::Replies => percent.replies,
        SpendingPurpose::Classifier => percent.classifier,
        SpendingPurpose::Memory => percent.memory,
        SpendingPurpose::Summaries => percent.summaries,
        SpendingPurpose::ScreenNotes => percent.screen_notes,
        SpendingPurpose::Commentary => percent.commentary,
        SpendingPurpose::Thoughts => percent.thoughts,
    }
}

/// Why a question does not fit into a share.
pub(super) fn refused_by(
    fare: &Fare,
    purpose: SpendingPurpose,
    scope: SpendingScope,
    share: Used,
    used: Used,
) -> Option<SpendingRefusal> {
    let refusal = |limit, used, allowed, wanted| SpendingRefusal {
        purpose,
        limit,
        scope,
        used,
        allowed,
        wanted,
    };
    let full = |used: u64, wanted: u64, allowed: u64| used.saturating_add(wanted) > allowed;
    let (tokens, cost) = (fare.tokens(), fare.micro_dollars());
    if full(used.calls, 1, share.calls) {
        Some(refusal(SpendingLimit::Calls, used.calls, share.calls, 1))
    } else if full(used.tokens, tokens, share.tokens) {
        Some(refusal(SpendingLimit::Tokens, used.tokens, share.tokens, tokens))
    } else if fare.free_of_charge {
        None
    } else if share.micro_dollars == 0 || full(used.micro_dollars, cost, share.micro_dollars) {
        let (used, allowed) = (used.micro_dollars, share.micro_dollars);
        Some(refusal(SpendingLimit::Dollars, used, allowed, cost))
    } else {
        None
    }
}
