//! `denizen-bench voice`: what it takes to listen to several people, beside a network that looks at everything.
//!
//! Packets are decoded, put in order, searched for voices and cut into clips, as for a room in which all are heard.

mod naive;
mod scene;
mod stopping;

#[cfg(test)]
mod voice_tests;

use std::hint::black_box;
use std::time::Duration;

use anyhow::Context;
use audio::codec::{VoiceCoding, VoiceEncoder};
use audio::echo::EchoGuard;
use audio::mix::{Limiter, Mixer};
use audio::segment::{Segmenter, SpeechEvent};
use audio::track::IncomingTrack;
use audio::{FRAME, Frame, RATE};
use clap::Args;
use rustix::time::{ClockId, clock_gettime};

use self::scene::{Scene, Talk};
use super::{microseconds, ratio};

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Numbers of speakers.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 4, 8])]
    speakers: Vec<usize>,
    /// How long they talk.
    #[arg(long, default_value_t = 20, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    seconds: usize,
    /// How often it is listened to; the best round counts.
    #[arg(long, default_value_t = 5, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    rounds: usize,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let seconds = options.seconds;
    println!(
        "{seconds} seconds of Opus at 32 kbit/s; CPU on one core, the best of {} rounds",
        options.rounds
    );
    for talk in [Talk::InTurn, Talk::AllAtOnce] {
        println!("{talk}");
        for speakers in &options.speakers {
            let scene = Scene::render(*speakers, seconds, talk)?;
            print_scene(&scene, options.rounds)?;
        }
    }
    let most = options.speakers.iter().copied().max().unwrap_or(1);
    print_parts(most, options.rounds)?;
    stopping::print(4 * options.rounds)
}

fn print_scene(scene: &Scene, rounds: usize) -> anyhow::Result<()> {
    let ours = best(rounds, || listen(scene))?;
    let naive = best(rounds, || naive::listen(scene))?;
    let decoding = best(rounds, || naive::decode(scene))?;
    let speakers = scene.tracks.len();
    println!(
        "  {speakers} speakers, of which {:.0} % is speech",
        scene.share_spoken() * 100.0
    );
    line("decode, activity, clips", &ours, scene, None);
    line("network on every block", &naive, scene, Some(&ours));
    line("of both: only decoding", &decoding, scene, None);
    if speakers > 1 {
        let together = best(rounds, || conference(scene))?;
        let each = best(rounds, || naive::decode_for_each(scene))?;
        line("decode once, mix for each", &together, scene, None);
        line("a decoder per listener", &each, scene, Some(&together));
    }
    let sound = scene.seconds * speakers;
    let clips = clip_seconds(scene)?;
    println!(
        "    given to ears: {clips:.1} s of {sound} s of sound ({:.1}× less than all of it)",
        sound as f64 / clips.max(0.1)
    );
    Ok(())
}

fn line(what: &str, times: &Times, scene: &Scene, ours: Option<&Times>) {
    let beside = ours.map_or_else(String::new, |ours| {
        format!("{:>8} ours", ratio(times.sum(), ours.sum()))
    });
    let core = times.sum().as_secs_f64() / scene.seconds as f64;
    println!(
        "    {what:<26} {:>8.2} ms a second, {core:.4} of a core; a frame p50 {:>10} p95 {:>10}{beside}",
        core * 1e3,
        microseconds(times.p50()),
        microseconds(times.p95()),
    );
}

/// The time of each frame of a room.
#[derive(Clone, Debug, Default)]
struct Times(Vec<Duration>);

impl Times {
    fn sum(&self) -> Duration {
        self.0.iter().sum()
    }

    fn p50(&self) -> Duration {
        self.at(50)
    }

    fn p95(&self) -> Duration {
        self.at(95)
    }

    fn at(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted
            .get(sorted.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    }
}

/// How much of the processor some work takes; what other programs take meanwhile does not count.
fn cpu_time(work: impl FnOnce()) -> Duration {
    let before = of_this_thread();
    work();
    of_this_thread().saturating_sub(before)
}

fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// The round that took the least: everything else is what other programs took.
fn best(rounds: usize, mut round: impl FnMut() -> anyhow::Result<Times>) -> anyhow::Result<Times> {
    let mut best: Option<Times> = None;
    for _ in 0..rounds {
        let times = round()?;
        if best.as_ref().is_none_or(|best| times.sum() < best.sum()) {
            best = Some(times);
        }
    }
    best.context("there is at least one round")
}

/// Our way: jitter, decoding, resampling, activity behind a gate, and clips.
fn listen(scene: &Scene) -> anyhow::Result<Times> {
    let mut tracks = Vec::new();
    for _ in &scene.tracks {
        tracks.push((IncomingTrack::new()?, Segmenter::default()));
    }
    let mut told: Vec<SpeechEvent> = Vec::new();
    let mut times = Times::default();
    for at in 0..scene.frames() {
        let now = (at * FRAME) as u64;
        let mut packets: Vec<_> = scene.tracks.iter().map(|track| track.packet(at)).collect();
        times.0.push(cpu_time(|| {
            for ((track, segmenter), packet) in tracks.iter_mut().zip(packets.drain(..)) {
                let mut frame: Frame = [0; FRAME];
                track.push(packet, now);
                track.frame(now, &mut frame);
                segmenter.push(&frame, &mut told);
            }
        }));
        black_box(told.drain(..).count());
    }
    Ok(times)
}

/// Our way for people who hear each other: every track is decoded once, and each hears the sum without their own.
fn conference(scene: &Scene) -> anyhow::Result<Times> {
    let mut tracks = Vec::new();
    for _ in &scene.tracks {
        tracks.push((IncomingTrack::new()?, Limiter::new()));
    }
    let mut frames: Vec<Frame> = vec![[0; FRAME]; tracks.len()];
    let (mut mixer, mut mix) = (Mixer::new(), [0; FRAME]);
    let mut times = Times::default();
    for at in 0..scene.frames() {
        let now = (at * FRAME) as u64;
        let mut packets: Vec<_> = scene.tracks.iter().map(|track| track.packet(at)).collect();
        times.0.push(cpu_time(|| {
            mixer.clear();
            for (((track, _), frame), packet) in tracks.iter_mut().zip(&mut frames).zip(packets.drain(..)) {
                track.push(packet, now);
                track.frame(now, frame);
                mixer.add(frame);
            }
            for ((_, limiter), frame) in tracks.iter_mut().zip(&frames) {
                mixer.without(frame, limiter, &mut mix);
                black_box(&mix);
            }
        }));
    }
    Ok(times)
}

/// How much sound ears are given of a scene.
fn clip_seconds(scene: &Scene) -> anyhow::Result<f64> {
    let mut samples = 0;
    for track in &scene.tracks {
        let (mut incoming, mut segmenter) = (IncomingTrack::new()?, Segmenter::default());
        let mut told = Vec::new();
        for at in 0..scene.frames() {
            let mut frame: Frame = [0; FRAME];
            let now = (at * FRAME) as u64;
            incoming.push(track.packet(at), now);
            incoming.frame(now, &mut frame);
            segmenter.push(&frame, &mut told);
        }
        segmenter.finish(&mut told);
        samples += told.iter().map(clip_samples).sum::<usize>();
    }
    Ok(samples as f64 / f64::from(audio::EAR_RATE))
}

fn clip_samples(event: &SpeechEvent) -> usize {
    match event {
        SpeechEvent::Clip(clip) => clip.samples_16k.len(),
        _ => 0,
    }
}

/// Parts that are no part of listening.
fn print_parts(speakers: usize, rounds: usize) -> anyhow::Result<()> {
    let sounds = scene::voices(speakers.max(2), 2);
    let frames: Vec<&[Frame]> = sounds.iter().map(|sound| sound.as_chunks::<FRAME>().0).collect();
    let length = frames[0].len();
    println!("parts");
    let mixing = best(rounds, || {
        let mut mixer = Mixer::new();
        let mut limiters = vec![Limiter::new(); frames.len()];
        let mut mix = [0; FRAME];
        let round = (0..length).map(|at| {
            cpu_time(|| {
                mixer.clear();
                for frames in &frames {
                    mixer.add(&frames[at]);
                }
                for (frames, limiter) in frames.iter().zip(&mut limiters) {
                    mixer.without(&frames[at], limiter, &mut mix);
                    black_box(&mix);
                }
            })
        });
        Ok(Times(round.collect()))
    })?;
    part(&format!("mixing for {} listeners", frames.len()), &mixing);
    let encoding = best(rounds, || {
        let mut encoder = VoiceEncoder::new(VoiceCoding::default())?;
        let mut packet = Vec::new();
        let round = frames[0].iter().map(|frame| {
            cpu_time(|| {
                black_box(encoder.encode(frame, &mut packet).is_ok());
            })
        });
        Ok(Times(round.collect()))
    })?;
    part("encoding a frame", &encoding);
    let mut guard = EchoGuard::new();
    frames[0].iter().for_each(|frame| guard.play(frame));
    let clip = audio::resample::Resampler::convert(RATE, audio::EAR_RATE, &sounds[1])?;
    let likeness = best(rounds, || {
        let took = cpu_time(|| {
            black_box(guard.likeness(&clip[..12_800], 0));
        });
        Ok(Times(vec![took]))
    })?;
    part("likeness of a clip of 800 ms to what was played", &likeness);
    Ok(())
}

fn part(what: &str, times: &Times) {
    println!("    {what:<50} p95 {:>10}", microseconds(times.p95()));
}
