//! What the decoders give: pixels side by side, in the channels that the picture has.

/// The channels of a pixel, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channels {
    Grey,
    GreyAlpha,
    Rgb,
    Rgba,
    YCbCr,
}

impl Channels {
    pub(super) fn count(self) -> usize {
        match self {
            Channels::Grey => 1,
            Channels::GreyAlpha => 2,
            Channels::Rgb | Channels::YCbCr => 3,
            Channels::Rgba => 4,
        }
    }
}

pub(super) struct Decoded {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) channels: Channels,
    pub(super) data: Vec<u8>,
}
