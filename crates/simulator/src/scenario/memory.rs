//! Expectations about memory at the end: the gems that are stored, and the turns that wait.

use super::expected::{Expected, Wanted, Wrong};
use super::words::Words;
use crate::memory::Remembered;

/// One line of such a block.
pub(super) type MemoryLine = Expected<MemoryWanted>;

#[derive(Debug)]
pub(super) enum MemoryWanted {
    Gems(usize),
    Gem(String),
    Waiting(usize),
    Settled(usize),
    /// No turn that waits has these words.
    Lacks(String),
}

impl Wanted for MemoryWanted {
    fn read(words: &mut Words<'_>) -> Result<Self, String> {
        Ok(match words.take().unwrap_or_default() {
            "gems" => MemoryWanted::Gems(words.expect_number()? as usize),
            "gem" => MemoryWanted::Gem(words.expect_quoted()?),
            "waiting" => MemoryWanted::Waiting(words.expect_number()? as usize),
            "settled" => MemoryWanted::Settled(words.expect_number()? as usize),
            "lacks" => MemoryWanted::Lacks(words.expect_quoted()?),
            other => {
                return Err(format!(
                    "expected gems, gem, waiting, settled or lacks, found {other:?}"
                ));
            }
        })
    }
}

pub(super) fn check(lines: &[MemoryLine], memory: &Remembered) -> Result<(), Wrong> {
    let holds = |wanted: &MemoryWanted| match wanted {
        MemoryWanted::Gems(count) => memory.gems.len() == *count,
        MemoryWanted::Gem(content) => memory.gems.values().any(|gem| gem.content == *content),
        MemoryWanted::Waiting(count) => memory.waiting.len() == *count,
        MemoryWanted::Settled(count) => memory.settled.len() == *count,
        MemoryWanted::Lacks(text) => !memory.waiting.iter().any(|turn| turn.text.contains(text)),
    };
    match lines.iter().find(|line| !holds(&line.wanted)) {
        None => Ok(()),
        Some(wrong) => {
            let gems: Vec<&str> = memory.gems.values().map(|gem| gem.content.as_str()).collect();
            let what = format!(
                "`{}` does not hold. {} wait, {} are settled, and the gems are: {gems:?}",
                wrong.written,
                memory.waiting.len(),
                memory.settled.len()
            );
            Err((wrong.line, what))
        }
    }
}
