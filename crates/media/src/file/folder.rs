//! A folder of pictures is a video: in the order of their names, at a given rate.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Frame, Opened, VideoError};
use crate::pictures::{self, BadPicture, kind_of};

/// The largest file that is read as a picture.
const MAX_BYTES: u64 = 64 << 20;

pub(super) fn open(folder: &Path, rate: f64) -> Result<Opened, VideoError> {
    let unreadable = |problem| VideoError::Unreadable {
        path: folder.to_owned(),
        problem,
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if is_named_like_a_picture(&path) {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(VideoError::NoPictures(folder.to_owned()));
    }
    paths.sort();
    let expected = paths.len() as u64;
    let frames = paths.into_iter().enumerate().map(move |(at, path)| {
        let time = Duration::from_secs_f64(at as f64 / rate);
        frame(path, time)
    });
    Ok(Opened {
        frames: Box::new(frames),
        expected: Some(expected),
    })
}

fn is_named_like_a_picture(path: &Path) -> bool {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    ["jpg", "jpeg", "png", "webp"].contains(&ending.as_str())
}

/// The kind is what the bytes say: files are often named wrongly, and here nobody is deceived by it.
fn frame(path: PathBuf, time: Duration) -> Result<Frame, VideoError> {
    let read = || {
        if fs::metadata(&path)?.len() > MAX_BYTES {
            return Err(std::io::Error::other("it is larger than 64 MB"));
        }
        fs::read(&path)
    };
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(problem) => return Err(VideoError::Unreadable { path, problem }),
    };
    let kind = kind_of(&bytes).ok_or(BadPicture::Unknown);
    match kind.and_then(|kind| pictures::picture(kind, &bytes)) {
        Ok(picture) => Ok(Frame { time, picture }),
        Err(problem) => Err(VideoError::BadPicture { path, problem }),
    }
}
