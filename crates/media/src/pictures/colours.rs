//! From the pixels of a picture to brightness and colour as JPEG has them: BT.601, all of 0 to 255.

use super::Brightness;
use super::decoded::{Channels, Decoded};
use crate::Picture;

/// Brightness, blue and red of a pixel.
type Yuv = [u8; 3];

pub(super) fn brightness(decoded: Decoded) -> Brightness {
    let Decoded { width, height, .. } = decoded;
    let data = match decoded.channels {
        Channels::Grey => decoded.data,
        Channels::GreyAlpha => each(&decoded.data, |&[grey, alpha]: &[u8; 2]| on_black(grey, alpha)),
        Channels::Rgb => each(&decoded.data, |rgb: &[u8; 3]| yuv_of_rgb(rgb)[0]),
        Channels::Rgba => each(&decoded.data, |rgba: &[u8; 4]| yuv_of_rgba(rgba)[0]),
        Channels::YCbCr => each(&decoded.data, |yuv: &[u8; 3]| yuv[0]),
    };
    Brightness { width, height, data }
}

pub(super) fn picture(decoded: Decoded) -> Picture {
    match decoded.channels {
        Channels::Grey => picture_of(&decoded, |&[grey]: &[u8; 1]| [grey, 128, 128]),
        Channels::GreyAlpha => picture_of(&decoded, |&[grey, alpha]: &[u8; 2]| {
            [on_black(grey, alpha), 128, 128]
        }),
        Channels::Rgb => picture_of(&decoded, yuv_of_rgb),
        Channels::Rgba => picture_of(&decoded, yuv_of_rgba),
        Channels::YCbCr => picture_of(&decoded, |yuv: &[u8; 3]| *yuv),
    }
}

fn each<const CHANNELS: usize>(data: &[u8], convert: impl Fn(&[u8; CHANNELS]) -> u8) -> Vec<u8> {
    data.as_chunks::<CHANNELS>().0.iter().map(convert).collect()
}

/// Colours are the averages of two by two pixels; those at an odd edge stand for themselves.
fn picture_of<const CHANNELS: usize>(decoded: &Decoded, convert: impl Fn(&[u8; CHANNELS]) -> Yuv) -> Picture {
    let (width, height) = (decoded.width, decoded.height);
    let half_width = width.div_ceil(2);
    let mut y = Vec::with_capacity(width * height);
    let mut u = Vec::with_capacity(half_width * height.div_ceil(2));
    let mut v = Vec::with_capacity(half_width * height.div_ceil(2));
    for rows in decoded.data.chunks(2 * width * CHANNELS) {
        let mut sums = vec![[0u16; 3]; half_width];
        for row in rows.chunks(width * CHANNELS) {
            for (x, pixel) in row.as_chunks::<CHANNELS>().0.iter().enumerate() {
                let [brightness, blue, red] = convert(pixel);
                y.push(brightness);
                let sum = &mut sums[x / 2];
                *sum = [sum[0] + u16::from(blue), sum[1] + u16::from(red), sum[2] + 1];
            }
        }
        u.extend(
            sums.iter()
                .map(|&[blue, _, count]| ((blue + count / 2) / count) as u8),
        );
        v.extend(
            sums.iter()
                .map(|&[_, red, count]| ((red + count / 2) / count) as u8),
        );
    }
    Picture {
        width,
        height,
        y,
        u,
        v,
    }
}

fn on_black(level: u8, alpha: u8) -> u8 {
    ((u16::from(level) * u16::from(alpha) + 127) / 255) as u8
}

fn yuv_of_rgba(&[red, green, blue, alpha]: &[u8; 4]) -> Yuv {
    yuv_of_rgb(&[
        on_black(red, alpha),
        on_black(green, alpha),
        on_black(blue, alpha),
    ])
}

/// In fixed point of 16 bits; the factors of each line sum to 1 and to 0, so that grey stays grey.
fn yuv_of_rgb(&[red, green, blue]: &[u8; 3]) -> Yuv {
    let (red, green, blue) = (i32::from(red), i32::from(green), i32::from(blue));
    let half = 1 << 15;
    [
        ((19595 * red + 38470 * green + 7471 * blue + half) >> 16) as u8,
        (128 + ((-11058 * red - 21710 * green + 32768 * blue + half) >> 16)).min(255) as u8,
        (128 + ((32768 * red - 27439 * green - 5329 * blue + half) >> 16)).min(255) as u8,
    ]
}
