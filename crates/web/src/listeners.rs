//! Who listens to live events: so many in all, so many of one credential, and always a few places for administrators.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::access::{Caller, Role};

/// Pages that may listen at once.
pub(crate) const LISTENERS_MAX: usize = 200;
/// Of these, pages of one token or of one session that has none.
pub(crate) const LISTENERS_PER_CREDENTIAL_MAX: usize = 50;
/// Places that only administrators take.
const FOR_ADMINISTRATORS: usize = 20;

/// The pages that listen, by whose they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listeners(Arc<Mutex<BTreeMap<String, usize>>>);

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    listeners: Listeners,
    whose: String,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoPlace {
    Full,
    TooManyOfOne,
}

impl Listeners {
    pub fn take(&self, caller: &Caller) -> Result<Place, NoPlace> {
        let most = match caller.role {
            Role::Administrator => LISTENERS_MAX,
            _ => LISTENERS_MAX - FOR_ADMINISTRATORS,
        };
        let whose = caller.root().to_owned();
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken
            .get(&whose)
            .is_some_and(|own| *own >= LISTENERS_PER_CREDENTIAL_MAX)
        {
            return Err(NoPlace::TooManyOfOne);
        }
        if taken.values().sum::<usize>() >= most {
            return Err(NoPlace::Full);
        }
        *taken.entry(whose.clone()).or_default() += 1;
        let listeners = self.clone();
        Ok(Place { listeners, whose })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.listeners.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.whose) {
            *own -= 1;
        }
        taken.retain(|_, own| *own > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, LISTENERS_PER_CREDENTIAL_MAX, Listeners, NoPlace, Role};

    fn caller(credential: usize, role: Role) -> Caller {
        Caller {
            credential: credential.to_string(),
            role,
            parent: None,
        }
    }

    #[test]
    fn readers_take_no_place_of_the_administrators_and_none_takes_all() {
        let listeners = Listeners::default();
        let mut places = Vec::new();
        for number in 0..180 {
            let reader = caller(number / LISTENERS_PER_CREDENTIAL_MAX, Role::Reader);
            places.push(listeners.take(&reader).unwrap());
        }
        let first = listeners.take(&caller(0, Role::Reader)).unwrap_err();
        let last = listeners.take(&caller(9, Role::Reader)).unwrap_err();
        assert_eq!((first, last), (NoPlace::TooManyOfOne, NoPlace::Full));
        for _ in 0..20 {
            places.push(listeners.take(&caller(10, Role::Administrator)).unwrap());
        }
        let full = listeners.take(&caller(11, Role::Administrator));
        assert_eq!(full.unwrap_err(), NoPlace::Full);
        places.clear();
        assert!(listeners.take(&caller(0, Role::Reader)).is_ok());
    }
}
