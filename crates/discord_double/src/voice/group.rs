//! One call's group as its server sees it: who is in it and at which leaf, what is proposed, and which change of keys
//! waits for whom. One change at a time: the next is proposed when the last is executed. Each voice server has groups of
//! its own: after a change of region everybody is in a new one, whoever may still be at the old server.

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

/// Somebody in one session. Whoever comes again is another member, also while they are still to be removed as the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallMember {
    pub ssrc: u32,
    pub user: Id,
}

pub type Words = Vec<(CallMember, Word)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Add(CallMember),
    Remove(CallMember),
}

#[derive(Debug)]
struct Awaited {
    transition: u16,
    of: BTreeSet<CallMember>,
    since: Millis,
    version: u16,
}

#[derive(Debug)]
pub struct CallGroup {
    channel: Id,
    notary: Notary,
    /// Zero: nothing is encrypted from end to end.
    pub version: u16,
    pub epoch: u64,
    leaves: Vec<Option<CallMember>>,
    /// Members that are no longer there, and still have a leaf.
    gone: BTreeSet<CallMember>,
    packages: BTreeMap<CallMember, KeyPackage>,
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
            notary: Notary::default(),
            version: 1,
            epoch: 0,
            leaves: Vec::new(),
            gone: BTreeSet::new(),
            packages: BTreeMap::new(),
            changes: VecDeque::new(),
            proposed: None,
            awaited: None,
            transitions: 0,
            rekeys: 0,
            invalid: 0,
        }
    }

    /// Who signs what is proposed here.
    pub fn sender(&self) -> Vec<u8> {
        self.notary.sender()
    }

    pub fn members(&self) -> impl Iterator<Item = CallMember> {
        self.leaves.iter().flatten().copied()
    }

    fn has(&self, who: CallMember) -> bool {
        self.members().any(|member| member == who)
    }

    fn all(&self, word: &Word) -> Words {
        self.members().map(|member| (member, word.clone())).collect()
    }

    /// Whether anybody is left who can carry out what is proposed.
    fn is_alive(&self) -> bool {
        let removed = |member: &CallMember| {
            let change = Change::Remove(*member);
            self.proposed == Some(change) || self.changes.contains(&change)
        };
        self.members()
            .any(|member| !self.gone.contains(&member) && !removed(&member))
    }

    /// Somebody can be taken in.
    pub fn package(&mut self, who: CallMember, bytes: &[u8]) -> Words {
        let Some(package) = self.notary.package(who.user, bytes) else {
            return vec![];
        };
        self.packages.insert(who, package);
        // Who is in it already has begun anew.
        if self.has(who) {
            self.changes.push_back(Change::Remove(who));
        }
        self.changes.push_back(Change::Add(who));
        self.revive();
        self.go_on()
    }

    pub fn left(&mut self, who: CallMember) -> Words {
        self.packages.remove(&who);
        self.changes.retain(|change| *change != Change::Add(who));
        if let Some(awaited) = &mut self.awaited {
            awaited.of.remove(&who);
        }
        if self.has(who) || self.proposed == Some(Change::Add(who)) {
            self.gone.insert(who);
            self.changes.push_back(Change::Remove(who));
        }
        self.revive();
        self.tick()
    }

    /// Where nobody is left to carry anything out, those who wait to be taken in have a group of their own.
    fn revive(&mut self) {
        if self.leaves.is_empty() || self.is_alive() {
            return;
        }
        let waiting = self.proposed.take();
        let gone = std::mem::take(&mut self.gone);
        self.dissolve();
        self.changes.extend(waiting);
        self.changes.retain(|change| match change {
            Change::Add(who) => !gone.contains(who),
            Change::Remove(_) => false,
        });
    }

    fn dissolve(&mut self) {
        self.leaves.clear();
        self.gone.clear();
        self.epoch = 0;
        self.proposed = None;
        self.awaited = None;
    }

    /// Everybody begins anew, in a group with new keys.
    pub fn regroup(&mut self, everybody: &[CallMember], version: u16) -> Words {
        self.dissolve();
        self.changes.clear();
        self.packages.clear();
        self.version = version;
        let word = Word::Text(24, json!({"protocol_version": version, "epoch": 1}));
        everybody.iter().map(|who| (*who, word.clone())).collect()
    }

    /// From now on everybody speaks in the open.
    pub fn downgrade(&mut self, everybody: &[CallMember]) -> Words {
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
            .map(|who| (*who, Word::Text(21, told.clone())))
            .collect()
    }

    /// The next change that makes one.
    fn go_on(&mut self) -> Words {
        while self.proposed.is_none() && self.awaited.is_none() {
            let Some(change) = self.changes.pop_front() else {
                break;
            };
            let words = self.propose(change);
            if !words.is_empty() {
                return words;
            }
        }
        vec![]
    }

    fn propose(&mut self, change: Change) -> Words {
        let proposal = match change {
            Change::Add(who) if self.has(who) => None,
            Change::Add(who) if self.leaves.iter().flatten().next().is_none() => {
                // The first is in the group that their client has made for itself.
                if self.packages.remove(&who).is_some() {
                    self.leaves = vec![Some(who)];
                    self.epoch = 0;
                }
                None
            }
            Change::Add(who) => self
                .packages
                .get(&who)
                .and_then(|package| self.notary.add(self.channel, self.epoch, package.clone())),
            Change::Remove(who) if self.members().count() == 2 && self.has(who) => {
                let alone: Vec<CallMember> = self.members().filter(|member| *member != who).collect();
                self.dissolve();
                alone.iter().for_each(|who| drop(self.packages.remove(who)));
                let word = Word::Text(24, json!({"protocol_version": self.version, "epoch": 1}));
                return alone.into_iter().map(|who| (who, word.clone())).collect();
            }
            Change::Remove(who) => self
                .leaves
                .iter()
                .position(|leaf| *leaf == Some(who))
                .and_then(|leaf| self.notary.remove(self.channel, self.epoch, leaf)),
        };
        let Some(proposal) = proposal else {
            return vec![];
        };
        self.proposed = Some(change);
        let word = Word::Binary(27, [&[0], proposal.as_slice()].concat());
        let mut words = self.all(&word);
        words.retain(|(who, _)| change != Change::Remove(*who));
        words
    }

    /// A commit: the first that fits is everybody's.
    pub fn commit(&mut self, who: CallMember, bytes: &[u8]) -> Words {
        let Some(change) = self.proposed.filter(|_| self.has(who)) else {
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
        if let Change::Remove(who) = change {
            self.gone.remove(&who);
            let leaf = self.leaves.iter_mut().find(|leaf| **leaf == Some(who));
            leaf.into_iter().for_each(|leaf| *leaf = None);
            while self.leaves.last() == Some(&None) {
                self.leaves.pop();
            }
        }
        let mut words = self.all(&Word::Binary(29, numbered(&commit)));
        if let Change::Add(who) = change {
            self.packages.remove(&who);
            match self.leaves.iter_mut().find(|leaf| leaf.is_none()) {
                Some(leaf) => *leaf = Some(who),
                None => self.leaves.push(Some(who)),
            }
            words.push((who, Word::Binary(30, numbered(&welcome))));
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

    pub fn ready(&mut self, who: CallMember, transition: u16) -> Words {
        if let Some(awaited) = &mut self.awaited
            && awaited.transition == transition
        {
            awaited.of.remove(&who);
        }
        self.tick()
    }

    /// They could not follow, and will send what is needed to take them in anew.
    pub fn invalid(&mut self, who: CallMember) -> Words {
        self.invalid += 1;
        if let Some(awaited) = &mut self.awaited {
            awaited.of.remove(&who);
        }
        if self.has(who) {
            self.changes.push_back(Change::Remove(who));
        }
        self.revive();
        self.tick()
    }

    /// What time brings: a change that waited long enough, and the next one.
    pub fn tick(&mut self) -> Words {
        let mut words = self.settle();
        words.extend(self.go_on());
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

#[cfg(test)]
mod tests {
    use openmls::prelude::{BasicCredential, Ciphersuite, CredentialWithKey};
    use openmls_basic_credential::SignatureKeyPair;
    use openmls_rust_crypto::OpenMlsRustCrypto;

    use super::*;

    const SUITE: Ciphersuite = Ciphersuite::MLS_128_DHKEMP256_AES128GCM_SHA256_P256;

    fn package(user: Id) -> KeyPackage {
        let signer = SignatureKeyPair::new(SUITE.signature_algorithm()).expect("a key pair");
        let whose = CredentialWithKey {
            credential: BasicCredential::new(user.to_be_bytes().to_vec()).into(),
            signature_key: signer.public().into(),
        };
        let made = KeyPackage::builder().build(SUITE, &OpenMlsRustCrypto::default(), &signer, whose);
        made.expect("a package").key_package().clone()
    }

    #[test]
    fn whoever_waits_has_a_group_when_all_are_gone_who_could_take_them_in() {
        let who = |ssrc, user| CallMember { ssrc, user };
        let (alice, bob, carol) = (who(1, 10), who(2, 11), who(3, 12));
        let mut group = CallGroup::new(5);
        (group.leaves, group.epoch) = (vec![Some(alice), Some(bob), Some(carol)], 2);
        assert_eq!(group.left(alice).len(), 2, "the others are to remove her");
        // She is back before they have.
        let again = who(4, 10);
        group.packages.insert(again, package(10));
        group.changes.push_back(Change::Add(again));
        group.left(bob);
        assert_eq!(group.members().count(), 3, "somebody can still carry it out");
        group.left(carol);
        assert_eq!(group.members().collect::<Vec<_>>(), [again]);
        assert_eq!((group.epoch, group.proposed), (0, None));
    }
}
