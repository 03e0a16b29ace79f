//! Who is meant by an id: lines of the journal that carry only that are told with the name.

use std::collections::BTreeMap;

use mind::journal::{JournalEntry, JournalEvent};
use vocabulary::PersonId;

use crate::sentence;

/// Ids of people who came in by this house's own door are their names behind this.
const HOUSE: &str = "local:";

/// People, by what they are called.
#[derive(Clone, Debug, Default)]
pub struct PeopleNames(BTreeMap<PersonId, String>);

impl PeopleNames {
    /// Those whom lines of the journal name.
    pub fn of(chain: &[JournalEntry]) -> Self {
        let mut names = Self::default();
        for entry in chain {
            match &entry.event {
                JournalEvent::VoicePersonJoined {
                    person, person_name, ..
                }
                | JournalEvent::VoicePersonLeft {
                    person, person_name, ..
                } => names.learn(person.clone(), person_name),
                JournalEvent::UtteranceHeard {
                    author, author_name, ..
                }
                | JournalEvent::MessageReceived {
                    author, author_name, ..
                } => names.learn(author.clone(), author_name),
                _ => {}
            }
        }
        names
    }

    /// Somebody is called so.
    pub fn learn(&mut self, person: PersonId, name: &str) {
        if !name.is_empty() {
            self.0.insert(person, name.to_owned());
        }
    }

    /// What a line means, with the name of whom it is about.
    pub fn sentence(&self, entry: &JournalEntry) -> String {
        let mut entry = entry.clone();
        if let Some(person) = whom(&mut entry.event) {
            *person = PersonId::new(self.called(person));
        }
        sentence(&entry)
    }

    fn called(&self, person: &PersonId) -> String {
        let of_the_house = || person.as_str().strip_prefix(HOUSE).unwrap_or(person.as_str());
        self.0
            .get(person)
            .map_or_else(of_the_house, String::as_str)
            .to_owned()
    }
}

/// Whom a line is about, where it says so by an id alone.
fn whom(event: &mut JournalEvent) -> Option<&mut PersonId> {
    match event {
        JournalEvent::UtteranceMissed { person, .. }
        | JournalEvent::BargeInDecided { person, .. }
        | JournalEvent::VoiceListeningChosen { person, .. }
        | JournalEvent::VoiceSoundPlayed {
            person: Some(person), ..
        } => Some(person),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::PeopleNames;
    use crate::sentence_tests::entry;

    #[test]
    fn whoever_is_named_anywhere_in_a_chain_is_named_where_only_their_id_stands() {
        let came = entry(
            "voice_session_person_joined",
            json!({"person": "discord:17", "personName": "Bob", "people": 2}),
        );
        let over = |person: &str| {
            let data = json!({"person": person, "stop": true, "reason": "spoken_over", "spoken": 700});
            entry("voice_barge_in_decided", data)
        };
        let missed = entry(
            "voice_utterance_missed",
            json!({"person": "local:ann b", "reason": "empty", "detail": "", "spoken": 900}),
        );
        let names = PeopleNames::of(&[came]);
        let told = names.sentence(&over("discord:17"));
        assert!(told.starts_with("Bob spoke for 700 ms"), "{told}");
        let told = names.sentence(&over("discord:18"));
        assert!(told.starts_with("discord:18 spoke"), "{told}");
        let told = names.sentence(&missed);
        assert!(told.starts_with("ann b was heard for 900 ms"), "{told}");
    }
}
