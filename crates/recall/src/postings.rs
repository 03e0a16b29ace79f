//! Which records have which words: for each word a list of their parts with how often they have it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::growth::push;
use crate::intern::NONE;
use crate::terms::Count;

/// A part and two counts in four bytes: counts above 15 say hardly more than 15 does.
const COUNT_BITS: u32 = 4;
const COUNT_MAX: u32 = (1 << COUNT_BITS) - 1;
/// Parts that can be told apart.
pub const PARTS_MAX: usize = 1 << (32 - 2 * COUNT_BITS);

/// One part of a record that has a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting(u32);

impl Posting {
    fn new(part: u32, count: Count) -> Posting {
        let (stated, asked) = (count.stated.min(COUNT_MAX), count.asked.min(COUNT_MAX));
        Posting(part << (2 * COUNT_BITS) | stated << COUNT_BITS | asked)
    }

    pub fn part(self) -> u32 {
        self.0 >> (2 * COUNT_BITS)
    }

    pub fn count(self) -> Count {
        Count {
            stated: self.0 >> COUNT_BITS & COUNT_MAX,
            asked: self.0 & COUNT_MAX,
        }
    }
}

/// The lists, by word. Words are kept as their hash: the index can be read by nobody, and is small.
#[derive(Debug, Clone, Default)]
pub struct Postings {
    lists: BTreeMap<u64, Vec<Posting>>,
}

impl Postings {
    /// Adds the words of a part. Parts only ever grow, so lists stay in order.
    pub fn add(&mut self, part: u32, counts: &BTreeMap<u64, Count>) {
        for (word, count) in counts {
            let list = self.lists.entry(*word).or_default();
            push(list, Posting::new(part, *count));
        }
    }

    pub fn list(&self, word: u64) -> &[Posting] {
        self.lists.get(&word).map_or(&[], Vec::as_slice)
    }

    /// Which of some parts have a word.
    pub fn among(&self, word: u64, parts: Range<usize>) -> &[Posting] {
        let list = self.list(word);
        let place = |part: usize| list.partition_point(|posting| (posting.part() as usize) < part);
        &list[place(parts.start)..place(parts.end)]
    }

    /// Gives parts new numbers, which must keep their order; those that went have `NONE`.
    pub fn renumber(&mut self, parts: &[u32]) {
        self.lists.retain(|_, list| {
            list.retain_mut(|posting| {
                let part = parts[posting.part() as usize];
                if part != NONE {
                    *posting = Posting::new(part, posting.count());
                }
                part != NONE
            });
            list.shrink_to_fit();
            !list.is_empty()
        });
    }

    pub fn bytes(&self) -> usize {
        // A map node is about three quarters full.
        let entry = (size_of::<u64>() + size_of::<Vec<Posting>>()) * 4 / 3;
        let lists = self
            .lists
            .values()
            .map(|list| list.capacity() * size_of::<Posting>());
        self.lists.len() * entry + lists.sum::<usize>()
    }
}
