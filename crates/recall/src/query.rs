//! A search as the index understands it.

use crate::dates::{DatePart, date_parts};
use crate::stem::stem;
use crate::stop::{is_first_person, is_stop_word};
use crate::terms::hash;
use crate::words::words;

/// More words than this are a document, not a search.
const TERMS_MAX: usize = 64;

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    pub terms: Vec<Term>,
    pub dates: Vec<DatePart>,
    /// Whether whoever searches asks about themselves.
    pub is_first_person: bool,
}

/// A word of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub hash: u64,
    /// As it was written, folded.
    pub word: String,
}

impl Query {
    pub fn read(text: &str) -> Query {
        let words = words(text);
        let dates = date_parts(&words);
        let is_first_person = words.iter().any(|word| is_first_person(word));
        let mut terms: Vec<Term> = Vec::new();
        for word in words.into_iter().filter(|word| !is_stop_word(word)) {
            let hash = hash(&stem(&word));
            if terms.len() < TERMS_MAX && terms.iter().all(|term| term.hash != hash) {
                terms.push(Term { hash, word });
            }
        }
        Query {
            terms,
            dates,
            is_first_person,
        }
    }
}
