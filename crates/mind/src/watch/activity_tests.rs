use proptest::prelude::*;
use settings::{Settings, StreamWatchSettings};
use vocabulary::{ChangeScore, Moment, ScreenRegion, Span};

use super::activity::{Activity, Baseline, Thresholds};

/// A screen that gives two frames a second.
struct Screen {
    baseline: Baseline,
    settings: StreamWatchSettings,
    now: Moment,
    every: Span,
    frames: usize,
    region: Option<ScreenRegion>,
}

impl Screen {
    fn new(mode: &str) -> Self {
        Self {
            baseline: Baseline::default(),
            settings: watching(mode),
            now: Moment(1_000),
            every: Span(500),
            frames: 0,
            region: Some(ScreenRegion::Centre),
        }
    }

    /// One on which `scores` have been usual for half a minute.
    fn used_to(scores: fn(usize) -> f64) -> Self {
        let mut screen = Self::new("relative");
        screen.goes_on(30, scores);
        screen
    }

    fn shows(&mut self, score: f64) -> Activity {
        self.judge(ChangeScore {
            score,
            ema: 0.0,
            scene_cut: false,
            region: self.region,
        })
    }

    fn judge(&mut self, change: ChangeScore) -> Activity {
        self.now = self.now + self.every;
        self.frames += 1;
        self.baseline.judge(self.now, &change, &self.settings).activity
    }

    /// Shows scores by number for some seconds, and what each was taken for.
    fn goes_on(&mut self, seconds: u64, scores: fn(usize) -> f64) -> Vec<Activity> {
        let frames = Span::seconds(seconds).0 / self.every.0;
        (0..frames).map(|_| self.shows(scores(self.frames))).collect()
    }

    fn lines(&self) -> Thresholds {
        self.baseline.thresholds(&self.settings)
    }
}

fn watching(mode: &str) -> StreamWatchSettings {
    StreamWatchSettings {
        threshold_mode: settings::ThresholdMode::named(mode).expect("a mode"),
        ..Settings::default().stream_watch
    }
}

fn told(activities: &[Activity]) -> usize {
    let told = activities
        .iter()
        .filter(|activity| **activity == Activity::Significant);
    told.count()
}

/// A wave that is the same each time and never quite regular, between -1 and 1.
fn wave(number: usize) -> f64 {
    (number as f64 * 2.399).sin()
}

/// A lobby: a hundredth, give or take a twentieth of that.
fn particles(number: usize) -> f64 {
    0.010 + 0.0005 * wave(number)
}

/// A fight: three hundredths, give or take half of that.
fn fight(number: usize) -> f64 {
    0.030 + 0.015 * wave(number)
}

fn blinking(number: usize) -> f64 {
    0.00002 * (number % 2) as f64
}

fn nothing(_number: usize) -> f64 {
    0.0
}

const CUT: ChangeScore = ChangeScore {
    score: 0.6,
    ema: 0.21,
    scene_cut: true,
    region: Some(ScreenRegion::Everywhere),
};

#[test]
fn absolutely_a_score_or_a_smoothed_score_at_the_threshold_is_significant() {
    let mut screen = Screen::new("absolute");
    for (score, ema, activity) in [
        (0.01, 0.0, Activity::Significant),
        (0.0, 0.01, Activity::Significant),
        (0.0099, 0.0099, Activity::Moving),
        (0.005, 0.0, Activity::Moving),
        (0.0, 0.005, Activity::Moving),
        (0.0049, 0.0049, Activity::Static),
    ] {
        let change = ChangeScore {
            score,
            ema,
            scene_cut: false,
            region: None,
        };
        assert_eq!(screen.judge(change), activity, "{score} {ema}");
    }
    assert_eq!(screen.judge(CUT), Activity::Significant);
}

#[test]
fn until_something_is_usual_the_absolute_lines_hold() {
    let mut screen = Screen::new("relative");
    let absolute = Thresholds {
        change: 0.01,
        static_floor: 0.005,
    };
    for _ in 0..5 {
        assert_eq!(screen.lines(), absolute);
        assert_eq!(screen.shows(0.012), Activity::Significant);
        assert_eq!(screen.shows(0.007), Activity::Moving);
    }
    screen.shows(0.0);
    screen.shows(0.0);
    assert_ne!(screen.lines(), absolute);
}

#[test]
fn drifting_particles_are_background_and_the_lines_lie_above_them() {
    let mut lobby = Screen::used_to(particles);
    assert!(lobby.lines().static_floor > 0.0105, "{:?}", lobby.lines());
    assert!(lobby.lines().change < 0.014, "{:?}", lobby.lines());
    let later = lobby.goes_on(120, particles);
    assert!(
        later.iter().all(|activity| *activity == Activity::Static),
        "{later:?}"
    );
}

#[test]
fn a_fight_moves_without_anything_happening_in_it() {
    let mut screen = Screen::used_to(fight);
    let later = screen.goes_on(60, fight);
    assert!(
        later.iter().all(|activity| *activity == Activity::Moving),
        "{later:?}"
    );
}

#[test]
fn a_panel_over_particles_and_a_line_in_an_editor_are_both_noticed() {
    for (usual, score) in [(particles as fn(usize) -> f64, 0.016), (blinking, 0.0026)] {
        let mut screen = Screen::used_to(usual);
        screen.shows(score);
        assert_eq!(told(&screen.goes_on(5, usual)), 1, "{score}");
    }
}

#[test]
fn a_jump_is_told_once_and_when_it_has_settled() {
    let mut screen = Screen::used_to(nothing);
    assert_eq!(screen.shows(0.05), Activity::Static);
    assert_eq!(screen.shows(0.04), Activity::Static);
    assert_eq!(screen.shows(0.0), Activity::Significant);
    assert_eq!(told(&screen.goes_on(30, nothing)), 0);
}

#[test]
fn a_change_that_does_not_settle_is_told_after_two_seconds_and_when_it_rests() {
    let mut screen = Screen::used_to(nothing);
    let scrolling = screen.goes_on(6, |_| 0.04);
    let first = scrolling
        .iter()
        .position(|activity| *activity == Activity::Significant);
    assert_eq!((first, told(&scrolling)), (Some(4), 1), "{scrolling:?}");
    assert_eq!(scrolling[11], Activity::Moving);
    let after = screen.goes_on(30, nothing);
    assert_eq!(after[..4].last(), Some(&Activity::Significant), "{after:?}");
    assert_eq!(told(&after), 1);
}

#[test]
fn where_frames_are_far_apart_a_jump_is_told_at_once() {
    let mut screen = Screen::new("relative");
    screen.every = Span::seconds(5);
    screen.goes_on(120, nothing);
    assert_eq!(screen.shows(0.004), Activity::Significant);
}

#[test]
fn a_cut_is_told_at_once_and_does_not_raise_the_lines() {
    let mut screen = Screen::new("relative");
    assert_eq!(screen.judge(CUT), Activity::Significant);
    screen.goes_on(30, particles);
    let before = screen.lines();
    assert_eq!(screen.judge(CUT), Activity::Significant);
    screen.goes_on(2, particles);
    let after = screen.lines();
    assert!(
        (after.change - before.change).abs() < 0.001,
        "{before:?} {after:?}"
    );
}

#[test]
fn a_livelier_scene_is_usual_within_ten_to_twenty_seconds() {
    let mut screen = Screen::used_to(particles);
    let entering = screen.goes_on(8, fight);
    assert!(told(&entering) >= 1, "{entering:?}");
    assert!(screen.lines().change < 0.03, "{:?}", screen.lines());
    screen.goes_on(12, fight);
    assert!(screen.lines().change > 0.045, "{:?}", screen.lines());
    assert_eq!(told(&screen.goes_on(60, fight)), 0);
}

#[test]
fn a_quieter_scene_is_usual_within_six_seconds() {
    let mut screen = Screen::used_to(fight);
    screen.goes_on(6, blinking);
    assert!(screen.lines().change < 0.003, "{:?}", screen.lines());
}

#[test]
fn an_advertisement_that_turns_every_three_seconds_becomes_background() {
    let turning = |number: usize| if number.is_multiple_of(6) { 0.005 } else { 0.0 };
    let mut screen = Screen::used_to(turning);
    let later = screen.goes_on(120, turning);
    assert!(
        later.iter().all(|activity| *activity == Activity::Static),
        "{later:?}"
    );
    while screen.frames % 6 != 4 {
        screen.shows(turning(screen.frames));
    }
    // The same elsewhere is something else.
    screen.region = Some(ScreenRegion::TopLeft);
    screen.shows(0.005);
    screen.region = Some(ScreenRegion::Centre);
    assert_eq!(told(&screen.goes_on(12, turning)), 1);
}

#[test]
fn a_long_scroll_is_one_jump_and_does_not_hide_what_comes_after_it() {
    let mut screen = Screen::used_to(nothing);
    screen.goes_on(6, |_| 0.04);
    screen.goes_on(6, nothing);
    screen.shows(0.01);
    assert_eq!(screen.shows(0.0), Activity::Significant);
}

#[test]
fn of_many_lines_that_are_typed_few_are_told_but_what_stands_out_is() {
    let typing = |number: usize| {
        if number.is_multiple_of(9) {
            0.004 + 0.001 * wave(number)
        } else {
            0.00003
        }
    };
    let mut screen = Screen::used_to(typing);
    let (later, lines) = (screen.goes_on(90, typing), 20);
    assert!(told(&later) < lines / 3, "{} of {lines}", told(&later));
    screen.shows(0.016);
    assert_eq!(screen.shows(0.0), Activity::Significant);
}

#[test]
fn a_rushing_log_that_stops_is_told_within_four_seconds() {
    let mut screen = Screen::used_to(|number| 0.013 + 0.0008 * wave(number));
    let after = screen.goes_on(4, nothing);
    assert_eq!(told(&after), 1, "{after:?}");
    assert_eq!(told(&screen.goes_on(30, nothing)), 0);
}

#[test]
fn ten_frames_a_second_are_judged_as_two_are() {
    let mut screen = Screen::new("relative");
    screen.every = Span(100);
    screen.goes_on(30, particles);
    assert!(screen.lines().static_floor > 0.0105, "{:?}", screen.lines());
    let later = screen.goes_on(60, particles);
    assert!(
        later.iter().all(|activity| *activity == Activity::Static),
        "{later:?}"
    );
    screen.shows(0.016);
    assert_eq!(told(&screen.goes_on(2, particles)), 1);
}

#[test]
fn nothing_is_learnt_while_the_lines_are_absolute() {
    let mut screen = Screen::used_to(particles);
    screen.settings = watching("absolute");
    screen.shows(0.01);
    assert_eq!(screen.baseline, Baseline::default());
}

/// Scores as they are, as they must not be, and as nobody would send them.
fn any_score() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 0.0..0.05_f64,
        2 => 0.0..1.0_f64,
        1 => prop_oneof![
            Just(f64::NAN),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            Just(f64::MAX),
            Just(-0.3),
            Just(f64::MIN_POSITIVE),
        ],
    ]
}

fn any_frame() -> impl Strategy<Value = (u64, ChangeScore)> {
    let gap = prop_oneof![10 => 50_u64..700, 1 => Just(0), 1 => 5_000_u64..4_000_000];
    let region = proptest::option::of(prop_oneof![
        Just(ScreenRegion::Top),
        Just(ScreenRegion::Everywhere)
    ]);
    let change = (any_score(), any_score(), proptest::bool::weighted(0.03), region);
    (gap, change).prop_map(|(gap, (score, ema, scene_cut, region))| {
        let change = ChangeScore {
            score,
            ema,
            scene_cut,
            region,
        };
        (gap, change)
    })
}

proptest! {
    /// Whatever comes: cuts are told, the lines can be drawn, and the state is small and survives being written down.
    #[test]
    fn the_state_stays_small_and_finite_whatever_comes(frames in proptest::collection::vec(any_frame(), 0..200)) {
        let settings = watching("relative");
        let mut baseline = Baseline::default();
        let mut now = Moment(0);
        for (number, (gap, change)) in frames.iter().enumerate() {
            // Now and then the clock is behind.
            now = if number % 97 == 96 { Moment(now.0 / 2) } else { Moment(now.0 + gap) };
            let activity = baseline.judge(now, change, &settings).activity;
            prop_assert!(!change.scene_cut || activity == Activity::Significant);
            let Thresholds { change, static_floor } = baseline.thresholds(&settings);
            prop_assert!(change.is_finite() && static_floor > 0.0 && static_floor <= change, "{static_floor} {change}");
        }
        let written = serde_json::to_string(&baseline).expect("a baseline is plain data");
        prop_assert!(written.len() < 4_500, "{} bytes", written.len());
        let read: Baseline = serde_json::from_str(&written).expect("no number in it is infinite or none at all");
        prop_assert_eq!(read, baseline);
    }
}
