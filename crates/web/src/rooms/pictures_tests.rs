use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use vocabulary::MessageId;

use super::pictures::{NewPicture, check, sniff};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0";
const GIF: &[u8] = b"GIF87a\x01\0\x01\0";

fn picture(mime: &str, bytes: &[u8]) -> NewPicture {
    NewPicture {
        name: "cat".into(),
        mime: mime.into(),
        data_base64: STANDARD.encode(bytes),
    }
}

#[test]
fn the_first_bytes_tell_what_a_picture_is() {
    assert_eq!(sniff(PNG), Some("image/png"));
    assert_eq!(sniff(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
    assert_eq!(sniff(b"GIF89a"), Some("image/gif"));
    assert_eq!(sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
    assert_eq!(sniff(b"RIFF\0\0\0\0WAVE"), None);
    assert_eq!(sniff(b"<svg>"), None);
    assert_eq!(sniff(b""), None);
}

#[test]
fn pictures_are_named_after_their_message() {
    let good = check(
        &MessageId::from("m1"),
        vec![picture("image/png", PNG), picture("image/gif", GIF)],
    )
    .unwrap();
    let ids: Vec<&str> = good
        .iter()
        .map(|picture| picture.attachment.id.as_str())
        .collect();
    assert_eq!(ids, ["m1-1", "m1-2"]);
    assert_eq!(good[0].attachment.bytes, PNG.len() as u64);
}

#[test]
fn pictures_that_are_not_what_they_say_are_refused() {
    for bad in [
        picture("image/png", b"GIF89a"),
        picture("image/svg+xml", b"<svg>"),
        picture("image/png", b"<html>"),
        NewPicture {
            data_base64: "!".into(),
            ..picture("image/png", PNG)
        },
        NewPicture {
            name: " ".into(),
            ..picture("image/png", PNG)
        },
        NewPicture {
            name: "a\nb".into(),
            ..picture("image/png", PNG)
        },
    ] {
        let shown = format!("{bad:?}");
        assert!(check(&MessageId::from("m1"), vec![bad]).is_err(), "{shown}");
    }
}

#[test]
fn a_picture_that_is_too_large_to_be_decoded_is_refused_by_its_header() {
    let with_size = |width: u32, height: u32| {
        let mut png = PNG.to_vec();
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        check(&MessageId::from("m1"), vec![picture("image/png", &png)])
    };
    assert!(with_size(8_000, 6_000).is_ok());
    for (width, height) in [(30_000, 30_000), (16_385, 1), (0, 5), (u32::MAX, u32::MAX)] {
        assert!(with_size(width, height).is_err(), "{width} by {height}");
    }
    let headless = check(&MessageId::from("m1"), vec![picture("image/png", &PNG[..12])]);
    assert!(headless.is_err());
    let gif = check(
        &MessageId::from("m1"),
        vec![picture("image/gif", b"GIF89a\xff\xff\xff\xff")],
    );
    assert!(gif.is_err());
}
