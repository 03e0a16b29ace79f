//! Pictures that come with a message: checked to be what they say they are.

use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;
use vocabulary::{
    Attachment, AttachmentId, MessageId, PICTURE_PIXELS_MAX, PICTURE_SIDE_MAX, is_fit_picture_size,
    picture_size,
};

use crate::refusal::Refusal;

const PICTURES_MAX: usize = 4;
const PICTURE_BYTES_MAX: usize = 5 * 1024 * 1024;
const NAME_CHARS_MAX: usize = 120;
pub(super) const MIMES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/// A picture as it is sent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewPicture {
    #[schemars(length(max = 120), example = &"cat.png")]
    pub name: String,
    /// `image/png`, `image/jpeg`, `image/webp` or `image/gif`.
    #[schemars(example = &"image/png")]
    pub mime: String,
    /// At most 5 MB once decoded; the picture at most 16,384 pixels on a side and 50 million in all.
    pub data_base64: String,
}

/// A picture that was found good.
#[derive(Debug)]
pub(super) struct Picture {
    pub attachment: Attachment,
    pub bytes: Bytes,
}

/// Checks pictures and names them after their message, so that a repeated request stores the same ones.
pub(super) fn check(message: &MessageId, given: Vec<NewPicture>) -> Result<Vec<Picture>, Refusal> {
    if given.len() > PICTURES_MAX {
        return Err(invalid(format!(
            "A message takes at most {PICTURES_MAX} pictures; this one has {}. Send the others in another message.",
            given.len()
        )));
    }
    given
        .into_iter()
        .enumerate()
        .map(|(index, picture)| {
            let id = AttachmentId::new(format!("{message}-{}", index + 1));
            check_one(id, picture)
        })
        .collect()
}

fn check_one(id: AttachmentId, given: NewPicture) -> Result<Picture, Refusal> {
    let name = given.name.trim().to_owned();
    if !(1..=NAME_CHARS_MAX).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(invalid(format!(
            "The name of a picture must have 1 to {NAME_CHARS_MAX} characters and no control characters. Rename it."
        )));
    }
    if !MIMES.contains(&given.mime.as_str()) {
        return Err(invalid(format!(
            "“{name}” is of type {:?}. Only {} are taken.",
            given.mime,
            MIMES.join(", ")
        )));
    }
    if given.data_base64.len() / 4 * 3 > PICTURE_BYTES_MAX + 2 {
        return Err(too_large(&name));
    }
    let bytes = STANDARD.decode(&given.data_base64).map_err(|problem| {
        invalid(format!(
            "The data of “{name}” is not base64: {problem}. Encode the file again."
        ))
    })?;
    if bytes.len() > PICTURE_BYTES_MAX {
        return Err(too_large(&name));
    }
    if sniff(&bytes) != Some(given.mime.as_str()) {
        let really = sniff(&bytes).unwrap_or("no picture that is taken here");
        return Err(invalid(format!(
            "“{name}” says it is {}, but it is {really}. Send it as what it is.",
            given.mime
        )));
    }
    check_size(&name, &bytes)?;
    let attachment = Attachment {
        id,
        mime: given.mime,
        name,
        bytes: bytes.len() as u64,
        description: String::new(),
    };
    Ok(Picture {
        attachment,
        bytes: bytes.into(),
    })
}

/// What nobody could decode is not taken: a few kilobytes may say that they are a picture of gigabytes.
fn check_size(name: &str, bytes: &[u8]) -> Result<(), Refusal> {
    match picture_size(bytes) {
        None => Err(invalid(format!(
            "“{name}” is cut short or damaged: it does not say how large it is. Save it again."
        ))),
        Some(size) if is_fit_picture_size(size) => Ok(()),
        Some((width, height)) => Err(invalid(format!(
            "“{name}” is {width} by {height} pixels. A picture may have 1 to {PICTURE_SIDE_MAX} on a side, and {} million in \
             all. Make it smaller.",
            PICTURE_PIXELS_MAX / 1_000_000
        ))),
    }
}

/// What the first bytes say a file is.
pub(super) fn sniff(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn invalid(message: String) -> Refusal {
    Refusal::unprocessable("invalid_attachment", message)
}

fn too_large(name: &str) -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "attachment_too_large",
        format!(
            "“{name}” is larger than {} MB, the most a picture may be. Make it smaller.",
            PICTURE_BYTES_MAX / 1024 / 1024
        ),
    )
}
