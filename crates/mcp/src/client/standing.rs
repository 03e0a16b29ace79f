//! How it stands with one server, and the words for it.

use tokio::time::Instant;

use super::offer::{LeftOut, Offer};

/// Names of tools that a sentence lists before it counts the rest.
const NAMES_TOLD_MAX: usize = 8;

#[derive(Clone, Debug)]
pub(crate) enum Standing {
    Connecting,
    Connected {
        about: String,
    },
    /// Why not, and when it is tried again.
    Away {
        why: String,
        again_at: Instant,
    },
    Ended,
}

impl Standing {
    /// For a caller whose call cannot be made, and for the operator.
    pub(crate) fn words(&self) -> String {
        match self {
            Standing::Connecting => "being connected".to_owned(),
            Standing::Connected { about } => format!("connected to {about}"),
            Standing::Away { why, again_at } => {
                let wait = again_at.saturating_duration_since(Instant::now());
                match wait.as_secs() {
                    0 => format!("not connected: {why}; tried again now"),
                    seconds => format!("not connected: {why}; tried again in {seconds} s"),
                }
            }
            Standing::Ended => "not connected any more".to_owned(),
        }
    }
}

/// What of a server's tools is used, for the operator.
pub(crate) fn tools_told(offer: &Offer) -> String {
    let tools = match offer.tools.len() {
        0 => "no tools".to_owned(),
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    };
    match left_out_told(&offer.left_out) {
        None => tools,
        Some(left_out) => format!("{tools}; left out: {left_out}"),
    }
}

fn left_out_told(left_out: &[LeftOut]) -> Option<String> {
    if left_out.is_empty() {
        return None;
    }
    let mut told: Vec<String> = left_out
        .iter()
        .take(NAMES_TOLD_MAX)
        .map(|left| format!("{} ({})", left.tool, left.why))
        .collect();
    if left_out.len() > NAMES_TOLD_MAX {
        told.push(format!("and {} more", left_out.len() - NAMES_TOLD_MAX));
    }
    Some(told.join(", "))
}
