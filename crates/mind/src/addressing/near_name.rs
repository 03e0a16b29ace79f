//! Whether something that was heard may be Denizen's name, which ears write down wrongly more often than not. It is a
//! cue for whoever decides, and never a call.

use vocabulary::names::folded;

use super::Identity;
use super::words::Words;

/// Names with fewer consonants sound like too much.
const SKELETON_MIN: usize = 3;
/// Words that a wrongly heard name may be taken apart into.
const PARTS_MAX: usize = 3;

/// What a line has of the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameCue {
    /// Nothing but the name, and words like "hey".
    pub bare: bool,
    /// Something that sounds like it.
    pub near: bool,
}

/// Words that go with a name when nothing else is said.
const GREETINGS: [&str; 14] = [
    "hey", "hi", "hello", "ok", "okay", "yo", "oi", "hallo", "he", "salut", "hola", "ciao", "ey", "uh",
];

impl NameCue {
    /// Reads a line.
    pub fn of(text: &str, identity: &Identity) -> Self {
        let words: Vec<String> = Words::of(text).iter().map(str::to_owned).collect();
        let own = |name: &str| -> Vec<String> { Words::of(name).iter().map(str::to_owned).collect() };
        let names: Vec<Vec<String>> = std::iter::once(&identity.name)
            .chain(&identity.aliases)
            .map(|name| own(name))
            .filter(|name| !name.is_empty())
            .collect();
        let left: Vec<&String> = words
            .iter()
            .filter(|word| !GREETINGS.contains(&word.as_str()))
            .collect();
        let heard_as: Vec<Vec<String>> = identity.heard_as.iter().map(|name| own(name)).collect();
        let heard_as = heard_as.iter().filter(|name| !name.is_empty());
        let bare = names.iter().chain(heard_as).any(|name| {
            let times = left.chunks(name.len());
            !left.is_empty() && times.into_iter().all(|said| said.iter().copied().eq(name.iter()))
        });
        let near = names.iter().any(|name| is_near(&words, &name.concat()));
        Self { bare, near }
    }
}

/// Whether some words, run together, sound like the name.
fn is_near(words: &[String], name: &str) -> bool {
    let sought = Sound::of(name);
    if sought.skeleton.len() < SKELETON_MIN {
        return false;
    }
    (0..words.len()).any(|from| {
        (1..=PARTS_MAX.min(words.len() - from)).any(|parts| {
            let said = words[from..from + parts].concat();
            sought.is_like(&Sound::of(&said))
        })
    })
}

/// Shorter words are too often others.
const SPELLING_LETTERS_MIN: usize = 6;

/// What ears wrote for the name in a sentence that has it: single words that sound like it, that are not its spelling and
/// that the sentence does not have. Whether such a word is an ordinary one is for others to say.
pub fn written_for_name(sentence: &str, heard: &str, name: &str) -> Vec<String> {
    let all = |text: &str| -> Vec<String> { Words::of(text).iter().map(str::to_owned).collect() };
    let (said, name) = (all(sentence), all(name).concat());
    let sought = Sound::of(&name);
    let is_spelling = |word: &String| {
        let is_long = word.chars().count() >= SPELLING_LETTERS_MIN && word.chars().all(char::is_alphabetic);
        is_long && *word != name && !said.contains(word) && sought.is_like(&Sound::of(word))
    };
    let mut found: Vec<String> = all(heard).into_iter().filter(is_spelling).collect();
    found.dedup();
    found
}

/// How a word sounds: its consonants without what ears mix up, and how many vowels it has.
#[derive(Debug, PartialEq, Eq)]
struct Sound {
    skeleton: String,
    vowels: usize,
    begins_with_vowel: bool,
}

impl Sound {
    fn of(word: &str) -> Self {
        let latin: String = folded(word).chars().flat_map(latin).collect();
        let latin = latin
            .replace("ph", "f")
            .replace("sch", "s")
            .replace("sh", "s")
            .replace("ck", "k")
            .replace("qu", "k")
            .replace("th", "t")
            .replace('x', "ks");
        let mut skeleton = String::new();
        let (mut vowels, mut in_vowel) = (0, false);
        for letter in latin.chars() {
            let is_vowel = matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
            if is_vowel && !in_vowel {
                vowels += 1;
            }
            in_vowel = is_vowel;
            // Voiced and voiceless are one to a bad microphone.
            let sound = match letter {
                'b' | 'p' => 'p',
                'd' | 't' => 't',
                'g' | 'k' | 'c' | 'q' => 'k',
                'v' | 'w' | 'f' => 'f',
                's' | 'z' | 'j' => 's',
                'h' => continue,
                other if other.is_alphanumeric() && !is_vowel => other,
                _ => continue,
            };
            if !skeleton.ends_with(sound) {
                skeleton.push(sound);
            }
        }
        let begins_with_vowel = latin.starts_with(['a', 'e', 'i', 'o', 'u', 'y']);
        Self {
            skeleton,
            vowels,
            begins_with_vowel,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.skeleton == other.skeleton
            && self.begins_with_vowel == other.begins_with_vowel
            && self.vowels.abs_diff(other.vowels) <= 1
    }
}

/// A letter of another alphabet as ears that write Latin would have it.
fn latin(letter: char) -> impl Iterator<Item = char> {
    let spelt: &'static str = match letter {
        'а' | 'α' => "a",
        'б' => "b",
        'в' | 'β' => "v",
        'г' | 'γ' => "g",
        'д' | 'δ' => "d",
        'е' | 'э' | 'ё' | 'ε' | 'η' => "e",
        'ж' | 'з' | 'ζ' => "z",
        'и' | 'й' | 'і' | 'ι' => "i",
        'к' | 'κ' => "k",
        'л' | 'λ' => "l",
        'м' | 'μ' => "m",
        'н' | 'ν' => "n",
        'о' | 'ο' | 'ω' => "o",
        'п' | 'π' => "p",
        'р' | 'ρ' => "r",
        'с' | 'ц' | 'ш' | 'σ' => "s",
        'т' | 'τ' | 'θ' => "t",
        'у' | 'υ' => "u",
        'ф' | 'φ' => "f",
        'х' | 'χ' => "h",
        'ч' => "c",
        'ы' => "y",
        'ю' => "iu",
        'я' => "ia",
        'ь' | 'ъ' => "",
        _ => return Some(letter).into_iter().chain("".chars()),
    };
    None.into_iter().chain(spelt.chars())
}

#[cfg(test)]
#[path = "near_name_tests.rs"]
mod tests;
