//! Texts as the numbers a model takes.

use std::path::{Path, PathBuf};

use tokenizers::{EncodeInput, Tokenizer, TruncationParams};

use crate::error::OnnxError;
use crate::folder::bounded_tokens;

/// Of a longer text no more is even looked at: no token is shorter than a byte, few are longer than 32.
const BYTES_PER_TOKEN_MAX: usize = 32;

/// A tokenizer that cuts at the model's length and does not pad.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    file: PathBuf,
    tokens_max: usize,
}

/// A text in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokenised {
    pub(crate) ids: Vec<i64>,
    pub(crate) types: Vec<i64>,
}

impl Tokens {
    pub(crate) fn load(file: &Path, tokens_max: Option<usize>) -> Result<Self, OnnxError> {
        let bad = |detail: String| OnnxError::BadFile {
            file: file.to_owned(),
            detail,
        };
        let bytes = std::fs::read(file).map_err(|error| bad(error.to_string()))?;
        let mut tokenizer = Tokenizer::from_bytes(&bytes)
            .map_err(|error| bad(format!("it is not a tokenizer ({})", brief(&error.to_string()))))?;
        let own = tokenizer.get_truncation().map(|truncation| truncation.max_length);
        let tokens_max = bounded_tokens(tokens_max.or(own));
        let truncation = TruncationParams {
            max_length: tokens_max,
            ..TruncationParams::default()
        };
        // Files come with the padding of their last use, often to a fixed length, which would cost time for nothing.
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| bad(brief(&error.to_string())))?;
        Ok(Self {
            tokenizer,
            file: file.to_owned(),
            tokens_max,
        })
    }

    pub(crate) fn tokens_max(&self) -> usize {
        self.tokens_max
    }

    pub(crate) fn read(&self, text: &str) -> Result<Tokenised, OnnxError> {
        self.encoded(self.clipped(text).into())
    }

    /// Two texts as one, each marked as its own; where they are too long together, the longer is cut.
    pub(crate) fn read_pair(&self, first: &str, second: &str) -> Result<Tokenised, OnnxError> {
        self.encoded((self.clipped(first), self.clipped(second)).into())
    }

    fn clipped<'a>(&self, text: &'a str) -> &'a str {
        clipped(text, self.tokens_max * BYTES_PER_TOKEN_MAX)
    }

    fn encoded(&self, input: EncodeInput<'_>) -> Result<Tokenised, OnnxError> {
        // The tokenizer's own message may quote the text.
        let encoding = self
            .tokenizer
            .encode_fast(input, true)
            .map_err(|_| OnnxError::Failed {
                file: self.file.clone(),
                doing: "cutting a text into tokens",
                detail: "the tokenizer refused it".to_owned(),
            })?;
        let wide = |numbers: &[u32]| numbers.iter().map(|number| i64::from(*number)).collect();
        Ok(Tokenised {
            ids: wide(encoding.get_ids()),
            types: wide(encoding.get_type_ids()),
        })
    }
}

/// The beginning of a text, cut between characters.
fn clipped(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn brief(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(200).collect()
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
