//! The pictures of a request as one provider takes them: of a type it knows, small enough, and none that it could not
//! read before. What it does not take is left out, and the model is told so.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;

use bytes::Bytes;
use media::pictures::picture;
use vocabulary::{AttachmentId, FrameId, PictureKind};

use crate::catalogue::Abilities;

/// Pixels of a picture that was too large: as many as models look at.
const PIXELS_SHOWN: usize = 1_568 * 1_568;
const JPEG_QUALITY: u8 = 85;
/// Where nobody says how large a picture may be.
const BYTES_MAX: usize = 20_000_000;
/// Pictures that were made smaller and are likely to be wanted again: each goes along with every message after it.
const SHRUNK_KEPT_MAX: usize = 8;

/// Pictures by their ids.
#[derive(Debug, Default)]
pub(crate) struct Pictures(BTreeMap<AttachmentId, Shown>);

/// What a model is shown of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Picture {
        mime: Option<&'static str>,
        bytes: Bytes,
    },
    /// A line in its place.
    LeftOut(String),
}

/// Pictures that were made smaller, newest last.
#[derive(Debug, Default)]
pub(crate) struct Shrunk(Mutex<Vec<(AttachmentId, Bytes)>>);

impl Pictures {
    /// What a model is shown of these.
    pub(crate) fn for_model(
        pictures: &BTreeMap<AttachmentId, Bytes>,
        abilities: &Abilities,
        shrunk: &Shrunk,
        is_unreadable: impl Fn(&AttachmentId) -> bool,
    ) -> Self {
        let shown = |(id, bytes): (&AttachmentId, &Bytes)| {
            let shown = match is_unreadable(id) {
                true => left_out("the model could not read it"),
                false => fitting(id, bytes, abilities, shrunk),
            };
            (id.clone(), shown)
        };
        Self(pictures.iter().map(shown).collect())
    }

    /// Whether it is shown one at all.
    pub(crate) fn has_any(&self) -> bool {
        let mut shown = self.0.values();
        shown.any(|shown| matches!(shown, Shown::Picture { .. }))
    }

    pub(crate) fn get(&self, id: &AttachmentId) -> Option<&Shown> {
        self.0.get(id)
    }
}

fn fitting(id: &AttachmentId, bytes: &Bytes, abilities: &Abilities, shrunk: &Shrunk) -> Shown {
    let mime = type_of(bytes);
    let bytes_max = abilities
        .picture_bytes_max
        .map_or(BYTES_MAX, |most| most as usize);
    if let Some(mime) = mime.filter(|mime| !abilities.sees(mime)) {
        return left_out(&name_of(mime));
    }
    if bytes.len() <= bytes_max {
        return Shown::Picture {
            mime,
            bytes: bytes.clone(),
        };
    }
    // What is written down of a frame is found by its bytes, and left out; others would be kept.
    let kind = mime.and_then(PictureKind::of_mime);
    let smaller = kind
        .filter(|_| FrameId::of_attachment(id).is_none())
        .and_then(|kind| shrunk.get_or_make(id, kind, bytes));
    match smaller.filter(|smaller| smaller.len() <= bytes_max) {
        Some(bytes) => Shown::Picture {
            mime: Some("image/jpeg"),
            bytes,
        },
        None => left_out(&format!("{:.1} MB", bytes.len() as f64 / 1e6)),
    }
}

impl Shrunk {
    fn get_or_make(&self, id: &AttachmentId, kind: PictureKind, bytes: &[u8]) -> Option<Bytes> {
        let kept = || self.0.lock().expect("no holder of this lock can panic");
        if let Some((_, ready)) = kept().iter().find(|(known, _)| known == id) {
            return Some(ready.clone());
        }
        // Nobody waits for it who asks something else.
        let whole = picture(kind, bytes).ok()?;
        let smaller = media::jpeg::encode(&whole.with_about(PIXELS_SHOWN), JPEG_QUALITY).ok()?;
        let smaller = Bytes::from(smaller);
        let mut kept = kept();
        if kept.len() >= SHRUNK_KEPT_MAX {
            kept.remove(0);
        }
        kept.push((id.clone(), smaller.clone()));
        Some(smaller)
    }
}

/// What a picture is, by its first bytes: what it was called when it was sent may be wrong, and is refused then.
fn type_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'h', b'e', b'i', b'c', ..] => Some("image/heic"),
        [b'B', b'M', ..] => Some("image/bmp"),
        _ => None,
    }
}

fn name_of(mime: &str) -> Cow<'static, str> {
    let name = mime.trim_start_matches("image/").to_uppercase();
    Cow::Owned(name)
}

fn left_out(why: &str) -> Shown {
    Shown::LeftOut(format!("[a picture that could not be shown: {why}]"))
}

#[cfg(test)]
#[path = "pictures_tests.rs"]
mod tests;
