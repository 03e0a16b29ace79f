//! The watch page tries thresholds out with the same rules. What both have to agree on is in one file, which is written here.

use expect_test::expect_file;
use mind::watch::activity::{Activity, Baseline};
use settings::{Settings, StreamWatchSettings};
use vocabulary::{ChangeScore, Moment, ScreenRegion};

const ALPHA: f64 = 0.35;
const SCENE_CUT: f64 = 0.4;

/// A stretch of a screen's life: so many frames, so far apart, with these scores.
struct Scene {
    frames: u64,
    apart: u64,
    region: ScreenRegion,
    score: fn(u64, f64) -> f64,
}

#[test]
fn the_page_judges_as_the_mind_does() {
    let absolute = Settings::default().stream_watch;
    let relative = StreamWatchSettings {
        threshold_mode: settings::ThresholdMode::Relative,
        ..absolute.clone()
    };
    let (mut fixed, mut usual) = (Baseline::default(), Baseline::default());
    let mut rows = Vec::new();
    for (at, change) in life() {
        let by_lines = fixed.judge(Moment(at), &change, &absolute);
        let by_habit = usual.judge(Moment(at), &change, &relative);
        let lines = usual.thresholds(&relative);
        let row = serde_json::json!([
            at,
            change.score,
            change.ema,
            change.scene_cut,
            change.region,
            name(by_lines),
            name(by_habit),
            lines.change,
            lines.static_floor,
        ]);
        rows.push(format!("  {row}"));
    }
    let file = format!("[\n{}\n]\n", rows.join(",\n"));
    expect_file!["../../../ui/src/watch/judged.json"].assert_eq(&file);
}

/// All scenes, one after another.
fn life() -> Vec<(u64, ChangeScore)> {
    let (mut at, mut ema, mut seed) = (10_000, 0.0, 7_u64);
    let mut frames = Vec::new();
    for scene in scenes() {
        for frame in 0..scene.frames {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let chance = (seed >> 40) as f64 / (1_u64 << 24) as f64;
            // Short numbers, so that whoever reads the file has the very same.
            let score = short((scene.score)(frame, chance));
            ema = short(ema + ALPHA * (score - ema));
            at += scene.apart;
            let change = ChangeScore {
                score,
                ema,
                scene_cut: score >= SCENE_CUT,
                region: (score > 0.0).then_some(scene.region),
            };
            frames.push((at, change));
        }
    }
    frames
}

fn scenes() -> Vec<Scene> {
    use ScreenRegion::{Bottom, Centre, Everywhere, Left, TopRight};
    let scene = |frames, apart, region, score| Scene {
        frames,
        apart,
        region,
        score,
    };
    vec![
        // Hardly anything, with one change that is small and one that is large.
        scene(60, 500, Centre, |frame, chance| match frame {
            30 => 0.006,
            45 => 0.05,
            _ => 0.0003 * chance,
        }),
        // A fight.
        scene(70, 500, Everywhere, |_, chance| 0.012 + 0.02 * chance),
        // Particles that drift, and stop.
        scene(60, 500, Bottom, |_, chance| 0.006 + 0.0003 * chance),
        scene(20, 500, Bottom, |_, _| 0.0),
        // An advertisement that turns its picture.
        scene(80, 500, TopRight, |frame, chance| match frame % 8 {
            3 => 0.0092 + 0.0003 * chance,
            _ => 0.0002,
        }),
        // Lines being typed, with pauses.
        scene(60, 500, Left, |frame, chance| match frame % 16 {
            0..9 => 0.0012 + 0.002 * chance,
            _ => 0.0001,
        }),
        // Windows that are gone to and fro between.
        scene(60, 500, Everywhere, |frame, chance| match frame % 12 {
            5 => 0.12 + 0.4 * chance,
            _ => 0.0004 * chance,
        }),
        // Nothing happens, and a page sends a frame only now and then.
        scene(24, 5_000, Centre, |frame, chance| match frame {
            15 => 0.02,
            _ => 0.0002 * chance,
        }),
        // Ten frames a second, with a fade in them.
        scene(90, 100, Everywhere, |frame, chance| match frame {
            40..60 => 0.03,
            _ => 0.0008 * chance,
        }),
        scene(30, 500, Everywhere, |frame, chance| match frame {
            4 => 0.7,
            _ => 0.004 * chance,
        }),
    ]
}

fn short(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn name(activity: Activity) -> &'static str {
    match activity {
        Activity::Static => "static",
        Activity::Moving => "moving",
        Activity::Significant => "significant",
    }
}
