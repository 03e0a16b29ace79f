//! What ffmpeg takes for the same work, where it is installed: its own clock, start-up aside.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};

use super::best;
use super::clip::{HEIGHT, WIDTH};

/// How often the clip is played in one run, so that start-up does not count.
const LOOPS: u32 = 4;

pub struct Ffmpeg {
    pub has_x264: bool,
    rounds: usize,
}

impl Ffmpeg {
    pub fn find(rounds: usize) -> Option<Self> {
        let encoders = Command::new("ffmpeg")
            .args(["-hide_banner", "-encoders"])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        Some(Self {
            has_x264: String::from_utf8_lossy(&encoders.stdout).contains("libx264"),
            rounds,
        })
    }

    /// What a frame takes more with scdet than without.
    pub fn scdet(&self, raw: &Path) -> anyhow::Result<Duration> {
        let size = format!("{WIDTH}x{HEIGHT}");
        let input = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", &size];
        let with = self.measure(&input, raw, &["-vf", "scdet"])?;
        let without = self.measure(&input, raw, &["-vf", "null"])?;
        Ok(with.saturating_sub(without))
    }

    /// What a frame takes to decode.
    pub fn decode(&self, file: &Path) -> anyhow::Result<Duration> {
        self.measure(&["-threads", "1"], file, &[])
    }

    pub fn encode(&self, raw: &Path, profile: &str, file: &Path) -> anyhow::Result<()> {
        let size = format!("{WIDTH}x{HEIGHT}");
        // As a program that shares a screen codes it: at once, without frames that refer to later ones.
        let status = Command::new("ffmpeg")
            .args([
                "-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p",
            ])
            .args(["-s", &size, "-r", "30", "-i"])
            .arg(raw)
            .args(["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency"])
            .args(["-b:v", "3M", "-g", "60", "-profile:v", profile])
            .arg(file)
            .status()?;
        ensure!(status.success(), "ffmpeg could not encode the clip");
        Ok(())
    }

    /// The best time of one frame.
    fn measure(&self, input: &[&str], file: &Path, work: &[&str]) -> anyhow::Result<Duration> {
        let mut failed = None;
        let loops = (LOOPS - 1).to_string();
        let best = best(self.rounds, || {
            let mut arguments: Vec<&OsStr> =
                ["-hide_banner", "-nostdin", "-benchmark", "-stream_loop", &loops]
                    .map(OsStr::new)
                    .to_vec();
            arguments.extend(input.iter().map(OsStr::new));
            arguments.extend([OsStr::new("-i"), file.as_os_str()]);
            arguments.extend(work.iter().map(OsStr::new));
            arguments.extend(["-filter_threads", "1", "-f", "null", "-"].map(OsStr::new));
            run(&arguments).unwrap_or_else(|error| {
                failed = Some(error);
                Duration::ZERO
            })
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(best),
        }
    }
}

fn run(arguments: &[&OsStr]) -> anyhow::Result<Duration> {
    let output = Command::new("ffmpeg")
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "ffmpeg failed: {}", said.trim());
    time_of_a_frame(&said).context("ffmpeg did not say how long it took")
}

/// `frame=  480 …` and `bench: utime=0.310s stime=0.020s rtime=0.352s`: the time that passed, as CPU time is not told
/// everywhere, and the frames that really were, as not every file can be looped.
pub fn time_of_a_frame(said: &str) -> Option<Duration> {
    let frames = said.rsplit("frame=").next()?.split_whitespace().next()?;
    let line = said.lines().rfind(|line| line.starts_with("bench: utime="))?;
    let real = line.split("rtime=").nth(1)?.trim().strip_suffix('s')?;
    let time = Duration::from_secs_f64(real.parse().ok()?);
    time.checked_div(frames.parse().ok()?)
}
