use runtime::ports::Undecodable;
use vocabulary::PictureKind;

use crate::plane::{Area, Plane};

fn plane(width: usize, height: usize, level: impl Fn(usize, usize) -> u8) -> Plane {
    let data = (0..height)
        .flat_map(|row| (0..width).map(move |column| (column, row)))
        .map(|(column, row)| level(column, row))
        .collect();
    Plane { width, height, data }
}

fn area(left: f32, top: f32, width: f32, height: f32) -> Area {
    Area {
        left,
        top,
        width,
        height,
    }
}

#[test]
fn a_cut_is_what_stands_there() {
    let plane = plane(8, 6, |column, row| (row * 10 + column) as u8);
    let cut = plane.cut(area(2.0, 1.0, 3.0, 2.0));
    assert_eq!((cut.width, cut.height), (3, 2));
    assert_eq!(cut.data, [12, 13, 14, 22, 23, 24]);
}

#[test]
fn a_cut_stays_within_the_plane_and_is_never_empty() {
    let plane = plane(8, 6, |column, _| column as u8);
    for (wanted, size) in [
        (area(-5.0, -5.0, 100.0, 100.0), (8, 6)),
        (area(7.5, 5.5, 9.0, 9.0), (1, 1)),
        (area(100.0, 100.0, 5.0, 5.0), (1, 1)),
        (area(3.0, 3.0, 0.0, 0.0), (1, 1)),
        (area(-9.0, 2.0, 3.0, 1.0), (1, 1)),
        (area(f32::NAN, 0.0, f32::INFINITY, 1.0), (1, 1)),
    ] {
        let cut = plane.cut(wanted);
        assert_eq!((cut.width, cut.height), size, "{wanted:?}");
        assert_eq!(cut.data.len(), cut.width * cut.height);
    }
}

#[test]
fn an_even_plane_stays_even_at_any_size() {
    let grey = plane(17, 9, |_, _| 90);
    for (width, height) in [(1, 1), (34, 18), (5, 3), (17, 9), (200, 2)] {
        let scaled = grey.scaled(width, height);
        assert_eq!(
            (scaled.width, scaled.height, scaled.data.len()),
            (width, height, width * height)
        );
        assert!(scaled.data.iter().all(|level| *level == 90), "{width}x{height}");
    }
}

#[test]
fn an_edge_stays_where_it_is() {
    let edge = plane(40, 4, |column, _| if column < 20 { 0 } else { 200 });
    for width in [20, 80, 120] {
        let scaled = edge.scaled(width, 4);
        assert!(scaled.data[width / 4] < 10 && scaled.data[width * 3 / 4] > 190);
        let crossing = scaled.data[..width].iter().position(|level| *level > 100);
        assert!(
            crossing.is_some_and(|at| at.abs_diff(width / 2) <= 1),
            "{width}: {crossing:?}"
        );
    }
}

#[test]
fn fine_lines_become_grey_when_they_become_too_small_to_see() {
    let lines = plane(64, 8, |column, _| if column % 2 == 0 { 0 } else { 255 });
    let scaled = lines.scaled(8, 8);
    assert!(
        scaled.data.iter().all(|level| (100..=155).contains(level)),
        "{:?}",
        scaled.data
    );
}

#[test]
fn what_is_no_picture_is_refused() {
    let refused = Plane::decoded(PictureKind::Jpeg, b"not a picture");
    assert!(matches!(refused, Err(Undecodable(why)) if !why.is_empty()));
}
