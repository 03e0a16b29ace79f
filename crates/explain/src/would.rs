//! What would become of a message, in a sentence.

use mind::{JournalEvent, Rehearsal, WouldDo};

use crate::words::{admission, span};

/// Says what a rehearsal came to.
pub fn would(rehearsal: &Rehearsal) -> String {
    let gate = rehearsal.lines().iter().rev().find_map(|line| match &line.event {
        JournalEvent::AdmissionDecided {
            reason,
            address,
            rule,
            eagerness,
            ..
        } => Some(admission(*reason, *address, rule, *eagerness)),
        _ => None,
    });
    let gate = gate.map_or(String::new(), |gate| format!(" {gate}"));
    match rehearsal.outcome() {
        WouldDo::AskForReply => format!(
            "A model would be asked for a reply, {} after the message.{gate}",
            span(rehearsal.after())
        ),
        WouldDo::AskWhetherMeant => {
            format!("A model would be asked first whether it is meant for Denizen.{gate}")
        }
        WouldDo::StaySilent => format!("Denizen would stay silent.{gate}"),
        WouldDo::Wait => format!("It would wait for the reply that is being made in this room.{gate}"),
        WouldDo::Obey => {
            "It is a command: it would be carried out or asked back about, and no model would be asked."
                .to_owned()
        }
    }
}
