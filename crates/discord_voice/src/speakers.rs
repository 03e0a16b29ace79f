//! Who is in the call, whose sound comes under which number, and sound whose speaker is not known yet.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// No call has more people; what is over it comes from a server that lies.
const PEOPLE_MAX: usize = 1_000;
/// Packets that wait for their speaker's name: it comes over another connection, and may be late.
const WAITING_MAX: usize = 50;

/// A packet that was opened as far as the transport goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    pub ssrc: u32,
    pub sequence: u16,
    pub timestamp: u32,
    pub sound: Vec<u8>,
}

#[derive(Debug, Default)]
pub(crate) struct Speakers {
    here: BTreeSet<u64>,
    users: BTreeMap<u32, u64>,
    waiting: VecDeque<Arrived>,
}

impl Speakers {
    /// Whether they were not here before.
    pub fn joined(&mut self, user: u64) -> bool {
        self.here.len() < PEOPLE_MAX && self.here.insert(user)
    }

    /// Whether they were here.
    pub fn left(&mut self, user: u64) -> bool {
        self.users.retain(|_, it| *it != user);
        self.here.remove(&user)
    }

    /// Their sound comes under this number; gives what came already.
    pub fn named(&mut self, ssrc: u32, user: u64) -> Vec<Arrived> {
        if self.users.len() >= PEOPLE_MAX && !self.users.contains_key(&ssrc) {
            return Vec::new();
        }
        // Whoever comes again has a new number.
        self.users.retain(|number, it| *it != user || *number == ssrc);
        self.users.insert(ssrc, user);
        let (theirs, others) = self.waiting.drain(..).partition(|packet| packet.ssrc == ssrc);
        self.waiting = others;
        Vec::from(theirs)
    }

    pub fn whose(&self, ssrc: u32) -> Option<u64> {
        self.users.get(&ssrc).copied()
    }

    /// Whether another one had to go for it.
    pub fn wait(&mut self, packet: Arrived) -> bool {
        let is_full = self.waiting.len() >= WAITING_MAX;
        if is_full {
            self.waiting.pop_front();
        }
        self.waiting.push_back(packet);
        is_full
    }

    pub fn here(&self) -> impl Iterator<Item = u64> {
        self.here.iter().copied()
    }

    /// Another session: everybody is told of anew. Gives who was here.
    pub fn forget(&mut self) -> BTreeSet<u64> {
        self.users.clear();
        self.waiting.clear();
        std::mem::take(&mut self.here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(ssrc: u32, sequence: u16) -> Arrived {
        Arrived {
            ssrc,
            sequence,
            timestamp: 0,
            sound: vec![1],
        }
    }

    #[test]
    fn sound_waits_for_its_speakers_name() {
        let mut speakers = Speakers::default();
        assert!(!speakers.wait(packet(1, 1)));
        assert!(!speakers.wait(packet(2, 7)));
        assert!(!speakers.wait(packet(1, 2)));
        let came: Vec<u16> = speakers.named(1, 100).iter().map(|it| it.sequence).collect();
        assert_eq!(came, [1, 2]);
        assert_eq!(speakers.named(1, 100), []);
        assert_eq!(speakers.whose(1), Some(100));
        assert_eq!(
            (0..WAITING_MAX as u16)
                .filter(|it| speakers.wait(packet(9, *it)))
                .count(),
            1
        );
    }

    #[test]
    fn whoever_comes_again_has_a_new_number() {
        let mut speakers = Speakers::default();
        assert!(speakers.joined(100) && !speakers.joined(100));
        speakers.named(1, 100);
        speakers.named(2, 100);
        assert_eq!((speakers.whose(1), speakers.whose(2)), (None, Some(100)));
        assert!(speakers.left(100) && !speakers.left(100));
        assert_eq!(speakers.whose(2), None);
    }

    #[test]
    fn a_server_that_names_ever_more_people_is_not_listened_to() {
        let mut speakers = Speakers::default();
        for number in 0..5_000 {
            speakers.joined(u64::from(number));
            speakers.named(number, u64::from(number));
        }
        assert_eq!(
            (speakers.here.len(), speakers.users.len()),
            (PEOPLE_MAX, PEOPLE_MAX)
        );
    }
}
