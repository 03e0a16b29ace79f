//! The built-in embedder: what a text means is the sum of what its words mean, looked up in a table. No model, no file,
//! microseconds a text.

mod spelling;

use std::sync::OnceLock;

use crate::stem::stem;
use crate::stop::is_stop_word;
use crate::words::words;

/// Which embedder made the vectors; another table gets another name.
const NAME: &str = "builtin:table-1";
const DIMENSIONS: usize = 256;

/// A table of word meanings.
#[derive(Debug)]
pub struct Table {
    dimensions: usize,
}

impl Table {
    pub const NAME: &'static str = NAME;

    /// The table that comes with the program.
    pub fn builtin() -> &'static Table {
        static BUILTIN: OnceLock<Table> = OnceLock::new();
        BUILTIN.get_or_init(|| Table {
            dimensions: DIMENSIONS,
        })
    }

    /// How long its vectors are.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// What a text means, as a vector of length one; all zeros for a text without words.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for word in words(text).iter().filter(|word| !is_stop_word(word)) {
            spelling::add(&stem(word), &mut sum);
        }
        let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|value| *value /= length);
        }
        sum
    }
}
