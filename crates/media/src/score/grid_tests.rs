use proptest::prelude::*;

use super::{GRID_HEIGHT, GRID_WIDTH, Grid};
use crate::Luma;

fn plane(data: &[u8], stride: usize, width: usize, height: usize) -> Luma<'_> {
    Luma {
        data,
        stride,
        width,
        height,
    }
}

fn cell(grid: &Grid, x: usize, y: usize) -> u8 {
    grid.0[y * GRID_WIDTH + x]
}

/// The same averages, one pixel at a time.
fn slow_grid(luma: &Luma<'_>) -> Vec<u8> {
    let area = |at: usize, count: usize, pixels: usize| {
        let start = at * pixels / count;
        start..((at + 1) * pixels / count).max(start + 1)
    };
    let mut grid = Vec::new();
    for y in 0..GRID_HEIGHT {
        for x in 0..GRID_WIDTH {
            let (rows, columns) = (area(y, GRID_HEIGHT, luma.height), area(x, GRID_WIDTH, luma.width));
            let pixels = rows.len() * columns.len();
            let mut sum = 0;
            for row in rows {
                for column in columns.clone() {
                    sum += usize::from(luma.data[row * luma.stride + column]);
                }
            }
            grid.push(((sum + pixels / 2) / pixels) as u8);
        }
    }
    grid
}

#[test]
fn an_even_plane_gives_an_even_grid() {
    let data = vec![77; 1280 * 720];
    assert!(
        Grid::of(&plane(&data, 1280, 1280, 720))
            .0
            .iter()
            .all(|&cell| cell == 77)
    );
}

#[test]
fn every_pixel_counts_not_a_sample_of_them() {
    let mut data = vec![0; 1280 * 720];
    // Fields of twenty by twenty: 40 pixels of 250 in 400 make 25.
    for at in 0..40 {
        data[(3 + at / 20 * 13) * 1280 + at % 20] = 250;
    }
    let grid = Grid::of(&plane(&data, 1280, 1280, 720));
    assert_eq!(cell(&grid, 0, 0), 25);
    assert!(grid.0[1..].iter().all(|&cell| cell == 0));
}

#[test]
fn padding_after_a_row_is_not_seen() {
    let mut data = vec![255; 200 * 90];
    for row in data.chunks_mut(200) {
        row[..130].fill(10);
    }
    let grid = Grid::of(&plane(&data, 200, 130, 90));
    assert!(grid.0.iter().all(|&cell| cell == 10));
}

#[test]
fn the_last_row_need_not_be_padded() {
    let mut data = vec![0; 100 * 71 + 64];
    data[100 * 71..].fill(200);
    let grid = Grid::of(&plane(&data, 100, 64, 72));
    assert_eq!(
        cell(&grid, 0, 35),
        100,
        "the last two rows: one black, one at 200"
    );
}

#[test]
fn a_plane_smaller_than_the_grid_is_spread_over_it() {
    let grid = Grid::of(&plane(&[10, 90], 2, 2, 1));
    for y in 0..GRID_HEIGHT {
        assert_eq!(cell(&grid, 0, y), 10);
        assert_eq!(cell(&grid, 31, y), 10);
        assert_eq!(cell(&grid, 32, y), 90);
        assert_eq!(cell(&grid, 63, y), 90);
    }
}

#[test]
fn areas_higher_than_sixteen_bits_can_sum_do_not_overflow() {
    let data = vec![255; 64 * 36 * 700];
    let grid = Grid::of(&plane(&data, 64, 64, 36 * 700));
    assert!(grid.0.iter().all(|&cell| cell == 255));
}

#[test]
fn a_plane_without_pixels_is_black() {
    for luma in [
        plane(&[], 0, 0, 0),
        plane(&[], 10, 10, 10),
        plane(&[200; 9], 0, 3, 3),
        plane(&[200; 9], 3, 3, 0),
    ] {
        assert_eq!(Grid::of(&luma).0, [0; GRID_WIDTH * GRID_HEIGHT]);
    }
}

#[test]
fn a_plane_that_claims_more_than_it_has_gives_what_there_is() {
    let grid = Grid::of(&plane(&[9; 64 * 10], 64, usize::MAX, usize::MAX));
    assert!(grid.0.iter().all(|&cell| cell == 9));
    let grid = Grid::of(&plane(&[9; 7], usize::MAX, usize::MAX, usize::MAX));
    assert!(grid.0.iter().all(|&cell| cell == 9));
}

proptest! {
    #[test]
    fn the_grid_is_the_average_of_each_area(
        width in 1usize..300,
        height in 1usize..200,
        padding in 0usize..40,
        seed in any::<u32>(),
    ) {
        let stride = width + padding;
        let data: Vec<u8> = (0..stride * height)
            .map(|at| ((at as u32).wrapping_mul(2654435761).wrapping_add(seed) >> 21) as u8)
            .collect();
        let luma = plane(&data, stride, width, height);
        prop_assert_eq!(Grid::of(&luma).0.to_vec(), slow_grid(&luma));
    }

    #[test]
    fn lies_about_the_size_do_no_harm(
        data in proptest::collection::vec(any::<u8>(), 0..4000),
        stride in prop_oneof![0usize..200, Just(usize::MAX)],
        width in prop_oneof![0usize..200, Just(usize::MAX)],
        height in prop_oneof![0usize..200, Just(usize::MAX)],
    ) {
        let _ = Grid::of(&plane(&data, stride, width, height));
    }
}
