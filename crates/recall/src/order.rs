//! Putting what fits in order.

use std::cmp::Ordering;

use vocabulary::{RecordId, WallTime};

/// A record with what decides its place.
#[derive(Debug, Clone, Copy)]
pub struct Ranked<'a> {
    pub total: f64,
    pub at: WallTime,
    pub id: &'a RecordId,
    pub slot: usize,
}

impl Ranked<'_> {
    /// The better first; of equals the newer, and then by id, so that the order is always the same.
    pub fn compare(&self, other: &Ranked<'_>) -> Ordering {
        let by_total = other.total.total_cmp(&self.total);
        by_total
            .then(other.at.cmp(&self.at))
            .then_with(|| self.id.cmp(other.id))
    }

    pub fn is_turn(&self) -> bool {
        matches!(self.id, RecordId::Turn(_))
    }
}

/// The best so many, in order, of those that `keeps` admits; it is asked in order, and so knows what was kept before.
pub fn best<'a>(
    mut ranked: Vec<Ranked<'a>>,
    limit: usize,
    mut keeps: impl FnMut(&Ranked<'a>) -> bool,
) -> Vec<Ranked<'a>> {
    let mut kept = Vec::with_capacity(limit.min(ranked.len()));
    let mut rest = ranked.as_mut_slice();
    // Sorting all of a large index would cost more than scoring it: a part at a time is enough.
    while kept.len() < limit && !rest.is_empty() {
        let part = (limit.saturating_mul(2).saturating_add(16)).min(rest.len());
        if part < rest.len() {
            rest.select_nth_unstable_by(part, Ranked::compare);
        }
        let (next, after) = rest.split_at_mut(part);
        next.sort_unstable_by(Ranked::compare);
        let room = limit - kept.len();
        kept.extend(next.iter().filter(|ranked| keeps(ranked)).take(room).copied());
        rest = after;
    }
    kept
}
