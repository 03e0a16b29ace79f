//! What comes back by a socket: what was understood, what Denizen says, and its voice.

use std::collections::BTreeSet;

use serde_json::Value;

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

    /// Whether somebody is still being listened to.
    pub fn is_listening(&self) -> bool {
        !self.speaking.is_empty()
    }

    /// No words will come of an utterance.
    pub fn missed(&mut self) {
        self.understood += 1;
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
                (Some(format!("heard    {}: {}", word("name"), word("text"))), true)
            }
            "saying" => {
                let delivery = word("delivery");
                if !self.saying.contains(&delivery) {
                    self.saying.push(delivery);
                }
                (None, true)
            }
            "stopped" => {
                self.saying.retain(|saying| *saying != word("delivery"));
                let (text, heard) = (word("text"), word("heard"));
                let told = match text == heard {
                    true => format!("said     {text}"),
                    false => format!("said     {heard} … (of: {text})"),
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
        assert_eq!(told.as_deref(), Some("said     One. … (of: One. Two.)"));
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

    #[test]
    fn words_are_told_once_they_are_final() {
        let mut heard = Heard::default();
        let partial = r#"{"type":"transcript","name":"alice","text":"Deni","final":false}"#;
        assert_eq!(heard.event(partial).0, None);
        let whole = r#"{"type":"transcript","name":"alice","text":"Denizen, hello","final":true}"#;
        assert_eq!(
            heard.event(whole).0.as_deref(),
            Some("heard    alice: Denizen, hello")
        );
        heard.event(r#"{"type":"people","inRoom":true,"people":[]}"#);
        assert!(heard.is_in);
    }
}
