//! Recordings as files: newline-delimited JSON, a header, the settings, every input, and the journal it led to.
//!
//! The header and the inputs are the whole truth; the journal is there to be compared with.

use std::io::{BufRead, Write};

use mind::JournalEntry;
use mind::snapshot::{self, SCHEMA};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::Document;
use thiserror::Error;
use vocabulary::Now;

use crate::ports::{RecordedInput, Recording, SavedSettings, Segment, in_stepping_order};

/// The format that is written: the schema of the inputs in it. Older ones are read as well.
const FORMAT: u32 = SCHEMA;

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum WrittenLine<'a> {
    Recording { format: u32, segment: &'a Segment },
    Settings { version: u64, document: &'a Document },
    Input(&'a RecordedInput),
    Journal(&'a JournalEntry),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReadLine {
    Recording { format: u32, segment: Segment },
    Settings { version: u64, document: Document },
    Input(ReadInput),
    Journal(Value),
}

/// An input of whatever schema.
#[derive(Deserialize)]
struct ReadInput {
    seq: u64,
    #[serde(flatten)]
    now: Now,
    #[serde(default)]
    stepped_before: Option<u64>,
    input: Value,
}

/// A file that is not a recording, or not a whole one.
#[derive(Debug, Error)]
pub enum RecordingError {
    #[error(
        "line {line} is not a line of a recording: {detail}. Export the recording again with `denizen recording`"
    )]
    BadLine { line: usize, detail: String },
    #[error("the file does not begin with a recording's header. Export one with `denizen recording`")]
    NoHeader,
    #[error(
        "the recording has format {found}, this version reads up to {FORMAT}. Use the Denizen that wrote it"
    )]
    OtherFormat { found: u32 },
    #[error("the recording could not be read or written: {0}")]
    Io(#[from] std::io::Error),
}

/// Writes a recording.
pub fn write(recording: &Recording, to: &mut impl Write) -> Result<(), RecordingError> {
    let mut line = |line: &WrittenLine<'_>| -> Result<(), RecordingError> {
        serde_json::to_writer(&mut *to, line).map_err(std::io::Error::from)?;
        Ok(to.write_all(b"\n")?)
    };
    line(&WrittenLine::Recording {
        format: FORMAT,
        segment: &recording.segment,
    })?;
    for saved in &recording.settings {
        line(&WrittenLine::Settings {
            version: saved.version,
            document: &saved.document,
        })?;
    }
    for input in &recording.inputs {
        line(&WrittenLine::Input(input))?;
    }
    for entry in &recording.journal {
        line(&WrittenLine::Journal(entry))?;
    }
    Ok(())
}

/// Reads a recording; errors name the line.
pub fn read(from: impl BufRead) -> Result<Recording, RecordingError> {
    let mut recording: Option<(u32, Recording)> = None;
    for (index, text) in from.lines().enumerate() {
        let text = text?;
        if text.trim().is_empty() {
            continue;
        }
        let bad = |detail: String| RecordingError::BadLine {
            line: index + 1,
            detail,
        };
        let line: ReadLine = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        match (line, &mut recording) {
            (ReadLine::Recording { format, .. }, _) if format > FORMAT => {
                return Err(RecordingError::OtherFormat { found: format });
            }
            (ReadLine::Recording { format, segment }, none @ None) => {
                let begun = Recording {
                    segment,
                    inputs: Vec::new(),
                    journal: Vec::new(),
                    settings: Vec::new(),
                };
                *none = Some((format, begun));
            }
            (ReadLine::Recording { .. }, Some(_)) => return Err(bad("a second header".to_owned())),
            (_, None) => return Err(RecordingError::NoHeader),
            (ReadLine::Settings { version, document }, Some((_, recording))) => {
                recording.settings.push(SavedSettings { version, document });
            }
            (ReadLine::Input(read), Some((format, recording))) => recording.inputs.push(RecordedInput {
                seq: read.seq,
                now: read.now,
                stepped_before: read.stepped_before,
                input: snapshot::input_of(*format, read.input).map_err(|error| bad(error.to_string()))?,
            }),
            // By its text, so that events are not compiled once more to be read from values.
            (ReadLine::Journal(line), Some((format, recording))) => {
                match serde_json::from_str(&line.to_string()) {
                    Ok(entry) => recording.journal.push(entry),
                    Err(error) if *format == FORMAT => return Err(bad(error.to_string())),
                    // A line of an older version that is written otherwise now: it differs, and cannot be compared.
                    Err(_) => {}
                }
            }
        }
    }
    let (_, mut recording) = recording.ok_or(RecordingError::NoHeader)?;
    in_stepping_order(&mut recording.inputs);
    Ok(recording)
}
