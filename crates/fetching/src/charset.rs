//! From bytes to text, whoever is wrong about the charset.
//!
//! A byte order mark is believed first. Then comes what the server names, then what the document names in its first
//! kilobyte; a name that the bytes contradict is passed over. Without one it is UTF-8, or else windows-1252.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Decodes a body.
pub(crate) fn decode(bytes: &[u8], named_by_server: Option<&str>) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding
            .decode_without_bom_handling(&bytes[mark..])
            .0
            .into_owned();
    }
    let by_server = named_by_server.and_then(|label| Encoding::for_label(label.as_bytes()));
    let by_document = || named_by_document(bytes).and_then(|label| Encoding::for_label(label.as_bytes()));
    let named: Vec<_> = by_server
        .into_iter()
        .chain(by_document().map(ascii_compatible))
        .collect();
    let utf8 = std::str::from_utf8(bytes);
    for encoding in &named {
        // Any bytes at all are "valid" in a charset of single bytes, but text that happens to be good UTF-8 is UTF-8.
        if let (true, Ok(text)) = (encoding.is_single_byte(), utf8) {
            return text.to_owned();
        }
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return text.into_owned();
        }
    }
    match (utf8, named.first()) {
        (Ok(text), _) => text.to_owned(),
        (Err(_), Some(encoding)) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        (Err(_), None) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// A name that could be read as ASCII cannot be of a document in UTF-16.
fn ascii_compatible(encoding: &'static Encoding) -> &'static Encoding {
    match encoding.is_ascii_compatible() {
        true => encoding,
        false => UTF_8,
    }
}

/// The charset in `<?xml … encoding="…"?>`, `<meta charset=…>` or `<meta … content="…; charset=…">`.
fn named_by_document(bytes: &[u8]) -> Option<String> {
    let beginning = &bytes[..bytes.len().min(1024)];
    let beginning = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    if let Some(declaration) = beginning.trim_start().strip_prefix("<?xml") {
        let declaration = &declaration[..declaration.find("?>")?];
        return value_after(declaration, "encoding");
    }
    let mut rest = beginning.as_str();
    while let Some(at) = rest.find("<meta") {
        let tag = &rest[at + "<meta".len()..];
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        if let Some(charset) = value_after(tag, "charset") {
            return Some(charset);
        }
        rest = &rest[at + "<meta".len()..];
    }
    None
}

/// `utf-8` after `charset` in `charset="utf-8"`, `charset = utf-8` and `charset=utf-8"`.
fn value_after(text: &str, name: &str) -> Option<String> {
    let after = text[text.find(name)? + name.len()..].trim_start();
    let value = after
        .strip_prefix('=')?
        .trim_start()
        .trim_start_matches(['"', '\'']);
    let end = value
        .find(|character: char| !(character.is_ascii_alphanumeric() || "-_:.".contains(character)))
        .unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}

#[cfg(test)]
#[path = "charset_tests.rs"]
mod tests;
