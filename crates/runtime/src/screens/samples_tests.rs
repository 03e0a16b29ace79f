//! The plot of a room holds ten minutes and no more points than it may.

use std::time::Duration;

use tokio::time::Instant;
use vocabulary::{ChangeScore, FrameId, Glimpse, PictureKind, WallTime};

use super::{SAMPLES_MAX, Samples};
use crate::screens::Sample;

fn sample(frame: u64) -> Sample {
    Sample {
        at: WallTime(0),
        glimpse: Glimpse {
            frame: FrameId(frame),
            kind: PictureKind::Jpeg,
            width: 1,
            height: 1,
            change: ChangeScore::default(),
        },
    }
}

fn frames(samples: &[Sample]) -> Vec<u64> {
    samples.iter().map(|sample| sample.glimpse.frame.0).collect()
}

#[test]
fn samples_are_seen_for_ten_minutes() {
    let began = Instant::now();
    let mut samples = Samples::default();
    samples.push(began, sample(1));
    samples.push(began + Duration::from_secs(10), sample(2));
    let just_before = began + Duration::from_millis(599_999);
    assert_eq!(frames(&samples.after(just_before, None)), [1, 2]);
    let then = began + Duration::from_secs(600);
    assert_eq!(frames(&samples.after(then, None)), [2]);
    samples.let_go(began + Duration::from_secs(610));
    assert!(samples.is_empty());
}

#[test]
fn only_so_many_samples_are_kept_however_fast_they_come() {
    let now = Instant::now();
    let mut samples = Samples::default();
    for frame in 1..=SAMPLES_MAX as u64 + 5 {
        samples.push(now, sample(frame));
    }
    let kept = frames(&samples.after(now, None));
    assert_eq!((kept.len(), kept[0]), (SAMPLES_MAX, 6));
    assert_eq!(frames(&samples.after(now, Some(FrameId(1_804)))), [1_805]);
}
