//! Models that are asked where none is named: the next takes the place of one that its service does not have any more.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A service's usual models, the most wanted first. None where the operator has named one.
pub(crate) type Usual = &'static [&'static str];

/// Models that their services said they do not have. Cheap to clone: all clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct GoneModels(Arc<Mutex<BTreeSet<String>>>);

impl GoneModels {
    /// The one to ask where this one is wanted: of the usual ones the first that is not known to be gone.
    pub(crate) fn asked<'a>(&self, model: &'a str, usual: Usual) -> &'a str {
        if !usual.contains(&model) {
            return model;
        }
        let gone = self.gone();
        let mut there = usual.iter().filter(|other| !gone.contains(**other));
        there.next().copied().unwrap_or(model)
    }

    /// A service does not have this one: the one to ask in its place, where there is one.
    pub(crate) fn instead_of(&self, model: &str, usual: Usual) -> Option<&'static str> {
        if !usual.contains(&model) {
            return None;
        }
        let mut gone = self.gone();
        gone.insert(model.to_owned());
        let other = usual.iter().find(|other| !gone.contains(**other)).copied();
        if other.is_none() {
            // Whoever has none of them is asked from the beginning the next time.
            gone.retain(|model| !usual.contains(&model.as_str()));
        }
        other
    }

    fn gone(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_takes_the_place_of_one_that_is_gone_and_a_named_one_is_never_replaced() {
        let gone = GoneModels::default();
        let usual: Usual = &["first", "second"];
        assert_eq!(gone.asked("first", usual), "first");
        assert_eq!(gone.instead_of("named", usual), None);
        assert_eq!(gone.instead_of("first", &[]), None);
        assert_eq!(gone.instead_of("first", usual), Some("second"));
        assert_eq!(gone.clone().asked("first", usual), "second");
        assert_eq!(gone.asked("named", usual), "named");
        assert_eq!(gone.asked("first", &[]), "first");
        assert_eq!(gone.instead_of("second", usual), None);
        assert_eq!(gone.asked("second", usual), "first", "somebody has to be asked");
    }
}
