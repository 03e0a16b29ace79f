//! Long texts, packed: requests to a model, answers of a search and states repeat themselves, and each other.
//!
//! Texts that belong to one row are packed together, since the body of a request repeats the request. A short text is
//! kept as it is, so that whoever opens the file by hand can read it.

use rusqlite::Row;

/// A text shorter than this is not worth packing.
const SHORT: usize = 1_024;
/// What unpacks to more was damaged: nobody keeps as much in one row.
const UNPACKED_MAX: usize = 1 << 30;

/// Packs texts together; nothing where they are short.
pub(crate) fn pack(texts: &[&str]) -> Option<Vec<u8>> {
    if texts.iter().map(|text| text.len()).sum::<usize>() < SHORT {
        return None;
    }
    let lengths: Vec<String> = texts.iter().map(|text| text.len().to_string()).collect();
    let mut plain = lengths.join(" ");
    plain.push('\n');
    plain.extend(texts.iter().copied());
    Some(lz4_flex::block::compress_prepend_size(plain.as_bytes()))
}

/// The texts that were packed together.
pub(crate) fn unpack<const N: usize>(packed: &[u8]) -> Result<[String; N], String> {
    let damaged = |why: &str| format!("what is packed is damaged: {why}");
    let (size, _) =
        lz4_flex::block::uncompressed_size(packed).map_err(|error| damaged(&error.to_string()))?;
    if size > UNPACKED_MAX {
        return Err(damaged("it would be too long"));
    }
    let plain =
        lz4_flex::block::decompress_size_prepended(packed).map_err(|error| damaged(&error.to_string()))?;
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

/// What is packed in a column of a row, if anything is.
pub(crate) fn column<'a>(row: &'a Row<'_>, packed: usize) -> rusqlite::Result<Option<&'a [u8]>> {
    Ok(row.get_ref(packed)?.as_blob_or_null()?)
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod packed_tests;
