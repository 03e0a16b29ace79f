//! A line of a page that says what must hold, whatever it is about: read once here, judged by whoever it concerns.

use super::words::Words;

/// The line of the page, and what is wrong there.
pub(super) type Wrong = (usize, String);

/// What a line can want of something.
pub(super) trait Wanted: Sized {
    fn read(words: &mut Words<'_>) -> Result<Self, String>;
}

/// What one line wants, as it was written.
#[derive(Debug)]
pub(super) struct Expected<W> {
    pub line: usize,
    pub written: String,
    pub wanted: W,
}

impl<W: Wanted> Expected<W> {
    pub fn read(line: usize, text: &str) -> Result<Self, Wrong> {
        let mut words = Words::of(text);
        let wanted = W::read(&mut words).and_then(|wanted| words.expect_end().map(|()| wanted));
        Ok(Self {
            line,
            written: text.to_owned(),
            wanted: wanted.map_err(|what| (line, what))?,
        })
    }
}
