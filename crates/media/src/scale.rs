//! Pictures made smaller by averaging areas, so that no pixel is passed over.

use std::borrow::Cow;

use crate::Picture;

impl Picture {
    /// The picture with about so many pixels, in its proportions; itself where it has no more.
    pub fn with_about(&self, pixels: usize) -> Cow<'_, Picture> {
        let share = pixels as f64 / (self.width * self.height).max(1) as f64;
        self.shrunk_by(share.sqrt())
    }

    /// The picture so wide at most, in its proportions; itself where it is no wider.
    pub fn with_width(&self, most: usize) -> Cow<'_, Picture> {
        self.shrunk_by(most as f64 / self.width.max(1) as f64)
    }

    fn shrunk_by(&self, factor: f64) -> Cow<'_, Picture> {
        let (width, height) = (
            smaller_side(self.width, factor),
            smaller_side(self.height, factor),
        );
        if factor >= 1.0 || (width, height) == (self.width, self.height) || !self.is_whole() {
            return Cow::Borrowed(self);
        }
        let (from_width, from_height) = (self.width, self.height);
        let (from_half_width, from_half_height) = (from_width.div_ceil(2), from_height.div_ceil(2));
        let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
        let colour = |plane| shrink(plane, from_half_width, from_half_height, half_width, half_height);
        Cow::Owned(Picture {
            width,
            height,
            y: shrink(&self.y, from_width, from_height, width, height),
            u: colour(&self.u),
            v: colour(&self.v),
        })
    }
}

/// A side in its new length: even where it can be, as colours are stored for two pixels.
fn smaller_side(side: usize, factor: f64) -> usize {
    let even = (side as f64 * factor / 2.0).round() as usize * 2;
    even.max(2).min(side)
}

/// Weights of the pixels of an area sum to this.
const WHOLE: usize = 256;

/// The pixels along a side that an area covers, each with its share of it.
struct Area {
    start: usize,
    weights: Vec<u16>,
}

fn areas(from: usize, to: usize) -> Vec<Area> {
    let area = |at: usize| {
        // In units in which a pixel is `to` long and an area `from`.
        let (begin, end) = (at * from, (at + 1) * from);
        let (start, after) = (begin / to, end.div_ceil(to));
        // Rounded as bounds, not as lengths, so that the weights sum to the whole.
        let bound = |pixel: usize| ((pixel * to).clamp(begin, end) - begin) * WHOLE / from;
        Area {
            start,
            weights: (start..after)
                .map(|pixel| (bound(pixel + 1) - bound(pixel)) as u16)
                .collect(),
        }
    };
    (0..to).map(area).collect()
}

/// A plane without padding in a smaller size.
pub(crate) fn shrink(
    plane: &[u8],
    width: usize,
    height: usize,
    to_width: usize,
    to_height: usize,
) -> Vec<u8> {
    let columns = areas(width, to_width);
    let mut shrunk = Vec::with_capacity(to_width * to_height);
    let mut sums = vec![0u16; width];
    for rows in areas(height, to_height) {
        sums.fill(0);
        for (row, &weight) in plane[rows.start * width..].chunks_exact(width).zip(&rows.weights) {
            for (sum, &pixel) in sums.iter_mut().zip(row) {
                *sum += weight * u16::from(pixel);
            }
        }
        shrunk.extend(columns.iter().map(|area| {
            let pixels = sums[area.start..].iter().zip(&area.weights);
            let sum: u32 = pixels
                .map(|(&sum, &weight)| u32::from(sum) * u32::from(weight))
                .sum();
            ((sum + (1 << 15)) >> 16) as u8
        }));
    }
    shrunk
}

#[cfg(test)]
#[path = "scale_tests.rs"]
mod scale_tests;
