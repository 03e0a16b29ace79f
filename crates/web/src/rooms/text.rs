//! The words of a message: how many there may be.

use axum::http::StatusCode;

use crate::refusal::Refusal;

const TEXT_CHARS_MAX: usize = 8_000;

/// Checks a text; whether it may be empty is for its message to say.
pub(crate) fn check(text: &str) -> Result<(), Refusal> {
    let length = text.chars().count();
    if length > TEXT_CHARS_MAX {
        return Err(Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "text_too_long",
            format!(
                "A message has at most {TEXT_CHARS_MAX} characters; this one has {length}. Send it in parts."
            ),
        ));
    }
    if text.contains('\0') {
        return Err(Refusal::unprocessable(
            "invalid_text",
            "The text holds a NUL character, which no message can. Remove it and send again.",
        ));
    }
    Ok(())
}

pub(crate) fn empty_message() -> Refusal {
    Refusal::unprocessable(
        "empty_message",
        "A message needs words or a picture. Write something, or add one.",
    )
}
