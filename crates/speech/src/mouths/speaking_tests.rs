use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::*;

/// Makes 100 ms of sound a sentence, as it is told.
#[derive(Default)]
struct Scripted {
    asked: AtomicUsize,
    /// The first sentence that fails, and how many pieces it gives before.
    fails: Option<(usize, usize)>,
    /// Only that one fails.
    fails_once: bool,
    /// Sends a piece without sound each second, for ever.
    trickles: bool,
    /// Never comes to an end.
    hangs: bool,
    /// Runs on this machine.
    is_here: bool,
    price: Option<u64>,
}

#[async_trait]
impl Voicebox for Scripted {
    fn engine(&self) -> String {
        "scripted".to_owned()
    }

    async fn say(&self, text: &str, _: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        let pieces = match self.fails {
            Some((first, pieces)) if self.is_failing(number, first) => pieces,
            _ => 5,
        };
        for place in 0..pieces {
            let piece = Sound {
                rate: 48_000,
                samples: vec![text.len() as i16; 960],
                marks: vec![(0.02 * place as f64, place)],
            };
            if sound.send(piece).await.is_err() {
                return Ok(());
            }
        }
        if self.trickles {
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let _ = sound.send(Sound::default()).await;
            }
        }
        if self.hangs {
            std::future::pending::<()>().await;
        }
        match self.fails {
            Some((first, _)) if self.is_failing(number, first) => Err(Trouble::passing("scripted trouble")),
            _ => Ok(()),
        }
    }

    fn one_at_a_time(&self) -> bool {
        self.is_here
    }

    fn cost(&self, characters: u64, _: f64) -> Option<u64> {
        self.price.map(|price| price * characters)
    }
}

impl Scripted {
    fn is_failing(&self, number: usize, first: usize) -> bool {
        if self.fails_once {
            number == first
        } else {
            number >= first
        }
    }
}

fn speaking(voicebox: &Arc<Scripted>, reserve: Option<Arc<Scripted>>) -> Speaking {
    Speaking::new(
        Arc::clone(voicebox) as Arc<dyn Voicebox>,
        reserve.map(|reserve| reserve as Arc<dyn Voicebox>),
        Tongue::default(),
        Duration::from_secs(5),
    )
}

fn written(sentences: &[&str]) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(64);
    for sentence in sentences {
        sender.try_send((*sentence).to_owned()).expect("room");
    }
    receiver
}

async fn spoken(speaking: &Speaking, sentences: &[&str]) -> (Spoken, Vec<SpokenSound>) {
    let (sender, mut receiver) = mpsc::channel(10_000);
    let cancel = CancellationToken::new();
    let spoken = speaking
        .speak("", written(sentences), sender, &cancel, |_| {})
        .await;
    let mut heard = Vec::new();
    while let Ok(frame) = receiver.try_recv() {
        heard.push(frame);
    }
    (spoken, heard)
}

#[tokio::test]
async fn sentences_are_heard_in_order_and_what_is_not_sayable_is_passed_over() {
    let voicebox = Arc::new(Scripted {
        price: Some(2),
        ..Scripted::default()
    });
    let (spoken, heard) = spoken(&speaking(&voicebox, None), &["One.", "[SKIP]", "🫠", "Three."]).await;
    assert_eq!(
        spoken,
        Spoken {
            engine: "scripted".to_owned(),
            characters: 10,
            cost_micro_dollars: Some(20),
            fault: None
        }
    );
    let sentences: Vec<usize> = heard.iter().map(|frame| frame.sentence).collect();
    assert_eq!(
        sentences,
        [vec![0; 5], vec![3; 11]].concat(),
        "a pause is before the second"
    );
    for (place, frame) in heard.iter().enumerate() {
        assert_eq!(frame.frame.at.0, place as u64 * 20);
    }
    assert_eq!(heard[4].characters, Some(4), "the whole of it is said");
    assert_eq!(voicebox.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn one_sentence_is_made_ahead_and_no_more() {
    let voicebox = Arc::new(Scripted::default());
    let speaking = Arc::new(speaking(&voicebox, None));
    let (sender, mut receiver) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    let sentences = written(&["One.", "Two.", "Three.", "Four.", "Five."]);
    let task = tokio::spawn({
        let cancel = cancel.clone();
        async move { speaking.speak("", sentences, sender, &cancel, |_| {}).await }
    });
    receiver.recv().await.expect("sound");
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        voicebox.asked.load(Ordering::SeqCst),
        2,
        "one is heard, one is made"
    );
    cancel.cancel();
    let spoken = task.await.expect("no panic");
    assert_eq!(spoken.fault, None);
    assert_eq!(spoken.characters, 8, "what was made is counted, heard or not");
    assert_eq!(spoken.cost_micro_dollars, None, "no price is known");
}

#[tokio::test]
async fn what_runs_here_begins_a_sentence_when_the_one_before_is_made() {
    let voicebox = Arc::new(Scripted {
        hangs: true,
        is_here: true,
        ..Scripted::default()
    });
    let speaking = Arc::new(speaking(&voicebox, None));
    let (sender, mut receiver) = mpsc::channel(64);
    let cancel = CancellationToken::new();
    let task = tokio::spawn({
        let cancel = cancel.clone();
        async move {
            let sentences = written(&["One.", "Two."]);
            speaking.speak("", sentences, sender, &cancel, |_| {}).await
        }
    });
    receiver.recv().await.expect("sound");
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        voicebox.asked.load(Ordering::SeqCst),
        1,
        "the first is still being made"
    );
    cancel.cancel();
    assert_eq!(task.await.expect("no panic").fault, None);
}

#[tokio::test]
async fn it_falls_silent_when_it_is_told_to_though_the_engine_hangs() {
    let voicebox = Arc::new(Scripted {
        hangs: true,
        ..Scripted::default()
    });
    let speaking = Arc::new(speaking(&voicebox, None));
    let (sender, mut receiver) = mpsc::channel(64);
    let cancel = CancellationToken::new();
    let task = tokio::spawn({
        let cancel = cancel.clone();
        async move {
            speaking
                .speak("", written(&["One."]), sender, &cancel, |_| {})
                .await
        }
    });
    receiver.recv().await.expect("sound");
    cancel.cancel();
    assert_eq!(task.await.expect("no panic").fault, None);
    while receiver.recv().await.is_some() {}
}

#[tokio::test]
async fn nobody_listening_ends_it() {
    let voicebox = Arc::new(Scripted::default());
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    let (_open, sentences) = mpsc::channel(1);
    _open.try_send("One.".to_owned()).expect("room");
    let cancel = CancellationToken::new();
    let spoken = speaking(&voicebox, None)
        .speak("", sentences, sender, &cancel, |_| {})
        .await;
    assert_eq!(spoken.fault, None);
}

#[tokio::test]
async fn what_one_voice_cannot_say_another_says() {
    let failing = Arc::new(Scripted {
        fails: Some((1, 0)),
        price: Some(10),
        ..Scripted::default()
    });
    let reserve = Arc::new(Scripted {
        price: Some(0),
        ..Scripted::default()
    });
    let speaking = speaking(&failing, Some(Arc::clone(&reserve)));
    let (spoken, heard) = spoken(&speaking, &["One.", "Two.", "Three."]).await;
    assert_eq!(spoken.fault, None);
    assert_eq!(reserve.asked.load(Ordering::SeqCst), 2, "and goes on saying");
    assert_eq!(spoken.cost_micro_dollars, Some(40), "what failed is not paid for");
    assert_eq!(heard.last().map(|frame| frame.sentence), Some(2));
}

#[tokio::test]
async fn trouble_without_anybody_else_is_told_with_what_was_said() {
    let failing = Arc::new(Scripted {
        fails: Some((1, 2)),
        price: Some(1),
        ..Scripted::default()
    });
    let (spoken, heard) = spoken(&speaking(&failing, None), &["One.", "Two.", "Three.", "Four."]).await;
    let fault = spoken.fault.expect("a fault");
    assert!(fault.retryable && fault.detail == "scripted trouble");
    assert_eq!(
        heard.iter().filter(|frame| frame.sentence == 1).count(),
        8,
        "a pause and two pieces"
    );
    assert!(
        heard.iter().all(|frame| frame.sentence < 3),
        "two sentences in a row that were not said are enough"
    );
}

#[tokio::test(start_paused = true)]
async fn a_voice_that_takes_too_long_is_given_up() {
    let hanging = Arc::new(Scripted {
        hangs: true,
        ..Scripted::default()
    });
    let (spoken, _) = spoken(&speaking(&hanging, None), &["One."]).await;
    let fault = spoken.fault.expect("a fault");
    assert!(fault.detail.contains("took longer than 5 s"), "{fault}");
}

#[tokio::test]
async fn behind_a_sentence_that_cannot_be_said_the_others_are() {
    for pieces in [0, 2] {
        let once = Arc::new(Scripted {
            fails: Some((1, pieces)),
            fails_once: true,
            ..Scripted::default()
        });
        let (spoken, heard) = spoken(&speaking(&once, None), &["One.", "Two.", "Three."]).await;
        assert_eq!(spoken.fault, None);
        assert_eq!(heard.last().map(|frame| frame.sentence), Some(2));
    }
}

#[tokio::test]
async fn what_breaks_off_is_gone_on_with_by_the_other_voice() {
    let breaking = Arc::new(Scripted {
        fails: Some((0, 2)),
        ..Scripted::default()
    });
    let reserve = Arc::new(Scripted::default());
    let speaking = speaking(&breaking, Some(Arc::clone(&reserve)));
    let (first, heard) = spoken(&speaking, &["One.", "Two.", "Three."]).await;
    assert_eq!(first.fault, None);
    assert_eq!(heard.last().map(|frame| frame.sentence), Some(2));
    assert_eq!(reserve.asked.load(Ordering::SeqCst), 2);
    let asked = breaking.asked.load(Ordering::SeqCst);
    let (second, _) = spoken(&speaking, &["Four."]).await;
    assert_eq!(second.fault, None);
    assert_eq!(
        breaking.asked.load(Ordering::SeqCst),
        asked,
        "whoever failed is left alone for a minute"
    );
}

#[tokio::test(start_paused = true)]
async fn a_trickle_without_sound_is_given_up() {
    let trickling = Arc::new(Scripted {
        trickles: true,
        ..Scripted::default()
    });
    let began = Instant::now();
    let (spoken, _) = spoken(&speaking(&trickling, None), &["One."]).await;
    assert!(spoken.fault.expect("a fault").detail.contains("took longer"));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn whoever_stops_listening_is_noticed_while_nothing_is_written() {
    let voicebox = Arc::new(Scripted::default());
    let speaking = speaking(&voicebox, None);
    let (open, sentences) = mpsc::channel(1);
    let (sender, receiver) = mpsc::channel(64);
    let cancel = CancellationToken::new();
    let telling = async {
        tokio::task::yield_now().await;
        drop(receiver);
    };
    let (spoken, ()) = tokio::join!(speaking.speak("", sentences, sender, &cancel, |_| {}), telling);
    assert_eq!(spoken.fault, None);
    drop(open);
}

#[tokio::test(start_paused = true)]
async fn what_a_service_was_asked_for_and_took_too_long_over_is_paid_for() {
    let slow = Arc::new(Scripted {
        fails: Some((0, 0)),
        hangs: true,
        price: Some(2),
        ..Scripted::default()
    });
    let reserve = Arc::new(Scripted {
        price: Some(0),
        ..Scripted::default()
    });
    let (spoken, heard) = spoken(&speaking(&slow, Some(reserve)), &["One.", "Two."]).await;
    assert!(!heard.is_empty(), "the other voice says it");
    // Both were on their way when the first was given up.
    assert_eq!(spoken.cost_micro_dollars, Some(16));
}
