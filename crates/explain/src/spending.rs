//! What the lines about budgets, and about models that rest or hold a room up, mean in plain words.

use mind::journal::JournalEvent;
use mind::reasons::{RestCause, SpendingRefusal};

use crate::words::{held_up, model, span};

/// The sentence for a line about spending; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::SpendingRefused {
            purpose,
            limit,
            share,
            used,
            allowed,
            wanted,
        } => {
            let refusal = SpendingRefusal {
                purpose: *purpose,
                limit: *limit,
                scope: *share,
                used: *used,
                allowed: *allowed,
                wanted: *wanted,
            };
            format!(
                "No model was asked for {}: {}. At the limit {}.",
                purpose.words(),
                refusal.words(),
                purpose.at_the_limit()
            )
        }
        JournalEvent::ModelRestBegun {
            provider,
            model: name,
            rest,
            why: Some(why),
            ..
        } if *why != RestCause::Asked => format!(
            "{} {}; it is left alone for {}, and tried with the next question after that.",
            model(provider, name),
            why.words(),
            span(*rest)
        ),
        JournalEvent::ModelRestBegun {
            provider,
            model: name,
            asked_for,
            rest,
            ..
        } => format!(
            "{} asked to be left alone for {}, which is longer than anybody waits in a room; it is left alone for {}, and tried with the next question after that.",
            model(provider, name),
            span(*asked_for),
            span(*rest)
        ),
        JournalEvent::ModelRestsLifted { models } => format!(
            "{} left alone; whoever looks after Denizen wants {} tried, so the next question does.",
            match models {
                1 => "A model was".to_owned(),
                models => format!("{models} models were"),
            },
            if *models == 1 { "it" } else { "each" }
        ),
        JournalEvent::ReplyHeldUp {
            took,
            failure,
            retry_in,
            ..
        } => held_up(*took, *failure, *retry_in),
        _ => return None,
    })
}
