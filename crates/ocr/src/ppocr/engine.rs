//! The two networks at work.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use onnx::{Network, OnnxError};
use runtime::ports::ReadLine;

use super::folder::Folder;
use super::{detection, recognition};
use crate::plane::{Area, Plane};
use crate::rows::in_reading_order;

/// Lines that are read of one picture: the largest.
const LINES_MAX: usize = 120;

/// A loaded folder.
#[derive(Debug)]
pub(super) struct Engine {
    detection: Network,
    recognition: Network,
    letters: Vec<String>,
}

impl Engine {
    /// Loads the networks of a folder; the error is for a person.
    pub(super) fn load(folder: &Path, library: Option<&Path>) -> Result<Self, String> {
        let folder = Folder::look_through(folder).map_err(|problem| problem.to_string())?;
        let mut letters = folder.read_keys().map_err(|problem| problem.to_string())?;
        // The blank between words comes after all others, and is in no list.
        letters.push(" ".to_owned());
        let load = |file, doing| Network::load(file, library, doing).map_err(|problem| problem.to_string());
        Ok(Self {
            detection: load(&folder.detection, "finding text")?,
            recognition: load(&folder.recognition, "reading text")?,
            letters,
        })
    }

    /// The lines of a picture. Given up, it stops after the line at hand.
    pub(super) fn read(&self, plane: &Plane, given_up: &AtomicBool) -> Result<Vec<ReadLine>, OnnxError> {
        let answer = self.detection.run(detection::input(plane))?;
        let mut areas = detection::found(&answer, plane).map_err(|detail| self.detection.failed(detail))?;
        areas.sort_by(|left, right| right.height.total_cmp(&left.height));
        areas.truncate(LINES_MAX);
        let mut lines = Vec::with_capacity(areas.len());
        for area in areas {
            if given_up.load(Ordering::Relaxed) {
                break;
            }
            let answer = self.recognition.run(recognition::input(&plane.cut(area)))?;
            let reading = recognition::read(&answer, &self.letters)
                .map_err(|detail| self.recognition.failed(detail))?;
            if !reading.text.is_empty() {
                lines.push(placed(reading, area, plane));
            }
        }
        Ok(in_reading_order(lines))
    }
}

fn placed(reading: recognition::Reading, area: Area, plane: &Plane) -> ReadLine {
    let (width, height) = (plane.width as f32, plane.height as f32);
    ReadLine {
        text: reading.text,
        left: area.left / width,
        top: area.top / height,
        width: area.width / width,
        height: area.height / height,
        confidence: reading.confidence,
    }
}
