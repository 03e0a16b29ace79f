//! Chance for the world around the mind: seeded, small, and nobody else's.

/// A seeded generator (xorshift64*): the same seed gives the same world.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    pub fn seeded(seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring worlds, and the state must not be zero.
        let mixed = (seed ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self {
            state: (mixed ^ (mixed >> 29)) | 1,
        }
    }

    /// An independent generator for another concern, so that one does not disturb the other.
    pub fn fork(&mut self) -> Self {
        Self::seeded(self.next())
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 11) % end.max(1)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }
}
