//! When one name passes for another: moderately among people, and more strictly where an administrator or Denizen itself
//! would be impersonated.

use super::bones::{Bone, is_sign};
use super::visible;

/// Whose name is to be protected, and so how closely another one may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Care {
    /// Anybody's: what reads as the same name, with signs and titles around it. Ann and Anna are two people, and so are
    /// Bob and Bob2, and Karl and Kari.
    Everybody,
    /// An administrator's: digits within it, brackets and words such as `team` make no other name either.
    Administrator,
    /// Denizen's own: nor do doubled letters, numbers after it, or a title written onto it.
    Own,
}

/// Whatever is said of anybody and makes no other person.
const TITLES: [&str; 12] = [
    "admin",
    "administrator",
    "mod",
    "moderator",
    "official",
    "verified",
    "staff",
    "owner",
    "operator",
    "sysadmin",
    "system",
    "root",
];
/// Beside the name of somebody who is in charge.
const MORE_TITLES: [&str; 14] = [
    "bot",
    "ai",
    "assistant",
    "helper",
    "app",
    "team",
    "support",
    "help",
    "real",
    "original",
    "the",
    "agent",
    "service",
    "host",
];
/// A name so long does not become another ordinary one with a title written onto it; Tal and Talbot do.
const GLUED_FROM_BONES: usize = 4;

/// Whether one of two names of people can be taken for the other at a glance.
pub fn looks_like(one: &str, other: &str) -> bool {
    passes_for(one, other, Care::Everybody)
}

/// Whether a name can be taken for another one that is protected with such care.
pub fn passes_for(name: &str, protected: &str, care: Care) -> bool {
    let protected = readings(protected, care);
    let given = readings(name, care);
    given.iter().any(|given| {
        protected.iter().any(|protected| {
            are_alike(given, protected) || care == Care::Own && is_with_a_title(given, protected)
        })
    })
}

type Bones = Vec<Bone>;
/// What is seen of a letter, and the letter.
type Letter = (Bone, char);

/// The ways in which a name can be read.
fn readings(name: &str, care: Care) -> Vec<Bones> {
    // Marks of trade would otherwise be letters.
    let bare: String = name
        .chars()
        .filter(|letter| !matches!(letter, '™' | '℠'))
        .collect();
    let mut spelled = vec![bare.clone()];
    if care > Care::Everybody {
        spelled.push(outside_brackets(&bare));
        spelled.dedup();
    }
    let mut read: Vec<Bones> = Vec::new();
    for spelled in spelled {
        let letters: Vec<char> = visible(&spelled).collect();
        for beside in [false, true] {
            let words = without_titles(words(&letters, beside, care), care);
            if care == Care::Own {
                let bare: Vec<Letter> = words
                    .iter()
                    .flat_map(|word| without_number(word))
                    .copied()
                    .collect();
                read.push(finished(&bare, care));
            }
            read.push(finished(&words.concat(), care));
        }
    }
    read.retain(|bones| !bones.is_empty());
    read.dedup();
    if read.is_empty() {
        // A name of pictures alone.
        let pictures = visible(name).filter(|letter| !letter.is_whitespace());
        read.push(pictures.map(Bone::Other).collect());
    }
    read
}

/// The letters of each word. Signs within one stand for letters; those beside one only if wanted.
fn words(letters: &[char], beside: bool, care: Care) -> Vec<Vec<Letter>> {
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| letters.get(at))
            .is_some_and(|letter| letter.is_alphanumeric())
    };
    let mut words = vec![Vec::new()];
    for (at, letter) in letters.iter().copied().enumerate() {
        let (before, after) = (is_letter(at.checked_sub(1)), is_letter(Some(at + 1)));
        let counts = !is_sign(letter) || before && after || beside && (before || after);
        let may_be = care > Care::Everybody || letter.is_ascii() && is_within(letters, at);
        let disguised = Bone::disguised(letter).filter(|_| may_be);
        let bone = disguised.or_else(|| Bone::of(letter)).filter(|_| counts);
        match (bone, words.last_mut()) {
            (Some(bone), Some(word)) => word.push((bone, letter)),
            _ => words.push(Vec::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether letters of the alphabet stand on both sides of a digit: then it stands for one, too.
fn is_within(letters: &[char], at: usize) -> bool {
    let is_alphabetic = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphabetic());
    is_alphabetic(at.checked_sub(1).and_then(|before| letters.get(before)))
        && is_alphabetic(letters.get(at + 1))
}

/// Without titles, unless there is nothing else.
fn without_titles(words: Vec<Vec<Letter>>, care: Care) -> Vec<Vec<Letter>> {
    if words.len() < 2 {
        return words;
    }
    let is_title = |word: &Vec<Letter>| {
        let word: Bones = finished(word, care);
        titles(care).any(|title| are_alike(&word, &title))
    };
    let named: Vec<_> = words.iter().filter(|word| !is_title(word)).cloned().collect();
    match named.is_empty() {
        true => words,
        false => named,
    }
}

fn titles(care: Care) -> impl Iterator<Item = Bones> {
    let more = MORE_TITLES.iter().filter(move |_| care > Care::Everybody);
    TITLES.iter().chain(more).map(move |title| {
        let letters: Vec<Letter> = title
            .chars()
            .filter_map(|letter| Some((Bone::of(letter)?, letter)))
            .collect();
        finished(&letters, care)
    })
}

/// What is compared: letters that look like two are two, and Denizen's doubled ones are one.
fn finished(letters: &[Letter], care: Care) -> Bones {
    let mut bones: Bones = letters.iter().map(|(bone, _)| *bone).collect();
    if care == Care::Own {
        bones.dedup_by(|later, earlier| later.is_again(*earlier));
    }
    let spread = bones.into_iter().flat_map(Bone::spread);
    match care {
        Care::Everybody => spread.collect(),
        Care::Administrator | Care::Own => spread.map(Bone::widened).collect(),
    }
}

fn without_number(word: &[Letter]) -> &[Letter] {
    let is_digit = |(_, letter): &Letter| letter.is_numeric();
    let end = word.iter().rposition(|letter| !is_digit(letter));
    end.map_or(&[], |end| &word[..=end])
}

fn are_alike(one: &[Bone], other: &[Bone]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.fits(*other))
}

/// Whether it is a name with a title written onto it: `DenizenBot`, `TheDenizen`.
fn is_with_a_title(given: &[Bone], protected: &[Bone]) -> bool {
    let Some(more) = given.len().checked_sub(protected.len()) else {
        return false;
    };
    let (head, rest) = given.split_at(protected.len());
    let (front, tail) = given.split_at(more);
    let is_title = |bones: &[Bone]| titles(Care::Own).any(|title| are_alike(bones, &title));
    protected.len() >= GLUED_FROM_BONES
        && (are_alike(head, protected) && is_title(rest) || are_alike(tail, protected) && is_title(front))
}

/// A name without what stands in brackets, and without marks of trade; all of it where nothing else is left.
fn outside_brackets(name: &str) -> String {
    let mut depth = 0_usize;
    let mut outside = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '(' | '[' | '{' | '<' | '（' | '【' | '［' | '「' | '〔' | '｛' => depth += 1,
            ')' | ']' | '}' | '>' | '）' | '】' | '］' | '」' | '〕' | '｝' => {
                depth = depth.saturating_sub(1)
            }
            _ if depth == 0 => outside.push(letter),
            _ => {}
        }
    }
    match outside.chars().any(char::is_alphanumeric) {
        true => outside,
        false => name.to_owned(),
    }
}

#[cfg(test)]
#[path = "passing_tests.rs"]
mod tests;
