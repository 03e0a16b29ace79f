//! Whom `@Name` means: the longest known name that stands there.

use vocabulary::PersonId;
use vocabulary::names::{ends_before, folded};

/// A name that can be mentioned, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub name: String,
    pub person: PersonId,
}

/// More than the longest name has, marks and joiners included.
const NAME_LETTERS_READ: usize = 160;

/// Mentions of everybody are mentions of nobody.
const NOBODY: [&str; 2] = ["everyone", "here"];

/// The people mentioned in a text, each once, in order.
pub(super) fn mentions(text: &str, known: &[Known]) -> Vec<PersonId> {
    let mut candidates: Vec<(String, Option<&PersonId>)> = known
        .iter()
        .map(|known| (folded(known.name.trim()), Some(&known.person)))
        .chain(NOBODY.iter().map(|name| (folded(name), None)))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    // Longest first; of equal names nobody wins, so that nobody can call themselves “everyone”.
    candidates.sort_by_key(|(name, person)| (std::cmp::Reverse(name.len()), person.is_some()));
    let mut mentioned = Vec::new();
    for (at, _) in text.match_indices('@') {
        if text[..at].chars().next_back().is_some_and(is_word) {
            // The at sign of a mail address.
            continue;
        }
        let rest = folded(&text[at + 1..].chars().take(NAME_LETTERS_READ).collect::<String>());
        let meant = candidates.iter().find(|(name, _)| starts_with_name(&rest, name));
        if let Some((_, Some(person))) = meant
            && !mentioned.contains(*person)
        {
            mentioned.push((*person).clone());
        }
    }
    mentioned
}

/// Whether the folded text starts with the folded name, and the name ends there.
fn starts_with_name(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(ends_before)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
