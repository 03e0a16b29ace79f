//! A clip that is rendered here: a desktop with text, a window that moves, and a corner in which a film plays.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use media::Picture;

pub const WIDTH: usize = 1280;
pub const HEIGHT: usize = 720;

pub struct Clip {
    pub frames: Vec<Picture>,
}

impl Clip {
    pub fn render(frames: usize) -> Self {
        Self {
            frames: (0..frames).map(render).collect(),
        }
    }

    /// As raw planes, which every program reads.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(file)?);
        for frame in &self.frames {
            for plane in [&frame.y, &frame.u, &frame.v] {
                out.write_all(plane)?;
            }
        }
        out.flush()
    }
}

fn render(number: usize) -> Picture {
    let window = (40 + number * 5 % 700, 80 + number * 3 % 300);
    let mut y = Vec::with_capacity(WIDTH * HEIGHT);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            y.push(level(number, window, column, row));
        }
    }
    Picture {
        width: WIDTH,
        height: HEIGHT,
        y,
        u: (0..WIDTH * HEIGHT / 4)
            .map(|at| 112 + (at / 40 % 16) as u8)
            .collect(),
        v: (0..WIDTH * HEIGHT / 4)
            .map(|at| 136 - (at / 55 % 12) as u8)
            .collect(),
    }
}

fn level(number: usize, (left, top): (usize, usize), column: usize, row: usize) -> u8 {
    let in_window = (left..left + 360).contains(&column) && (top..top + 240).contains(&row);
    if column >= 960 && row >= 540 {
        // A film: waves and grain, new in every frame.
        let wave = ((column + 3 * number) / 12 + (row + number) / 9) % 16;
        return (60 + 8 * wave) as u8 ^ (grain(column, row, number) & 7);
    }
    let (x, y) = if in_window {
        (column - left, row - top)
    } else {
        (column, row)
    };
    let paper = if in_window { 236 } else { 46 };
    // Lines of text: letters are eight wide, and most of them have ink.
    let is_ink =
        y % 18 < 11 && grain(x / 8, y / 18, 0) % 5 > 1 && grain(x % 8, y % 18, (x / 8 + y / 18) % 31) < 85;
    if is_ink { 255 - paper } else { paper }
}

/// The same numbers in every run.
fn grain(a: usize, b: usize, c: usize) -> u8 {
    let mixed = (a as u32).wrapping_mul(0x9e37_79b1)
        ^ (b as u32).wrapping_mul(0x85eb_ca6b)
        ^ (c as u32).wrapping_mul(0xc2b2_ae35);
    (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d).to_le_bytes()[3]
}
