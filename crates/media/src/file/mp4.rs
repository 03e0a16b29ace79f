//! MP4 with H.264: the table of samples says where each access unit lies and when it is shown.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use re_mp4::{Avc1Box, Mp4, Sample, StsdBoxContent, Track, TrackKind};

use super::h264::{AccessUnit, decode};
use super::mp4_boxes::{Patient, look_over};
use super::{Opened, VideoError, unplayable};
use crate::h264::{MAX_ACCESS_UNIT_BYTES, START_CODE};

/// None where the video in it is not H.264, which others may know.
pub(super) fn open(path: &Path) -> Result<Option<Opened>, VideoError> {
    let unreadable = |problem| VideoError::Unreadable {
        path: path.to_owned(),
        problem,
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    // The tables are a stranger's and their reader somebody else's work.
    look_over(&mut BufReader::new(&mut file), bytes)
        .map_err(|detail| unplayable(path, format!("it is damaged, or no MP4 ({detail})")))?;
    let read = || Mp4::read(Patient::with(BufReader::new(&mut file), bytes), bytes);
    let mp4 = catch_unwind(AssertUnwindSafe(read))
        .map_err(|_| unplayable(path, "it is damaged"))?
        .map_err(|error| unplayable(path, format!("it is damaged, or no MP4 ({error})")))?;
    let video = mp4
        .tracks()
        .values()
        .find(|track| track.kind == Some(TrackKind::Video));
    let Some(track) = video else {
        return Ok(None);
    };
    let StsdBoxContent::Avc1(coding) = &track.trak(&mp4).mdia.minf.stbl.stsd.contents else {
        return Ok(None);
    };
    let expected = track.samples.len() as u64;
    let units = Samples::new(path, file, track, coding);
    Ok(Some(decode(path.to_owned(), units, Some(expected))))
}

struct Samples {
    path: PathBuf,
    file: File,
    samples: std::vec::IntoIter<Sample>,
    /// When the first picture is shown; a file may begin late.
    first: i64,
    /// In Annex B; a stream needs them before its key frames, a file has them once.
    parameter_sets: Vec<u8>,
    length_bytes: usize,
}

impl Samples {
    fn new(path: &Path, file: File, track: &Track, coding: &Avc1Box) -> Self {
        let sets = coding.avcc.sequence_parameter_sets.iter();
        let mut parameter_sets = Vec::new();
        for set in sets.chain(&coding.avcc.picture_parameter_sets) {
            parameter_sets.extend(START_CODE);
            parameter_sets.extend(&set.bytes);
        }
        let times = track.samples.iter().map(|sample| sample.composition_timestamp);
        Self {
            path: path.to_owned(),
            file,
            first: times.min().unwrap_or_default(),
            samples: track.samples.clone().into_iter(),
            parameter_sets,
            length_bytes: usize::from(coding.avcc.length_size_minus_one & 3) + 1,
        }
    }

    fn read(&mut self, sample: &Sample) -> Result<AccessUnit, VideoError> {
        if sample.size > MAX_ACCESS_UNIT_BYTES as u64 {
            return Err(unplayable(
                &self.path,
                format!("a frame of it has {} bytes", sample.size),
            ));
        }
        let mut written = vec![0; sample.size as usize];
        let read = self.file.seek(SeekFrom::Start(sample.offset));
        read.and_then(|_| self.file.read_exact(&mut written))
            .map_err(|problem| VideoError::Unreadable {
                path: self.path.clone(),
                problem,
            })?;
        let mut bytes = Vec::with_capacity(written.len() + self.parameter_sets.len() + 16);
        if sample.is_sync {
            bytes.extend(&self.parameter_sets);
        }
        add_units(&mut bytes, &written, self.length_bytes);
        let time =
            sample.composition_timestamp.saturating_sub(self.first) as f64 / sample.timescale.max(1) as f64;
        Ok(AccessUnit {
            time: Duration::try_from_secs_f64(time).unwrap_or_default(),
            bytes,
        })
    }
}

impl Iterator for Samples {
    type Item = Result<AccessUnit, VideoError>;

    fn next(&mut self) -> Option<Self::Item> {
        let sample = self.samples.next()?;
        Some(self.read(&sample))
    }
}

/// From units after their lengths to units after start codes; a length that leads too far ends it.
fn add_units(bytes: &mut Vec<u8>, mut written: &[u8], length_bytes: usize) {
    while let Some((length, rest)) = written.split_at_checked(length_bytes) {
        let length = length.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        let Some((unit, rest)) = rest.split_at_checked(length) else {
            return;
        };
        bytes.extend(START_CODE);
        bytes.extend(unit);
        written = rest;
    }
}
