//! What somebody types as a command is carried out, or it is said why it is not.

use vocabulary::{Forget, Message};

use super::Room;
use super::command::{Obeyed, held_notice, help, how_to_share, last_said_by};
use super::talking::{choose_listening, come_or_go};
use crate::journal::{JournalEvent, Scope};
use crate::memory::command::Command;
use crate::step_context::StepContext;

/// Carries a command out. It is no part of the conversation: no model sees it.
pub(super) fn obey(
    room: &mut Room,
    command: &Command,
    message: &Message,
    scope: Scope,
    step: &mut StepContext<'_>,
) -> Option<Obeyed> {
    let name = command.name().to_owned();
    let (author, who_may) = (&message.author.id, step.settings.permissions.forgetting);
    let permissions = (who_may, step.settings.permissions.quieting);
    if let Some(reason) = room
        .unconfirmed
        .holds(command, author, permissions, step.moment())
    {
        let event = JournalEvent::CommandHeld {
            command: name,
            reason,
        };
        let cause = step.ledger.write(scope, event);
        room.notice(held_notice(reason), cause, step);
        return None;
    }
    let cause = step
        .ledger
        .write(scope, JournalEvent::CommandTaken { command: name });
    let community = step.ledger.community();
    match command {
        Command::New | Command::Reset => {
            room.session_ended(step);
            let text = "A new conversation begins. What was said before is remembered.";
            room.notice(text, cause, step);
            command.ending().map(Obeyed::SessionEnded)
        }
        Command::Help => {
            room.notice(&help(who_may), cause, step);
            None
        }
        Command::Join | Command::Leave => {
            come_or_go(room, command, &message.author.id, cause, step);
            None
        }
        Command::Listen(listen) => {
            choose_listening(room, &message.author.id, *listen, cause, step);
            None
        }
        Command::Quiet(wish) => wish.map(|wish| Obeyed::Quiet(author.clone(), wish)),
        Command::Watch => {
            let text = how_to_share(&room.watch, step.settings);
            room.notice(&text, cause, step);
            None
        }
        // The first of these is always asked back.
        Command::ForgetMe | Command::ForgetMeYes => Some(Obeyed::Forget(Forget::Person {
            person: message.author.id.clone(),
            name: message.author.name.clone(),
            community: Some(community.clone()),
        })),
        Command::ForgetThat => match last_said_by(message, room.log.log(), community) {
            Some(turns) => Some(Obeyed::Forget(Forget::Turns(turns))),
            None => {
                let text = "There is nothing of yours here that I could forget.";
                room.notice(text, cause, step);
                None
            }
        },
    }
}
