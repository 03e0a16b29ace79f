//! Models that cannot see: what is done without pictures, what is read where pictures are the point, and what a person is
//! told where nobody reads.

use std::collections::BTreeMap;

use bytes::Bytes;
use runtime::ports::{ChosenReader, Language, Prepared, Wire};
use settings::Settings;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, ContentPart, ModelChoice, ModelRequest,
};

use crate::allowance::bare;
use crate::catalogue::Provider;
use crate::trouble::Feature;
use crate::writing::Writing;
use crate::{Models, OFFLINE_MODEL};

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

/// Who reads what stands on a picture, for the built-in model or in place of one that turns out not to see.
pub(crate) fn reader(
    models: &Models,
    provider: Provider,
    purpose: AskPurpose,
    settings: &Settings,
) -> Option<ChosenReader> {
    let may_read = provider == Provider::Offline || purpose == AskPurpose::ScreenNote;
    may_read.then(|| models.eyes.reader(settings)).flatten()
}

/// Has the built-in model note what stands on a screen, where the one that would be asked cannot see and somebody reads.
pub(crate) fn read_instead(
    models: &Models,
    request: &ModelRequest,
    images: &BTreeMap<AttachmentId, Bytes>,
    settings: &Settings,
) -> Option<Result<Prepared, AskFailure>> {
    let is_note = request.purpose == AskPurpose::ScreenNote;
    models.eyes.reader(settings).filter(|_| is_note)?;
    let choice = ModelChoice {
        provider: Provider::Offline.name().to_owned(),
        model: String::new(),
    };
    let request = ModelRequest {
        choice,
        ..request.clone()
    };
    Some(models.prepare(&request, images, settings))
}

/// The same where a model was just found not to see.
pub(crate) fn read_after_all(
    request: &ModelRequest,
    prepared: &Prepared,
    outcome: &AskOutcome,
) -> Option<Prepared> {
    let is_blind =
        matches!(outcome, AskOutcome::Failed(failure) if failure.kind == AskFailureKind::Unavailable);
    let is_read = is_blind && request.purpose == AskPurpose::ScreenNote && prepared.reader.is_some();
    is_read.then(|| Prepared {
        provider: Provider::Offline.name().to_owned(),
        model: OFFLINE_MODEL.to_owned(),
        wire: Wire::Offline,
        ..prepared.clone()
    })
}

/// A note on a screen was refused without a word about why, and somebody reads what stands there: that is noted instead. A
/// model that has taken none of several pictures is not shown any more of them.
pub(crate) fn refused_unseen(
    failure: AskFailure,
    writing: &Writing<'_>,
    shown: &[AttachmentId],
) -> AskFailure {
    let Writing { base_url, model, .. } = *writing;
    let quirks = writing.around.quirks;
    for id in shown {
        quirks.note_unreadable(base_url, model, id);
    }
    if quirks.seems_blind(base_url, model) {
        writing.remember(Feature::Pictures);
    }
    AskFailure {
        kind: AskFailureKind::Unavailable,
        ..failure
    }
}

/// Whether whoever is asked for something may see pictures: nobody has said that it cannot.
pub fn may_see(models: &Models, choice: &ModelChoice, purpose: AskPurpose, settings: &Settings) -> bool {
    let Ok(target) = models.target(choice, purpose, settings) else {
        return true;
    };
    let request = bare(purpose, choice.clone());
    let writing = Writing {
        request: &request,
        pictures: &BTreeMap::new(),
        provider: target.provider,
        model: &target.model,
        base_url: &target.base_url,
        typed: settings.llm.structured_output,
        effort: settings.effort.of(purpose),
        around: models.surroundings(),
        needs_room: false,
        left_out: Vec::new(),
        spared: Vec::new(),
    };
    writing.takes(Feature::Pictures)
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
            "Set voice.streamWatch.noteModel (and noteProvider) to a model that sees, or have what stands on screens read without one: `denizen models install screen`, or install tesseract"
        }
    }
}
