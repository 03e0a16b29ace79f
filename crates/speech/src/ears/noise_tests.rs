//! Microphones with more than a voice before them: radios, televisions, nods, and whoever reads no more.

use super::tests::{Scripted, desk, names, open, rest, silence, voice};
use super::*;

/// A radio that plays for so many seconds without a pause.
fn radio(seconds: usize) -> Vec<i16> {
    let piece = voice();
    let voiced: Vec<i16> = piece
        .chunks(960)
        .filter(|frame| frame.iter().any(|sample| sample.unsigned_abs() > 600))
        .flatten()
        .copied()
        .collect();
    voiced.into_iter().cycle().take(seconds * 48_000).collect()
}

#[tokio::test(start_paused = true)]
async fn a_radio_of_which_no_words_come_is_no_speech_until_words_come() {
    let transcriber = Arc::new(Scripted {
        wordless: 3,
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&radio(40)).await;
    room.hears(&silence(1_200)).await;
    drop(room);
    let all = rest(told).await;
    let stopped = all.iter().position(|heard| *heard == HeardSpeech::Stopped);
    let stopped = stopped.expect("it is taken for noise");
    let missed = all[..stopped]
        .iter()
        .filter(|heard| matches!(heard, HeardSpeech::Missed { .. }));
    assert_eq!(missed.count(), 2, "two parts without words are enough");
    let words = all
        .iter()
        .position(|heard| matches!(heard, HeardSpeech::Utterance(_)));
    let words = words.expect("the fourth part has words");
    assert_eq!(
        names(&all[stopped + 1..=words]),
        ["missed", "started", "utterance"]
    );
    let Some(HeardSpeech::Continues { spoken }) = all.get(words + 1) else {
        panic!("{:?}", all.get(words + 1))
    };
    assert!(spoken.0 < 700, "what was no speech does not count: {spoken:?}");
    assert_eq!(
        all.iter().filter(|heard| **heard == HeardSpeech::Stopped).count(),
        2
    );
}

#[tokio::test(start_paused = true)]
async fn a_din_that_goes_on_is_seldom_paid_for() {
    let transcriber = Arc::new(Scripted {
        wordless: 1_000,
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    for _ in 0..10 {
        room.hears(&radio(30)).await;
    }
    drop(room);
    rest(told).await;
    let asked = transcriber.asked.load(std::sync::atomic::Ordering::SeqCst);
    assert!((12..24).contains(&asked), "{asked} of about 40");
}

#[tokio::test(start_paused = true)]
async fn nodding_twice_is_no_longer_than_two_nods() {
    let transcriber = Arc::new(Scripted::default());
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    let nod: Vec<i16> = radio(1).into_iter().take(48 * 250).collect();
    room.hears(&silence(300)).await;
    room.hears(&nod).await;
    room.hears(&silence(450)).await;
    room.hears(&nod).await;
    room.hears(&silence(1_200)).await;
    drop(room);
    let longest = rest(told).await.into_iter().filter_map(|heard| match heard {
        HeardSpeech::Continues { spoken } => Some(spoken.0),
        _ => None,
    });
    let longest = longest.max().expect("it goes on");
    assert!((300..700).contains(&longest), "{longest} ms of voice");
}

#[tokio::test(start_paused = true)]
async fn a_television_far_behind_the_speaker_is_not_the_speaker() {
    let transcriber = Arc::new(Scripted::default());
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(1_000)).await;
    let far: Vec<i16> = voice().iter().map(|sample| sample / 16).collect();
    room.hears(&far).await;
    room.hears(&silence(1_000)).await;
    room.hears(&voice()).await;
    room.hears(&silence(1_000)).await;
    drop(room);
    let told: Vec<String> = rest(told)
        .await
        .into_iter()
        .filter_map(|heard| match heard {
            HeardSpeech::Utterance(utterance) => Some(utterance.text),
            HeardSpeech::Missed { detail, .. } => Some(detail),
            _ => None,
        })
        .collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!((told[0].as_str(), told[2].as_str()), ("words 0", "words 1"));
    assert!(told[1].contains("television"), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_lost_is_told_behind_what_was_said_before() {
    let transcriber = Arc::new(Scripted {
        takes: vec![4_000],
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(900)).await;
    // Long enough to be told of, and too sparse to be anything.
    for _ in 0..4 {
        room.hears(&radio(1)[..48 * 60]).await;
        room.hears(&silence(500)).await;
    }
    room.hears(&silence(900)).await;
    drop(room);
    let all = rest(told).await;
    let kinds: Vec<&str> = names(&all)
        .into_iter()
        .filter(|name| matches!(*name, "utterance" | "missed"))
        .collect();
    assert_eq!(kinds, ["utterance", "missed"], "{all:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_cancels_and_reads_no_more_need_not_wait() {
    let transcriber = Arc::new(Scripted::default());
    let (frames, receiver) = mpsc::channel(4_000);
    let (heard, told) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    for (place, frame) in radio(5).chunks(audio::FRAME).enumerate() {
        let bytes: Vec<u8> = frame.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let frame = SoundFrame {
            samples: bytes::Bytes::from(bytes),
            at: vocabulary::Span(place as u64 * 20),
        };
        frames.try_send(frame).expect("room");
    }
    let track = Track::new(Ok(desk(&transcriber)), SegmentRules::default(), None);
    let listening = tokio::spawn(track.listen(receiver, heard, cancel.clone()));
    tokio::time::sleep(Duration::from_millis(100)).await;
    cancel.cancel();
    tokio::time::timeout(Duration::from_secs(5), listening)
        .await
        .expect("it ends")
        .expect("no panic");
    drop(told);
}

/// Denizen falls silent after 700 ms of speech over its own, unless it knows by then that they only nod.
#[tokio::test(start_paused = true)]
async fn words_are_there_before_they_would_silence_denizen() {
    let transcriber = Arc::new(Scripted {
        free: true,
        takes: vec![200; 20],
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(1_200)).await;
    drop(room);
    let all = rest(told).await;
    let silences = |said: &HeardSpeech| matches!(said, HeardSpeech::Continues { spoken } if spoken.0 >= 700);
    let before = all.iter().take_while(|said| !silences(said));
    let understood = before.filter(|said| matches!(said, HeardSpeech::Partial(_)));
    assert_eq!(understood.count(), 1, "{all:?}");
    let until = |said: &HeardSpeech| matches!(said, HeardSpeech::Continues { spoken } if spoken.0 >= 1_100);
    let before = all.iter().take_while(|said| !until(said));
    let understood = before.filter(|said| matches!(said, HeardSpeech::Partial(_)));
    assert_eq!(
        understood.count(),
        2,
        "what follows a nod is understood soon: {all:?}"
    );
}
