//! What the process and its clock tell the mind.

use std::collections::BTreeSet;

use vocabulary::{Message, ReplyModel, RoomId};

use super::Faculties;
use super::answers::{restarted, rests_lifted};
use crate::input::ShellEvent;
use crate::journal::{JournalEvent, Scope};
use crate::prompt::Profile;
use crate::room::Rooms;
use crate::step_context::StepContext;

pub(super) fn shell_event(faculties: &mut Faculties<'_>, event: ShellEvent, step: &mut StepContext<'_>) {
    let line = match event {
        ShellEvent::WakeReached => return,
        ShellEvent::Restarted { down_for } => {
            step.rests.started(step.ledger.now.moment);
            *faculties.waking = faculties.promises.restarted(down_for, step);
            if faculties.waking.is_none() {
                restarted(faculties, down_for, step);
            }
            return;
        }
        ShellEvent::StateSalvaged {
            carried,
            lost,
            messages,
        } => {
            let recovered = messages.len();
            recover(faculties.rooms, messages, step);
            JournalEvent::StateSalvaged {
                carried,
                lost,
                messages: recovered,
            }
        }
        ShellEvent::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        } => JournalEvent::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        },
        ShellEvent::SettingsChanged { version, changed } => {
            // Any room may be waiting for a time that follows from them.
            faculties.rooms.reconsider_all();
            step.rests.settings_changed(step.ledger.now.moment);
            JournalEvent::SettingsChanged { version, changed }
        }
        ShellEvent::ModelMoved {
            provider,
            role,
            from,
            to,
            because,
        } => JournalEvent::ModelMoved {
            provider,
            role,
            from,
            to,
            because,
        },
        ShellEvent::CatalogueChanged { path, date, problem } => {
            JournalEvent::CatalogueChanged { path, date, problem }
        }
        ShellEvent::ShutdownRequested => JournalEvent::ShutdownRequested { at: step.now().wall },
        ShellEvent::ReplyModelChanged { model } => {
            let plain = match Profile::of(step.settings, model.as_ref()) {
                Profile::Plain(because) => Some(because),
                Profile::Full => None,
            };
            let ReplyModel { provider, model, .. } = model.unwrap_or_default();
            JournalEvent::ReplyModelChanged {
                provider,
                model,
                plain,
            }
        }
        // They are told by what is refused because of them, and by who was asked.
        ShellEvent::AllowancesChanged { .. } | ShellEvent::ModelsChanged { .. } => return,
        ShellEvent::KeyAccepted { provider } => {
            let models = step.rests.key_accepted(&provider);
            return rests_lifted(models, step);
        }
        ShellEvent::CapabilitiesChanged { tools, media } => JournalEvent::CapabilitiesChanged {
            tools: tools.into_iter().map(|tool| tool.spec.name).collect(),
            media,
        },
    };
    step.ledger.write(Scope::default(), line);
}

/// Tells rooms that have lost what was said of it.
fn recover(rooms: &mut Rooms, messages: Vec<Message>, step: &mut StepContext<'_>) {
    let known: BTreeSet<RoomId> = rooms
        .iter()
        .filter(|(_, room)| room.holds_messages())
        .map(|(id, _)| id.clone())
        .collect();
    for message in messages {
        if !known.contains(&message.room) {
            let room = rooms.open(&message.room, step);
            room.message_recovered(message, step);
        }
    }
}
