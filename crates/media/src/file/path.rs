//! The path that a name or a `file://` address means.

use std::path::PathBuf;

use super::VideoError;

pub(super) fn of(name: &str) -> Result<PathBuf, VideoError> {
    let Some((scheme, rest)) = name.split_once("://") else {
        return Ok(PathBuf::from(name));
    };
    if !scheme.eq_ignore_ascii_case("file") {
        return Err(VideoError::NotAFile(name.to_owned()));
    }
    // The part before the path names a machine; this one has no name or is called localhost.
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return Err(VideoError::NotAFile(name.to_owned()));
    }
    Ok(PathBuf::from(unescaped(path)))
}

/// Bytes that are written as `%41`; what is no such number stays as it is.
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| first == b'%');
        let escaped = hex
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
