//! `denizen-bench frames`: what it takes to look at a frame, beside a naive way and beside ffmpeg on the same clip.

mod clip;
mod ffmpeg;
mod h264;
mod naive;

#[cfg(test)]
mod frames_tests;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use media::score::{Grid, Scorer};

use self::clip::{Clip, HEIGHT, WIDTH};
use self::ffmpeg::Ffmpeg;
use super::{microseconds, ratio, timed};

/// The clip as raw planes, for ffmpeg.
const RAW: &str = "clip.yuv";
/// Of these one is emitted, as at 30 frames a second of which 2 are.
const EMITTED_EVERY: usize = 15;

#[derive(Debug, Clone, Copy, Args)]
pub struct Options {
    /// Frames of the clip.
    #[arg(long, default_value_t = 120, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..))]
    frames: usize,
    /// How often the clip is played; the best round counts.
    #[arg(long, default_value_t = 7, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    rounds: usize,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let Options { frames, rounds } = options;
    let clip = Clip::render(frames);
    let folder = Folder::new()?;
    let ffmpeg = Ffmpeg::find(rounds);
    println!("a clip of {frames} frames of {WIDTH} by {HEIGHT}; the best of {rounds} rounds each");
    let ours = score(&clip, rounds);
    line("score a decoded frame (grid and score)", ours, None);
    line(
        "the same pixel by pixel in f64",
        naive::score(&clip, rounds),
        Some(ours),
    );
    match &ffmpeg {
        None => println!("ffmpeg is not installed, so its scdet and its decoder are not measured"),
        Some(ffmpeg) => {
            let raw = folder.0.join(RAW);
            clip.write(&raw)?;
            line("ffmpeg's scdet", ffmpeg.scdet(&raw)?, Some(ours));
        }
    }
    for coded in h264::encode(&clip, &folder.0, ffmpeg.as_ref())? {
        println!("the clip in H.264, {}", coded.by);
        let ours = coded.decode_and_score(rounds)?;
        line("decode and score a frame", ours, None);
        if let Some(ffmpeg) = &ffmpeg {
            line(
                "ffmpeg only decoding it, on one thread",
                ffmpeg.decode(&coded.file)?,
                Some(ours),
            );
        }
    }
    Ok(())
}

fn line(what: &str, time: Duration, ours: Option<Duration>) {
    let beside = ours.map_or_else(String::new, |ours| format!("{:>10} ours", ratio(time, ours)));
    println!("  {what:<40} {:>12}{beside}", microseconds(time));
}

/// The best time of one frame over all rounds. Each is copied first, as a decoder leaves it: just written.
fn score(clip: &Clip, rounds: usize) -> Duration {
    let mut written = clip.frames[0].clone();
    best(rounds, || {
        let mut scorer = Scorer::default();
        let mut took = Duration::ZERO;
        for (at, frame) in clip.frames.iter().enumerate() {
            written.y.copy_from_slice(&frame.y);
            took += timed(|| {
                scorer.look(Grid::of(&written.luma()));
                if at % EMITTED_EVERY == 0 {
                    black_box(scorer.emit());
                }
            });
        }
        took / clip.frames.len() as u32
    })
}

/// The shortest time: everything else is what other programs took.
fn best(rounds: usize, mut round: impl FnMut() -> Duration) -> Duration {
    (0..rounds).map(|_| round()).min().unwrap_or_default()
}

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("denizen-bench-frames-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
