//! Numbers that wrap, continued to ones that do not.

/// Continues a number of so many bits from the one before it.
#[derive(Clone, Copy, Debug)]
pub struct Unwrapped<const BITS: u32> {
    last: u64,
}

impl<const BITS: u32> Unwrapped<BITS> {
    const ROUND: u64 = 1 << BITS;

    /// From a first number; there is room for some rounds before it.
    pub fn new(first: u64) -> Self {
        Self {
            last: first % Self::ROUND + 4 * Self::ROUND,
        }
    }

    /// How far a number is from the last, the shorter way round.
    pub fn distance(self, number: u64) -> i64 {
        let forward = number.wrapping_sub(self.last) % Self::ROUND;
        if forward < Self::ROUND / 2 {
            forward as i64
        } else {
            forward as i64 - Self::ROUND as i64
        }
    }

    /// The number, continued; the last one moves only forward.
    pub fn place(&mut self, number: u64) -> u64 {
        let placed = self.last.saturating_add_signed(self.distance(number));
        self.last = self.last.max(placed);
        placed
    }
}

/// Where a packet's number belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    At(u64),
    /// Far from all before it, so far alone.
    OutOfLine,
    /// Far from all before it, and the second in a row.
    Restarted(u64),
}

/// Numbers of packets. One that is far off is not believed until another continues it.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    numbers: Unwrapped<16>,
    /// The number that would continue one that was far off.
    expected: Option<u16>,
}

impl Sequence {
    /// How far ahead and how far back a number may be.
    const AHEAD: i64 = 3_000;
    const BACK: i64 = 500;

    pub fn new(first: u16) -> Self {
        Self {
            numbers: Unwrapped::new(u64::from(first)),
            expected: None,
        }
    }

    pub fn place(&mut self, number: u16) -> Place {
        let distance = self.numbers.distance(u64::from(number));
        if (-Self::BACK..=Self::AHEAD).contains(&distance) {
            self.expected = None;
            return Place::At(self.numbers.place(u64::from(number)));
        }
        if self.expected == Some(number) {
            *self = Self::new(number);
            return Place::Restarted(self.numbers.place(u64::from(number)));
        }
        self.expected = Some(number.wrapping_add(1));
        Place::OutOfLine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_over_the_end_and_back() {
        let mut numbers = Unwrapped::<16>::new(65_534);
        let first = numbers.place(65_534);
        let placed: Vec<u64> = [65_535, 1, 0, 65_533, 2]
            .into_iter()
            .map(|number| numbers.place(number) + 10 - first)
            .collect();
        assert_eq!(placed, [11, 13, 12, 9, 14]);
    }

    #[test]
    fn a_number_far_off_is_believed_when_another_continues_it() {
        let mut sequence = Sequence::new(100);
        let Place::At(first) = sequence.place(101) else {
            panic!("the next")
        };
        assert_eq!(sequence.place(40_000), Place::OutOfLine);
        assert_eq!(sequence.place(102), Place::At(first + 1));
        assert_eq!(sequence.place(40_001), Place::OutOfLine, "something came between");
        assert!(matches!(sequence.place(40_002), Place::Restarted(_)));
        assert!(matches!(sequence.place(40_003), Place::At(_)));
    }
}
