use vocabulary::MediaKind;

use super::Format;

#[test]
fn the_formats_are_known_by_their_first_bytes() {
    let cases: [(&[u8], Format); 6] = [
        (b"\x89PNG\r\n\x1a\n....", Format::Png),
        (b"\xFF\xD8\xFF\xE0....", Format::Jpeg),
        (b"RIFF\x10\0\0\0WEBPVP8 ", Format::Webp),
        (b"GIF89a....", Format::Gif),
        (b"\0\0\0\x18ftypisom\0\0", Format::Mp4),
        (b"\x1A\x45\xDF\xA3\x9F\x42\x82\x84webm", Format::Webm),
    ];
    for (bytes, format) in cases {
        assert_eq!(Format::of(bytes), Some(format));
    }
}

#[test]
fn nothing_else_is_taken() {
    let cases: [&[u8]; 10] = [
        b"",
        b"<svg xmlns=\"http://www.w3.org/2000/svg\">",
        b"<!doctype html>",
        b"\x89PNG",
        b"GIF00a",
        b"%PDF-1.7",
        b"\0\0\0\x18ftypavif\0\0",
        b"\0\0\0\x18ftypM4A \0\0",
        b"\x1A\x45\xDF\xA3\x9F\x42\x82\x88matroska",
        b"RIFF\x10\0\0\0WAVEfmt ",
    ];
    for bytes in cases {
        assert_eq!(Format::of(bytes), None, "{bytes:?}");
    }
}

#[test]
fn a_clip_will_not_do_for_a_picture_nor_a_picture_for_a_clip() {
    assert!(Format::Png.suits(MediaKind::Image) && !Format::Png.suits(MediaKind::Video));
    assert!(Format::Mp4.suits(MediaKind::Video) && !Format::Mp4.suits(MediaKind::Image));
    assert!(
        Format::Gif.suits(MediaKind::Gif)
            && Format::Mp4.suits(MediaKind::Gif)
            && !Format::Png.suits(MediaKind::Gif)
    );
}
