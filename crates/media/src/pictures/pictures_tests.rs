use png::{BitDepth, ColorType};
use turbojpeg::{Colorspace, PixelFormat, Subsamp};
use vocabulary::PictureKind::{self, Jpeg, Png, Webp};

use super::testing::*;
use super::{BadPicture, Header, brightness, header, kind_of, picture};

/// Compares with the scene, brightness and colours, as far as the coding lets it.
fn is_the_scene(kind: PictureKind, bytes: &[u8], tolerance: f64) {
    let luma = brightness(kind, bytes).expect("its brightness");
    let picture = picture(kind, bytes).expect("the picture");
    assert_eq!((luma.width, luma.height), (WIDTH, HEIGHT));
    assert_eq!((picture.width, picture.height), (WIDTH, HEIGHT));
    assert_eq!(picture.u.len(), WIDTH.div_ceil(2) * HEIGHT.div_ceil(2));
    assert_eq!(picture.v.len(), picture.u.len());
    let near = |found: u8, expected: f64, what: &str| {
        let off = (f64::from(found) - expected).abs();
        assert!(off <= tolerance, "{what} is {found}, not {expected}");
    };
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let expected = yuv_at(x, y)[0];
            near(luma.data[y * WIDTH + x], expected, "brightness");
            near(picture.y[y * WIDTH + x], expected, "brightness of the picture");
        }
    }
    let half = WIDTH.div_ceil(2);
    for y in 0..HEIGHT / 2 {
        for x in 0..WIDTH / 2 {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| yuv_at(2 * x + dx, 2 * y + dy));
            let mean = |channel: usize| four.iter().map(|yuv| yuv[channel]).sum::<f64>() / 4.0;
            near(picture.u[y * half + x], mean(1), "blue");
            near(picture.v[y * half + x], mean(2), "red");
        }
    }
}

#[test]
fn brightness_is_had_where_the_decoder_cannot_pass_over_the_colours() {
    let bytes = include_bytes!("data/full_colour.jpg");
    let luma = brightness(Jpeg, bytes).expect("its brightness");
    let picture = picture(Jpeg, bytes).expect("the picture");
    assert_eq!((luma.width, luma.height), (64, 64));
    assert_eq!(luma.data, picture.y);
}

#[test]
fn jpegs_of_every_sampling_are_decoded() {
    for sampling in [
        Subsamp::None,
        Subsamp::Sub2x1,
        Subsamp::Sub2x2,
        Subsamp::Sub1x2,
        Subsamp::Sub4x1,
    ] {
        let jpeg = jpeg_with(&scene(WIDTH, HEIGHT), WIDTH, HEIGHT, PixelFormat::RGB, |jpeg| {
            jpeg.set_subsamp(sampling).expect("a sampling");
        });
        is_the_scene(Jpeg, &jpeg, 16.0);
    }
}

#[test]
fn the_brightness_of_a_jpeg_is_what_another_decoder_says() {
    let mut dice = 88_172_645_463_325_252u64;
    let mut roll = move |sides: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice as usize % sides
    };
    for round in 0..250 {
        let (width, height) = (1 + roll(120), 1 + roll(120));
        let pixels: Vec<u8> = match round % 2 {
            0 => (0..width * height * 3).map(|_| roll(256) as u8).collect(),
            _ => scene(width, height),
        };
        let samplings = [
            Subsamp::None,
            Subsamp::Sub2x1,
            Subsamp::Sub2x2,
            Subsamp::Sub1x2,
            Subsamp::Sub4x1,
        ];
        let (sampling, quality) = (samplings[roll(5)], 5 + roll(96) as i32);
        let (progressive, optimised) = (roll(2) == 0, roll(2) == 0);
        let jpeg = jpeg_with(&pixels, width, height, PixelFormat::RGB, |jpeg| {
            jpeg.set_subsamp(sampling).expect("a sampling");
            jpeg.set_quality(quality).expect("a quality");
            jpeg.set_progressive(progressive).expect("progressive or not");
            jpeg.set_optimize(optimised).expect("optimised or not");
        });
        let about =
            format!("{width} by {height}, {sampling:?}, quality {quality}, progressive {progressive}");
        let expected = turbojpeg::decompress(&jpeg, PixelFormat::GRAY).expect("the other decoder");
        let found = brightness(Jpeg, &jpeg).unwrap_or_else(|error| panic!("{about}: {error}"));
        let off = found
            .data
            .iter()
            .zip(&expected.pixels)
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        assert!(off <= Some(4), "{about}: off by {off:?}");
    }
}

#[test]
fn progressive_jpegs_are_decoded() {
    let jpeg = jpeg_with(&scene(WIDTH, HEIGHT), WIDTH, HEIGHT, PixelFormat::RGB, |jpeg| {
        jpeg.set_progressive(true).expect("progressive");
    });
    is_the_scene(Jpeg, &jpeg, 16.0);
}

#[test]
fn jpegs_that_hold_rgb_are_decoded() {
    let jpeg = jpeg_with(&scene(WIDTH, HEIGHT), WIDTH, HEIGHT, PixelFormat::RGB, |jpeg| {
        jpeg.set_subsamp(Subsamp::None).expect("a sampling");
        jpeg.set_colorspace(Colorspace::RGB).expect("a colour space");
    });
    is_the_scene(Jpeg, &jpeg, 8.0);
}

#[test]
fn grey_jpegs_have_no_colour() {
    let jpeg = jpeg_with(&[90; 20 * 10], 20, 10, PixelFormat::GRAY, |jpeg| {
        jpeg.set_subsamp(Subsamp::Gray).expect("a sampling");
    });
    let picture = picture(Jpeg, &jpeg).expect("the picture");
    assert!(picture.y.iter().all(|&level| level.abs_diff(90) < 3));
    assert!(picture.u.iter().chain(&picture.v).all(|&level| level == 128));
}

#[test]
fn jpegs_for_printers_are_decoded() {
    // Ink as Adobe has it: 255 is none.
    let cmyk: Vec<u8> = [255, 255, 255, 255].repeat(16 * 16);
    let jpeg = jpeg_with(&cmyk, 16, 16, PixelFormat::CMYK, |jpeg| {
        jpeg.set_subsamp(Subsamp::None).expect("a sampling");
    });
    let white = brightness(Jpeg, &jpeg).expect("its brightness");
    assert!(white.data.iter().all(|&level| level > 250));
}

#[test]
fn arithmetic_jpegs_are_refused_in_words() {
    let jpeg = jpeg_with(&scene(WIDTH, HEIGHT), WIDTH, HEIGHT, PixelFormat::RGB, |jpeg| {
        jpeg.set_arithmetic(true).expect("arithmetic");
    });
    let error = brightness(Jpeg, &jpeg).expect_err("not decoded");
    assert!(error.to_string().contains("arithmetic"), "{error}");
}

#[test]
fn pngs_are_decoded_exactly() {
    is_the_scene(Png, &png(WIDTH, HEIGHT), 1.0);
    is_the_scene(Png, INTERLACED_PNG, 1.0);
}

#[test]
fn of_an_animated_png_the_first_picture_is_taken() {
    is_the_scene(Png, ANIMATED_PNG, 1.0);
}

#[test]
fn pngs_of_sixteen_bits_lose_the_lower_eight() {
    let data: Vec<u8> = scene(WIDTH, HEIGHT)
        .into_iter()
        .flat_map(|level| [level, 0xee])
        .collect();
    let png = png_with(&data, WIDTH, HEIGHT, ColorType::Rgb, BitDepth::Sixteen);
    is_the_scene(Png, &png, 1.0);
}

#[test]
fn pngs_with_a_palette_are_decoded_and_what_is_transparent_is_black() {
    // Four pixels of two bits: black, white, red, and a transparent one.
    let png = png_with(&[0b00_01_10_11], 4, 1, ColorType::Indexed, BitDepth::Two);
    assert_eq!(
        brightness(Png, &png).expect("its brightness").data,
        [0, 255, 76, 0]
    );
}

#[test]
fn alpha_dims_a_picture_towards_black() {
    let png = png_with(
        &[200, 200, 200, 128, 200, 200, 200, 255],
        2,
        1,
        ColorType::Rgba,
        BitDepth::Eight,
    );
    assert_eq!(brightness(Png, &png).expect("its brightness").data, [100, 200]);
    let png = png_with(
        &[200, 128, 200, 0],
        2,
        1,
        ColorType::GrayscaleAlpha,
        BitDepth::Eight,
    );
    assert_eq!(brightness(Png, &png).expect("its brightness").data, [100, 0]);
    assert_eq!(picture(Png, &png).expect("the picture").y, [100, 0]);
}

#[test]
fn grey_pngs_of_one_bit_are_black_and_white() {
    let png = png_with(&[0b1010_0000], 4, 1, ColorType::Grayscale, BitDepth::One);
    assert_eq!(
        brightness(Png, &png).expect("its brightness").data,
        [255, 0, 255, 0]
    );
}

#[test]
fn webps_lossless_and_lossy_are_decoded() {
    is_the_scene(Webp, &webp(WIDTH, HEIGHT), 1.0);
    is_the_scene(Webp, LOSSY_WEBP, 16.0);
}

#[test]
fn a_webp_with_alpha_is_dimmed() {
    let half = brightness(Webp, LOSSY_ALPHA_WEBP).expect("its brightness");
    let whole = brightness(Webp, LOSSY_WEBP).expect("its brightness");
    for (half, whole) in half.data.iter().zip(&whole.data) {
        assert!(half.abs_diff(whole / 2) < 12, "{half} is not half of {whole}");
    }
}

#[test]
fn an_animated_webp_is_refused_in_words() {
    let error = brightness(Webp, ANIMATED_WEBP).expect_err("not decoded");
    assert_eq!(
        error.to_string(),
        "the picture has several frames (an animated WebP), which is not decoded here; send it as an ordinary JPEG, \
         PNG or WebP"
    );
}

#[test]
fn the_kind_must_be_the_declared_one() {
    let error = brightness(Jpeg, &png(8, 8)).expect_err("not decoded");
    assert_eq!(error.to_string(), "the picture says image/jpeg, and is a PNG");
    let error = header(Png, b"<html>").expect_err("not decoded");
    assert_eq!(
        error.to_string(),
        "the picture says image/png, and is no JPEG, PNG or WebP"
    );
    assert_eq!(header(Webp, b""), Err(BadPicture::Empty));
}

#[test]
fn the_header_gives_kind_and_size() {
    for (kind, bytes) in [(Jpeg, jpeg(40, 30)), (Png, png(40, 30)), (Webp, webp(40, 30))] {
        assert_eq!(kind_of(&bytes), Some(kind));
        let expected = Header {
            kind,
            width: 40,
            height: 30,
        };
        assert_eq!(header(kind, &bytes), Ok(expected));
    }
}

#[test]
fn a_picture_that_is_too_large_is_refused_by_its_header_alone() {
    // A header of 20000 by 20000 before a few bytes of another picture: there is nothing to decode.
    let mut large_png = png(8, 8);
    large_png[16..24].copy_from_slice(&[0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]);
    let sum = crc32(&large_png[12..29]);
    large_png[29..33].copy_from_slice(&sum.to_be_bytes());
    let mut large_jpeg = jpeg(8, 8);
    let frame = large_jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]);
    let frame = frame.expect("a frame header");
    large_jpeg[frame + 5..frame + 9].copy_from_slice(&[0x4e, 0x20, 0x4e, 0x20]);
    for (kind, bytes) in [(Png, large_png), (Jpeg, large_jpeg)] {
        let error = brightness(kind, &bytes).expect_err("not decoded");
        assert_eq!(
            error,
            BadPicture::Size {
                width: 20000,
                height: 20000
            },
            "{kind:?}"
        );
        assert!(error.to_string().contains("20000 by 20000"), "{error}");
    }
    // The extended header of a WebP has 24 bits a side.
    let mut large_webp = LOSSY_ALPHA_WEBP.to_vec();
    assert_eq!(&large_webp[12..16], b"VP8X");
    large_webp[24..30].copy_from_slice(&[0xff, 0xff, 0xff, 0, 0, 0]);
    assert!(header(Webp, &large_webp).is_err());
}

#[test]
fn a_webp_whose_picture_is_larger_than_its_canvas_is_refused_before_decoding() {
    let mut webp = LOSSY_ALPHA_WEBP.to_vec();
    let lossy = webp
        .windows(4)
        .position(|name| name == b"VP8 ")
        .expect("a lossy picture");
    webp[lossy + 14..lossy + 18].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let error = header(Webp, &webp).expect_err("two sizes");
    assert!(error.to_string().contains("two sizes"), "{error}");
}

#[test]
fn a_picture_that_is_cut_short_is_refused() {
    for (kind, bytes) in [
        (Jpeg, jpeg(64, 48)),
        (Png, png(64, 48)),
        (Webp, webp(64, 48)),
        (Webp, LOSSY_WEBP.to_vec()),
    ] {
        let half = &bytes[..bytes.len() / 2];
        assert!(brightness(kind, half).is_err(), "half a {kind:?}");
        assert!(picture(kind, half).is_err(), "half a {kind:?}");
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}
