//! What would become of a message, in a sentence.

use mind::{Rehearsal, WouldDo};

use crate::gates::text_gate;
use crate::words::span;

/// Says what a rehearsal came to.
pub fn would(rehearsal: &Rehearsal) -> String {
    let mut newest_first = rehearsal.lines().iter().rev();
    let gate = newest_first.find_map(|line| text_gate(&line.event));
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
