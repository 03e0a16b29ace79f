//! The last lines between Denizen and whoever says something: which they were, who was named, what has come since.

use vocabulary::PersonId;

use super::trace::{Trace, Traced};

/// What went on between two.
#[derive(Debug, Default)]
pub(super) struct Exchange<'a> {
    pub(super) own_last: Option<&'a Traced>,
    pub(super) own_to_author: Option<&'a Traced>,
    pub(super) author_last: Option<&'a Traced>,
    /// The line right before.
    pub(super) before: Option<&'a Traced>,
    pub(super) author_named_denizen: u64,
    pub(super) denizen_named_author: u64,
    pub(super) author_named_others: u64,
    pub(super) others_named_author: u64,
    /// The newest of these lines: 1 to 4 in their order; 0 where there is none.
    pub(super) named_last: u64,
    /// Lines that name anybody.
    pub(super) naming_lines: u64,
    /// Lines of others that name Denizen, since it spoke.
    pub(super) others_named_denizen: u64,
}

impl<'a> Exchange<'a> {
    /// Looks through the last lines, newest first.
    pub(super) fn of(trace: &'a Trace, author: &PersonId, denizen: &PersonId) -> Self {
        let mut found = Self {
            before: trace.newest_first().next(),
            ..Self::default()
        };
        for line in trace.newest_first() {
            found.naming_lines += u64::from(!line.calls.is_empty());
            if line.by == *denizen {
                found.by_denizen(line, author);
            } else if line.by == *author {
                found.by_author(line, denizen);
            } else {
                found.by_others(line, author, denizen);
            }
        }
        found
    }

    fn by_denizen(&mut self, line: &'a Traced, author: &PersonId) {
        self.own_last.get_or_insert(line);
        let names_author = line.calls.contains(author);
        if names_author {
            self.denizen_named_author += 1;
            self.name(2);
        }
        if self.own_to_author.is_none() && (names_author || line.to.contains(author)) {
            self.own_to_author = Some(line);
        }
    }

    fn by_author(&mut self, line: &'a Traced, denizen: &PersonId) {
        self.author_last.get_or_insert(line);
        if line.calls.contains(denizen) {
            self.author_named_denizen += 1;
            self.name(1);
        } else if !line.calls.is_empty() {
            self.author_named_others += 1;
            self.name(3);
        }
    }

    fn by_others(&mut self, line: &'a Traced, author: &PersonId, denizen: &PersonId) {
        if line.calls.contains(author) {
            self.others_named_author += 1;
            self.name(4);
        }
        self.others_named_denizen += u64::from(self.own_last.is_none() && line.calls.contains(denizen));
    }

    fn name(&mut self, who: u64) {
        if self.named_last == 0 {
            self.named_last = who;
        }
    }
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
