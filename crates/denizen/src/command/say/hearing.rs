//! What comes back by a socket: what was understood, what Denizen says, and its voice.

use std::collections::BTreeSet;

use explain::PeopleNames;
use mind::{JournalEntry, JournalEvent};
use serde_json::Value;
use vocabulary::{PersonId, TurnId};

/// What is known of the conversation so far.
#[derive(Debug, Default)]
pub struct Heard {
    /// Denizen is in the voice of the room.
    pub is_in: bool,
    /// Who speaks.
    speaking: BTreeSet<String>,
    /// Utterances of which the words came, or will not.
    understood: usize,
    /// What it is saying.
    saying: Vec<String>,
    /// Who does not want to be listened to.
    unheard: BTreeSet<String>,
    /// Answers that it is about to give.
    answering: BTreeSet<TurnId>,
    /// Who is called how.
    names: PeopleNames,
    /// Its voice, as samples.
    pub voice: Vec<i16>,
}

impl Heard {
    /// Whether Denizen is saying something.
    pub fn is_saying(&self) -> bool {
        !self.saying.is_empty()
    }

    /// How many utterances were heard to their end.
    pub fn understood(&self) -> usize {
        self.understood
    }

    /// Whether somebody of this name does not want to be listened to: no words will come of what they say.
    pub fn is_unheard(&self, name: &str) -> bool {
        self.unheard.contains(name)
    }

    /// Whether somebody is still being listened to.
    pub fn is_listening(&self) -> bool {
        !self.speaking.is_empty()
    }

    /// No words will come of an utterance.
    pub fn missed(&mut self) {
        self.understood += 1;
    }

    /// Whether it says something, or is about to: a slow model may take its time.
    pub fn is_answering(&self) -> bool {
        self.is_saying() || !self.answering.is_empty()
    }

    /// Takes a line of the journal in, and what it means.
    pub fn line(&mut self, entry: &JournalEntry) -> String {
        if let Some(turn) = entry.scope.turn {
            match entry.event {
                JournalEvent::VoiceTurnOpened { .. } => {
                    self.answering.insert(turn);
                }
                JournalEvent::VoiceTurnEnded { .. } => {
                    self.answering.remove(&turn);
                }
                _ => {}
            }
        }
        self.names.sentence(entry)
    }

    /// Takes sound in: it is Denizen's while that speaks.
    pub fn sound(&mut self, bytes: &[u8]) {
        if self.is_saying() {
            audio::pcm::read(bytes, &mut self.voice);
        }
    }

    /// Takes an event in; what is to be told of it, and whether it is news at all.
    pub fn event(&mut self, text: &str) -> (Option<String>, bool) {
        let event: Value = serde_json::from_str(text).unwrap_or_default();
        let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str().unwrap_or_default() {
            "people" => {
                self.is_in = event["inRoom"].as_bool().unwrap_or_default();
                self.unheard.clear();
                for person in event["people"].as_array().into_iter().flatten() {
                    let [id, name] = ["id", "name"].map(|field| person[field].as_str().unwrap_or_default());
                    if person["listened"] == false {
                        self.unheard.insert(name.to_owned());
                    }
                    self.names.learn(PersonId::new(id), name);
                }
                (None, false)
            }
            "speaking" => {
                match event["speaking"] == true {
                    true => self.speaking.insert(word("person")),
                    false => self.speaking.remove(&word("person")),
                };
                (None, true)
            }
            "transcript" if event["final"] == true => {
                self.understood += 1;
                let (name, text, id) = (word("name"), word("text"), word("id"));
                (Some(format!("heard    {name}: {text}  [{id}]")), true)
            }
            "saying" => {
                let delivery = word("delivery");
                if !self.saying.contains(&delivery) {
                    self.saying.push(delivery);
                }
                (None, true)
            }
            "stopped" => {
                let (text, heard, delivery) = (word("text"), word("heard"), word("delivery"));
                self.saying.retain(|saying| *saying != delivery);
                let told = match (text == heard, heard.is_empty()) {
                    (true, _) => format!("said     {text}  [{delivery}]"),
                    // It stands nowhere, so nothing can be asked about it.
                    (false, true) => format!("said     … (of: {text})"),
                    (false, false) => format!("said     {heard} … (of: {text})  [{delivery}]"),
                };
                (Some(told), true)
            }
            "error" => (Some(format!("error    {}", word("message"))), true),
            _ => (None, event["type"] != "hello"),
        }
    }
}

#[cfg(test)]
mod tests {
    use mind::JournalEntry;
    use serde_json::{Value, json};

    use super::Heard;

    #[test]
    fn only_what_comes_while_denizen_speaks_is_its_voice() {
        let mut heard = Heard::default();
        heard.sound(&[1, 0]);
        assert!(heard.voice.is_empty());
        let (told, _) = heard.event(r#"{"type":"saying","delivery":"d1","text":"One."}"#);
        assert_eq!(told, None);
        heard.sound(&[1, 0, 2, 0]);
        assert_eq!(heard.voice, [1, 2]);
        let (told, _) =
            heard.event(r#"{"type":"stopped","delivery":"d1","text":"One. Two.","heard":"One."}"#);
        assert_eq!(told.as_deref(), Some("said     One. … (of: One. Two.)  [d1]"));
        assert!(!heard.is_saying());
    }

    #[test]
    fn an_utterance_is_over_when_its_words_are_there_and_nobody_speaks() {
        let mut heard = Heard::default();
        heard.event(r#"{"type":"speaking","person":"local:alice","speaking":true}"#);
        assert_eq!((heard.is_listening(), heard.understood()), (true, 0));
        heard.event(r#"{"type":"speaking","person":"local:alice","speaking":false}"#);
        assert_eq!((heard.is_listening(), heard.understood()), (false, 0));
        heard.event(r#"{"type":"transcript","name":"alice","text":"Deni","final":false}"#);
        assert_eq!(heard.understood(), 0);
        heard.event(r#"{"type":"transcript","name":"alice","text":"Denizen","final":true}"#);
        heard.missed();
        assert_eq!(heard.understood(), 2);
    }

    /// A line of the journal.
    fn line(name: &str, data: Value) -> JournalEntry {
        let entry = json!({
            "seq": 1, "moment": 0, "wall": 0, "community": "local", "room": "lounge", "turn": 4, "name": name, "data": data
        });
        serde_json::from_value(entry).expect("a line")
    }

    #[test]
    fn people_are_told_of_by_their_names() {
        let mut heard = Heard::default();
        heard.event(r#"{"type":"people","inRoom":true,"people":[{"id":"discord:17","name":"Bob"}]}"#);
        let data = json!({"person": "discord:17", "stop": true, "reason": "spoken_over", "spoken": 700});
        let told = heard.line(&line("voice_barge_in_decided", data));
        assert!(told.starts_with("Bob spoke for 700 ms"), "{told}");
    }

    #[test]
    fn who_does_not_want_to_be_listened_to_is_known_until_they_do() {
        let mut heard = Heard::default();
        for (listened, unheard) in [(false, true), (true, false)] {
            let people = json!({"type": "people", "inRoom": true, "people": [
                {"id": "local:alice", "name": "Alice", "listened": true},
                {"id": "local:bob", "name": "Bob", "listened": listened},
            ]});
            heard.event(&people.to_string());
            assert_eq!(
                (heard.is_unheard("Bob"), heard.is_unheard("Alice")),
                (unheard, false)
            );
        }
    }

    #[test]
    fn an_answer_that_is_being_made_is_waited_for() {
        let mut heard = Heard::default();
        let data = json!({"speakers": ["a"], "triggerMessageIds": ["u1"], "required": true, "waited": 5});
        heard.line(&line("voice_turn_opened", data));
        assert!(heard.is_answering() && !heard.is_saying());
        let data = json!({"outcome": "written", "reason": "stale", "detail": "", "took": 24_000});
        heard.line(&line("voice_turn_ended", data));
        assert!(!heard.is_answering());
    }

    #[test]
    fn words_are_told_once_they_are_final() {
        let mut heard = Heard::default();
        let partial = r#"{"type":"transcript","name":"alice","text":"Deni","final":false}"#;
        assert_eq!(heard.event(partial).0, None);
        let whole = r#"{"type":"transcript","id":"u7","name":"alice","text":"Denizen, hello","final":true}"#;
        assert_eq!(
            heard.event(whole).0.as_deref(),
            Some("heard    alice: Denizen, hello  [u7]")
        );
        heard.event(r#"{"type":"people","inRoom":true,"people":[]}"#);
        assert!(heard.is_in);
    }
}
