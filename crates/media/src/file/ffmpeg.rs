//! Everything that we do not read ourselves: an ffmpeg that is installed decodes it, and we read its pipe.

use std::ffi::OsString;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use super::{Frame, Opened, VideoError, Y4mReader};

/// How much of its complaints is kept.
const MAX_COMPLAINT: u64 = 16 * 1024;

pub(super) fn is_installed() -> bool {
    let mut command = Command::new("ffmpeg");
    command.arg("-version").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

pub(super) fn open(path: &Path) -> Result<Opened, VideoError> {
    // As an address: a name that begins with a dash or with a scheme stays a name.
    let mut input = OsString::from("file:");
    input.push(path);
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-i"]).arg(input);
    command.args(["-map", "0:v:0", "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => VideoError::FfmpegMissing(path.to_owned()),
        _ => failed(path, error),
    })?;
    let (Some(pictures), Some(complaints)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(failed(path, "it has no pipes"));
    };
    let complaints = std::thread::spawn(move || {
        let mut kept = Vec::new();
        let mut complaints = complaints;
        let _ = complaints.by_ref().take(MAX_COMPLAINT).read_to_end(&mut kept);
        // Nobody must wait because the pipe is full.
        let _ = std::io::copy(&mut complaints, &mut std::io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    });
    let frames = Piped {
        path: path.to_owned(),
        child,
        pictures: Some(BufReader::with_capacity(1 << 20, pictures)),
        reader: None,
        complaints: Some(complaints),
    };
    Ok(Opened {
        frames: Box::new(frames),
        expected: None,
    })
}

struct Piped {
    path: PathBuf,
    child: Child,
    /// Until the header was read.
    pictures: Option<BufReader<ChildStdout>>,
    reader: Option<Y4mReader<BufReader<ChildStdout>>>,
    complaints: Option<JoinHandle<String>>,
}

impl Iterator for Piped {
    type Item = Result<Frame, VideoError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(pictures) = self.pictures.take() {
            match Y4mReader::new(pictures, 30.0) {
                Ok(reader) => self.reader = Some(reader),
                Err(detail) => return Some(Err(self.failure(&detail))),
            }
        }
        match self.reader.as_mut()?.next_frame() {
            Ok(Some(frame)) => Some(Ok(frame)),
            Ok(None) => self.end(),
            Err(detail) => Some(Err(self.failure(&detail))),
        }
    }
}

impl Piped {
    /// A video that ends early says why.
    fn end(&mut self) -> Option<Result<Frame, VideoError>> {
        self.reader = None;
        match self.child.wait() {
            Ok(status) if status.success() => None,
            _ => Some(Err(self.failure("it ended early"))),
        }
    }

    /// In ffmpeg's own words where it has any.
    fn failure(&mut self, otherwise: &str) -> VideoError {
        self.reader = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
        let complaints = self.complaints.take().map(JoinHandle::join);
        let complaints = complaints.and_then(Result::ok).unwrap_or_default();
        let last = complaints.lines().rfind(|line| !line.trim().is_empty());
        failed(&self.path, last.unwrap_or(otherwise).trim())
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn failed(path: &Path, detail: impl ToString) -> VideoError {
    VideoError::FfmpegFailed {
        path: path.to_owned(),
        detail: detail.to_string(),
    }
}
