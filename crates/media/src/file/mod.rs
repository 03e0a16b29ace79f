//! Videos in files, as pictures with their times: .y4m, folders of pictures, .h264 and .mp4 by ourselves, and
//! everything else by an installed ffmpeg.

mod annex_b;
mod ffmpeg;
mod folder;
mod h264;
mod mp4;
mod mp4_boxes;
mod path;
mod y4m;

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod mp4_hostile_tests;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::Picture;
use crate::pictures::BadPicture;

pub use y4m::Y4mReader;

/// A picture of a video, and when it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub time: Duration,
    pub picture: Picture,
}

/// A video that is being read, one picture after the other. It ends with its first error.
pub struct VideoFile {
    frames: Frames,
    first: Option<Frame>,
    expected: Option<u64>,
    ended: bool,
}

type Frames = Box<dyn Iterator<Item = Result<Frame, VideoError>> + Send>;

/// Frames that are read, and how many there will be where that is known.
struct Opened {
    frames: Frames,
    expected: Option<u64>,
}

/// Why a video cannot be read, for a person.
#[derive(Debug, Error)]
pub enum VideoError {
    #[error("{0} is no file here; only files can be played: download it first")]
    NotAFile(String),
    #[error("cannot read {}: {problem}", .path.display())]
    Unreadable { path: PathBuf, problem: io::Error },
    #[error("{} holds no pictures: put .jpg, .png or .webp files into it, named in their order", .0.display())]
    NoPictures(PathBuf),
    #[error("{}: {problem}", .path.display())]
    BadPicture { path: PathBuf, problem: BadPicture },
    #[error("{} cannot be played: {detail}", .path.display())]
    Unplayable { path: PathBuf, detail: String },
    #[error(
        "{} needs ffmpeg, which is not installed: install it (apt-get install ffmpeg), or convert the file to .y4m or \
         to an .mp4 with H.264", .0.display()
    )]
    FfmpegMissing(PathBuf),
    #[error("ffmpeg cannot read {}: {detail}", .path.display())]
    FfmpegFailed { path: PathBuf, detail: String },
}

impl VideoFile {
    /// Opens a file, a folder or a `file://` address, and reads its first picture. What does not say how fast it is (a
    /// folder, plain H.264) is played at `rate` frames a second.
    pub fn open(name: &str, rate: f64) -> Result<Self, VideoError> {
        let path = path::of(name)?;
        let rate = if rate.is_finite() && rate > 0.0 {
            rate
        } else {
            30.0
        };
        let begun = match open_by_kind(&path, rate).and_then(begin) {
            // What we do not know, ffmpeg may.
            Err(VideoError::Unplayable { .. }) if ffmpeg::is_installed() => {
                ffmpeg::open(&path).and_then(begin)
            }
            begun => begun,
        };
        let (first, opened) = begun?;
        if first.is_none() {
            let detail = "it has no pictures".to_owned();
            return Err(VideoError::Unplayable { path, detail });
        }
        Ok(Self {
            frames: opened.frames,
            first,
            expected: opened.expected,
            ended: false,
        })
    }

    /// How many frames there will be, about, where that is known.
    pub fn expected_frames(&self) -> Option<u64> {
        self.expected
    }
}

impl Iterator for VideoFile {
    type Item = Result<Frame, VideoError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        if self.ended {
            return None;
        }
        let next = self.frames.next();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Reads the first frame: only then is it known whether a video can be played.
fn begin(mut opened: Opened) -> Result<(Option<Frame>, Opened), VideoError> {
    let first = opened.frames.next().transpose()?;
    Ok((first, opened))
}

fn open_by_kind(path: &Path, rate: f64) -> Result<Opened, VideoError> {
    let metadata = std::fs::metadata(path).map_err(|problem| VideoError::Unreadable {
        path: path.to_owned(),
        problem,
    })?;
    if metadata.is_dir() {
        return folder::open(path, rate);
    }
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    match ending.as_str() {
        "y4m" => y4m::open(path, rate),
        "h264" | "264" => annex_b::open(path, rate),
        "mp4" | "m4v" | "mov" => match mp4::open(path)? {
            Some(opened) => Ok(opened),
            None => ffmpeg::open(path),
        },
        _ => ffmpeg::open(path),
    }
}

fn unplayable(path: &Path, detail: impl ToString) -> VideoError {
    VideoError::Unplayable {
        path: path.to_owned(),
        detail: detail.to_string(),
    }
}

impl std::fmt::Debug for VideoFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VideoFile")
            .field("expected", &self.expected)
            .finish_non_exhaustive()
    }
}
