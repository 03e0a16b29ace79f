//! Words from the numbers that a model writes.

use std::fmt;
use std::path::{Path, PathBuf};

use tokenizers::Tokenizer;

use crate::error::OnnxError;

/// The words behind a model's tokens.
pub struct Wording {
    tokenizer: Tokenizer,
    file: PathBuf,
}

impl Wording {
    /// Reads a `tokenizer.json`.
    pub fn load(file: &Path) -> Result<Self, OnnxError> {
        let bad = |detail: String| OnnxError::BadFile {
            file: file.to_owned(),
            detail,
        };
        let bytes = std::fs::read(file).map_err(|error| bad(error.to_string()))?;
        let tokenizer = Tokenizer::from_bytes(&bytes).map_err(|_| bad("it is not a tokenizer".to_owned()))?;
        Ok(Self {
            tokenizer,
            file: file.to_owned(),
        })
    }

    /// What these tokens say, without those that are marks of the model's own.
    pub fn words(&self, tokens: &[u32]) -> Result<String, OnnxError> {
        self.tokenizer
            .decode(tokens, true)
            .map_err(|_| OnnxError::Failed {
                file: self.file.clone(),
                doing: "making words of tokens",
                detail: "the tokenizer refused them".to_owned(),
            })
    }

    /// How many tokens there are.
    pub fn size(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }
}

impl fmt::Debug for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wording")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}
