//! What keeps models from being asked, in words for an operator: a budget that is used up or too small, a model that rests.

use mind::reasons::{RestCause, SpendingPurpose};
use mind::spending::view::{PurposeView, RestingModel, SpendingView};
use vocabulary::Span;

use crate::words::span;

/// Something that keeps models from being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ailing {
    /// `budget` or `model`.
    pub what: &'static str,
    /// With when it ends.
    pub detail: String,
    pub remedy: String,
    /// Nobody gets a reply meanwhile; otherwise something is left undone or done without a model.
    pub of_replies: bool,
    /// Why a model rests, where that is it.
    pub rest: Option<RestCause>,
}

/// All that does so now.
pub fn ailing(view: &SpendingView) -> Vec<Ailing> {
    let short = view
        .purposes
        .iter()
        .filter_map(|one| short(one, view.begins_anew_in));
    // One that nothing is asked of any more keeps nobody waiting.
    let resting = view.resting.iter().filter(|one| !one.serves.is_empty());
    short.chain(resting.map(self::resting)).collect()
}

fn short(one: &PurposeView, begins_anew_in: Span) -> Option<Ailing> {
    let words = one.used_up.as_ref()?;
    let of_replies = one.purpose == SpendingPurpose::Replies;
    let (when, until) = match one.for_good {
        true => (String::new(), ""),
        false => (format!(", in {}", span(begins_anew_in)), " until then"),
    };
    let meanwhile = match of_replies {
        true => format!("nobody is answered{until}"),
        false => one.at_the_limit.clone(),
    };
    Some(Ailing {
        what: "budget",
        detail: format!("{words}{when}; {meanwhile}"),
        remedy: one
            .remedy
            .clone()
            .unwrap_or_else(|| "raise spending.perDay, or wait".to_owned()),
        of_replies,
        rest: None,
    })
}

fn resting(resting: &RestingModel) -> Ailing {
    let choice = resting.asked.as_ref().unwrap_or(&resting.choice);
    let model = match choice.model.as_str() {
        "" => "the default model",
        named => named,
    };
    let again = match resting.asked_again_in.0 {
        0 => "with the next question".to_owned(),
        _ => format!("in {}, and not before", span(resting.asked_again_in)),
    };
    let serves: Vec<&str> = resting.serves.iter().map(|purpose| purpose.words()).collect();
    let pays = resting.serves.iter().map(|purpose| SpendingPurpose::of(*purpose));
    Ailing {
        what: "model",
        detail: format!(
            "{model} ({}), the model for {}, {} and is tried again {again}",
            choice.provider,
            serves.join(", "),
            resting.why.words()
        ),
        remedy: remedy(resting),
        of_replies: pays.into_iter().any(|paid| paid == SpendingPurpose::Replies),
        rest: Some(resting.why),
    }
}

/// What ends it. Each of these tries the model at once; so does a start, for whoever calls Denizen then.
fn remedy(resting: &RestingModel) -> String {
    let keys = resting.keys.join(", ");
    let look = match resting.asked_again_in.0 {
        0 => "ask it something",
        _ => "have it tried at once (“Look again” on the page, or `denizen models refresh`)",
    };
    match resting.why {
        RestCause::Spent => format!(
            "add credit or raise the limit with the provider and {look}, or choose another with {keys}"
        ),
        RestCause::Key => {
            format!("give it a key that its provider accepts and {look}, or choose another with {keys}")
        }
        RestCause::Region => {
            format!("go by an address that its provider answers and {look}, or choose another with {keys}")
        }
        RestCause::Gone => {
            format!("choose another with {keys}, or look which there are (`denizen models list`)")
        }
        RestCause::Unreachable => {
            format!("start its server or look at its address and {look}, or choose another with {keys}")
        }
        RestCause::TooLong => {
            format!(
                "give its server a longer context, lower llm.contextTokens, or choose another with {keys}"
            )
        }
        _ if resting.asked_again_in == Span::ZERO => format!("{look}, or choose another with {keys}"),
        _ => format!("wait, or {look}, or choose another with {keys}"),
    }
}

#[cfg(test)]
#[path = "ailing_tests.rs"]
mod ailing_tests;
