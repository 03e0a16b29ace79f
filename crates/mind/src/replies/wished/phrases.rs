//! The words themselves, read from `words.txt` once, and a text cut into words like theirs.

use std::sync::LazyLock;

use vocabulary::names;

static KNOWN: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(include_str!("words.txt")));

/// Phrases by what they ask for, each as folded words.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// For the web.
    pub web: Vec<Vec<String>>,
    /// For older messages of the room.
    pub room: Vec<Vec<String>>,
    pub picture: Vec<Vec<String>>,
    pub gif: Vec<Vec<String>>,
    /// What a query does not need at its beginning, and at its end.
    pub lead: Vec<Vec<String>>,
    pub tail: Vec<Vec<String>>,
    /// What may stand between the words of a phrase.
    filler: Vec<Vec<String>>,
}

/// One word of a text, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub folded: String,
    pub start: usize,
    pub end: usize,
}

impl Phrases {
    pub fn known() -> &'static Self {
        &KNOWN
    }

    /// Reads the list: a phrase a line under `[what it asks for]`; what stands under no such line, or under another, is
    /// left out.
    fn read(text: &str) -> Self {
        let mut phrases = Self::default();
        let mut under = "";
        for line in text.lines().map(str::trim) {
            match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(name) => under = name,
                None if line.is_empty() || line.starts_with('#') => {}
                None => {
                    if let Some(list) = phrases.of(under) {
                        list.push(folded_words(line));
                    }
                }
            }
        }
        // A message is read without its filler, and so are they.
        for mut lead in std::mem::take(&mut phrases.lead) {
            lead.retain(|word| !phrases.is_filler(word));
            phrases.lead.push(lead);
        }
        phrases
    }

    fn of(&mut self, name: &str) -> Option<&mut Vec<Vec<String>>> {
        Some(match name {
            "web" => &mut self.web,
            "room" => &mut self.room,
            "picture" => &mut self.picture,
            "gif" => &mut self.gif,
            "lead" => &mut self.lead,
            "tail" => &mut self.tail,
            "filler" => &mut self.filler,
            _ => return None,
        })
    }

    /// Whether a word says nothing of what is asked for.
    pub fn is_filler(&self, word: &str) -> bool {
        self.filler.iter().any(|filler| filler[..] == [word])
    }
}

/// The words of a text in small letters without accents.
pub(super) fn folded_words(text: &str) -> Vec<String> {
    words_of(text).into_iter().map(|word| word.folded).collect()
}

/// The words of a text: letters and digits, and marks that belong to a letter.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '\u{300}'..='\u{36f}');
    let mut words = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find(is_letter).map(|at| rest + at) {
        let length = text[start..].find(|letter| !is_letter(letter));
        let end = length.map_or(text.len(), |length| start + length);
        let folded = names::folded(&text[start..end]);
        words.push(Word { folded, start, end });
        rest = end;
    }
    words
}
