use vocabulary::{ChangeScore, ScreenRegion};

use super::{GRID_HEIGHT, GRID_WIDTH, Grid, SCENE_CUT, Scorer};

const CELLS: usize = GRID_WIDTH * GRID_HEIGHT;

fn even(level: u8) -> Grid {
    Grid([level; CELLS])
}

/// Black but for a rectangle of cells.
fn patch(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>, level: u8) -> Grid {
    let mut grid = even(0);
    for row in rows {
        grid.0[row * GRID_WIDTH..][columns.clone()].fill(level);
    }
    grid
}

fn emit(scorer: &mut Scorer, grid: Grid) -> ChangeScore {
    scorer.look(grid);
    scorer.emit()
}

fn near(score: f64, expected: f64) {
    assert!((score - expected).abs() < 1e-9, "{score} is not {expected}");
}

#[test]
fn the_first_frame_scores_nothing() {
    assert_eq!(emit(&mut Scorer::default(), even(200)), ChangeScore::default());
}

#[test]
fn the_score_is_the_mean_difference_on_the_grid() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(100));
    near(emit(&mut scorer, even(151)).score, 51.0 / 255.0);
    near(emit(&mut scorer, even(100)).score, 51.0 / 255.0);
}

#[test]
fn frames_are_measured_against_the_emitted_one_so_slow_change_adds_up() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(100));
    for level in 101..=110 {
        scorer.look(even(level));
    }
    near(scorer.emit().score, 10.0 / 255.0);
}

#[test]
fn the_greatest_change_between_emissions_is_held_though_it_is_over() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(0));
    scorer.look(even(0));
    scorer.look(even(255));
    scorer.look(even(3));
    let flash = scorer.emit();
    near(flash.score, 1.0);
    assert!(flash.scene_cut);
    let after = emit(&mut scorer, even(3));
    near(after.score, 0.0);
    assert!(!after.scene_cut, "held until it is emitted, and no longer");
}

#[test]
fn a_scene_is_cut_from_four_tenths_on() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(0));
    scorer.look(even(101));
    assert!(!scorer.held().scene_cut);
    scorer.look(even(102));
    let cut = scorer.emit();
    assert!(cut.scene_cut);
    near(cut.score, SCENE_CUT);
}

#[test]
fn the_smoothed_score_runs_over_emitted_scores() {
    let mut scorer = Scorer::default();
    near(emit(&mut scorer, even(0)).ema, 0.0);
    near(emit(&mut scorer, even(51)).ema, 0.35 * 0.2);
    scorer.look(even(200));
    scorer.look(even(51));
    near(scorer.emit().ema, 0.35 * (149.0 / 255.0) + 0.65 * 0.35 * 0.2);
}

#[test]
fn what_is_held_is_what_would_be_emitted() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(0));
    scorer.look(patch(0..10, 0..10, 90));
    let held = scorer.held();
    assert!(held.score > 0.0);
    assert_eq!(held, scorer.emit());
}

#[test]
fn emitting_without_a_look_is_harmless() {
    let mut scorer = Scorer::default();
    assert_eq!(scorer.emit(), ChangeScore::default());
    emit(&mut scorer, even(10));
    near(scorer.emit().score, 0.0);
    near(emit(&mut scorer, even(61)).score, 0.2);
}

#[test]
fn the_region_is_where_most_of_the_change_was() {
    let regions = [
        (2..9, 2..5, ScreenRegion::TopLeft),
        (25..35, 0..9, ScreenRegion::Top),
        (50..64, 1..12, ScreenRegion::TopRight),
        (0..20, 15..20, ScreenRegion::Left),
        (24..40, 13..23, ScreenRegion::Centre),
        (45..60, 14..16, ScreenRegion::Right),
        (0..3, 33..36, ScreenRegion::BottomLeft),
        (30..33, 30..36, ScreenRegion::Bottom),
        (63..64, 35..36, ScreenRegion::BottomRight),
    ];
    for (columns, rows, expected) in regions {
        let mut scorer = Scorer::default();
        emit(&mut scorer, even(0));
        assert_eq!(emit(&mut scorer, patch(columns, rows, 9)).region, Some(expected));
    }
}

#[test]
fn a_change_without_a_place_is_everywhere_and_no_change_is_nowhere() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(0));
    assert_eq!(emit(&mut scorer, even(1)).region, Some(ScreenRegion::Everywhere));
    assert_eq!(emit(&mut scorer, even(1)).region, None);
    assert_eq!(emit(&mut Scorer::default(), patch(0..3, 0..3, 200)).region, None);
}

#[test]
fn the_region_is_that_of_the_change_at_its_greatest() {
    let mut scorer = Scorer::default();
    emit(&mut scorer, even(0));
    scorer.look(patch(0..10, 0..10, 20));
    scorer.look(patch(50..64, 26..36, 90));
    scorer.look(patch(24..30, 14..20, 30));
    assert_eq!(scorer.emit().region, Some(ScreenRegion::BottomRight));
}

#[test]
fn a_flash_that_somebody_else_saw_is_held_until_the_next_frame() {
    let mut scorer = Scorer::default();
    scorer.hold(0.9);
    scorer.look(even(10));
    assert_eq!(
        scorer.emit().score,
        0.0,
        "there is nothing before the first frame"
    );
    scorer.hold(0.5);
    scorer.look(even(10));
    let flash = scorer.emit();
    assert!((flash.score - 0.5).abs() < 0.001 && flash.scene_cut, "{flash:?}");
    scorer.look(even(10));
    assert_eq!(scorer.emit().score, 0.0, "it is told once");
}

#[test]
fn no_number_that_somebody_says_breaks_the_score() {
    let mut scorer = Scorer::default();
    scorer.look(even(10));
    scorer.emit();
    for (said, held) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (-3.0, 0.0), (7.0, 1.0)] {
        scorer.hold(said);
        scorer.look(even(10));
        assert_eq!(scorer.emit().score, held, "{said}");
    }
}
