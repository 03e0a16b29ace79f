//! Whom `@Name` means: the longest known name that stands there.

use vocabulary::PersonId;

/// A name that can be mentioned, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub name: String,
    pub person: PersonId,
}

/// Mentions of everybody are mentions of nobody.
const NOBODY: [&str; 2] = ["everyone", "here"];

/// The people mentioned in a text, each once, in order.
pub(super) fn mentions(text: &str, known: &[Known]) -> Vec<PersonId> {
    let mut candidates: Vec<(Vec<char>, Option<&PersonId>)> = known
        .iter()
        .map(|known| (folded(&known.name).collect(), Some(&known.person)))
        .chain(NOBODY.iter().map(|name| (folded(name).collect(), None)))
        .filter(|(name, _): &(Vec<char>, _)| !name.is_empty())
        .collect();
    // Longest first; of equal names nobody wins, so that nobody can call themselves “everyone”.
    candidates.sort_by_key(|(name, person)| (std::cmp::Reverse(name.len()), person.is_some()));
    let mut mentioned = Vec::new();
    for (at, _) in text.match_indices('@') {
        if text[..at].chars().next_back().is_some_and(is_word) {
            // The at sign of a mail address.
            continue;
        }
        let rest = &text[at + 1..];
        let meant = candidates.iter().find(|(name, _)| starts_with_name(rest, name));
        if let Some((_, Some(person))) = meant
            && !mentioned.contains(*person)
        {
            mentioned.push((*person).clone());
        }
    }
    mentioned
}

/// Whether the text starts with the name, letter case aside, and the name ends there.
fn starts_with_name(text: &str, name: &[char]) -> bool {
    let mut expected = name.iter();
    let mut letters = text.chars();
    while expected.len() > 0 {
        let Some(letter) = letters.next() else {
            return false;
        };
        for lower in letter.to_lowercase() {
            if expected.next() != Some(&lower) {
                return false;
            }
        }
    }
    !letters.next().is_some_and(is_word)
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.trim().chars().flat_map(char::to_lowercase)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
