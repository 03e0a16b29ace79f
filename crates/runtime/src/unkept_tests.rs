//! Pictures are left out of whatever is written down, exactly and whichever wire it was written for.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use vocabulary::{AttachmentId, FrameId};

use super::UnkeptPictures;

/// Bytes whose base64 has every character that wires and JSON writers differ in.
fn picture(seed: u8) -> Bytes {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0xfb, 0xef, 0xbe];
    bytes.resize(100, 0x20);
    bytes.extend((0..=254_u8).map(|byte| byte.wrapping_mul(7).wrapping_add(seed)));
    bytes.into()
}

fn unkept(pictures: &[(AttachmentId, Bytes)]) -> UnkeptPictures {
    UnkeptPictures::among(&pictures.iter().cloned().collect::<BTreeMap<_, _>>())
}

#[test]
fn every_wire_loses_its_picture_and_nothing_else() {
    let (frame, other) = (FrameId(7), FrameId(8));
    let written = STANDARD.encode(picture(1));
    assert!(written.ends_with('=') && written.contains('/') && written.contains('+'));
    let body = |picture: &str, other: &str| {
        format!(
            r#"{{"anthropic":{{"source":{{"type":"base64","media_type":"image/jpeg","data":"{picture}"}}}},
            "openai":{{"image_url":{{"url":"data:image/jpeg;base64,{picture}"}}}},
            "gemini":{{"inlineData":{{"mimeType":"image/jpeg","data":"{picture}"}}}},"text":"what is this?","other":"{other}"}}"#
        )
    };
    let sent = body(&written, &STANDARD.encode(picture(2)));
    let kept = unkept(&[(frame.attachment(), picture(1)), (other.attachment(), picture(2))])
        .left_out_of(sent.clone());
    assert_eq!(
        kept,
        body(
            "(the picture of frame 7 is not kept)",
            "(the picture of frame 8 is not kept)"
        )
    );
    // A picture that came with a message is not one of a screen.
    let kept = unkept(&[(AttachmentId::new("of-a-message"), picture(1))]).left_out_of(sent.clone());
    assert_eq!(kept, sent);
}

#[test]
fn other_ways_to_write_the_same_bytes_are_known_too() {
    let unkept = unkept(&[(FrameId(3).attachment(), picture(1))]);
    let escaped = STANDARD.encode(picture(1)).replace('/', "\\/");
    for written in [URL_SAFE_NO_PAD.encode(picture(1)), escaped] {
        let kept = unkept.left_out_of(format!("<{written}>"));
        assert_eq!(kept, "<(the picture of frame 3 is not kept)>");
    }
}

#[test]
fn a_text_that_was_cut_within_a_picture_loses_what_is_there_of_it() {
    let unkept = unkept(&[(FrameId(3).attachment(), picture(1))]);
    let written = STANDARD.encode(picture(1));
    let kept = unkept.left_out_of(format!("you sent {}", &written[..200]));
    assert_eq!(kept, "you sent (the picture of frame 3 is not kept)");
    // Two pictures of a kind begin alike; one that goes on otherwise is another.
    let otherwise = format!("you sent {}!", &written[..200]);
    assert_eq!(unkept.left_out_of(otherwise.clone()), otherwise);
}
