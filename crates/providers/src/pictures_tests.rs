use super::*;
use crate::catalogue::{Catalogue, Provider};

fn shown(provider: Provider, bytes: &[u8]) -> Shown {
    let id = AttachmentId::from("a");
    let pictures = BTreeMap::from([(id.clone(), Bytes::copy_from_slice(bytes))]);
    let abilities = Catalogue::built_in().entry(provider, "").abilities;
    let shown = Pictures::for_model(&pictures, &abilities, &Shrunk::default(), |_| false);
    shown.get(&id).expect("it was given").clone()
}

/// A picture of noise, which takes many bytes.
fn large_picture() -> Vec<u8> {
    let (width, height) = (2_600, 2_400);
    let mut state = 7_u32;
    let mut noise = |count: usize| -> Vec<u8> {
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        std::iter::repeat_with(next).take(count).collect()
    };
    let picture = media::Picture {
        width,
        height,
        y: noise(width * height),
        u: noise(width * height / 4),
        v: noise(width * height / 4),
    };
    media::jpeg::encode(&picture, 95).expect("a JPEG")
}

#[test]
fn a_type_that_a_provider_does_not_take_becomes_a_line() {
    let gif = b"GIF89a and so on";
    assert_eq!(
        shown(Provider::Gemini, gif),
        Shown::LeftOut("[a picture that could not be shown: GIF]".to_owned())
    );
    assert!(matches!(
        shown(Provider::Anthropic, gif),
        Shown::Picture {
            mime: Some("image/gif"),
            ..
        }
    ));
}

#[test]
fn a_picture_is_called_what_it_is() {
    assert!(matches!(
        shown(Provider::Anthropic, &[0xff, 0xd8, 0xff, 0xe0]),
        Shown::Picture {
            mime: Some("image/jpeg"),
            ..
        }
    ));
    assert!(matches!(
        shown(Provider::Anthropic, b"who knows"),
        Shown::Picture { mime: None, .. }
    ));
}

#[test]
fn a_picture_that_is_too_large_is_made_smaller() {
    let large = large_picture();
    assert!(large.len() > 3_750_000, "{}", large.len());
    let Shown::Picture { mime, bytes } = shown(Provider::Anthropic, &large) else {
        panic!("it is shown");
    };
    assert_eq!(mime, Some("image/jpeg"));
    assert!(bytes.len() <= 3_750_000, "{}", bytes.len());
    assert!(matches!(
        shown(Provider::OpenAi, &large),
        Shown::Picture { bytes, .. } if bytes.len() == large.len()
    ));
}

#[test]
fn what_is_too_large_and_cannot_be_made_smaller_becomes_a_line() {
    let mut damaged = large_picture();
    damaged.truncate(3_900_000);
    damaged[2..20].fill(0);
    let gif: Vec<u8> = b"GIF89a"
        .iter()
        .copied()
        .chain(std::iter::repeat_n(0, 4_000_000))
        .collect();
    for bytes in [damaged, gif] {
        let left_out = shown(Provider::Anthropic, &bytes);
        assert!(
            matches!(&left_out, Shown::LeftOut(line) if line.ends_with("MB]")),
            "{left_out:?}"
        );
    }
}

#[test]
fn what_a_model_could_not_read_is_not_shown_to_it_again() {
    let id = AttachmentId::from("a");
    let pictures = BTreeMap::from([(id.clone(), Bytes::from_static(b"\x89PNG broken"))]);
    let abilities = Catalogue::built_in().entry(Provider::OpenAi, "").abilities;
    let shown = Pictures::for_model(&pictures, &abilities, &Shrunk::default(), |_| true);
    assert_eq!(
        shown.get(&id),
        Some(&Shown::LeftOut(
            "[a picture that could not be shown: the model could not read it]".to_owned()
        ))
    );
}
