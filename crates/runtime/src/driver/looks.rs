//! Looks at the mind that pages ask for, answered between two inputs.

use mind::Rehearsal;

use super::Driver;
use crate::handle::{Look, VoiceLook};

/// Nobody waiting any more is no error.
pub(super) fn show(driver: &Driver, look: Look) {
    let settings = &driver.in_force.settings;
    match look {
        Look::Rooms { answer } => {
            let _ = answer.send(driver.mind.described_rooms().collect());
        }
        Look::Saying { answer } => {
            let _ = answer.send(driver.mind.is_saying());
        }
        Look::Session { room, answer } => {
            let _ = answer.send(driver.mind.session(&room, settings));
        }
        Look::Watch { room, answer } => {
            let _ = answer.send(driver.mind.watch(&room, driver.clock.now(), settings));
        }
        Look::Voice { room, answer } => {
            let view = driver.mind.voice(&room);
            let at = driver.clock.now();
            let _ = answer.send(view.map(|view| VoiceLook { view, at }));
        }
        Look::Rehearse { message, answer } => {
            let rehearsal = Rehearsal::of(&driver.mind, driver.clock.now(), *message, settings);
            let _ = answer.send(rehearsal);
        }
        Look::Again {
            room,
            message,
            answer,
        } => {
            let _ = answer.send(driver.mind.again_refused(&room, &message));
        }
        Look::AskUnderWay {
            room,
            message,
            answer,
        } => {
            let _ = answer.send(driver.mind.ask_under_way(&room, &message, driver.clock.now()));
        }
        Look::Ambient { answer } => {
            let _ = answer.send(driver.mind.ambient(driver.clock.now(), settings));
        }
        Look::Quiet { room, answer } => {
            let _ = answer.send(driver.mind.quiet_until(&room, driver.clock.now()));
        }
        Look::Spending { answer } => {
            let _ = answer.send(driver.mind.spending(driver.clock.now(), settings));
        }
    }
}
