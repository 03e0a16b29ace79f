//! Transcripts: what was said in a room, and what ears understood of it. One line of JSON a reading of a room.

use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::rooms::Half;

/// A room that was read aloud and heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeardRoom {
    pub room: String,
    pub half: Half,
    /// A room is read several times, each time by other voices.
    pub reading: usize,
    pub lines: Vec<HeardLine>,
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeardLine {
    pub by: String,
    pub said: String,
    /// What the ears made of it; empty where no words came.
    pub heard: String,
    /// Empty for Denizen's own lines, which nobody has to understand.
    pub voice: String,
    /// How long it took to say.
    pub milliseconds: u64,
    /// Whether it is said to Denizen; none: there is no telling.
    pub meant: Option<bool>,
}

/// Reads a file of transcripts.
pub fn read(file: &Path) -> anyhow::Result<Vec<HeardRoom>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the transcripts {}: check the path", file.display()))?;
    let mut rooms = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let room: HeardRoom = serde_json::from_str(line)
            .with_context(|| format!("line {} of {} is no transcript", number + 1, file.display()))?;
        ensure!(
            !room.lines.is_empty(),
            "{} is empty in {}",
            room.room,
            file.display()
        );
        rooms.push(room);
    }
    ensure!(!rooms.is_empty(), "{} holds no transcripts", file.display());
    Ok(rooms)
}
