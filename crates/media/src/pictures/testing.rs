//! Real pictures for tests, most of them made here; what no encoder at hand can make lies in `data`.

use std::io::Cursor;

use png::{BitDepth, ColorType};
use turbojpeg::{Compressor, Image, PixelFormat, Subsamp};

pub(crate) const LOSSY_WEBP: &[u8] = include_bytes!("data/lossy.webp");
pub(crate) const LOSSY_ALPHA_WEBP: &[u8] = include_bytes!("data/lossy_alpha.webp");
pub(crate) const ANIMATED_WEBP: &[u8] = include_bytes!("data/animated.webp");
pub(crate) const ANIMATED_PNG: &[u8] = include_bytes!("data/animated.png");
pub(crate) const INTERLACED_PNG: &[u8] = include_bytes!("data/interlaced.png");

/// The size of what lies in `data`.
pub(crate) const WIDTH: usize = 33;
pub(crate) const HEIGHT: usize = 25;

/// Redder to the right, greener to the bottom.
pub(crate) fn scene(width: usize, height: usize) -> Vec<u8> {
    let level = |at: usize, side: usize| (at * 255 / (side - 1).max(1)) as u8;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    pixels
        .flat_map(|(x, y)| [level(x, width), level(y, height), 128])
        .collect()
}

/// The same, as brightness and colour.
pub(crate) fn yuv_at(x: usize, y: usize) -> [f64; 3] {
    let (red, green, blue) = (
        (x * 255 / (WIDTH - 1)) as f64,
        (y * 255 / (HEIGHT - 1)) as f64,
        128.0,
    );
    let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    [
        brightness,
        128.0 + (blue - brightness) / 1.772,
        128.0 + (red - brightness) / 1.402,
    ]
}

pub(crate) fn jpeg(width: usize, height: usize) -> Vec<u8> {
    jpeg_with(&scene(width, height), width, height, PixelFormat::RGB, |_| {})
}

pub(crate) fn jpeg_with(
    pixels: &[u8],
    width: usize,
    height: usize,
    format: PixelFormat,
    set: impl Fn(&mut Compressor),
) -> Vec<u8> {
    let mut compressor = Compressor::new().expect("a compressor");
    compressor.set_quality(95).expect("a quality");
    compressor.set_subsamp(Subsamp::Sub2x2).expect("a sampling");
    set(&mut compressor);
    let image = Image {
        pixels,
        width,
        pitch: width * format.size(),
        height,
        format,
    };
    compressor.compress_to_vec(image).expect("a JPEG")
}

pub(crate) fn png(width: usize, height: usize) -> Vec<u8> {
    png_with(
        &scene(width, height),
        width,
        height,
        ColorType::Rgb,
        BitDepth::Eight,
    )
}

pub(crate) fn png_with(
    data: &[u8],
    width: usize,
    height: usize,
    colours: ColorType,
    depth: BitDepth,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    if colours == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 255, 255, 255, 255, 0, 0, 10, 10, 10]);
        encoder.set_trns(vec![255, 255, 255, 0]);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(data).expect("a PNG");
    writer.finish().expect("an end");
    bytes
}

pub(crate) fn webp(width: usize, height: usize) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image_webp::WebPEncoder::new(&mut bytes)
        .encode(
            &scene(width, height),
            width as u32,
            height as u32,
            image_webp::ColorType::Rgb8,
        )
        .expect("a WebP");
    bytes.into_inner()
}
