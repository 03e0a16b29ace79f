//! What a step keeps ready for the next one.

use crate::addressing::Identity;

/// Denizen's names, made ready. They follow from the settings and are no part of the state: two minds that differ in this
/// alone are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready(pub Option<Identity>);

impl PartialEq for Ready {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
