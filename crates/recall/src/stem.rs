//! Brings English words to their stems by the Porter2 rules ("painted", "paints" and "painting" are "paint").
//! Words with other letters than a to z and digits stay as they are.

/// Words that the rules would get wrong.
const IRREGULAR: [(&str, &str); 15] = [
    ("andes", "andes"),
    ("atlas", "atlas"),
    ("bias", "bias"),
    ("cosmos", "cosmos"),
    ("early", "earli"),
    ("gently", "gentl"),
    ("howe", "howe"),
    ("idly", "idl"),
    ("news", "news"),
    ("only", "onli"),
    ("singly", "singl"),
    ("skies", "sky"),
    ("skis", "ski"),
    ("sky", "sky"),
    ("ugly", "ugli"),
];
/// Beginnings after which the first region starts, lest "general" and "generous" fall together.
const PREFIXES: [&str; 9] = [
    "arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers",
];
/// Endings of the second step and what becomes of them, the longest first where they overlap.
const SECOND: [(&str, &str); 22] = [
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("ogist", "og"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
];
const THIRD: [(&str, &str); 8] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];
const FOURTH: [&str; 17] = [
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic",
];

/// The stem of a lower-case word.
pub fn stem(word: &str) -> String {
    if word.len() < 3
        || !word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        return word.to_owned();
    }
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == word) {
        return (*stem).to_owned();
    }
    let mut stemmer = Stemmer::new(word);
    stemmer.plural();
    stemmer.past_and_gerund();
    stemmer.final_y();
    stemmer.second();
    stemmer.third();
    stemmer.fourth();
    stemmer.fifth();
    stemmer.word.to_ascii_lowercase()
}

/// A word on its way to its stem. A `y` that is a consonant is written `Y`.
struct Stemmer {
    word: String,
    /// Where the region behind the first syllable starts, and the one behind the second.
    first: usize,
    second: usize,
}

impl Stemmer {
    fn new(word: &str) -> Stemmer {
        let mut letters = word.as_bytes().to_vec();
        for place in 0..letters.len() {
            if letters[place] == b'y' && (place == 0 || is_vowel(letters[place - 1])) {
                letters[place] = b'Y';
            }
        }
        let first = match PREFIXES.iter().find(|prefix| word.starts_with(**prefix)) {
            Some(prefix) => prefix.len(),
            None => region(&letters, 0),
        };
        let second = region(&letters, first);
        let word = letters.into_iter().map(char::from).collect();
        Stemmer { word, first, second }
    }

    fn plural(&mut self) {
        if self.word.ends_with("sses") {
            self.cut(2);
        } else if self.word.ends_with("ied") || self.word.ends_with("ies") {
            let keep_e = self.word.len() < 5;
            self.cut(if keep_e { 1 } else { 2 });
        } else if self.word.ends_with('s') && !self.word.ends_with("ss") && !self.word.ends_with("us") {
            // A vowel must stand before the last letter but one: "gaps" loses its s, "gas" does not.
            let before = &self.word.as_bytes()[..self.word.len().saturating_sub(2)];
            if before.iter().any(|letter| is_vowel(*letter)) {
                self.cut(1);
            }
        }
    }

    fn past_and_gerund(&mut self) {
        if let Some(suffix) = self.suffix(&["eedly", "eed"]) {
            let start = self.word.len() - suffix.len();
            if start >= self.first && !matches!(&self.word[..start], "succ" | "proc" | "exc") {
                self.word.truncate(start + 2);
            }
            return;
        }
        let Some(suffix) = self.suffix(&["ingly", "edly", "ing", "ed"]) else {
            return;
        };
        let start = self.word.len() - suffix.len();
        if suffix == "ing" {
            let before = &self.word[..start];
            if let [letter, b'y'] = before.as_bytes()
                && !is_vowel(*letter)
            {
                // "lying" is "lie".
                self.word.truncate(start - 1);
                self.word.push_str("ie");
                return;
            }
            if matches!(before, "even" | "cann" | "inn" | "earr" | "herr" | "out") {
                return;
            }
        }
        if !self.word.as_bytes()[..start]
            .iter()
            .any(|letter| is_vowel(*letter))
        {
            return;
        }
        self.word.truncate(start);
        self.mend_after_cut();
    }

    /// "hoping" was "hope", "hopping" was "hop".
    fn mend_after_cut(&mut self) {
        let letters = self.word.as_bytes();
        if self.suffix(&["at", "bl", "iz"]).is_some() {
            self.word.push('e');
        } else if let [before @ .., one, other] = letters
            && one == other
            && matches!(one, b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't')
        {
            if !matches!(before, [b'a' | b'e' | b'o']) {
                self.cut(1);
            }
        } else if self.first == letters.len() && ends_in_short_syllable(letters) {
            self.word.push('e');
        }
    }

    fn final_y(&mut self) {
        if let [_, .., before, b'y' | b'Y'] = self.word.as_bytes()
            && !is_vowel(*before)
            && self.word.len() > 2
        {
            self.replace(1, "i");
        }
    }

    fn second(&mut self) {
        if let Some((suffix, replacement)) = SECOND.iter().find(|(suffix, _)| self.word.ends_with(suffix)) {
            if self.reaches(suffix, self.first) {
                self.replace(suffix.len(), replacement);
            }
        } else if self.word.ends_with("bli") {
            if self.reaches("bli", self.first) {
                self.replace(3, "ble");
            }
        } else if self.word.ends_with("ogi") {
            if self.reaches("ogi", self.first) && self.word.ends_with("logi") {
                self.cut(1);
            }
        } else if let [.., before, b'l', b'i'] = self.word.as_bytes()
            && self.reaches("li", self.first)
            && matches!(
                before,
                b'c' | b'd' | b'e' | b'g' | b'h' | b'k' | b'm' | b'n' | b'r' | b't'
            )
        {
            self.cut(2);
        }
    }

    fn third(&mut self) {
        if let Some((suffix, replacement)) = THIRD.iter().find(|(suffix, _)| self.word.ends_with(suffix)) {
            if self.reaches(suffix, self.first) {
                self.replace(suffix.len(), replacement);
            }
        } else if self.word.ends_with("ative") && self.reaches("ative", self.first.max(self.second)) {
            self.cut(5);
        }
    }

    fn fourth(&mut self) {
        if let Some(suffix) = self.suffix(&FOURTH) {
            if self.reaches(suffix, self.second) {
                self.cut(suffix.len());
            }
        } else if self.suffix(&["sion", "tion"]).is_some() && self.reaches("ion", self.second) {
            self.cut(3);
        }
    }

    fn fifth(&mut self) {
        if self.word.ends_with('e') {
            let before = &self.word.as_bytes()[..self.word.len() - 1];
            if self.reaches("e", self.second)
                || (self.reaches("e", self.first) && !ends_in_short_syllable(before))
            {
                self.cut(1);
            }
        } else if self.word.ends_with("ll") && self.reaches("l", self.second) {
            self.cut(1);
        }
    }

    /// The first of these endings that the word has.
    fn suffix(&self, suffixes: &[&'static str]) -> Option<&'static str> {
        suffixes
            .iter()
            .copied()
            .find(|suffix| self.word.ends_with(suffix))
    }

    /// Whether the ending lies within the region.
    fn reaches(&self, suffix: &str, region: usize) -> bool {
        self.word.len() - suffix.len() >= region
    }

    fn cut(&mut self, letters: usize) {
        self.word.truncate(self.word.len() - letters);
    }

    fn replace(&mut self, letters: usize, replacement: &str) {
        self.cut(letters);
        self.word.push_str(replacement);
    }
}

/// Behind the first consonant that follows a vowel.
fn region(letters: &[u8], from: usize) -> usize {
    let vowel = letters[from..].iter().position(|letter| is_vowel(*letter));
    let consonant = vowel.and_then(|vowel| {
        let rest = letters[from + vowel..].iter();
        rest.clone()
            .position(|letter| !is_vowel(*letter))
            .map(|place| from + vowel + place)
    });
    consonant.map_or(letters.len(), |place| place + 1)
}

/// "hop", "at" and "past", but not "snow", "fix" or "play".
fn ends_in_short_syllable(letters: &[u8]) -> bool {
    match letters {
        [vowel, consonant] => is_vowel(*vowel) && !is_vowel(*consonant),
        [.., before, vowel, consonant] => {
            (!is_vowel(*before)
                && is_vowel(*vowel)
                && !is_vowel(*consonant)
                && !matches!(consonant, b'w' | b'x' | b'Y'))
                || letters.ends_with(b"past")
        }
        _ => false,
    }
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
#[path = "stem_tests.rs"]
mod tests;
