//! The brightness of a picture in 64 by 36 areas, in which every pixel counts.

use std::ops::Range;

use super::columns::{MOST_ROWS, sum_rows};
use super::{GRID_HEIGHT, GRID_WIDTH};
use crate::Luma;

/// The brightness of a picture in 64 by 36 areas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid(pub [u8; GRID_WIDTH * GRID_HEIGHT]);

impl Grid {
    /// Averages areas of a plane; a plane that is smaller than the grid, or lies about its size, gives what there is.
    pub fn of(luma: &Luma<'_>) -> Self {
        let mut grid = Self([0; GRID_WIDTH * GRID_HEIGHT]);
        let (width, height) = size_that_is_there(luma);
        if width == 0 || height == 0 {
            return grid;
        }
        let columns: [Range<usize>; GRID_WIDTH] = std::array::from_fn(|at| area(at, GRID_WIDTH, width));
        // Sums that start with a cache line are a quarter quicker than those that lie across.
        let mut room = vec![0u16; width + CACHE_LINE / 2];
        let offset = room.as_ptr().align_offset(CACHE_LINE).min(CACHE_LINE / 2);
        let of_column = &mut room[offset..][..width];
        for (at, cells) in grid.0.chunks_exact_mut(GRID_WIDTH).enumerate() {
            let rows = area(at, GRID_HEIGHT, height);
            let mut sums = [0u64; GRID_WIDTH];
            // Sums of columns are 16 bits wide, which is what makes them quick; a very high area takes several.
            for start in rows.clone().step_by(MOST_ROWS) {
                let end = rows.end.min(start + MOST_ROWS);
                sum_rows(
                    &luma.data[start * luma.stride..],
                    luma.stride,
                    end - start,
                    of_column,
                );
                for (sum, columns) in sums.iter_mut().zip(&columns) {
                    let of_area: u32 = of_column[columns.clone()]
                        .iter()
                        .map(|&column| u32::from(column))
                        .sum();
                    *sum += u64::from(of_area);
                }
            }
            for ((cell, sum), columns) in cells.iter_mut().zip(sums).zip(&columns) {
                let pixels = (columns.len() * rows.len()) as u64;
                *cell = ((sum + pixels / 2) / pixels).min(255) as u8;
            }
        }
        grid
    }
}

const CACHE_LINE: usize = 64;
/// The widest plane of which the sum of a row of an area fits 32 bits: 65536 sums of 16 bits. None is.
const WIDEST: usize = GRID_WIDTH << 16;

/// The size that the data can hold of the size that is claimed.
fn size_that_is_there(luma: &Luma<'_>) -> (usize, usize) {
    let width = luma.width.min(luma.stride).min(luma.data.len()).min(WIDEST);
    if width == 0 {
        return (0, 0);
    }
    // The last row need not be padded.
    let height = 1 + (luma.data.len() - width) / luma.stride;
    (width, luma.height.min(height))
}

/// The pixels of one of `count` areas along a side: at least one, and no pixel twice unless there are too few.
fn area(at: usize, count: usize, pixels: usize) -> Range<usize> {
    // No overflow: no more pixels are there than memory holds bytes.
    let bound = |at: usize| at * pixels / count;
    let start = bound(at);
    start..bound(at + 1).max(start + 1)
}
