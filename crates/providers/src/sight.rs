//! Models that cannot see: what is done without pictures, and what a person is told where pictures are the point.

use std::collections::BTreeMap;

use bytes::Bytes;
use vocabulary::{AskFailure, AskFailureKind, AskPurpose, AttachmentId, ContentPart, ModelRequest};

use crate::catalogue::Provider;

/// Whether a question makes no sense without its picture.
pub(crate) fn is_about_a_picture(purpose: AskPurpose) -> bool {
    matches!(purpose, AskPurpose::ScreenNote | AskPurpose::ScreenCommentary)
}

/// Refuses a question about a picture that is not there: a model would make something up, and charge for it.
pub(crate) fn insist_on_picture(
    request: &ModelRequest,
    images: &BTreeMap<AttachmentId, Bytes>,
) -> Result<(), AskFailure> {
    let mut parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let is_there = parts.any(|part| matches!(part, ContentPart::Image { id, .. } if images.contains_key(id)));
    if is_there || !is_about_a_picture(request.purpose) {
        return Ok(());
    }
    Err(gone())
}

/// The picture is not there any more.
pub(crate) fn gone() -> AskFailure {
    AskFailure::new(
        AskFailureKind::Unavailable,
        "the picture of this frame is not kept any more, so there is nothing to look at; the next frame is",
    )
}

/// A model that is known not to see, where it would have to.
pub(crate) fn blind(provider: Provider, model: &str, purpose: AskPurpose) -> AskFailure {
    let detail = format!("{provider} model `{model}` cannot see pictures");
    AskFailure::new(
        AskFailureKind::Unavailable,
        format!("{detail}. {}", remedy(purpose)),
    )
}

/// What to do about a model that cannot see.
pub(crate) fn remedy(purpose: AskPurpose) -> &'static str {
    match purpose {
        AskPurpose::ScreenCommentary => {
            "Set voice.streamWatch.commentaryModel (and commentaryProvider) to a model that sees, or autonomousCommentaryEnabled to false"
        }
        _ => {
            "Set voice.streamWatch.noteModel (and noteProvider) to a model that sees, or noteProvider to offline to have the text of screens read without one"
        }
    }
}
