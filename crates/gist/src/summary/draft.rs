//! Everything a summary could say, before it is decided what it does say.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use vocabulary::WallTime;

use super::FoldedTurn;
use super::sentence::{Manner, sentences};
use super::telegram::{Reading, Word, telegram};
use crate::lexicon::{Language, WEAK};
use crate::lexicon::{Token, tokens};
use crate::lexicon::{plain, stem};

/// The heading under which screen notes stand; each begins with whose screen it was.
pub const SCREEN: &str = "Screen";
/// More of one turn is not read: no turn that a window shows is longer.
const TURN_CHARS_MAX: usize = 4_000;
const NAME_CHARS_MAX: usize = 40;

/// A run of words of one item: the smallest thing that is kept or forgotten.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub group: usize,
    pub item: usize,
    pub words: Vec<Word>,
}

/// A statement: the pieces that are parted by commas.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub manner: Manner,
    /// The sentence that it was, if somebody wrote it in prose.
    pub prose: Option<String>,
    /// The year in which it was said, where that is known.
    pub year: Option<i16>,
}

/// All candidates, in the order in which they would be written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Headings in order of appearance; the empty one is for statements that carry their own subject.
    pub groups: Vec<String>,
    pub items: Vec<Item>,
    pub pieces: Vec<Piece>,
    /// By group: the year of its newest statement.
    years: Vec<Option<i16>>,
}

impl Draft {
    pub fn group(&mut self, heading: &str) -> usize {
        let known = self.groups.iter().position(|group| group == heading);
        known.unwrap_or_else(|| {
            self.groups.push(heading.to_owned());
            self.years.push(None);
            self.groups.len() - 1
        })
    }

    /// Years only go on, so that each is told once; the one that the group has come to.
    pub fn said_in(&mut self, group: usize, year: Option<i16>) -> Option<i16> {
        self.years[group] = self.years[group].max(year);
        self.years[group]
    }

    pub fn add(&mut self, group: usize, manner: Manner, prose: Option<String>, runs: Vec<Vec<Word>>) {
        if runs.is_empty() {
            return;
        }
        let item = self.items.len();
        let year = self.years[group].filter(|_| prose.is_none());
        self.items.push(Item { manner, prose, year });
        self.pieces
            .extend(runs.into_iter().map(|words| Piece { group, item, words }));
    }

    pub fn add_turns(&mut self, turns: &[FoldedTurn<'_>], language: Language) {
        let languages: Vec<Language> = turns
            .iter()
            .map(|turn| Language::of(clip(turn.text, TURN_CHARS_MAX)).unwrap_or(language))
            .collect();
        let texts: Vec<String> = turns
            .iter()
            .zip(&languages)
            .map(|(turn, language)| language.with_whole_dates(clip(turn.text, TURN_CHARS_MAX)))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let names = self.names(&texts);
        let headings: Vec<String> = turns.iter().map(|turn| heading(turn.speaker)).collect();
        let present = name_words(self.groups.iter().chain(&headings));
        for (at, (text, heading)) in texts.iter().zip(&headings).enumerate() {
            let (group, language, said) = (self.group(heading), languages[at], turns[at].at.and_then(day));
            self.said_in(group, said.map(Date::year));
            for (sentence, manner) in sentences(text, language) {
                let reading = Reading {
                    present: &present,
                    names: &names,
                    begins_sentence: true,
                    is_whole: false,
                    is_telegram: false,
                    language,
                    said,
                };
                let mut runs = telegram(sentence, reading);
                // Everyday verbs alone tell nothing: `went`, `tried`, `see how it goes`.
                runs.retain(|words| words.iter().any(|word| word.weight > WEAK && !word.is_when));
                self.add(group, manner, None, runs);
            }
        }
    }

    pub fn add_notes(&mut self, notes: &[&str]) {
        let nobody = BTreeSet::new();
        let texts: Vec<&str> = notes.iter().map(|note| clip(note, TURN_CHARS_MAX)).collect();
        // A note begins with whose screen it is: that capital is a name's, and grammar is left out anyway.
        let reading = Reading {
            present: &nobody,
            names: &nobody,
            begins_sentence: false,
            is_whole: true,
            is_telegram: false,
            language: Language::English,
            said: None,
        };
        for (sentence, _) in texts.iter().flat_map(|text| sentences(text, Language::English)) {
            let runs = telegram(sentence, reading);
            if !runs.is_empty() {
                let group = self.group(SCREEN);
                self.add(group, Manner::Note, None, runs);
            }
        }
    }

    /// Stems of words that were seen with a capital where no sentence begins.
    fn names(&self, texts: &[&str]) -> BTreeSet<String> {
        let remembered = self.pieces.iter().flat_map(|piece| &piece.words);
        let is_capitalised = |text: &str| text.starts_with(char::is_uppercase);
        let mut names: BTreeSet<String> = remembered
            .filter(|word| is_capitalised(&word.text))
            .map(|word| word.stem.clone())
            .collect();
        for text in texts {
            let tokens = tokens(text);
            for pair in tokens.windows(2) {
                if let [Token::Word(_), Token::Word(word)] = pair
                    && is_capitalised(word)
                {
                    names.insert(stem(&plain(word)));
                }
            }
        }
        names
    }
}

/// The day of a time, in UTC.
fn day(at: WallTime) -> Option<Date> {
    let timestamp = Timestamp::from_millisecond(at.0).ok()?;
    Some(timestamp.to_zoned(TimeZone::UTC).date())
}

/// A speaker's name as a heading: on one line, without the signs that part headings and items.
pub fn heading(speaker: &str) -> String {
    let part =
        |character: char| character.is_whitespace() || character.is_control() || ":;.,!?".contains(character);
    let words: Vec<&str> = speaker.split(part).filter(|word| !word.is_empty()).collect();
    let name = words.join(" ");
    match clip(&name, NAME_CHARS_MAX).trim() {
        "" => "Someone".to_owned(),
        name => name.to_owned(),
    }
}

fn name_words<'a>(names: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    names
        .flat_map(|name| name.split(' '))
        .map(plain)
        .filter(|word| !word.is_empty())
        .collect()
}

/// The first characters of a text.
pub fn clip(text: &str, chars: usize) -> &str {
    text.char_indices()
        .nth(chars)
        .map_or(text, |(end, _)| &text[..end])
}
