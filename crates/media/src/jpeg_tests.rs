use proptest::prelude::*;
use vocabulary::PictureKind;

use super::{CannotEncode, encode};
use crate::{Picture, pictures};

fn slope(width: usize, height: usize) -> Picture {
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Picture {
        width,
        height,
        y: pixels.map(|(x, y)| (40 + x + 2 * y).min(220) as u8).collect(),
        u: vec![90; half_width * half_height],
        v: vec![170; half_width * half_height],
    }
}

#[test]
fn what_is_encoded_is_decoded_again() {
    let picture = slope(64, 48);
    let jpeg = encode(&picture, 95).expect("a JPEG");
    let again = pictures::picture(PictureKind::Jpeg, &jpeg).expect("the picture");
    assert_eq!((again.width, again.height), (64, 48));
    let near = |a: &[u8], b: &[u8]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) < 6);
    assert!(near(&picture.y, &again.y));
    assert!(near(&picture.u, &again.u));
    assert!(near(&picture.v, &again.v));
}

#[test]
fn a_lower_quality_is_smaller() {
    let mut picture = slope(320, 200);
    for (at, level) in picture.y.iter_mut().enumerate() {
        *level = level.wrapping_add((at as u32).wrapping_mul(2654435761).to_le_bytes()[3] / 8);
    }
    let sizes = [0, 30, 60, 100].map(|quality| encode(&picture, quality).expect("a JPEG").len());
    assert!(sizes.is_sorted() && sizes[0] < sizes[3] / 4, "{sizes:?}");
    assert_eq!(encode(&picture, 255), encode(&picture, 100));
}

#[test]
fn a_picture_that_lies_about_its_size_is_refused() {
    let mut picture = slope(16, 16);
    picture.v.pop();
    let refused = CannotEncode::NotWhole {
        width: 16,
        height: 16,
    };
    assert_eq!(encode(&picture, 80), Err(refused));
    let nothing = Picture {
        width: 0,
        height: 0,
        y: Vec::new(),
        u: Vec::new(),
        v: Vec::new(),
    };
    assert!(encode(&nothing, 80).is_err());
}

proptest! {
    #[test]
    fn every_size_can_be_encoded(width in 1usize..70, height in 1usize..70) {
        let picture = slope(width, height);
        let jpeg = encode(&picture, 90).expect("a JPEG");
        let again = pictures::picture(PictureKind::Jpeg, &jpeg).expect("the picture");
        prop_assert_eq!((again.width, again.height), (width, height));
        let worst = picture.y.iter().zip(&again.y).map(|(a, b)| a.abs_diff(*b)).max();
        prop_assert!(worst < Some(24), "{:?} off", worst);
    }
}
