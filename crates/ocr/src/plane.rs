//! A plane of brightness that can be cut and scaled.

use runtime::ports::Undecodable;
use vocabulary::PictureKind;

/// One byte a pixel, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) data: Vec<u8>,
}

/// Where in a plane something stands, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Plane {
    /// The brightness of a picture from outside.
    pub(crate) fn decoded(kind: PictureKind, bytes: &[u8]) -> Result<Self, Undecodable> {
        let brightness =
            media::pictures::brightness(kind, bytes).map_err(|problem| Undecodable(problem.to_string()))?;
        Ok(Self {
            width: brightness.width,
            height: brightness.height,
            data: brightness.data,
        })
    }

    /// The pixels of an area, as far as it is within the plane; at least one.
    pub(crate) fn cut(&self, area: Area) -> Plane {
        let within = |from: f32, length: f32, limit: usize| {
            let start = (from.floor().max(0.0) as usize).min(limit - 1);
            let end = ((from + length).ceil().max(0.0) as usize).clamp(start + 1, limit);
            start..end
        };
        let columns = within(area.left, area.width, self.width);
        let rows = within(area.top, area.height, self.height);
        let data = rows
            .clone()
            .flat_map(|row| &self.data[row * self.width..][columns.clone()])
            .copied()
            .collect();
        Plane {
            width: columns.len(),
            height: rows.len(),
            data,
        }
    }

    /// Scaled with a smooth curve; what becomes smaller is averaged.
    pub(crate) fn scaled(&self, width: usize, height: usize) -> Plane {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        let across = shares(self.width, width);
        let mut wide = vec![0.0f32; width * self.height];
        for (row, out) in self
            .data
            .chunks_exact(self.width)
            .zip(wide.chunks_exact_mut(width))
        {
            for (pixel, share) in out.iter_mut().zip(&across) {
                let from = &row[share.start..share.start + share.weights.len()];
                *pixel = from
                    .iter()
                    .zip(&share.weights)
                    .map(|(level, weight)| f32::from(*level) * weight)
                    .sum();
            }
        }
        let mut data = vec![0u8; width * height];
        let mut sums = vec![0.0f32; width];
        for (share, out) in shares(self.height, height)
            .iter()
            .zip(data.chunks_exact_mut(width))
        {
            sums.fill(0.0);
            let rows = wide[share.start * width..].chunks_exact(width);
            for (row, weight) in rows.zip(&share.weights) {
                for (sum, level) in sums.iter_mut().zip(row) {
                    *sum += level * weight;
                }
            }
            for (pixel, sum) in out.iter_mut().zip(&sums) {
                // The cast saturates: a curve may overshoot.
                *pixel = sum.round() as u8;
            }
        }
        Plane { width, height, data }
    }
}

/// How much of which neighbours goes into one pixel.
struct Share {
    start: usize,
    weights: Vec<f32>,
}

fn shares(from: usize, to: usize) -> Vec<Share> {
    let step = from as f32 / to as f32;
    let spread = step.max(1.0);
    let pixel = |index: usize| {
        let centre = (index as f32 + 0.5) * step;
        let start = (centre - 2.0 * spread).floor().max(0.0) as usize;
        let end = ((centre + 2.0 * spread).ceil() as usize).clamp(start + 1, from);
        let mut weights: Vec<f32> = (start..end)
            .map(|source| curve((source as f32 + 0.5 - centre) / spread))
            .collect();
        let whole: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= whole);
        Share { start, weights }
    };
    (0..to).map(pixel).collect()
}

/// Catmull and Rom's: sharp enough for letters.
fn curve(distance: f32) -> f32 {
    let distance = distance.abs();
    if distance < 1.0 {
        (1.5 * distance - 2.5) * distance * distance + 1.0
    } else if distance < 2.0 {
        ((-0.5 * distance + 2.5) * distance - 4.0) * distance + 2.0
    } else {
        0.0
    }
}
