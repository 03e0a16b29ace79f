//! A room whose addressees people marked, and who plays Denizen in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use mind::addressing::Heard;
use serde::Deserialize;
use vocabulary::{PersonId, WallTime};

/// With fewer, one message more or less would swing a player's share.
const ADDRESSED_MIN: usize = 3;
const MINUTES_A_DAY: i64 = 1_440;
pub const MILLISECONDS_A_MINUTE: i64 = 60_000;

/// One line of a room's file; further fields are ignored.
#[derive(Debug, Deserialize)]
pub struct RoomMessage {
    /// Minute of the day.
    at: i64,
    pub author: String,
    pub text: String,
    pub annotated: bool,
    pub addressees: Vec<String>,
}

/// A message, with whom it is marked as being for.
pub struct Spoken {
    pub line: RoomMessage,
    pub author: PersonId,
    pub at: WallTime,
    pub to: Vec<PersonId>,
}

/// Reads a room's file.
pub fn read(file: &Path) -> Result<Vec<Spoken>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the room {}: check the path", file.display()))?;
    parse(file, &text)
}

pub fn parse(file: &Path, text: &str) -> Result<Vec<Spoken>> {
    let mut spoken: Vec<Spoken> = Vec::new();
    let mut day = 0;
    let mut minute_before = i64::MIN;
    for (index, json) in text.lines().enumerate() {
        if json.trim().is_empty() {
            continue;
        }
        let place = format!("{}, line {}", file.display(), index + 1);
        let line: RoomMessage = match serde_json::from_str(json) {
            Ok(line) => line,
            Err(problem) => bail!(
                "{place}: {problem}; each line must be one JSON object with at (minute of the day), author, text, \
                 annotated (true or false) and addressees (a list of authors): correct the line or remove it"
            ),
        };
        ensure!(
            (0..MINUTES_A_DAY).contains(&line.at),
            "{place}: at is {}, but a minute of the day lies between 0 and 1439: correct the line",
            line.at
        );
        // A clock that jumps back by more than half a day has passed midnight.
        if line.at < minute_before.saturating_sub(MINUTES_A_DAY / 2) {
            day += 1;
        }
        minute_before = line.at;
        spoken.push(Spoken {
            author: PersonId::from(line.author.as_str()),
            to: line
                .addressees
                .iter()
                .map(|to| PersonId::from(to.as_str()))
                .collect(),
            at: WallTime((day * MINUTES_A_DAY + line.at) * MILLISECONDS_A_MINUTE),
            line,
        });
    }
    ensure!(
        !spoken.is_empty(),
        "{}: the file holds no messages: give a room with at least one",
        file.display()
    );
    Ok(spoken)
}

/// Everybody to whom enough marked messages are addressed.
pub fn players(spoken: &[Spoken]) -> Vec<&str> {
    let mut addressed: BTreeMap<&str, usize> = BTreeMap::new();
    for Spoken { line, .. } in spoken.iter().filter(|spoken| spoken.line.annotated) {
        for addressee in &line.addressees {
            *addressed.entry(addressee).or_default() += 1;
        }
    }
    addressed.retain(|_, times| *times >= ADDRESSED_MIN);
    addressed.into_keys().collect()
}

impl Spoken {
    /// The message as Denizen hears it, played by `player`; where it is told, it knows whom its own are for, as it does
    /// in a room of its own.
    pub fn heard(&self, player: &str, told: bool) -> Heard<'_> {
        let by_denizen = self.line.author == player;
        let knows = told && by_denizen && self.line.annotated;
        Heard {
            author: &self.author,
            author_name: &self.line.author,
            by_denizen,
            text: &self.line.text,
            at: self.at,
            mentions: &[],
            reply_to_author: self.to.first().filter(|_| knows),
            spoken: false,
        }
    }
}
