//! Reading a line: its pixels as the network wants them, and its answer as letters.

use onnx::Block;

use crate::plane::Plane;

/// The network reads lines of this height.
const HEIGHT: usize = 48;
/// A narrower line is given some empty space behind it.
const WIDTH_MIN: usize = 96;
/// A longer line is squeezed.
const WIDTH_MAX: usize = 3_200;
/// What stands for no letter.
const NOTHING: usize = 0;

/// What was read, and how sure that is.
#[derive(Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) confidence: f32,
}

/// A line as a block of three equal channels.
pub(super) fn input(line: &Plane) -> Block {
    let wanted = line.width * HEIGHT / line.height.max(1);
    let filled = wanted.clamp(8, WIDTH_MAX);
    let width = filled.max(WIDTH_MIN);
    let scaled = line.scaled(filled, HEIGHT);
    let mut channel = Vec::with_capacity(width * HEIGHT);
    for row in scaled.data.chunks_exact(filled) {
        channel.extend(row.iter().map(|level| f32::from(*level) / 127.5 - 1.0));
        channel.resize(channel.len() + width - filled, 0.0);
    }
    Block {
        shape: vec![1, 3, HEIGHT, width],
        numbers: channel.repeat(3),
    }
}

/// The letters behind an answer; the error says what is wrong with it.
pub(super) fn read(answer: &Block, letters: &[String]) -> Result<Reading, String> {
    let kinds = letters.len() + 1;
    match answer.shape.as_slice() {
        [1, steps, given] if *given == kinds && answer.numbers.len() == steps * kinds => {}
        shape => {
            return Err(format!(
                "it answered {kinds} kinds of letters with a block of {shape:?}"
            ));
        }
    }
    let mut text = String::new();
    let (mut sum, mut count, mut last) = (0.0, 0u16, NOTHING);
    for step in answer.numbers.chunks_exact(kinds) {
        let (best, sureness) = best(step);
        // The same letter in a row is one letter, unless nothing stood between.
        if best != NOTHING && best != last {
            text.push_str(&letters[best - 1]);
            sum += sureness;
            count = count.saturating_add(1);
        }
        last = best;
    }
    Ok(Reading {
        text: text.trim().to_owned(),
        confidence: if count == 0 {
            0.0
        } else {
            (sum / f32::from(count)).clamp(0.0, 1.0)
        },
    })
}

fn best(step: &[f32]) -> (usize, f32) {
    let mut best = (NOTHING, f32::NEG_INFINITY);
    for (kind, sureness) in step.iter().enumerate() {
        if *sureness > best.1 {
            best = (kind, *sureness);
        }
    }
    best
}
