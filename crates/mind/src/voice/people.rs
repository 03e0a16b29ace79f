//! Who is in the voice of a room, who speaks, whose words are still awaited, and who is not listened to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use vocabulary::{Author, AuthorKind, Moment, PersonId, Span, WallTime};

use crate::prompt::transcript::speaker;
use crate::step_context::UNLISTENED_MAX;

/// The ears have so long to write down what was said once it is over.
const WORDS_WITHIN: Span = Span(1_500);
/// A speech that nobody ended is over after this.
const SPEECH_MAX: Span = Span::seconds(30);
/// Comings and goings that are remembered.
const MOVEMENTS_MAX: usize = 8;
/// Those of longer ago are not told.
const MOVEMENTS_WITHIN: Span = Span::minutes(30);
/// People in a room who are told apart.
const PEOPLE_MAX: usize = 256;
/// Of what somebody is saying so much is kept.
const PARTIAL_CHARS_MAX: usize = 600;

/// Somebody who is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Present {
    pub name: String,
    pub kind: AuthorKind,
    /// They are speaking; when that was last heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaking: Option<Moment>,
    /// They have fallen silent, and until then their words may come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_until: Option<Moment>,
    /// What has been understood so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub partial: String,
    /// How long they spoke while Denizen did, in this speech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Span>,
    /// Denizen speaks in spite of them: theirs is a sound without words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignored: bool,
}

impl Present {
    /// Whether they speak and are waited for: anybody is, or only whoever called and those of whom words are known.
    fn is_waited_for(&self, id: &PersonId, caller: Option<&PersonId>, for_anybody: bool) -> bool {
        self.speaking.is_some() && (for_anybody || Some(id) == caller || !self.partial.is_empty())
    }
}

/// Somebody came or went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Movement {
    name: String,
    joined: bool,
    at: WallTime,
}

/// Everybody in the voice of a room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VoicePeople {
    present: BTreeMap<PersonId, Present>,
    /// They do not want to be listened to; that holds until they say otherwise.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    not_listened_to: BTreeSet<PersonId>,
    movements: VecDeque<Movement>,
}

impl VoicePeople {
    /// Somebody came; whether they were not there before.
    pub fn join(&mut self, author: &Author, at: WallTime) -> bool {
        if self.present.contains_key(&author.id) || self.present.len() >= PEOPLE_MAX {
            return false;
        }
        let present = Present {
            name: author.name.clone(),
            kind: author.kind,
            speaking: None,
            words_until: None,
            partial: String::new(),
            over: None,
            ignored: false,
        };
        self.present.insert(author.id.clone(), present);
        self.note(author.name.clone(), true, at);
        true
    }

    /// Somebody went; what they were called, if they were there.
    pub fn leave(&mut self, person: &PersonId, at: WallTime) -> Option<String> {
        let gone = self.present.remove(person)?;
        self.note(gone.name.clone(), false, at);
        Some(gone.name)
    }

    fn note(&mut self, name: String, joined: bool, at: WallTime) {
        // Who comes and goes all the time is told of once.
        self.movements.retain(|movement| movement.name != name);
        self.movements.push_back(Movement { name, joined, at });
        if self.movements.len() > MOVEMENTS_MAX {
            self.movements.pop_front();
        }
    }

    /// Nobody is known to be there any more; choices stay.
    pub fn clear(&mut self) {
        self.present.clear();
        self.movements.clear();
    }

    pub fn get(&self, person: &PersonId) -> Option<&Present> {
        self.present.get(person)
    }

    pub fn get_mut(&mut self, person: &PersonId) -> Option<&mut Present> {
        self.present.get_mut(person)
    }

    /// Whoever is there, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&PersonId, &Present)> {
        self.present.iter()
    }

    /// How many people are there: no programs.
    pub fn count(&self) -> usize {
        self.everybody().count()
    }

    /// Where more people want to be left out than can be remembered, nobody is listened to.
    pub fn is_listened_to(&self, person: &PersonId) -> bool {
        !self.not_listened_to.contains(person) && self.not_listened_to.len() < UNLISTENED_MAX
    }

    /// What people chose, and nothing else.
    pub fn choices(&self) -> Self {
        Self {
            not_listened_to: self.not_listened_to.clone(),
            ..Self::default()
        }
    }

    /// Somebody chose; whether that changes anything.
    pub fn choose(&mut self, person: &PersonId, listen: bool) -> bool {
        if let (false, Some(present)) = (listen, self.present.get_mut(person)) {
            present.partial.clear();
            present.speaking = None;
            present.words_until = None;
        }
        match listen {
            true => self.not_listened_to.remove(person),
            false if self.not_listened_to.len() < UNLISTENED_MAX => {
                self.not_listened_to.insert(person.clone())
            }
            false => false,
        }
    }

    /// People who are there: no programs.
    pub fn everybody(&self) -> impl Iterator<Item = &PersonId> {
        let people = self.present.iter();
        let people = people.filter(|(_, present)| present.kind == AuthorKind::Person);
        people.map(|(id, _)| id)
    }

    /// Those of them who are listened to.
    pub fn listened_to(&self) -> impl Iterator<Item = &PersonId> {
        self.everybody().filter(|id| self.is_listened_to(id))
    }

    /// Everybody who is not listened to.
    pub fn not_listened_to(&self) -> impl Iterator<Item = &PersonId> {
        self.not_listened_to.iter()
    }

    pub fn speech_started(&mut self, person: &PersonId, now: Moment) {
        if self.is_listened_to(person)
            && let Some(present) = self.present.get_mut(person)
        {
            present.speaking = Some(now);
            present.words_until = None;
            present.partial.clear();
            present.over = None;
            present.ignored = false;
        }
    }

    /// They are still speaking.
    pub fn speaks_on(&mut self, person: &PersonId, now: Moment) {
        if let Some(present) = self.present.get_mut(person)
            && present.speaking.is_some()
        {
            present.speaking = Some(now);
        }
    }

    pub fn speech_partial(&mut self, person: &PersonId, text: &str, now: Moment) {
        if self.is_listened_to(person)
            && let Some(present) = self.present.get_mut(person)
        {
            present.speaking = present.speaking.map(|_| now);
            present.partial = text.chars().take(PARTIAL_CHARS_MAX).collect();
        }
    }

    pub fn speech_ended(&mut self, person: &PersonId, now: Moment) {
        if let Some(present) = self.present.get_mut(person)
            && present.speaking.take().is_some()
        {
            present.words_until = Some(now + WORDS_WITHIN);
        }
    }

    /// What they said is there, or will not come.
    pub fn words_came(&mut self, person: &PersonId) {
        if let Some(present) = self.present.get_mut(person) {
            present.words_until = None;
            present.partial.clear();
        }
    }

    /// A speech whose end nobody told of is over at some time.
    pub fn expire(&mut self, now: Moment) {
        for present in self.present.values_mut() {
            present.speaking.take_if(|since| now.since(*since) >= SPEECH_MAX);
            present.words_until.take_if(|until| *until <= now);
        }
    }

    /// When that is.
    pub fn next_expiry(&self) -> Option<Moment> {
        let speaking = self.present.values().filter_map(|present| present.speaking);
        speaking.map(|since| since + SPEECH_MAX).min()
    }

    /// Whether somebody speaks who is listened to.
    pub fn somebody_speaks(&self) -> bool {
        self.present.values().any(|present| present.speaking.is_some())
    }

    /// Whether somebody speaks who is waited for before `caller`'s answer is given: anybody, or only whoever called and
    /// those of whom words are known already.
    pub fn keeps_waiting(&self, caller: Option<&PersonId>, for_anybody: bool, now: Moment) -> bool {
        let waits = |(id, present): (&PersonId, &Present)| present.is_waited_for(id, caller, for_anybody);
        self.words_awaited_of(caller).is_some_and(|until| until > now) || self.present.iter().any(waits)
    }

    /// Whether one of them began while Denizen paused in what it says, to look something up or for a slow model: nobody
    /// speaks over it then, and what follows waits.
    pub fn took_the_floor(&self, caller: Option<&PersonId>, for_anybody: bool) -> bool {
        self.present.iter().any(|(id, present)| {
            let is_over = present.over.is_some() || present.ignored;
            !is_over && present.is_waited_for(id, caller, for_anybody)
        })
    }

    /// Until when words of somebody may come who has just fallen silent.
    pub fn words_awaited_of(&self, person: Option<&PersonId>) -> Option<Moment> {
        person.and_then(|person| self.get(person)?.words_until)
    }

    /// Denizen begins to speak: whoever still makes a sound is spoken over, until words come of it.
    pub fn speak_over(&mut self) {
        for present in self.present.values_mut() {
            present.ignored = present.speaking.is_some();
        }
    }

    /// Until when words may come of somebody who speaks, or has just spoken; none where nobody's are awaited.
    pub fn words_awaited_until(&self) -> Option<Moment> {
        let until = |present: &Present| match present.speaking {
            Some(since) => Some(since + SPEECH_MAX),
            None => present.words_until,
        };
        self.present.values().filter_map(until).max()
    }

    /// Who is there as a prompt is told, so many of them at most.
    pub fn roster(&self, limit: usize) -> Vec<String> {
        let line = |(id, present): (&PersonId, &Present)| match self.is_listened_to(id) {
            true => speaker(&present.name),
            false => format!("{} (does not want to be listened to)", speaker(&present.name)),
        };
        self.present.iter().take(limit).map(line).collect()
    }

    /// Who came and went lately, newest last.
    pub fn movements(&self, now: WallTime) -> Vec<String> {
        let line = |movement: &Movement| {
            let what = if movement.joined { "joined" } else { "left" };
            let seconds = now.0.saturating_sub(movement.at.0) / 1_000;
            format!("{} {what} {seconds} s ago", speaker(&movement.name))
        };
        let lately = |movement: &&Movement| now.0.saturating_sub(movement.at.0) <= MOVEMENTS_WITHIN.0 as i64;
        self.movements.iter().filter(lately).map(line).collect()
    }

    /// Lets somebody go; that they do not want to be listened to stays, for it protects them.
    pub fn forget(&mut self, person: &PersonId, names: &[String]) {
        if let Some(present) = self.present.get_mut(person) {
            present.partial.clear();
        }
        self.movements.retain(|movement| !names.contains(&movement.name));
    }
}
