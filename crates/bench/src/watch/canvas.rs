//! A brightness plane and what screens are made of: boxes, discs, lines of small text.

use media::Luma;

/// Size of a rendered screen: what a 1080p screen is scaled to before it is looked at.
pub const WIDTH: i32 = 640;
pub const HEIGHT: i32 = 360;
/// Small text of a 1080p screen, scaled down: a letter is three pixels wide, a line eight high.
pub const LETTER_WIDTH: i32 = 3;
pub const LINE_HEIGHT: i32 = 8;
const GLYPH_HEIGHT: i32 = 5;
const GLYPH_WIDTH: i32 = 2;

/// A grey picture that scenes are painted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    data: Vec<u8>,
}

/// A box on the screen; parts beyond its edges are not painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// What text looks like: which text it is, and how bright.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub seed: u64,
    pub ink: u8,
}

impl Canvas {
    pub fn new() -> Self {
        Self {
            data: vec![0; (WIDTH * HEIGHT) as usize],
        }
    }

    pub fn luma(&self) -> Luma<'_> {
        Luma {
            data: &self.data,
            stride: WIDTH as usize,
            width: WIDTH as usize,
            height: HEIGHT as usize,
        }
    }

    pub fn fill(&mut self, luma: u8) {
        self.data.fill(luma);
    }

    /// A sky or a wallpaper: from one brightness at the top to another at the bottom.
    pub fn gradient(&mut self, top: f64, bottom: f64) {
        for y in 0..HEIGHT {
            let share = f64::from(y) / f64::from(HEIGHT - 1);
            self.row(0, WIDTH, y).fill((top + (bottom - top) * share) as u8);
        }
    }

    pub fn area(&mut self, area: Area, luma: u8) {
        for y in area.y.max(0)..(area.y + area.height).min(HEIGHT) {
            self.row(area.x, area.x + area.width, y).fill(luma);
        }
    }

    pub fn disc(&mut self, x: f64, y: f64, radius: f64, luma: u8) {
        let (top, bottom) = ((y - radius).ceil() as i32, (y + radius).floor() as i32);
        for row in top.max(0)..=bottom.min(HEIGHT - 1) {
            let height = f64::from(row) - y;
            let half = (radius * radius - height * height).max(0.0).sqrt();
            self.row((x - half).ceil() as i32, (x + half).floor() as i32 + 1, row)
                .fill(luma);
        }
    }

    /// The first `letters` letters of a line of text, in words.
    pub fn text(&mut self, x: i32, y: i32, letters: i32, text: Text) {
        if y <= -GLYPH_HEIGHT || y >= HEIGHT {
            return;
        }
        for letter in 0..letters {
            let shape = mixed(text.seed, letter as u64);
            // Words of about five letters.
            if !shape.is_multiple_of(6) {
                self.glyph(x + letter * LETTER_WIDTH, y, shape >> 8, text.ink);
            }
        }
    }

    /// One letter or digit, told apart by its shape.
    pub fn glyph(&mut self, x: i32, y: i32, shape: u64, ink: u8) {
        for row in 0..GLYPH_HEIGHT {
            if !(0..HEIGHT).contains(&(y + row)) {
                continue;
            }
            for (column, pixel) in self.row(x, x + GLYPH_WIDTH, y + row).iter_mut().enumerate() {
                let stroke = shape >> (2 * (row * GLYPH_WIDTH + column as i32)) & 3;
                // Scaled-down strokes are never quite there and never quite gone.
                let share = [0, 40, 70, 85][stroke as usize];
                *pixel = ((u32::from(*pixel) * (100 - share) + u32::from(ink) * share) / 100) as u8;
            }
        }
    }

    /// A block of lines; `lines` of them, the last one short.
    pub fn paragraph(&mut self, x: i32, y: i32, letters: i32, lines: i32, text: Text) {
        for line in 0..lines {
            let seed = mixed(text.seed, line as u64);
            let width = if line + 1 == lines {
                letters * 6 / 10
            } else {
                letters
            };
            self.text(x, y + line * LINE_HEIGHT, width, Text { seed, ..text });
        }
    }

    /// A photograph: blocks of brightness around a middle.
    pub fn photograph(&mut self, area: Area, seed: u64, middle: u8) {
        const BLOCK: i32 = 12;
        let mut number = 0;
        for top in (0..area.height).step_by(BLOCK as usize) {
            for left in (0..area.width).step_by(BLOCK as usize) {
                number += 1;
                let luma = i32::from(middle) + (mixed(seed, number) % 90) as i32 - 45;
                let block = Area {
                    x: area.x + left,
                    y: area.y + top,
                    width: BLOCK.min(area.width - left),
                    height: BLOCK.min(area.height - top),
                };
                self.area(block, luma.clamp(0, 255) as u8);
            }
        }
    }

    /// Lets another picture through: none of it at 0, nothing else at 1.
    pub fn fade_to(&mut self, other: &Canvas, share: f64) {
        let share = (share.clamp(0.0, 1.0) * 256.0) as u32;
        for (pixel, &theirs) in self.data.iter_mut().zip(&other.data) {
            *pixel = ((u32::from(*pixel) * (256 - share) + u32::from(theirs) * share) >> 8) as u8;
        }
    }

    /// Darkens (below 1) or brightens everything.
    pub fn shade(&mut self, factor: f64) {
        let factor = (factor.max(0.0) * 256.0) as u32;
        for pixel in &mut self.data {
            *pixel = (u32::from(*pixel) * factor / 256).min(255) as u8;
        }
    }

    /// The part of a row between two columns that is on the screen.
    fn row(&mut self, from: i32, to: i32, y: i32) -> &mut [u8] {
        let from = from.clamp(0, WIDTH);
        let to = to.clamp(from, WIDTH);
        let start = y * WIDTH;
        &mut self.data[(start + from) as usize..(start + to) as usize]
    }
}

/// A number that looks random and is the same each time.
pub fn mixed(seed: u64, number: u64) -> u64 {
    let mut value = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
