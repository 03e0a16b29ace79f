//! The topic words of a line, as the places of their counters: enough to tell which lines are alike, and few bytes.

use std::fmt::Write;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Digits that a place takes where it is written down.
const DIGITS: usize = 4;

/// Places of words, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slots(Vec<u16>);

impl Slots {
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> {
        self.0.iter().copied()
    }

    pub(super) fn contains(&self, slot: u16) -> bool {
        self.0.contains(&slot)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<u16> for Slots {
    fn from_iter<T: IntoIterator<Item = u16>>(slots: T) -> Self {
        let mut distinct = Vec::new();
        for slot in slots {
            if !distinct.contains(&slot) {
                distinct.push(slot);
            }
        }
        Self(distinct)
    }
}

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut digits = String::with_capacity(self.len() * DIGITS);
        for slot in self.iter() {
            // Writing to a string does not fail.
            let _ = write!(digits, "{slot:04x}");
        }
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for Slots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let unreadable = || D::Error::custom("places of words are four hexadecimal digits each");
        let mut slots = Vec::with_capacity(digits.len() / DIGITS);
        for from in (0..digits.len()).step_by(DIGITS) {
            let place = digits.get(from..from + DIGITS).ok_or_else(unreadable)?;
            slots.push(u16::from_str_radix(place, 16).map_err(|_| unreadable())?);
        }
        Ok(Self(slots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_with_four_digits_each_and_come_back() {
        let slots: Slots = [7, 8191, 7].into_iter().collect();
        let written = serde_json::to_string(&slots).expect("it is plain data");
        assert_eq!(written, "\"00071fff\"");
        let back: Slots = serde_json::from_str(&written).expect("it was just written");
        assert_eq!((back.len(), &back), (2, &slots));
        for broken in ["\"001\"", "\"00zz\"", "\"00ää\""] {
            assert!(serde_json::from_str::<Slots>(broken).is_err(), "{broken}");
        }
    }
}
