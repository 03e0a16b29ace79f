//! What the score is learnt from: the cues of every marked line, as the product sees them, and whether it was meant.
//!
//! The first line of the file is JSON: `rooms`, `players` (how many a room has) and `columns`. After it each judgement is
//! a row of bytes: the room (two bytes, the low one first), whether Denizen was told whom its own lines are for, whether
//! the line was meant, what the rules say (0 no, 1 yes; 2 and 3 the same where nothing is weighed), and the cues.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mind::addressing::cues::{COUNT, NAMES};
use mind::addressing::{Conversation, FollowupLimits, Identity};
use serde_json::json;
use vocabulary::PersonId;

use super::room::{Spoken, players, read};
use super::{is_admitted, room_name};

const FIXED: [&str; 5] = ["room_low", "room_high", "told", "meant", "rules"];

/// Writes the table of some rooms.
pub fn write(files: &[PathBuf], out: &Path, limits: FollowupLimits) -> Result<()> {
    let file = File::create(out).with_context(|| format!("cannot write {}", out.display()))?;
    let mut file = BufWriter::new(file);
    let rooms: Vec<String> = files.iter().map(|file| room_name(file)).collect();
    let columns: Vec<&str> = FIXED.into_iter().chain(NAMES).collect();
    let head = json!({ "rooms": rooms, "columns": columns });
    writeln!(file, "{head}")?;
    let limits = FollowupLimits {
        least_score: None,
        ..limits
    };
    for (number, path) in files.iter().enumerate() {
        let spoken = read(path)?;
        for player in players(&spoken) {
            for told in [false, true] {
                rows(number, player, &spoken, told, limits, &mut file)?;
            }
        }
    }
    file.flush()?;
    Ok(())
}

fn rows(
    room: usize,
    player: &str,
    spoken: &[Spoken],
    told: bool,
    limits: FollowupLimits,
    file: &mut impl Write,
) -> Result<()> {
    let identity = Identity::new(PersonId::from(player), player, &[]);
    let mut conversation = Conversation::default();
    let [low, high] = u16::try_from(room).context("too many rooms")?.to_le_bytes();
    for message in spoken {
        let heard = message.heard(player, told);
        if message.line.annotated && !heard.by_denizen {
            let ruled = is_admitted(&conversation.judge(&heard, &identity, limits));
            let cues = conversation.cues(&heard, &identity, limits);
            let rules = u8::from(ruled) + 2 * u8::from(cues.is_none());
            let is_meant = message.to.contains(&identity.id);
            file.write_all(&[low, high, u8::from(told), u8::from(is_meant), rules])?;
            match &cues {
                Some(cues) => file.write_all(cues.values())?,
                None => file.write_all(&[0; COUNT])?,
            }
        }
        conversation.observe(&heard, &identity, limits);
    }
    Ok(())
}
