//! Recordings as files: newline-delimited JSON, a header, the settings, every input, and the journal it led to.
//!
//! The header and the inputs are the whole truth; the journal is there to be compared with.

use std::io::{BufRead, Write};

use mind::JournalEntry;
use serde::{Deserialize, Serialize};
use settings::Document;
use thiserror::Error;

use crate::ports::{RecordedInput, Recording, SavedSettings, Segment};

/// The newest format this version writes and reads.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Recording { format: u32, segment: Segment },
    Settings { version: u64, document: Document },
    Input(RecordedInput),
    Journal(JournalEntry),
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
    #[error("the recording has format {found}, this version reads {FORMAT}. Use the Denizen that wrote it")]
    OtherFormat { found: u32 },
    #[error("the recording could not be read or written: {0}")]
    Io(#[from] std::io::Error),
}

/// Writes a recording.
pub fn write(recording: &Recording, to: &mut impl Write) -> Result<(), RecordingError> {
    let mut line = |line: &Line| -> Result<(), RecordingError> {
        serde_json::to_writer(&mut *to, line).map_err(std::io::Error::from)?;
        Ok(to.write_all(b"\n")?)
    };
    line(&Line::Recording {
        format: FORMAT,
        segment: recording.segment.clone(),
    })?;
    for saved in &recording.settings {
        line(&Line::Settings {
            version: saved.version,
            document: saved.document.clone(),
        })?;
    }
    for input in &recording.inputs {
        line(&Line::Input(input.clone()))?;
    }
    for entry in &recording.journal {
        line(&Line::Journal(entry.clone()))?;
    }
    Ok(())
}

/// Reads a recording; errors name the line.
pub fn read(from: impl BufRead) -> Result<Recording, RecordingError> {
    let mut recording: Option<Recording> = None;
    for (index, text) in from.lines().enumerate() {
        let text = text?;
        if text.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&text).map_err(|error| RecordingError::BadLine {
            line: index + 1,
            detail: error.to_string(),
        })?;
        match (line, &mut recording) {
            (Line::Recording { format, .. }, _) if format != FORMAT => {
                return Err(RecordingError::OtherFormat { found: format });
            }
            (Line::Recording { segment, .. }, none @ None) => {
                *none = Some(Recording {
                    segment,
                    inputs: Vec::new(),
                    journal: Vec::new(),
                    settings: Vec::new(),
                });
            }
            (Line::Recording { .. }, Some(_)) => {
                let detail = "a second header".to_owned();
                return Err(RecordingError::BadLine {
                    line: index + 1,
                    detail,
                });
            }
            (_, None) => return Err(RecordingError::NoHeader),
            (Line::Settings { version, document }, Some(recording)) => {
                recording.settings.push(SavedSettings { version, document });
            }
            (Line::Input(input), Some(recording)) => recording.inputs.push(input),
            (Line::Journal(entry), Some(recording)) => recording.journal.push(entry),
        }
    }
    recording.ok_or(RecordingError::NoHeader)
}
