//! The built-in embedder: what a text means is the sum of what its words mean, looked up in a table. No model, no file,
//! microseconds a text.

mod rows;
mod spelling;

use std::sync::OnceLock;

use crate::words::words;
use rows::Rows;

/// A table of word meanings.
#[derive(Debug)]
pub struct Table {
    rows: Rows<'static>,
}

impl Table {
    /// Which embedder made the vectors; another table gets another name.
    pub const NAME: &'static str = "builtin:table-1";

    /// The table that comes with the program.
    pub fn builtin() -> &'static Table {
        static BUILTIN: OnceLock<Table> = OnceLock::new();
        BUILTIN.get_or_init(|| Table {
            rows: Rows::read(include_bytes!("../data/table.bin"))
                .expect("a test reads the table that is built in"),
        })
    }

    /// How long its vectors are.
    pub fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    /// What a text means, as a vector of length one; all zeros for a text without words.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions()];
        for word in words(text) {
            match self.pieces(&word) {
                Some(pieces) => pieces.into_iter().for_each(|row| self.rows.add(row, &mut sum)),
                None => spelling::add(&word, self.rows.usual_length(), &mut sum),
            }
        }
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|value| *value /= length);
        }
        sum
    }

    /// Whether it is a common word of English, in lower case, and not only made of pieces of such.
    pub fn is_word(&self, word: &str) -> bool {
        self.rows.find(false, word).is_some()
    }

    /// The rows of a word: its own, or those of the longest pieces that it can be cut into; none if it cannot.
    fn pieces(&self, word: &str) -> Option<Vec<usize>> {
        // The table knows no other letters, and cutting inside one would be an error.
        if !word.is_ascii() {
            return None;
        }
        let mut pieces = Vec::new();
        let mut rest = word;
        while !rest.is_empty() {
            let (row, end) = self.rows.longest(!pieces.is_empty(), rest)?;
            pieces.push(row);
            rest = &rest[end..];
        }
        Some(pieces)
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
