//! The clip in H.264, and what it takes to decode and score it.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use media::file::VideoFile;
use media::score::{Grid, Scorer};
use openh264::OpenH264API;
use openh264::encoder::{BitRate, Encoder, EncoderConfig, FrameRate};
use openh264::formats::YUVBuffer;

use super::clip::{Clip, HEIGHT, WIDTH};
use super::ffmpeg::Ffmpeg;
use super::{EMITTED_EVERY, RAW, timed};

pub struct Coded {
    pub file: PathBuf,
    pub by: &'static str,
}

/// What is measured: how WebRTC carries a screen, and how a recorder writes one.
const PROFILES: [(&str, &str); 2] = [
    ("baseline", "baseline profile, by x264"),
    ("high", "high profile, by x264"),
];

/// By x264 where ffmpeg has it, otherwise by the encoder that comes with our decoder.
pub fn encode(clip: &Clip, folder: &Path, ffmpeg: Option<&Ffmpeg>) -> anyhow::Result<Vec<Coded>> {
    if let Some(ffmpeg) = ffmpeg.filter(|ffmpeg| ffmpeg.has_x264) {
        let coded = PROFILES.map(|(profile, by)| {
            let file = folder.join(format!("{profile}.h264"));
            ffmpeg.encode(&folder.join(RAW), profile, &file)?;
            Ok(Coded { file, by })
        });
        return coded.into_iter().collect();
    }
    let config = EncoderConfig::new()
        .bitrate(BitRate::from_bps(3_000_000))
        .max_frame_rate(FrameRate::from_hz(30.0))
        .skip_frames(false);
    let mut encoder = Encoder::with_api_config(OpenH264API::from_source(), config)?;
    let mut bytes = Vec::new();
    for frame in &clip.frames {
        let planes = [&frame.y[..], &frame.u, &frame.v].concat();
        bytes.extend(
            encoder
                .encode(&YUVBuffer::from_vec(planes, WIDTH, HEIGHT))?
                .to_vec(),
        );
    }
    let file = folder.join("clip.h264");
    fs::write(&file, bytes)?;
    let by = "baseline profile, by openh264";
    Ok(vec![Coded { file, by }])
}

impl Coded {
    /// The best time of one frame over all rounds: reading, decoding, grid and score.
    pub fn decode_and_score(&self, rounds: usize) -> anyhow::Result<Duration> {
        let name = self.file.display().to_string();
        let mut best = Duration::MAX;
        for _ in 0..rounds {
            let mut frames = 0;
            let mut ended = Ok(());
            let took = timed(|| {
                ended = play(&name, &mut frames);
            });
            ended?;
            anyhow::ensure!(frames > 0, "the clip has no frames");
            best = best.min(took / frames);
        }
        Ok(best)
    }
}

fn play(name: &str, frames: &mut u32) -> anyhow::Result<()> {
    let mut scorer = Scorer::default();
    for frame in VideoFile::open(name, 30.0)? {
        scorer.look(Grid::of(&frame?.picture.luma()));
        if (*frames as usize).is_multiple_of(EMITTED_EVERY) {
            black_box(scorer.emit());
        }
        *frames += 1;
    }
    Ok(())
}
