//! What was said around a turn: the turns of the same conversation and place just before and after it.

use std::collections::BTreeSet;

use crate::growth::push;
use crate::intern::NONE;

/// How far a turn's surroundings reach, by turn number.
pub const REACH: u64 = 2;
/// Distances in the order in which neighbours are kept.
pub const DISTANCES: [i64; 4] = [-2, -1, 1, 2];

/// Where a turn stands in its conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Standing {
    pub session: u32,
    pub place: u32,
    /// 0: not known, and so without neighbours.
    pub number: u64,
}

/// A turn in the order of its conversation. Should two claim one number, it is that of the smaller hash of the id, whichever
/// came first, and the other stands alone.
type Ordered = (Standing, u64, u32);

/// The neighbours of every turn, by slot.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    order: BTreeSet<Ordered>,
    around: Vec<[u32; 4]>,
}

impl Neighbours {
    /// Makes room for the next slot.
    pub fn push(&mut self) {
        push(&mut self.around, [NONE; 4]);
    }

    /// Puts a turn in its place; tells whose surroundings changed.
    pub fn add(&mut self, slot: u32, standing: Standing, id: u64) -> Vec<u32> {
        if standing.number == 0 {
            return Vec::new();
        }
        self.order.insert((standing, id, slot));
        self.relink(standing)
    }

    /// Takes a turn out; tells whose surroundings changed.
    pub fn remove(&mut self, slot: u32, standing: Standing, id: u64) -> Vec<u32> {
        self.around[slot as usize] = [NONE; 4];
        if self.order.remove(&(standing, id, slot)) {
            self.relink(standing)
        } else {
            Vec::new()
        }
    }

    /// The slots around one, by `DISTANCES`; `NONE` where there is none.
    pub fn around(&self, slot: u32) -> &[u32; 4] {
        &self.around[slot as usize]
    }

    /// The slots around one, as far as `sees` admits them: none around one that is not the first at its number.
    pub fn find(&self, slot: u32, standing: Standing, sees: impl Fn(u32) -> bool) -> [u32; 4] {
        let first = |number: u64| {
            let mut near = self
                .near(Standing { number, ..standing }, 0)
                .map(|(_, _, slot)| slot);
            near.find(|slot| sees(*slot)).unwrap_or(NONE)
        };
        if standing.number == 0 || first(standing.number) != slot {
            return [NONE; 4];
        }
        DISTANCES.map(|distance| {
            let number = standing
                .number
                .checked_add_signed(distance)
                .filter(|number| *number != 0);
            number.map_or(NONE, first)
        })
    }

    fn relink(&mut self, changed: Standing) -> Vec<u32> {
        let near: Vec<Ordered> = self.near(changed, REACH).collect();
        for (standing, _, slot) in &near {
            self.around[*slot as usize] = self.find(*slot, *standing, |_| true);
        }
        near.into_iter().map(|(_, _, slot)| slot).collect()
    }

    fn near(&self, standing: Standing, reach: u64) -> impl Iterator<Item = Ordered> + '_ {
        let number = |number| Standing { number, ..standing };
        let first = number(standing.number.saturating_sub(reach));
        let last = number(standing.number.saturating_add(reach));
        self.order
            .range((first, 0, 0)..=(last, u64::MAX, u32::MAX))
            .copied()
    }

    /// Gives slots, sessions and places new numbers after records went.
    pub fn renumber(&mut self, kept: &[u32], slots: &[u32], sessions: &[u32], places: &[u32]) {
        let around = kept.iter().map(|slot| {
            self.around[*slot as usize].map(|near| if near == NONE { NONE } else { slots[near as usize] })
        });
        self.around = around.collect();
        let order = self.order.iter().map(|(standing, id, slot)| {
            let standing = Standing {
                session: sessions[standing.session as usize],
                place: places[standing.place as usize],
                number: standing.number,
            };
            (standing, *id, slots[*slot as usize])
        });
        self.order = order.collect();
    }

    pub fn bytes(&self) -> usize {
        self.around.capacity() * size_of::<[u32; 4]>() + self.order.len() * size_of::<Ordered>() * 4 / 3
    }
}
