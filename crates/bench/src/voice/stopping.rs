//! From the moment that somebody has spoken over Denizen for long enough to its silence.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use audio::{FRAME, Frame, pcm};
use runtime::ports::{SoundFrame, Voice as _, VoiceRoom};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use vocabulary::{Author, AuthorKind, DeliveryId, PersonId, RoomId, Span};
use voice_intake::{Halls, Lobby, Stay};

use super::Times;
use crate::spoken::listener::Listener;
use crate::{microseconds, timed};

/// Frames that wait to be heard when it is stopped: four seconds of speech.
const QUEUED: usize = 200;
/// Frames that are heard before.
const HEARD: usize = 10;
/// No sound for so long is silence.
const SILENCE: Duration = Duration::from_millis(120);

/// Prints how long each part of falling silent takes.
pub fn print(rounds: usize) -> anyhow::Result<()> {
    println!(
        "falling silent when it is spoken over, {QUEUED} frames queued; the frame before is heard to its end, 20 ms at most"
    );
    let deciding: anyhow::Result<Vec<Duration>> = (0..rounds.max(5)).map(|_| decide()).collect();
    let deciding = Times(deciding?);
    println!(
        "    deciding it, in the mind                           p50 {:>10}  p95 {:>10}",
        microseconds(deciding.p50()),
        microseconds(deciding.p95())
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut after = Vec::new();
    let mut lasted = Vec::new();
    for round in 0..rounds.max(5) {
        let (frames, took) = runtime.block_on(stop(Duration::from_millis(round as u64 * 7 % 20)))?;
        after.push(frames);
        lasted.push(took);
    }
    let lasted = Times(lasted);
    println!(
        "    sound that a listener is still given                p50 {:>7.1} ms  p95 {:>7.1} ms, {} frames at most",
        lasted.p50().as_secs_f64() * 1e3,
        lasted.p95().as_secs_f64() * 1e3,
        after.iter().max().copied().unwrap_or_default()
    );
    let left = QUEUED - HEARD;
    println!(
        "    the same where what is queued is played out         {:>11.1} ms, {left} frames",
        left as f64 * 20.0
    );
    Ok(())
}

/// How long the mind takes to see that it is spoken over.
fn decide() -> anyhow::Result<Duration> {
    let mut room = Listener::new(["Ann", "Bob"], &[]).never_done();
    room.hear(
        "Ann",
        "Denizen, tell us a long story.",
        Span(1_500),
        "Once upon a time there was a house, and in it lived somebody. One day it rained.",
    );
    ensure!(room.is_saying(), "it was asked for a story, and says nothing");
    room.begins("Bob");
    let mut stops = false;
    let took = timed(|| stops = room.is_stopped_by("Bob", Span(800)));
    ensure!(stops, "it was spoken over for 800 ms, and goes on");
    Ok(took)
}

/// Frames of sound that a listener is given after a stop, and for how long.
async fn stop(phase: Duration) -> anyhow::Result<(usize, Duration)> {
    let (told, _coming) = mpsc::channel(8);
    let halls = Halls::new(Lobby::new(), told);
    let room = RoomId::new("lounge");
    let (denizen, _events) = halls.join(&room).await?;
    let denizen: Arc<dyn VoiceRoom> = Arc::from(denizen);
    let author = Author {
        id: PersonId::new("local:ann"),
        name: "Ann".to_owned(),
        kind: AuthorKind::Person,
    };
    let ann = halls.come(&room, author, false)?;
    let (frames, queued) = mpsc::channel(QUEUED);
    for number in 0..QUEUED {
        frames
            .try_send(tone(number))
            .ok()
            .context("there is room for all")?;
    }
    let player = denizen.clone();
    let playing = tokio::spawn(async move { player.play(&DeliveryId::new("story"), queued).await });
    for _ in 0..HEARD {
        ann.hear().await.ok().context("she is there")?;
    }
    sleep(phase).await;
    // What she was given before the stop is not counted.
    while ann.waiting().is_some() {}
    let stopped = Instant::now();
    denizen.stop();
    let heard = sound_until_silence(&ann, stopped).await;
    playing.await??;
    Ok(heard)
}

async fn sound_until_silence(ann: &Stay, since: Instant) -> (usize, Duration) {
    let (mut frames, mut lasted) = (0, Duration::ZERO);
    while let Ok(Ok(frame)) = timeout(SILENCE, ann.hear()).await {
        if frame.iter().any(|sample| *sample != 0) {
            frames += 1;
            lasted = since.elapsed();
        }
    }
    (frames, lasted)
}

fn tone(number: usize) -> SoundFrame {
    let frame: Frame = std::array::from_fn(|at| if at % 100 < 50 { 4_000 } else { -4_000 });
    let mut samples = Vec::with_capacity(2 * FRAME);
    pcm::write(&frame, &mut samples);
    SoundFrame {
        samples: samples.into(),
        at: Span(number as u64 * 20),
    }
}
