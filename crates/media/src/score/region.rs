//! Where on the screen a change was: the one of three by three fields that has most of it.

use vocabulary::ScreenRegion;

use super::{GRID_HEIGHT, GRID_WIDTH, Grid};

const FIELDS: [ScreenRegion; 9] = [
    ScreenRegion::TopLeft,
    ScreenRegion::Top,
    ScreenRegion::TopRight,
    ScreenRegion::Left,
    ScreenRegion::Centre,
    ScreenRegion::Right,
    ScreenRegion::BottomLeft,
    ScreenRegion::Bottom,
    ScreenRegion::BottomRight,
];

/// The field with more than half of the difference between two grids; none where they do not differ.
pub(super) fn dominant(before: &Grid, after: &Grid) -> Option<ScreenRegion> {
    let mut fields = [0u32; 9];
    let rows = before
        .0
        .chunks_exact(GRID_WIDTH)
        .zip(after.0.chunks_exact(GRID_WIDTH));
    for (y, (before, after)) in rows.enumerate() {
        let third_of_height = y * 3 / GRID_HEIGHT;
        for (x, (&before, &after)) in before.iter().zip(after).enumerate() {
            let third_of_width = x * 3 / GRID_WIDTH;
            fields[third_of_height * 3 + third_of_width] += u32::from(before.abs_diff(after));
        }
    }
    let whole: u32 = fields.iter().sum();
    if whole == 0 {
        return None;
    }
    let most = fields.iter().position(|&field| field * 2 > whole);
    Some(most.map_or(ScreenRegion::Everywhere, |field| FIELDS[field]))
}
