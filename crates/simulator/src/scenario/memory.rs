//! Expectations about memory at the end: the gems that are stored, and the turns that wait.

use super::words::Words;
use crate::memory::Remembered;

#[derive(Debug)]
pub(super) struct MemoryLine {
    line: usize,
    written: String,
    wanted: Wanted,
}

#[derive(Debug)]
enum Wanted {
    Gems(usize),
    Gem(String),
    Waiting(usize),
    Settled(usize),
}

type Wrong = (usize, String);

impl MemoryLine {
    pub fn read(line: usize, text: &str) -> Result<Self, Wrong> {
        let mut words = Words::of(text);
        let wanted = wanted(&mut words).and_then(|wanted| words.expect_end().map(|()| wanted));
        Ok(Self {
            line,
            written: text.to_owned(),
            wanted: wanted.map_err(|what| (line, what))?,
        })
    }
}

fn wanted(words: &mut Words<'_>) -> Result<Wanted, String> {
    Ok(match words.take().unwrap_or_default() {
        "gems" => Wanted::Gems(words.expect_number()? as usize),
        "gem" => Wanted::Gem(words.expect_quoted()?),
        "waiting" => Wanted::Waiting(words.expect_number()? as usize),
        "settled" => Wanted::Settled(words.expect_number()? as usize),
        other => return Err(format!("expected gems, gem, waiting or settled, found {other:?}")),
    })
}

pub(super) fn check(lines: &[MemoryLine], memory: &Remembered) -> Result<(), Wrong> {
    let holds = |wanted: &Wanted| match wanted {
        Wanted::Gems(count) => memory.gems.len() == *count,
        Wanted::Gem(content) => memory.gems.values().any(|gem| gem.content == *content),
        Wanted::Waiting(count) => memory.waiting.len() == *count,
        Wanted::Settled(count) => memory.settled.len() == *count,
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
