//! Small numbers in place of names, so that comparing is comparing integers.

use std::collections::BTreeMap;

use crate::growth::push;

/// The number of nobody and nothing.
pub const NONE: u32 = u32::MAX;

/// Gives each value a number, the same for equal values.
#[derive(Debug, Clone)]
pub struct Interner<T> {
    numbers: BTreeMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            numbers: BTreeMap::new(),
            values: Vec::new(),
        }
    }
}

impl<T: Ord + Clone> Interner<T> {
    /// The number of a value, a new one if it was not known.
    pub fn number(&mut self, value: &T) -> u32 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = self.values.len() as u32;
        self.numbers.insert(value.clone(), number);
        push(&mut self.values, value.clone());
        number
    }

    /// The number of a value that is known.
    pub fn find(&self, value: &T) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// All values, by number.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Forgets values that are not used; tells the new number of each old one, `NONE` for those that went.
    pub fn keep(&mut self, is_used: &[bool]) -> Vec<u32> {
        let mut renumbered = vec![NONE; self.values.len()];
        let mut kept = Interner::default();
        for (number, value) in self
            .values
            .iter()
            .enumerate()
            .filter(|(number, _)| is_used[*number])
        {
            renumbered[number] = kept.number(value);
        }
        *self = kept;
        renumbered
    }

    /// About how much memory it takes, `inner` for what a value holds on the heap.
    pub fn bytes(&self, inner: impl Fn(&T) -> usize) -> usize {
        // Each value stands in the map and in the list; a map node is about three quarters full.
        let entry = (size_of::<T>() + size_of::<u32>()) * 4 / 3 + size_of::<T>();
        self.values.capacity() * size_of::<T>()
            + self.values.len() * (entry - size_of::<T>())
            + self.values.iter().map(inner).sum::<usize>()
    }
}
