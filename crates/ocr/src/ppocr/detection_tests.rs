use onnx::Block;

use super::detection::{found, input};
use crate::plane::Plane;

fn plane(width: usize, height: usize) -> Plane {
    Plane {
        width,
        height,
        data: vec![255; width * height],
    }
}

#[test]
fn pictures_are_looked_at_in_a_size_the_network_takes() {
    for (width, height, wanted) in [
        (1_280, 720, [1, 3, 736, 1_280]),
        (640, 360, [1, 3, 736, 1_280]),
        (3_840, 2_160, [1, 3, 736, 1_280]),
        (360, 640, [1, 3, 1_280, 736]),
        (2_000, 10, [1, 3, 32, 1_280]),
    ] {
        let block = input(&plane(width, height));
        assert_eq!(block.shape, wanted, "{width}x{height}");
        assert_eq!(block.numbers.len(), wanted.iter().product::<usize>());
    }
}

#[test]
fn white_is_what_the_makers_make_of_it() {
    let block = input(&plane(64, 64));
    let channel = block.numbers.len() / 3;
    for (index, white) in [(0, 2.249), (channel, 2.429), (2 * channel, 2.640)] {
        assert!(
            (block.numbers[index] - white).abs() < 0.001,
            "{}",
            block.numbers[index]
        );
    }
}

#[test]
fn places_are_told_in_pixels_of_the_picture() {
    let mut numbers = vec![0.0; 32 * 64];
    for row in 8..16 {
        numbers[row * 64 + 16..row * 64 + 48].fill(0.9);
    }
    let answer = Block {
        shape: vec![1, 1, 32, 64],
        numbers,
    };
    let areas = found(&answer, &plane(640, 640)).expect("places");
    let [area] = areas[..] else {
        panic!("one place: {areas:?}");
    };
    assert!((area.left + area.width / 2.0 - 320.0).abs() < 0.1, "{area:?}");
    assert!((area.top + area.height / 2.0 - 240.0).abs() < 0.1, "{area:?}");
}

#[test]
fn an_answer_of_another_shape_is_refused() {
    for (shape, count) in [
        (vec![1, 2, 4, 4], 32),
        (vec![1, 1, 4, 4], 3),
        (vec![16], 16),
        (vec![1, 1, 4, 0], 0),
    ] {
        let answer = Block {
            shape,
            numbers: vec![0.0; count],
        };
        assert!(found(&answer, &plane(8, 8)).is_err(), "{:?}", answer.shape);
    }
}
