//! Texts, packed: requests to a model, answers, lines of the journal and inputs repeat themselves, and each other.
//!
//! Texts that belong to one row are packed together, since the body of a request repeats the request. What all of them say
//! again and again stands in a dictionary, so that a line of the journal takes a third of the room that it had. A very short text
//! is kept as it is. Whoever wants to read a folder by hand asks the program, whose commands unpack.

mod block;

use std::borrow::Cow;

use rusqlite::Row;

use crate::fault::Fault;

/// A text shorter than this is not worth packing.
const SHORT: usize = 64;
/// What unpacks to more was damaged: nobody keeps as much in one row.
const UNPACKED_MAX: usize = 1 << 30;
/// A block says this often what it holds, at most.
const TIMES_MAX: usize = 256;
/// In front of what is packed stands how long it is, with this for what refers to the dictionary. Without it, it was packed
/// before there was one.
const WITH_DICTIONARY: u32 = 1 << 31;

/// Packs texts together; nothing where they are short, or would not become shorter.
pub(crate) fn pack(texts: &[&str]) -> Option<Vec<u8>> {
    let whole = texts.iter().map(|text| text.len()).sum::<usize>();
    if whole < SHORT {
        return None;
    }
    let lengths: Vec<String> = texts.iter().map(|text| text.len().to_string()).collect();
    let lengths = lengths.join(" ") + "\n";
    let size = u32::try_from(lengths.len() + whole)
        .ok()
        .filter(|size| size & WITH_DICTIONARY == 0)?;
    let all: Vec<&str> = std::iter::once(lengths.as_str())
        .chain(texts.iter().copied())
        .collect();
    let packed = block::encode(&(size | WITH_DICTIONARY).to_le_bytes(), &all);
    (packed.len() < whole).then_some(packed)
}

/// The texts that were packed together.
pub(crate) fn unpack<const N: usize>(packed: &[u8]) -> Result<[String; N], String> {
    let damaged = |why: &str| format!("what is packed is damaged: {why}");
    let (head, block) = packed.split_first_chunk().ok_or_else(|| damaged("it is cut"))?;
    let head = u32::from_le_bytes(*head);
    let size = (head & !WITH_DICTIONARY) as usize;
    if size > UNPACKED_MAX || size / TIMES_MAX > packed.len() {
        return Err(damaged("it would be too long"));
    }
    let plain = match head & WITH_DICTIONARY {
        0 => lz4_flex::block::decompress(block, size).map_err(|error| error.to_string()),
        _ => block::decode(block, size),
    };
    let plain = plain.map_err(|why| damaged(&why))?;
    let plain = String::from_utf8(plain).map_err(|_| damaged("it is no text"))?;
    let (lengths, mut rest) = plain
        .split_once('\n')
        .ok_or_else(|| damaged("it has no lengths"))?;
    let mut texts = Vec::with_capacity(N);
    for length in lengths.split(' ') {
        let text = length
            .parse()
            .ok()
            .and_then(|length| rest.split_at_checked(length));
        let (text, after) = text.ok_or_else(|| damaged("its lengths are wrong"))?;
        texts.push(text.to_owned());
        rest = after;
    }
    <[String; N]>::try_from(texts).map_err(|_| damaged("it holds another number of texts"))
}

/// A text as it is kept: as it is, or packed.
pub(crate) struct Kept<'a> {
    pub text: &'a str,
    pub packed: Option<Vec<u8>>,
}

impl<'a> Kept<'a> {
    pub fn of(text: &'a str) -> Self {
        match pack(&[text]) {
            Some(packed) => Self {
                text: "",
                packed: Some(packed),
            },
            None => Self { text, packed: None },
        }
    }
}

/// What is packed in a column of a row, if anything is.
pub(crate) fn column<'a>(row: &'a Row<'_>, packed: usize) -> rusqlite::Result<Option<&'a [u8]>> {
    Ok(row.get_ref(packed)?.as_blob_or_null()?)
}

/// The text of two columns of a row: as it is, or packed.
pub(crate) fn text<'a>(row: &'a Row<'_>, text: usize, packed: usize) -> Result<Cow<'a, str>, Fault> {
    match column(row, packed)? {
        Some(bytes) => {
            let [text] = unpack(bytes).map_err(Fault::Told)?;
            Ok(Cow::Owned(text))
        }
        None => Ok(Cow::Borrowed(
            row.get_ref(text)?.as_str().map_err(rusqlite::Error::from)?,
        )),
    }
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod packed_tests;
