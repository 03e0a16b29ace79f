//! People who speak at once, as one service hears them: whose clips overlap, and their sound put together.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use tokio::time::Instant;
use vocabulary::PersonId;

/// Samples of a clip in a second.
const CLIP_RATE: u64 = 16_000;
/// Clips of others that one is compared with.
const LATELY_MAX: usize = 16;

/// A clip, and when it was spoken.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpokenClip {
    pub person: PersonId,
    pub samples: std::sync::Arc<[i16]>,
    pub began: Instant,
    pub ended: Instant,
}

impl SpokenClip {
    /// One that is whole at that moment.
    pub fn whole_at(person: PersonId, samples: std::sync::Arc<[i16]>, ended: Instant) -> Self {
        let lasts = Duration::from_millis(samples.len() as u64 * 1_000 / CLIP_RATE);
        Self {
            person,
            began: ended.checked_sub(lasts).unwrap_or(ended),
            samples,
            ended,
        }
    }
}

/// Who speaks, and who spoke lately.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    speaking: BTreeSet<PersonId>,
    lately: VecDeque<(PersonId, Instant, Instant)>,
    /// Clips that wait to be heard together.
    waiting: Vec<SpokenClip>,
}

impl Overlaps {
    pub fn speaks(&mut self, person: &PersonId, speaking: bool) {
        match speaking {
            true => self.speaking.insert(person.clone()),
            false => self.speaking.remove(person),
        };
    }

    /// Whoever else spoke while somebody said this.
    pub fn others(&mut self, clip: &SpokenClip) -> Vec<PersonId> {
        let is_at_once = |(person, began, ended): &&(PersonId, Instant, Instant)| {
            *person != clip.person && *began < clip.ended && clip.began < *ended
        };
        let spoke = self
            .lately
            .iter()
            .filter(is_at_once)
            .map(|(person, ..)| person.clone());
        let others: BTreeSet<PersonId> = spoke.collect();
        self.lately
            .push_back((clip.person.clone(), clip.began, clip.ended));
        if self.lately.len() > LATELY_MAX {
            self.lately.pop_front();
        }
        others.into_iter().collect()
    }

    /// Whether somebody else is speaking, whose clip may belong with one of this person's.
    pub fn somebody_else_speaks(&self, person: &PersonId) -> bool {
        self.speaking.iter().any(|other| other != person)
    }

    pub fn is_anybody_waited_for(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Has a clip wait for those who still speak; whether nobody does any more.
    pub fn wait(&mut self, clip: SpokenClip) -> bool {
        self.waiting.push(clip);
        let is_done = |person: &PersonId| self.waiting.iter().any(|clip| clip.person == *person);
        self.speaking.iter().all(is_done)
    }

    /// The clips that waited.
    pub fn take(&mut self) -> Vec<SpokenClip> {
        std::mem::take(&mut self.waiting)
    }
}

/// What is heard where several are at once: each from when they began.
pub(super) fn mixed(clips: &[SpokenClip]) -> Vec<i16> {
    let Some(first) = clips.iter().map(|clip| clip.began).min() else {
        return Vec::new();
    };
    let offset = |clip: &SpokenClip| {
        let after = clip.began.duration_since(first).as_millis();
        usize::try_from(after).unwrap_or(0) * CLIP_RATE as usize / 1_000
    };
    let lengths = clips.iter().map(|clip| offset(clip) + clip.samples.len());
    let mut together = vec![0_i16; lengths.max().unwrap_or(0)];
    for clip in clips {
        for (sum, sample) in together[offset(clip)..].iter_mut().zip(clip.samples.iter()) {
            *sum = sum.saturating_add(*sample);
        }
    }
    together
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(person: &str, at: Instant, millis: u64, loudness: i16) -> SpokenClip {
        let samples = vec![loudness; (millis * CLIP_RATE / 1_000) as usize];
        SpokenClip::whole_at(person.into(), samples.into(), at + Duration::from_millis(millis))
    }

    #[test]
    fn clips_overlap_where_both_spoke_at_once_and_nobody_overlaps_with_themselves() {
        let (mut overlaps, start) = (Overlaps::default(), Instant::now());
        let later = |millis| start + Duration::from_millis(millis);
        assert!(overlaps.others(&clip("ann", later(0), 1_000, 1)).is_empty());
        assert!(overlaps.others(&clip("ann", later(500), 1_000, 1)).is_empty());
        assert_eq!(
            overlaps.others(&clip("bob", later(1_200), 1_000, 1)),
            [PersonId::from("ann")]
        );
        assert!(overlaps.others(&clip("cid", later(5_000), 500, 1)).is_empty());
    }

    #[test]
    fn a_mixture_has_everybody_from_when_they_began_and_never_overflows() {
        let start = Instant::now();
        let ann = clip("ann", start, 100, 30_000);
        let bob = clip("bob", start + Duration::from_millis(50), 100, 10_000);
        let together = mixed(&[bob, ann]);
        assert_eq!(together.len(), 150 * 16);
        assert_eq!(
            (together[0], together[60 * 16], together[140 * 16]),
            (30_000, i16::MAX, 10_000)
        );
        assert!(mixed(&[]).is_empty());
    }

    #[test]
    fn who_still_speaks_is_waited_for() {
        let (mut overlaps, start) = (Overlaps::default(), Instant::now());
        overlaps.speaks(&"ann".into(), true);
        overlaps.speaks(&"bob".into(), true);
        assert!(overlaps.somebody_else_speaks(&"ann".into()));
        assert!(!overlaps.wait(clip("ann", start, 100, 1)), "bob speaks");
        assert!(overlaps.wait(clip("bob", start, 100, 1)), "both are there");
        assert_eq!(overlaps.take().len(), 2);
        assert!(!overlaps.is_anybody_waited_for());
    }
}
