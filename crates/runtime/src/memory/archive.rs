//! Memory as a file: newline-delimited JSON with a header, one gem or turn a line. What was written here can be read elsewhere.

use std::io::BufRead;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vocabulary::{CommunityId, Record, RecordId};

use super::records::MemoryRecords;
use crate::ports::{Listing, MemoryFault};

const FORMAT: &str = "denizen-memory";
const VERSION: u32 = 1;
/// Records that are written, or taken in, in one go.
const AT_ONCE: usize = 200;
/// Longest line; a turn has at most 20,000 characters.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// Rejected lines that are told one by one.
const REJECTED_TOLD_MAX: usize = 1_000;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// What came of taking a file in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenIn {
    pub gems: usize,
    pub turns: usize,
    /// Records that were there already; they are left as they are.
    pub known: usize,
    pub rejected: usize,
    /// The first of the rejected lines.
    pub problems: Vec<RejectedLine>,
}

/// A line that was not taken in, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    pub line: usize,
    pub reason: String,
}

/// Why a file was not taken in, or not to its end.
#[derive(Debug, Error)]
pub enum ArchiveError {
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error(
        "its first line is not {{\"format\":\"denizen-memory\",\"version\":1}}: {0}. Give a file that `denizen memory export` wrote"
    )]
    OtherFormat(String),
    #[error(transparent)]
    Memory(#[from] MemoryFault),
}

/// What is written, piece by piece; each piece is some whole lines.
#[derive(Debug)]
pub struct Writing {
    from: MemoryRecords,
    /// Only what was said there.
    community: Option<CommunityId>,
    part: Part,
}

#[derive(Debug)]
enum Part {
    Header,
    Gems(Option<String>),
    Turns(Option<String>),
    Done,
}

impl Writing {
    pub fn of(from: MemoryRecords) -> Self {
        Self {
            from,
            community: None,
            part: Part::Header,
        }
    }

    /// … of one community alone, where one is given.
    pub fn only(mut self, community: Option<CommunityId>) -> Self {
        self.community = community;
        self
    }

    /// The next lines and how many records they are; none at the end.
    pub async fn next(&mut self) -> Result<Option<(String, usize)>, MemoryFault> {
        loop {
            let (after, gems) = match &self.part {
                Part::Header => {
                    self.part = Part::Gems(None);
                    return Ok(Some((header(), 0)));
                }
                Part::Gems(after) => (after.clone(), true),
                Part::Turns(after) => (after.clone(), false),
                Part::Done => return Ok(None),
            };
            let listing = Listing {
                community: self.community.clone(),
                after,
                limit: AT_ONCE,
                ..Listing::default()
            };
            let (records, next) = if gems {
                let page = self.from.gems(&listing).await?;
                let records = page.items.into_iter().map(|gem| Record::Gem(Box::new(gem)));
                (records.collect::<Vec<_>>(), page.next)
            } else {
                let page = self.from.turns(&listing).await?;
                (page.items.into_iter().map(Record::Turn).collect(), page.next)
            };
            self.part = match (gems, next) {
                (true, Some(next)) => Part::Gems(Some(next)),
                (true, None) => Part::Turns(None),
                (false, Some(next)) => Part::Turns(Some(next)),
                (false, None) => Part::Done,
            };
            if !records.is_empty() {
                let lines = records.iter().map(line).collect();
                return Ok(Some((lines, records.len())));
            }
        }
    }
}

/// Takes a file in. Safe to repeat: what is there already is left as it is. `progress` is told how many lines were read.
pub async fn take_in(
    to: &MemoryRecords,
    from: impl BufRead,
    mut progress: impl FnMut(usize),
) -> Result<TakenIn, ArchiveError> {
    let mut taken = TakenIn::default();
    let mut lines = from.lines().enumerate();
    let first = lines.next().map(|(_, line)| line).transpose()?;
    check_header(first.as_deref().unwrap_or_default())?;
    let mut records = Vec::new();
    let mut read = 1;
    for (index, line) in lines {
        read = index + 1;
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match record(&line) {
            Ok(record) => records.push(record),
            Err(reason) => taken.reject(read, reason),
        }
        if records.len() == AT_ONCE {
            add(to, std::mem::take(&mut records), &mut taken).await?;
            progress(read);
        }
    }
    add(to, records, &mut taken).await?;
    progress(read);
    Ok(taken)
}

async fn add(to: &MemoryRecords, records: Vec<Record>, taken: &mut TakenIn) -> Result<(), MemoryFault> {
    let ids: Vec<RecordId> = records.iter().map(Record::id).collect();
    let known: Vec<RecordId> = to.gems.get(&ids).await?.iter().map(Record::id).collect();
    let mut new: Vec<Record> = Vec::new();
    for record in records {
        let id = record.id();
        if known.contains(&id) || new.iter().any(|other| other.id() == id) {
            taken.known += 1;
            continue;
        }
        match &record {
            Record::Gem(_) => taken.gems += 1,
            Record::Turn(_) => taken.turns += 1,
        }
        new.push(record);
    }
    to.put(new).await
}

impl TakenIn {
    fn reject(&mut self, line: usize, reason: String) {
        self.rejected += 1;
        if self.problems.len() < REJECTED_TOLD_MAX {
            self.problems.push(RejectedLine { line, reason });
        }
    }
}

fn header() -> String {
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
    };
    let mut text = serde_json::to_string(&header).expect("a header has text keys only");
    text.push('\n');
    text
}

fn line(record: &Record) -> String {
    let mut text = serde_json::to_string(record).expect("a record has text keys only");
    text.push('\n');
    text
}

fn check_header(line: &str) -> Result<(), ArchiveError> {
    let header: Header =
        serde_json::from_str(line).map_err(|problem| ArchiveError::OtherFormat(problem.to_string()))?;
    if header.format != FORMAT {
        return Err(ArchiveError::OtherFormat(format!(
            "the format is “{}”",
            header.format
        )));
    }
    if header.version > VERSION {
        let said = format!(
            "the version is {}, and this Denizen reads up to {VERSION}",
            header.version
        );
        return Err(ArchiveError::OtherFormat(said));
    }
    Ok(())
}

fn record(line: &str) -> Result<Record, String> {
    if line.len() > LINE_BYTES_MAX {
        return Err(format!("it has {} bytes, more than {LINE_BYTES_MAX}", line.len()));
    }
    let record: Record = serde_json::from_str(line).map_err(|problem| problem.to_string())?;
    let (id, importance) = match &record {
        Record::Gem(gem) => (gem.gem_id.as_str(), gem.importance),
        Record::Turn(turn) => (turn.id.as_str(), 0.0),
    };
    if id.trim().is_empty() {
        return Err("it has no id".to_owned());
    }
    if record.text().trim().is_empty() {
        return Err(format!("{id} has no text"));
    }
    if !(0.0..=1.0).contains(&importance) {
        return Err(format!(
            "the importance of {id} is {importance}, and it must be from 0 to 1"
        ));
    }
    Ok(record)
}
