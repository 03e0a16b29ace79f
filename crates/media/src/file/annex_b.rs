//! Plain H.264 in a file: units between start codes, gathered into access units while they are read.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::time::Duration;

use super::h264::{AccessUnit, decode};
use super::{Opened, VideoError};
use crate::h264::{MAX_ACCESS_UNIT_BYTES, START_CODE};

pub(super) fn open(path: &Path, rate: f64) -> Result<Opened, VideoError> {
    let file = File::open(path).map_err(|problem| VideoError::Unreadable {
        path: path.to_owned(),
        problem,
    })?;
    let at = path.to_owned();
    let units = AccessUnits::new(BufReader::new(file));
    let units = units.enumerate().map(move |(number, bytes)| {
        let bytes = bytes.map_err(|problem| VideoError::Unreadable {
            path: at.clone(),
            problem,
        })?;
        let time = Duration::from_secs_f64(number as f64 / rate);
        Ok(AccessUnit { time, bytes })
    });
    Ok(decode(path.to_owned(), units, None))
}

/// The access units of a byte stream, each with its start codes.
pub(super) struct AccessUnits<R> {
    units: Units<R>,
    /// The first unit of the next access unit.
    next: Option<Vec<u8>>,
}

impl<R: Read> AccessUnits<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            units: Units {
                reader,
                buffer: Vec::new(),
                searched: 0,
                begun: false,
                at_end: false,
            },
            next: None,
        }
    }
}

impl<R: Read> Iterator for AccessUnits<R> {
    type Item = std::io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        let mut has_slice = false;
        loop {
            let unit = match self.next.take() {
                Some(unit) => unit,
                None => match self.units.next() {
                    Some(Ok(unit)) => unit,
                    Some(Err(error)) => return Some(Err(error)),
                    None => return has_slice.then_some(Ok(bytes)),
                },
            };
            if has_slice && begins_access_unit(&unit) {
                self.next = Some(unit);
                return Some(Ok(bytes));
            }
            if bytes.len() + unit.len() > MAX_ACCESS_UNIT_BYTES {
                return Some(Err(too_long()));
            }
            has_slice |= matches!(unit_type(&unit), 1 | 5);
            bytes.extend(START_CODE);
            bytes.extend(unit);
        }
    }
}

fn unit_type(unit: &[u8]) -> u8 {
    unit.first().map_or(0, |header| header & 0x1f)
}

/// After the slices of a picture: parameters, hints and delimiters, and a slice that begins with its first block.
fn begins_access_unit(unit: &[u8]) -> bool {
    match unit_type(unit) {
        1 | 5 => unit.get(1).is_some_and(|byte| byte & 0x80 != 0),
        6..=9 | 14..=18 => true,
        _ => false,
    }
}

/// The units of a byte stream, without start codes.
struct Units<R> {
    reader: R,
    /// What was read after the last start code.
    buffer: Vec<u8>,
    searched: usize,
    /// Whether a start code was seen; what stands before the first is no unit.
    begun: bool,
    at_end: bool,
}

impl<R: Read> Iterator for Units<R> {
    type Item = std::io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let from = self.searched.min(self.buffer.len());
            if let Some(at) = self.buffer[from..].windows(3).position(|code| code == [0, 0, 1]) {
                let rest = self.buffer.split_off(from + at + 3);
                let mut unit = std::mem::replace(&mut self.buffer, rest);
                // What is left of a longer start code, and padding.
                let length = unit[..from + at].iter().rposition(|&byte| byte != 0);
                unit.truncate(length.map_or(0, |last| last + 1));
                self.searched = 0;
                if std::mem::replace(&mut self.begun, true) {
                    return Some(Ok(unit));
                }
                continue;
            }
            if self.at_end {
                let unit = std::mem::take(&mut self.buffer);
                let is_one = std::mem::replace(&mut self.begun, false);
                return is_one.then_some(Ok(unit));
            }
            if self.buffer.len() > MAX_ACCESS_UNIT_BYTES {
                return Some(Err(too_long()));
            }
            self.searched = self.buffer.len().saturating_sub(2);
            match self.reader.by_ref().take(64 * 1024).read_to_end(&mut self.buffer) {
                Ok(0) => self.at_end = true,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn too_long() -> std::io::Error {
    std::io::Error::other(format!(
        "it has no picture within {} MB, so it is no H.264",
        MAX_ACCESS_UNIT_BYTES / 1_000_000
    ))
}

#[cfg(test)]
#[path = "annex_b_tests.rs"]
mod annex_b_tests;
