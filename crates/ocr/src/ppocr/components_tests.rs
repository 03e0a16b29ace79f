use super::components::areas;
use crate::plane::Area;

/// A map drawn with letters: `#` is sure, `+` is likely enough, `.` is nothing.
fn drawn(rows: &[&str]) -> (Vec<f32>, usize) {
    let level = |sign: char| match sign {
        '#' => 0.95,
        '+' => 0.35,
        _ => 0.01,
    };
    let map = rows.iter().flat_map(|row| row.chars().map(level)).collect();
    (map, rows[0].len())
}

fn centres(rows: &[&str]) -> Vec<(f32, f32)> {
    let (map, width) = drawn(rows);
    let tenths = |number: f32| (number * 10.0).round() / 10.0;
    let middle = |area: Area| {
        (
            tenths(area.left + area.width / 2.0),
            tenths(area.top + area.height / 2.0),
        )
    };
    areas(&map, width).into_iter().map(middle).collect()
}

#[test]
fn each_island_is_one_area_around_its_middle() {
    let found = centres(&[
        "............",
        ".####...###.",
        ".####...###.",
        ".####...###.",
        "............",
    ]);
    assert_eq!(found, [(3.0, 2.5), (9.5, 2.5)]);
}

#[test]
fn shapes_that_meet_further_down_are_one() {
    let found = centres(&[
        "##......##",
        "##......##",
        ".##....##.",
        "..######..",
        "..######..",
    ]);
    assert_eq!(found, [(5.0, 2.5)]);
    // Corners touch.
    assert_eq!(
        centres(&["###...", "###...", "###...", "...###", "...###", "...###"]).len(),
        1
    );
}

#[test]
fn an_island_grows_by_what_was_shrunk() {
    let (map, width) = drawn(&["......", ".####.", ".####.", ".####.", ".####.", "......"]);
    let [area] = areas(&map, width)[..] else {
        panic!("one area");
    };
    assert!(
        area.width > 4.0 && area.height > 4.0 && area.left < 1.0 && area.top < 1.0,
        "{area:?}"
    );
    assert_eq!(area.width, area.height);
}

#[test]
fn specks_and_what_is_hardly_likely_are_no_text() {
    assert!(centres(&["......", ".##...", ".##...", "......"]).is_empty());
    assert!(centres(&["++++++", "++++++", "++++++", "++++++"]).is_empty());
}

#[test]
fn the_edge_of_the_map_ends_an_island() {
    assert_eq!(
        centres(&["...###", "...###", "...###", "###...", "###...", "###..."]).len(),
        1
    );
    let found = centres(&[
        "....###", "....###", "....###", ".......", "###....", "###....", "###....",
    ]);
    assert_eq!(found.len(), 2);
}

#[test]
fn an_empty_map_has_nothing() {
    assert!(areas(&[], 0).is_empty());
    assert!(areas(&[], 10).is_empty());
    assert!(areas(&[f32::NAN; 100], 10).is_empty());
}
