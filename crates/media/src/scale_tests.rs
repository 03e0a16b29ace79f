use std::borrow::Cow;

use proptest::prelude::*;

use crate::Picture;

fn grey(width: usize, height: usize, level: impl Fn(usize, usize) -> u8) -> Picture {
    let colours = width.div_ceil(2) * height.div_ceil(2);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Picture {
        width,
        height,
        y: pixels.map(|(x, y)| level(x, y)).collect(),
        u: vec![100; colours],
        v: vec![200; colours],
    }
}

#[test]
fn half_the_size_is_the_average_of_four() {
    let picture = grey(1280, 720, |x, y| if x % 2 == 0 && y % 2 == 0 { 100 } else { 0 });
    let small = picture.with_about(230_400);
    assert_eq!((small.width, small.height), (640, 360));
    assert!(small.y.iter().all(|&level| level == 25));
    assert_eq!(small.u.len(), 320 * 180);
    assert!(small.u.iter().all(|&level| level == 100));
    assert!(small.v.iter().all(|&level| level == 200));
}

#[test]
fn a_picture_that_is_small_enough_stays_itself() {
    let picture = grey(640, 360, |_, _| 9);
    assert!(matches!(picture.with_about(230_400), Cow::Borrowed(_)));
    assert!(matches!(picture.with_about(999_999), Cow::Borrowed(_)));
    assert!(matches!(picture.with_width(640), Cow::Borrowed(_)));
    assert!(matches!(picture.with_width(641), Cow::Borrowed(_)));
}

#[test]
fn the_proportions_stay() {
    let picture = grey(1366, 768, |_, _| 9);
    let small = picture.with_about(230_400);
    assert_eq!((small.width, small.height), (640, 360));
    let narrow = picture.with_width(960);
    assert_eq!((narrow.width, narrow.height), (960, 540));
    let high = grey(400, 1600, |_, _| 9);
    let small = high.with_about(40_000);
    assert_eq!((small.width, small.height), (100, 400));
}

#[test]
fn a_slope_stays_a_slope_where_pixels_do_not_divide_evenly() {
    let picture = grey(250, 30, |x, _| x as u8);
    let small = picture.with_width(96);
    for (x, &level) in small.y[..96].iter().enumerate() {
        let middle = (x as f64 + 0.5) * 250.0 / 96.0 - 0.5;
        assert!(
            (f64::from(level) - middle).abs() < 1.0,
            "{level} at {x}, not {middle}"
        );
    }
}

#[test]
fn a_picture_that_lies_about_its_size_stays_itself() {
    let mut picture = grey(640, 360, |_, _| 9);
    picture.y.pop();
    assert!(!picture.is_whole());
    assert!(matches!(picture.with_about(1000), Cow::Borrowed(_)));
}

#[test]
fn a_strip_of_pixels_does_not_vanish() {
    let strip = grey(16384, 1, |_, _| 77);
    let small = strip.with_about(64);
    assert!(small.is_whole());
    assert_eq!(small.height, 1);
    assert!(small.y.iter().all(|&level| level == 77));
}

proptest! {
    #[test]
    fn every_size_gives_a_whole_picture_of_the_same_levels(
        width in 1usize..200,
        height in 1usize..200,
        pixels in 0usize..50_000,
        level in any::<u8>(),
    ) {
        let picture = grey(width, height, |_, _| level);
        let small = picture.with_about(pixels);
        prop_assert!(small.is_whole());
        prop_assert!(small.width <= width && small.height <= height);
        prop_assert!(small.y.iter().all(|&found| found == level));
        prop_assert!(small.v.iter().all(|&found| found == 200));
    }
}
