//! What keeps models from being asked, in words for an operator: a budget that is used up, a model that rests.

use mind::reasons::SpendingPurpose;
use mind::spending::view::{RestingModel, SpendingView};

use crate::words::span;

/// Something that keeps models from being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ailing {
    /// `budget` or `model`.
    pub what: &'static str,
    /// With when it ends.
    pub detail: String,
    pub remedy: &'static str,
    /// Nobody gets a reply meanwhile; otherwise something is left undone or done without a model.
    pub of_replies: bool,
}

/// All that does so now.
pub fn ailing(view: &SpendingView) -> Vec<Ailing> {
    let used_up = view.purposes.iter().filter_map(|one| {
        let words = one.used_up.as_ref()?;
        let of_replies = one.purpose == SpendingPurpose::Replies;
        let meanwhile = match of_replies {
            true => "nobody is answered until then",
            false => one.at_the_limit.as_str(),
        };
        Some(Ailing {
            what: "budget",
            detail: format!("{words}, in {}; {meanwhile}", span(view.begins_anew_in)),
            remedy: "raise spending.perDay, or wait",
            of_replies,
        })
    });
    used_up.chain(view.resting.iter().map(resting)).collect()
}

fn resting(resting: &RestingModel) -> Ailing {
    let choice = &resting.choice;
    let model = match choice.model.as_str() {
        "" => "the model in use",
        named => named,
    };
    let again = match resting.asked_again_in.0 {
        0 => "with the next question".to_owned(),
        _ => format!("in {}, and not before", span(resting.asked_again_in)),
    };
    Ailing {
        what: "model",
        detail: format!(
            "{model} ({}) asked to be left alone and is tried again {again}",
            choice.provider
        ),
        remedy: "wait, or choose another with llm.provider and llm.model",
        of_replies: true,
    }
}

#[cfg(test)]
#[path = "ailing_tests.rs"]
mod ailing_tests;
