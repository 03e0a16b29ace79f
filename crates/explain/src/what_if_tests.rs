//! Settings tried out over frames that were seen.

use mind::watch::note::NoteTrigger;
use settings::{Settings, StreamWatchSettings, ThresholdMode};
use vocabulary::{ChangeScore, FrameId, Moment};

use super::{Look, PastFrame, what_if};

fn seen(seconds: u64, score: f64) -> PastFrame {
    PastFrame {
        at: Moment(seconds * 1_000),
        frame: FrameId(seconds),
        change: ChangeScore {
            score,
            ema: score,
            scene_cut: score >= 0.4,
            region: None,
        },
        begins_watch: false,
    }
}

fn looks(frames: &[PastFrame], settings: &StreamWatchSettings) -> Vec<(u64, NoteTrigger)> {
    let until = frames.last().map_or(Moment(0), |last| Moment(last.at.0 + 60_000));
    let look = |look: &Look| (look.at.0 / 1_000, look.trigger);
    what_if(frames, until, settings).looks.iter().map(look).collect()
}

fn by_fixed_lines() -> StreamWatchSettings {
    StreamWatchSettings {
        threshold_mode: ThresholdMode::Absolute,
        ..Settings::default().stream_watch
    }
}

#[test]
fn the_first_frame_and_each_change_are_looked_at() {
    let settings = Settings::default().stream_watch;
    let frames = [seen(100, 0.0), seen(110, 0.5), seen(120, 0.0)];
    let found = looks(&frames, &settings);
    assert_eq!(
        found[..2],
        [(100, NoteTrigger::FirstFrame), (110, NoteTrigger::SceneCut)]
    );
}

#[test]
fn a_higher_line_makes_fewer_looks() {
    let usual = by_fixed_lines();
    let strict = StreamWatchSettings {
        change_threshold: 0.3,
        ..usual.clone()
    };
    let frames: Vec<PastFrame> = (0..60)
        .map(|second| seen(second, if second % 5 == 0 { 0.1 } else { 0.0 }))
        .collect();
    let (many, few) = (looks(&frames, &usual), looks(&frames, &strict));
    assert!(few.len() < many.len(), "{few:?} {many:?}");
    assert!(
        few.iter().all(|(_, trigger)| *trigger != NoteTrigger::Change),
        "{few:?}"
    );
}

#[test]
fn the_first_frame_of_another_watch_is_looked_at_again() {
    let settings = Settings::default().stream_watch;
    let mut frames = vec![seen(100, 0.0), seen(200, 0.0)];
    frames[1].begins_watch = true;
    assert!(looks(&frames, &settings).contains(&(200, NoteTrigger::FirstFrame)));
}

#[test]
fn lines_are_told_only_where_they_follow_the_screen() {
    let fixed = by_fixed_lines();
    let frames: Vec<PastFrame> = (0..40).map(|second| seen(second, 0.02)).collect();
    assert!(what_if(&frames, Moment(50_000), &fixed).lines.is_empty());
    let relative = StreamWatchSettings {
        threshold_mode: ThresholdMode::Relative,
        ..fixed
    };
    let lines = what_if(&frames, Moment(50_000), &relative).lines;
    assert_eq!(lines.len(), frames.len());
    assert_ne!(lines[0].lines.change, lines[39].lines.change);
}
