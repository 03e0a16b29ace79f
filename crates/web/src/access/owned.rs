//! Whose a name is: nobody else acts under it, or under one that looks like it.

use std::collections::BTreeMap;

use vocabulary::names::{Care, looks_like, passes_for};
use vocabulary::{Author, CommunityId, PersonId};

use super::credential::{Caller, NotKept, OwnedName};
use super::role::Role;
use super::store::Access;

/// By the id of the person.
type Names = BTreeMap<String, OwnedName>;

/// Names of one session or token that is no administrator's.
pub(super) const NAMES_MAX: usize = 20;

/// Whose a name is, for somebody who would act under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Yours,
    /// It is another's, or looks like this name, which is.
    Anothers(String),
    Nobodys,
}

/// Why a name could not be taken.
#[derive(Debug)]
pub(crate) enum NotTaken {
    Another(String),
    TooMany { most: usize },
}

/// Why a name could not be handed over.
#[derive(Debug)]
pub enum NotHandedOver {
    UnknownCredential,
    /// It is not allowed to write.
    CannotWrite,
    NotKept(NotKept),
}

impl Access {
    /// Whose a name is.
    pub(crate) fn standing(&self, author: &Author, caller: &Caller) -> Standing {
        standing(&self.kept().names, author, caller)
    }

    /// Takes a name, unless it is another's. A name belongs to whoever took it first.
    pub(crate) fn claim(&self, author: &Author, caller: &Caller) -> Result<(), NotTaken> {
        let mut kept = self.kept();
        match standing(&kept.names, author, caller) {
            Standing::Yours => return Ok(()),
            Standing::Anothers(name) => return Err(NotTaken::Another(name)),
            Standing::Nobodys => {}
        }
        let owner = caller.owner();
        let held = kept.names.values().filter(|owned| owned.owner == owner).count();
        if caller.role != Role::Administrator && held >= NAMES_MAX {
            return Err(NotTaken::TooMany { most: NAMES_MAX });
        }
        let owned = OwnedName {
            name: author.name.clone(),
            owner: owner.to_owned(),
            since: runtime::wall(),
        };
        kept.names.insert(author.id.as_str().to_owned(), owned);
        self.write_or_say(&kept);
        Ok(())
    }

    /// Whether a person's name is on record as this caller's.
    pub(crate) fn owns(&self, caller: &Caller, person: &PersonId) -> bool {
        let kept = self.kept();
        let owned = kept.names.get(person.as_str());
        owned.is_some_and(|owned| owned.owner == caller.owner())
    }

    /// Names that are taken, by the id of the person.
    pub fn names(&self) -> Vec<(String, OwnedName)> {
        let kept = self.kept();
        let names = kept.names.iter();
        names
            .map(|(person, owned)| (person.clone(), owned.clone()))
            .collect()
    }

    /// Takes a name from its owner, with what they have that looks like it; whether it was taken.
    pub fn release(&self, community: &CommunityId, name: &str) -> Result<bool, NotKept> {
        change_names(self, |names| {
            let alike = alike(names, community, name);
            for person in &alike {
                names.remove(person);
            }
            !alike.is_empty()
        })
    }

    /// A community is removed: the names of its people are nobody's.
    pub fn forget_community(&self, community: &CommunityId) -> Result<(), NotKept> {
        change_names(self, |names| {
            names.retain(|person, _| !is_of(person, community.as_str()))
        })
    }

    /// Somebody is forgotten: their name is nobody's, nor is what its owner has in that community that looks like it.
    pub fn forget_person(&self, person: &PersonId) -> Result<(), NotKept> {
        let known = self
            .kept()
            .names
            .get(person.as_str())
            .map(|owned| owned.name.clone());
        let Some(name) = known else { return Ok(()) };
        let community = CommunityId::from(community_of(person));
        change_names(self, |names| {
            for alike in alike(names, &community, &name) {
                names.remove(&alike);
            }
            names.remove(person.as_str());
        })
    }

    /// Gives a name to a credential, with what its owner has that looks like it.
    pub fn hand_over(
        &self,
        community: &CommunityId,
        name: &str,
        credential: &str,
    ) -> Result<OwnedName, NotHandedOver> {
        let now = runtime::wall();
        let kept = self.kept();
        let to = kept.credentials.iter().find(|other| other.id == credential);
        let to = to
            .filter(|found| !found.is_over(now))
            .ok_or(NotHandedOver::UnknownCredential)?;
        if !to.role.may(Role::Participant) {
            return Err(NotHandedOver::CannotWrite);
        }
        let caller = Caller {
            credential: to.id.clone(),
            role: to.role,
            parent: to.parent.clone(),
        };
        let given = OwnedName {
            name: one_spaced(name),
            owner: caller.owner().to_owned(),
            since: now,
        };
        drop(kept);
        let changed = change_names(self, |names| {
            for person in alike(names, community, name) {
                if let Some(owned) = names.get_mut(&person) {
                    owned.owner.clone_from(&given.owner);
                    owned.since = now;
                }
            }
            let person = name_key(name, community);
            names.entry(person).or_insert(given).clone()
        });
        changed.map_err(NotHandedOver::NotKept)
    }
}

/// Resolves once a name is not this caller's any more.
pub(crate) fn until_not_theirs(
    access: &Access,
    caller: &Caller,
    author: &Author,
) -> impl Future<Output = ()> + Send + use<> {
    let (access, caller, author) = (access.clone(), caller.clone(), author.clone());
    let mut changes = access.0.ended.subscribe();
    let is_theirs = move || access.standing(&author, &caller) == Standing::Yours;
    async move { while is_theirs() && changes.changed().await.is_ok() {} }
}

/// Changes whose names are; whoever acts under one hears of it.
fn change_names<T>(access: &Access, how: impl FnOnce(&mut Names) -> T) -> Result<T, NotKept> {
    let changed = access.change(|kept| how(&mut kept.names));
    access.0.ended.send_replace(());
    changed
}

fn standing(names: &Names, author: &Author, caller: &Caller) -> Standing {
    let held = names.get(author.id.as_str());
    match held {
        Some(owned) if owned.owner != caller.owner() => return Standing::Anothers(owned.name.clone()),
        Some(owned) if owned.name == author.name => return Standing::Yours,
        // In other letters it may look like another's: `lan`, who is Lan, like Ian.
        Some(_) | None => {}
    }
    let community = community_of(&author.id);
    let another = names.iter().find(|(person, owned)| {
        let care = match owned.owner == Role::Administrator.name() {
            true => Care::Administrator,
            false => Care::Everybody,
        };
        owned.owner != caller.owner()
            && is_of(person, community)
            && passes_for(&author.name, &owned.name, care)
    });
    match (another, held) {
        (Some((_, owned)), _) => Standing::Anothers(owned.name.clone()),
        (None, Some(_)) => Standing::Yours,
        (None, None) => Standing::Nobodys,
    }
}

/// The id of whoever has a name in a community: their name, letter case aside.
pub fn name_key(name: &str, community: &CommunityId) -> String {
    format!("{community}:{}", one_spaced(name).to_lowercase())
}

fn one_spaced(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everybody on record who has the owner of this name and looks like it.
fn alike(names: &Names, community: &CommunityId, name: &str) -> Vec<String> {
    let looking = || {
        names
            .iter()
            .filter(|(person, owned)| is_of(person, community.as_str()) && looks_like(&owned.name, name))
    };
    let first = names
        .get(&name_key(name, community))
        .or_else(|| looking().next().map(|(_, owned)| owned));
    let Some(owner) = first.map(|owned| &owned.owner) else {
        return Vec::new();
    };
    looking()
        .filter(|(_, owned)| owned.owner == *owner)
        .map(|(person, _)| person.clone())
        .collect()
}

fn community_of(person: &PersonId) -> &str {
    person
        .as_str()
        .split_once(':')
        .map_or("", |(community, _)| community)
}

fn is_of(person: &str, community: &str) -> bool {
    person
        .strip_prefix(community)
        .is_some_and(|rest| rest.starts_with(':'))
}

#[cfg(test)]
#[path = "owned_tests.rs"]
pub(super) mod owned_tests;
