//! One call's group as its server sees it: who is in it and at which leaf, what is proposed, and which change of keys
//! waits for whom. One change at a time: the next is proposed when the last is executed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use openmls::prelude::KeyPackage;
use serde_json::{Value, json};

use super::notary::Notary;
use crate::ids::{Id, Millis, now};

/// How long a change waits for those who do not say that they are ready.
const PATIENCE: Millis = 2_000;

/// Something to be told to one client.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    Text(u64, Value),
    Binary(u8, Vec<u8>),
}

pub type Words = Vec<(Id, Word)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Add(Id),
    Remove(Id),
}

#[derive(Debug)]
struct Awaited {
    transition: u16,
    of: BTreeSet<Id>,
    since: Millis,
    version: u16,
}

#[derive(Debug)]
pub struct CallGroup {
    channel: Id,
    /// Zero: nothing is encrypted from end to end.
    pub version: u16,
    pub epoch: u64,
    leaves: Vec<Option<Id>>,
    packages: BTreeMap<Id, KeyPackage>,
    changes: VecDeque<Change>,
    proposed: Option<Change>,
    awaited: Option<Awaited>,
    transitions: u16,
    /// Changes of keys that were executed.
    pub rekeys: u64,
    /// Clients that could not follow.
    pub invalid: u64,
}

impl CallGroup {
    pub fn new(channel: Id) -> Self {
        Self {
            channel,
            version: 1,
            epoch: 0,
            leaves: Vec::new(),
            packages: BTreeMap::new(),
            changes: VecDeque::new(),
            proposed: None,
            awaited: None,
            transitions: 0,
            rekeys: 0,
            invalid: 0,
        }
    }

    pub fn members(&self) -> impl Iterator<Item = Id> {
        self.leaves.iter().flatten().copied()
    }

    fn has(&self, user: Id) -> bool {
        self.members().any(|member| member == user)
    }

    fn all(&self, word: &Word) -> Words {
        self.members().map(|member| (member, word.clone())).collect()
    }

    /// Somebody can be taken in.
    pub fn package(&mut self, notary: &Notary, user: Id, bytes: &[u8]) -> Words {
        let Some(package) = notary.package(user, bytes) else {
            return vec![];
        };
        self.packages.insert(user, package);
        // Who is in it already has begun anew.
        if self.has(user) {
            self.changes.push_back(Change::Remove(user));
        }
        self.changes.push_back(Change::Add(user));
        self.go_on(notary)
    }

    pub fn left(&mut self, notary: &Notary, user: Id) -> Words {
        self.packages.remove(&user);
        self.changes.retain(|change| *change != Change::Add(user));
        if let Some(awaited) = &mut self.awaited {
            awaited.of.remove(&user);
        }
        if self.members().all(|member| member == user) {
            // Whoever was to be taken in by them has a group of their own.
            let waiting = self.proposed.take();
            self.dissolve();
            self.changes
                .extend(waiting.filter(|change| *change != Change::Add(user)));
        } else if self.has(user) || self.proposed == Some(Change::Add(user)) {
            self.changes.push_back(Change::Remove(user));
        }
        let mut words = self.settle();
        words.extend(self.go_on(notary));
        words
    }

    fn dissolve(&mut self) {
        self.leaves.clear();
        self.epoch = 0;
        self.proposed = None;
        self.awaited = None;
    }

    /// Everybody begins anew, in a group with new keys.
    pub fn regroup(&mut self, everybody: &[Id], version: u16) -> Words {
        self.dissolve();
        self.changes.clear();
        self.packages.clear();
        self.version = version;
        let word = Word::Text(24, json!({"protocol_version": version, "epoch": 1}));
        everybody.iter().map(|user| (*user, word.clone())).collect()
    }

    /// From now on everybody speaks in the open.
    pub fn downgrade(&mut self, everybody: &[Id]) -> Words {
        self.changes.clear();
        self.proposed = None;
        self.transitions += 1;
        let told = json!({"protocol_version": 0, "transition_id": self.transitions});
        self.awaited = Some(Awaited {
            transition: self.transitions,
            of: everybody.iter().copied().collect(),
            since: now(),
            version: 0,
        });
        everybody
            .iter()
            .map(|user| (*user, Word::Text(21, told.clone())))
            .collect()
    }

    /// The next change that makes one.
    fn go_on(&mut self, notary: &Notary) -> Words {
        while self.proposed.is_none() && self.awaited.is_none() {
            let Some(change) = self.changes.pop_front() else {
                break;
            };
            let words = self.propose(notary, change);
            if !words.is_empty() {
                return words;
            }
        }
        vec![]
    }

    fn propose(&mut self, notary: &Notary, change: Change) -> Words {
        let proposal = match change {
            Change::Add(user) if self.has(user) => None,
            Change::Add(user) if self.leaves.iter().flatten().next().is_none() => {
                // The first is in the group that their client has made for itself.
                if self.packages.remove(&user).is_some() {
                    self.leaves = vec![Some(user)];
                    self.epoch = 0;
                }
                None
            }
            Change::Add(user) => self
                .packages
                .get(&user)
                .and_then(|package| notary.add(self.channel, self.epoch, package.clone())),
            Change::Remove(user) if self.members().count() == 2 && self.has(user) => {
                let alone: Vec<Id> = self.members().filter(|member| *member != user).collect();
                self.dissolve();
                alone.iter().for_each(|user| drop(self.packages.remove(user)));
                let word = Word::Text(24, json!({"protocol_version": self.version, "epoch": 1}));
                return alone.into_iter().map(|user| (user, word.clone())).collect();
            }
            Change::Remove(user) => self
                .leaves
                .iter()
                .position(|leaf| *leaf == Some(user))
                .and_then(|leaf| notary.remove(self.channel, self.epoch, leaf)),
        };
        let Some(proposal) = proposal else {
            return vec![];
        };
        self.proposed = Some(change);
        let word = Word::Binary(27, [&[0], proposal.as_slice()].concat());
        let mut words = self.all(&word);
        words.retain(|(user, _)| change != Change::Remove(*user));
        words
    }

    /// A commit: the first that fits is everybody's.
    pub fn commit(&mut self, user: Id, bytes: &[u8]) -> Words {
        let Some(change) = self.proposed.filter(|_| self.has(user)) else {
            return vec![];
        };
        let Some((commit, welcome)) = Notary::commit(self.channel, self.epoch, bytes) else {
            return vec![];
        };
        self.proposed = None;
        let is_first = self.epoch == 0;
        self.epoch += 1;
        if !is_first {
            self.transitions = self.transitions.wrapping_add(1).max(1);
        }
        let transition = if is_first { 0 } else { self.transitions };
        let numbered = |bytes: &[u8]| [&transition.to_be_bytes(), bytes].concat();
        if let Change::Remove(user) = change {
            let leaf = self.leaves.iter_mut().find(|leaf| **leaf == Some(user));
            leaf.into_iter().for_each(|leaf| *leaf = None);
            while self.leaves.last() == Some(&None) {
                self.leaves.pop();
            }
        }
        let mut words = self.all(&Word::Binary(29, numbered(&commit)));
        if let Change::Add(user) = change {
            self.packages.remove(&user);
            match self.leaves.iter_mut().find(|leaf| leaf.is_none()) {
                Some(leaf) => *leaf = Some(user),
                None => self.leaves.push(Some(user)),
            }
            words.push((user, Word::Binary(30, numbered(&welcome))));
        }
        self.rekeys += 1;
        if !is_first {
            self.awaited = Some(Awaited {
                transition,
                of: self.members().collect(),
                since: now(),
                version: self.version,
            });
        }
        words
    }

    pub fn ready(&mut self, notary: &Notary, user: Id, transition: u16) -> Words {
        if let Some(awaited) = &mut self.awaited
            && awaited.transition == transition
        {
            awaited.of.remove(&user);
        }
        self.tick(notary)
    }

    /// They could not follow, and will send what is needed to take them in anew.
    pub fn invalid(&mut self, notary: &Notary, user: Id) -> Words {
        self.invalid += 1;
        if let Some(awaited) = &mut self.awaited {
            awaited.of.remove(&user);
        }
        if self.has(user) {
            self.changes.push_back(Change::Remove(user));
        }
        self.tick(notary)
    }

    /// What time brings: a change that waited long enough, and the next one.
    pub fn tick(&mut self, notary: &Notary) -> Words {
        let mut words = self.settle();
        words.extend(self.go_on(notary));
        words
    }

    /// A change that everybody is ready for, or that has waited long enough, is executed.
    fn settle(&mut self) -> Words {
        let is_due = |it: &Awaited| it.of.is_empty() || now() >= it.since + PATIENCE;
        let Some(awaited) = self.awaited.take_if(|it| is_due(it)) else {
            return vec![];
        };
        let words = self.all(&Word::Text(22, json!({"transition_id": awaited.transition})));
        if awaited.version == 0 {
            self.dissolve();
            self.version = 0;
        }
        words
    }
}
