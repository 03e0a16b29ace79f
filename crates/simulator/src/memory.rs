//! Memory as the world keeps it: captured turns that wait, what became of them, and the gems that were stored.

use std::collections::{BTreeMap, BTreeSet};

use mind::memory::Capture;
use mind::{Forgotten, Gathering, Input, Mind, RoomEvent, StoredGems};
use settings::Settings;
use vocabulary::{CapturedTurn, CommunityId, Forget, Gem, GemId, RoomId, TurnKey, WallTime};

use crate::platform::DENIZEN;

/// The buffer and the store; both outlive a crash.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// Whose memory it is.
    pub community: CommunityId,
    /// Captured and not settled, in order.
    pub waiting: Vec<CapturedTurn>,
    pub settled: BTreeSet<TurnKey>,
    pub forgotten: BTreeSet<TurnKey>,
    /// Everything that was ever captured.
    pub captured: BTreeSet<TurnKey>,
    pub gems: BTreeMap<GemId, Gem>,
    /// Turns of which gems were stored, with how often that was.
    pub stored_from: BTreeMap<TurnKey, usize>,
    numbers: BTreeMap<String, u64>,
    notes: u64,
}

impl Default for Remembered {
    fn default() -> Self {
        Self::of(CommunityId::from(ONLY_COMMUNITY))
    }
}

/// The community of a world that is alone.
const ONLY_COMMUNITY: &str = "sim";

impl Remembered {
    /// The memory of a community, empty.
    pub fn of(community: CommunityId) -> Self {
        Self {
            community,
            waiting: Vec::new(),
            settled: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            captured: BTreeSet::new(),
            gems: BTreeMap::new(),
            stored_from: BTreeMap::new(),
            numbers: BTreeMap::new(),
            notes: 0,
        }
    }

    /// Captures the turn that an input is, before the mind is told of it, as the shell does.
    pub(crate) fn capture(
        &mut self,
        mind: &Mind,
        input: &Input,
        settings: &Settings,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        let community = self.community.clone();
        match input {
            // Notes have no id of their own; wakes nobody needed must not change the one they get.
            Input::Room(_, RoomEvent::NoteTaken { .. }) => self.notes += 1,
            Input::Room(_, RoomEvent::MessageEdited { id, text, .. }) => {
                let key = TurnKey::of_message(&community, id);
                let same = |turn: &&mut CapturedTurn| turn.id == key;
                if let Some(turn) = self.waiting.iter_mut().find(same) {
                    turn.text.clone_from(text);
                }
            }
            Input::Room(_, RoomEvent::MessageDeleted { id, .. }) => {
                let key = TurnKey::of_message(&community, id);
                self.drop_turns(|turn| turn.id == key);
            }
            _ => {}
        }
        let turn = Capture::new(&community, mind, &settings.memory).turn_of(self.notes, input, at)?;
        self.take_in(turn)
    }

    pub(crate) fn capture_summary(
        &mut self,
        mind: &Mind,
        room: &RoomId,
        text: &str,
        seen_with: Option<&str>,
        settings: &Settings,
        at: WallTime,
    ) -> Option<CapturedTurn> {
        let community = self.community.clone();
        let capture = Capture::new(&community, mind, &settings.memory);
        let turn = match seen_with {
            Some(shared_by) => capture.recap(room, shared_by, text, at),
            None => capture.summary(room, &DENIZEN.into(), &settings.identity.name, text, at),
        }?;
        self.take_in(turn)
    }

    fn take_in(&mut self, mut turn: CapturedTurn) -> Option<CapturedTurn> {
        if !self.captured.insert(turn.id.clone()) {
            return None;
        }
        let number = self.numbers.entry(turn.session.to_string()).or_default();
        *number += 1;
        turn.number = *number;
        self.waiting.push(turn.clone());
        Some(turn)
    }

    /// Stores the gems of a run and lets its turns go.
    pub(crate) fn store(&mut self, gathering: &Gathering) -> StoredGems {
        let mut stored = StoredGems::default();
        for gathered in &gathering.gems {
            let gem = &gathered.gem;
            let is_stale =
                |turn: &CapturedTurn| gem.source.turns.contains(&turn.id) && gathering.reads_otherwise(turn);
            if self.waiting.iter().any(is_stale) {
                stored.changed += 1;
            } else if self.gems.insert(gem.gem_id.clone(), gem.clone()).is_some() {
                stored.already_there += 1;
            } else {
                stored.added.push(gem.gem_id.clone());
            }
        }
        for turn in &gathering.turns {
            if self.waiting.iter().any(|waiting| waiting.id == *turn) {
                *self.stored_from.entry(turn.clone()).or_default() += 1;
            }
            self.settled.insert(turn.clone());
        }
        self.waiting.retain(|turn| !gathering.turns.contains(&turn.id));
        stored
    }

    pub(crate) fn forget(&mut self, what: &Forget, asked_in: &RoomId) -> Forgotten {
        let (waiting, gems) = (self.waiting.len(), self.gems.len());
        self.drop_turns(|turn| match what {
            Forget::Person { person, .. } => turn.speaker.id == *person,
            Forget::Turns(turns) => turns.contains(&turn.id),
            Forget::Community(community) => turn.place.community == *community,
            Forget::Gems(_) | Forget::Session(_) | Forget::Room { .. } => false,
        });
        let names = match what {
            Forget::Person { name, .. } => vec![name.clone()],
            _ => Vec::new(),
        };
        if let Forget::Person { person, .. } = what {
            self.gems.retain(|_, gem| gem.person.as_ref() != Some(person));
        }
        Forgotten {
            what: what.clone(),
            names,
            texts: Vec::new(),
            turn_ids: Vec::new(),
            gems: gems - self.gems.len(),
            turns: waiting - self.waiting.len(),
            asked_in: Some(asked_in.clone()),
            failure: None,
        }
    }

    fn drop_turns(&mut self, is_gone: impl Fn(&CapturedTurn) -> bool) {
        let gone: Vec<TurnKey> = self
            .waiting
            .iter()
            .filter(|turn| is_gone(turn))
            .map(|turn| turn.id.clone())
            .collect();
        self.waiting.retain(|turn| !gone.contains(&turn.id));
        self.forgotten.extend(gone);
    }
}
