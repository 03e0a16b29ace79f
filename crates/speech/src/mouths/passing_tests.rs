//! Sound of a service on its way into frames.

use super::*;

fn piece(samples: usize, marks: Vec<(f64, usize)>) -> RealtimeSound {
    RealtimeSound {
        rate: 24_000,
        samples: vec![1_000; samples],
        marks,
    }
}

#[tokio::test]
async fn all_of_it_comes_through_with_the_words_that_are_said_by_then() {
    let (to, pieces) = mpsc::channel(8);
    let (sound, mut frames) = mpsc::channel(1_000);
    // A second in four pieces, which end within frames; a word every quarter of it.
    for part in 1..=4_usize {
        to.send(piece(6_000, vec![(part as f64 * 0.25, part * 5)]))
            .await
            .expect("somebody reads");
    }
    drop(to);
    pass_on(pieces, sound).await.expect("it can be used");
    let mut all = Vec::new();
    while let Some(frame) = frames.recv().await {
        all.push(frame);
    }
    assert_eq!(all.len(), 50);
    assert!(all.iter().all(|frame| frame.sentence == 0));
    let at = |number: usize| all[number - 1].characters;
    assert_eq!(
        (at(1), at(13), at(25), at(50)),
        (Some(0), Some(5), Some(10), Some(20))
    );
    assert_eq!(all[49].frame.at.0, 49 * 20);
}

#[tokio::test]
async fn what_no_time_is_known_of_has_no_characters() {
    let (to, pieces) = mpsc::channel(8);
    let (sound, mut frames) = mpsc::channel(100);
    to.send(piece(100, Vec::new())).await.expect("somebody reads");
    drop(to);
    pass_on(pieces, sound).await.expect("it can be used");
    assert_eq!(frames.recv().await.expect("a frame").characters, None);
    assert!(
        frames.recv().await.is_none(),
        "the rest is filled up with silence"
    );
}
