//! Pictures of shared screens are shown to models and never kept: wherever what was sent or answered is written down,
//! a sentence stands in their place.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use bytes::Bytes;
use vocabulary::{AttachmentId, FrameId};

/// A text that ends within a picture is recognised by so much of it; less is no picture.
const RECOGNISED_BY: usize = 64;

/// The pictures of a request that must not be kept.
#[derive(Clone, Default)]
pub(crate) struct UnkeptPictures(Vec<(FrameId, Bytes)>);

impl UnkeptPictures {
    /// Those of shared screens. What came with messages is kept anyway.
    pub fn among(images: &BTreeMap<AttachmentId, Bytes>) -> Self {
        let frames = images.iter().filter(|(_, bytes)| !bytes.is_empty());
        let frames = frames.filter_map(|(id, bytes)| Some((FrameId::of_attachment(id)?, bytes.clone())));
        Self(frames.collect())
    }

    /// A text without them, whichever way of writing bytes in JSON it uses.
    pub fn left_out_of(&self, mut text: String) -> String {
        for (frame, bytes) in &self.0 {
            let sentence = format!("(the picture of frame {frame} is not kept)");
            for written in ways_to_write(bytes) {
                if text.contains(&written) {
                    text = text.replace(&written, &sentence);
                }
                if let Some(at) = cut_off_at(&text, &written) {
                    text.replace_range(at.., &sentence);
                }
            }
        }
        text
    }
}

/// The longest first: one without padding is the beginning of one with it.
fn ways_to_write(bytes: &Bytes) -> Vec<String> {
    let engines = [&STANDARD, &URL_SAFE, &STANDARD_NO_PAD, &URL_SAFE_NO_PAD];
    let plain: BTreeSet<String> = engines.iter().map(|engine| engine.encode(bytes)).collect();
    let escaped: Vec<String> = plain.iter().map(|written| written.replace('/', "\\/")).collect();
    let mut ways: Vec<String> = plain.into_iter().chain(escaped).collect();
    ways.sort_by_key(|written| std::cmp::Reverse(written.len()));
    ways.dedup();
    ways
}

/// Where a text ends within a picture, because it was cut there.
fn cut_off_at(text: &str, written: &str) -> Option<usize> {
    let beginning = written.get(..RECOGNISED_BY)?;
    let at = text.rfind(beginning)?;
    written.starts_with(&text[at..]).then_some(at)
}

#[cfg(test)]
#[path = "unkept_tests.rs"]
mod tests;
