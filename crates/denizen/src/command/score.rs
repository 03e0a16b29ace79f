//! `denizen score`: how much the screen changes in a video, as Denizen would see it; for choosing thresholds.

use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use media::file::{Frame, VideoFile};
use media::score::{Emission, Grid, Scorer};
use serde::Serialize;
use settings::StreamWatchSettings;
use vocabulary::ChangeScore;

use super::progress::Progress;
use super::saved_settings;

#[derive(Debug, Args)]
pub struct ScoreOptions {
    /// A video, a folder of pictures, or a file:// address. .y4m, .h264 and .mp4 with H.264 are read as they are, everything else through ffmpeg.
    file: String,
    /// Frames a second that are emitted, and scored against the one emitted before; voice.streamWatch.nativeDiscordMaxFramesPerSecond where it is not given.
    #[arg(long, value_parser = positive, conflicts_with = "every")]
    fps: Option<f64>,
    /// Emit every frame, so that each is scored against the one before it.
    #[arg(long)]
    every: bool,
    /// Frames a second of what does not say it: a folder of pictures, plain H.264.
    #[arg(long, value_parser = positive, default_value_t = 30.0)]
    rate: f64,
}

/// A number of frames a second.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 && number <= 1000.0 => Ok(number),
        _ => Err("it must be a number above 0, up to 1000".to_owned()),
    }
}

/// One decoded frame, as it is printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameRow {
    frame: u64,
    time: f64,
    score: f64,
    ema: f64,
    scene_cut: bool,
    emitted: bool,
}

pub fn run(data: &Path, options: &ScoreOptions) -> anyhow::Result<ExitCode> {
    let settings = saved_settings(data)?.stream_watch;
    let per_second = match options.fps {
        _ if options.every => f64::INFINITY,
        Some(fps) => fps,
        None => settings.native_discord_max_frames_per_second as f64,
    };
    let video = VideoFile::open(&options.file, options.rate)?;
    let expected = video.expected_frames().and_then(|frames| frames.try_into().ok());
    let mut progress = Progress::new("frames scored");
    // Lines on the same terminal are progress enough.
    let tells = stderr().is_terminal() && !stdout().is_terminal();
    let mut scoring = Scoring::new(per_second, &settings);
    let mut out = BufWriter::new(stdout().lock());
    for frame in video {
        let line = scoring.take(&frame?);
        if let Err(error) = write_line(&mut out, &line) {
            return nobody_reads(error);
        }
        if tells {
            progress.at(scoring.frames as usize, expected);
        }
    }
    if let Err(error) = out.flush() {
        return nobody_reads(error);
    }
    progress.done();
    eprintln!("{}", scoring.summary());
    Ok(ExitCode::SUCCESS)
}

fn write_line(out: &mut impl Write, line: &FrameRow) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Whoever has read enough closes the pipe.
fn nobody_reads(error: io::Error) -> anyhow::Result<ExitCode> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        _ => Err(error.into()),
    }
}

/// Frames of one video, and what came of them.
struct Scoring<'a> {
    settings: &'a StreamWatchSettings,
    scorer: Scorer,
    /// None where every frame is emitted.
    emission: Option<Emission>,
    began: Instant,
    last: Duration,
    frames: u64,
    emitted: u64,
    cuts: u64,
    changed: u64,
    still: u64,
}

impl<'a> Scoring<'a> {
    fn new(per_second: f64, settings: &'a StreamWatchSettings) -> Self {
        Self {
            settings,
            scorer: Scorer::default(),
            emission: per_second.is_finite().then(|| Emission::new(per_second)),
            began: Instant::now(),
            last: Duration::ZERO,
            frames: 0,
            emitted: 0,
            cuts: 0,
            changed: 0,
            still: 0,
        }
    }

    fn take(&mut self, frame: &Frame) -> FrameRow {
        self.scorer.look(Grid::of(&frame.picture.luma()));
        let emission = self.emission.as_mut();
        let emitted = emission.is_none_or(|emission| emission.takes(frame.time));
        let change = if emitted { self.emit() } else { self.scorer.held() };
        let number = self.frames;
        self.frames += 1;
        self.last = frame.time;
        FrameRow {
            frame: number,
            time: rounded(frame.time.as_secs_f64(), 1e3),
            score: rounded(change.score, 1e6),
            ema: rounded(change.ema, 1e6),
            scene_cut: change.scene_cut,
            emitted,
        }
    }

    fn emit(&mut self) -> ChangeScore {
        let change = self.scorer.emit();
        self.emitted += 1;
        self.cuts += u64::from(change.scene_cut);
        self.changed += u64::from(change.score >= self.settings.change_threshold);
        self.still += u64::from(change.score < self.settings.static_floor);
        change
    }

    fn summary(&self) -> String {
        let took = self.began.elapsed().as_secs_f64();
        let share = |found: u64| {
            let percent = 100.0 * found as f64 / self.emitted.max(1) as f64;
            format!("{found} of {} ({percent:.0} %)", self.emitted)
        };
        format!(
            "{} frames up to {:.1} s, {:.0} a second decoded and scored\n\
             {} emitted, {} with a scene cut\n\
             {} at voice.streamWatch.changeThreshold ({}) or above\n\
             {} below voice.streamWatch.staticFloor ({})",
            self.frames,
            self.last.as_secs_f64(),
            self.frames as f64 / took.max(1e-9),
            self.emitted,
            self.cuts,
            share(self.changed),
            self.settings.change_threshold,
            share(self.still),
            self.settings.static_floor,
        )
    }
}

fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
