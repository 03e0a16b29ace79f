//! Looks at the mind that pages ask for, answered between two inputs.

use super::Driver;
use crate::handle::Look;

/// Nobody waiting any more is no error.
pub(super) fn show(driver: &Driver, look: Look) {
    let settings = &driver.in_force.settings;
    match look {
        Look::Session { room, answer } => {
            let _ = answer.send(driver.mind.session(&room, settings));
        }
        Look::Watch { room, answer } => {
            let _ = answer.send(driver.mind.watch(&room, driver.clock.now(), settings));
        }
        Look::Ambient { answer } => {
            let _ = answer.send(driver.mind.ambient(driver.clock.now(), settings));
        }
    }
}
