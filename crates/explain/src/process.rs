//! What the lines about the process itself mean in plain words.

use mind::journal::JournalEvent;
use vocabulary::text::counted;

use crate::words::{self, span};

/// The sentence for a line about the process; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::StateSalvaged {
            carried,
            lost,
            messages,
        } => format!(
            "The kept state could not be read as a whole. Carried over: {}. Lost: {}. {} were read from the store.",
            words::listed(carried),
            words::listed(lost),
            counted(*messages, "message")
        ),
        JournalEvent::Restarted {
            down_for,
            asks_lost,
            deliveries_repeated,
        } => format!(
            "The process came up again after {}; {} lost, {} repeated.",
            span(*down_for),
            counted(*asks_lost, "model call"),
            match deliveries_repeated {
                1 => "1 delivery".to_owned(),
                many => format!("{many} deliveries"),
            }
        ),
        JournalEvent::CatalogueChanged {
            path,
            problem: Some(problem),
            ..
        } => {
            format!("The catalogue of models in {path} was not taken, and the one before counts: {problem}.")
        }
        JournalEvent::CatalogueChanged { path, date, .. } => format!(
            "The catalogue of models in {path} counts from now on{}.",
            date.as_ref()
                .map_or(String::new(), |date| format!("; it is of {date}"))
        ),
        JournalEvent::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        } => {
            let more = if *folded > 0 {
                format!(", and {folded} more since the last such line")
            } else {
                String::new()
            };
            format!("{method} {path} was refused with {status} ({code}){more}.")
        }
        JournalEvent::SettingsChanged { version, changed } => match changed.as_slice() {
            [] => format!("The settings were saved as version {version}, with no change."),
            changed => format!(
                "The settings were changed to version {version}: {}.",
                changed.join(", ")
            ),
        },
        JournalEvent::ModelMoved {
            provider,
            role,
            from,
            to,
            because,
        } => format!(
            "The {} of {provider} is {to} now and no longer {from}: {because}.",
            match role.as_str() {
                "small" => "small default model",
                _ => "default model",
            }
        ),
        JournalEvent::ShutdownRequested { .. } => "The process was asked to end.".into(),
        _ => return None,
    })
}
