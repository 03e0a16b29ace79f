//! Words as summaries and memories compare them: stems, how telling each is, and text as tokens. It knows nothing else.

mod language;
mod sentences;
mod split;
mod stem;
mod token;
mod tongues;
mod units;
mod weight;
mod when;
mod word_table;

pub use language::Language;
pub use sentences::sentence_end;
pub use split::split_after;
pub use stem::{plain, spelled_number, stem};
pub use token::{Token, is_word_character, tokens};
pub use weight::{WEAK, filler_phrase, is_function_word, negation, weight, weight_in};
pub use when::{DateYear, When, when};
pub(crate) use word_table::WordTable;
