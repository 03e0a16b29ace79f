//! Words as summaries and memories compare them: stems, how telling each is, and text as tokens. It knows nothing else.

mod sentences;
mod split;
mod stem;
mod token;
mod weight;

pub use sentences::sentence_end;
pub use split::split_after;
pub use stem::{plain, spelled_number, stem};
pub use token::{Token, is_word_character, tokens};
pub use weight::{WEAK, filler_phrase, is_function_word, negation, weight};
