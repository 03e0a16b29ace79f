//! The words of a writing on their way to being said.

/// A word, with the punctuation that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) said: String,
    /// Characters of the writing until its end.
    pub(super) end: usize,
    /// It is to be said as it is.
    pub(super) settled: bool,
}

impl Token {
    pub(super) fn word(said: impl Into<String>, end: usize) -> Self {
        Self {
            said: said.into(),
            end,
            settled: false,
        }
    }

    pub(super) fn settled(said: impl Into<String>, end: usize) -> Self {
        Self {
            said: said.into(),
            end,
            settled: true,
        }
    }

    /// Nothing but what goes around words that are not there.
    pub(super) fn is_only_brackets(&self) -> bool {
        self.said.chars().all(|character| {
            matches!(
                character,
                '(' | ')' | '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»'
            )
        })
    }

    /// Nothing but a pause, which belongs to the word before.
    pub(super) fn is_only_punctuation(&self) -> bool {
        self.said.chars().all(|character| {
            matches!(
                character,
                '.' | '!' | '?' | ',' | ':' | ';' | '"' | '\'' | ')' | '”' | '’'
            )
        })
    }
}
