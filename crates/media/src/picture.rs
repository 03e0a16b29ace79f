//! A decoded picture: planes of brightness and colour.

/// A brightness plane, borrowed: `stride` bytes a row, of which `width` count.
#[derive(Clone, Copy, Debug)]
pub struct Luma<'a> {
    pub data: &'a [u8],
    pub stride: usize,
    pub width: usize,
    pub height: usize,
}

/// A picture in YUV 4:2:0 (the colour planes are half as wide and half as high, rounded up), without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub y: Vec<u8>,
    pub u: Vec<u8>,
    pub v: Vec<u8>,
}

impl Picture {
    pub fn luma(&self) -> Luma<'_> {
        Luma {
            data: &self.y,
            stride: self.width,
            width: self.width,
            height: self.height,
        }
    }

    /// Whether there are pixels, and the planes have all of them.
    pub fn is_whole(&self) -> bool {
        let pixels = |width: usize, height: usize| width.checked_mul(height).filter(|&count| count > 0);
        let colours = pixels(self.width.div_ceil(2), self.height.div_ceil(2));
        pixels(self.width, self.height) == Some(self.y.len())
            && colours == Some(self.u.len())
            && colours == Some(self.v.len())
    }
}
