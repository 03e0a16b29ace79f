//! What will happen and when: in order of time, and of planning within one moment.

use std::collections::BTreeMap;

use vocabulary::Moment;

#[derive(Clone, Debug)]
pub(crate) struct Agenda<T> {
    planned: BTreeMap<(Moment, u64), T>,
    count: u64,
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self {
            planned: BTreeMap::new(),
            count: 0,
        }
    }
}

impl<T> Agenda<T> {
    pub fn plan(&mut self, at: Moment, what: T) {
        self.count += 1;
        self.planned.insert((at, self.count), what);
    }

    pub fn next_at(&self) -> Option<Moment> {
        self.planned.first_key_value().map(|((at, _), _)| *at)
    }

    pub fn take_next(&mut self) -> Option<T> {
        self.planned.pop_first().map(|(_, what)| what)
    }
}
