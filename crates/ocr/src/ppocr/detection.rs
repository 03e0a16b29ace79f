//! Finding text: the picture as the network wants it, and its answer as places in the picture.

use onnx::Block;

use super::components::areas;
use crate::plane::{Area, Plane};

/// The network looks at pictures of about this many pixels on the longer side.
const LONGER_SIDE: usize = 1_280;
/// Its sides must be a multiple of this.
const STEP: usize = 32;
/// What the network's makers take away from each channel and divide by.
const MEANS: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATIONS: [f32; 3] = [0.229, 0.224, 0.225];

/// The picture as a block of three equal channels.
pub(super) fn input(plane: &Plane) -> Block {
    let (width, height) = size(plane.width, plane.height);
    let scaled = plane.scaled(width, height);
    let mut numbers = Vec::with_capacity(3 * width * height);
    for (mean, deviation) in MEANS.into_iter().zip(DEVIATIONS) {
        let level = |level: &u8| (f32::from(*level) / 255.0 - mean) / deviation;
        numbers.extend(scaled.data.iter().map(level));
    }
    Block {
        shape: vec![1, 3, height, width],
        numbers,
    }
}

/// Where text stands in the picture; the error says what is wrong with the answer.
pub(super) fn found(answer: &Block, plane: &Plane) -> Result<Vec<Area>, String> {
    let (width, height) = match answer.shape.as_slice() {
        [1, 1, height, width] if answer.numbers.len() == width * height && *width > 0 => (*width, *height),
        shape => return Err(format!("it answered with a block of {shape:?}")),
    };
    let across = plane.width as f32 / width as f32;
    let down = plane.height as f32 / height as f32;
    let in_picture = |area: Area| Area {
        left: area.left * across,
        top: area.top * down,
        width: area.width * across,
        height: area.height * down,
    };
    Ok(areas(&answer.numbers, width)
        .into_iter()
        .map(in_picture)
        .collect())
}

/// The size at which a picture is looked at: small ones are enlarged, since the text of a screen is small.
fn size(width: usize, height: usize) -> (usize, usize) {
    let factor = LONGER_SIDE as f32 / width.max(height).max(1) as f32;
    let side = |side: usize| {
        let steps = (side as f32 * factor / STEP as f32).round() as usize;
        steps.max(1) * STEP
    };
    (side(width), side(height))
}
