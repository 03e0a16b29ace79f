//! What the built-in model makes of a shared screen. It sees nothing: a program has measured what changed, and a text
//! reader, where there is one, says what stands there. It notes just that, and never comments.

mod asked;
#[cfg(test)]
mod asked_tests;
mod glances;
mod likeness;
#[cfg(test)]
mod likeness_tests;
mod lines;
#[cfg(test)]
mod lines_tests;
mod note;
#[cfg(test)]
mod note_tests;

use std::collections::BTreeMap;

use bytes::Bytes;
use runtime::ports::{ChosenReader, Prepared, Undecodable};
use serde::Serialize;
use vocabulary::{
    AskFailure, AskFailureKind, AttachmentId, ContentPart, ModelRequest, OutputShape, PictureKind,
};

use super::eyes::Eyes;
use super::json;
use crate::sight::gone;
use asked::Asked;
use note::Noted;

pub(super) use glances::Glances;

/// How it stays silent where no JSON is wanted.
const SILENCE: &str = "[SKIP]";

/// Takes a note on the picture of a request.
pub(super) async fn note(
    request: &ModelRequest,
    prepared: &Prepared,
    eyes: &Eyes,
) -> Result<String, AskFailure> {
    let (kind, bytes) = picture(request, &prepared.pictures)?;
    let asked = Asked::read(request);
    let noted = match &prepared.reader {
        None => note::unread(&asked),
        Some(ChosenReader(reader)) => {
            let lines = reader.read(kind, bytes).await.map_err(|Undecodable(why)| {
                let detail = format!("{} could not read the screen: {why}", reader.name());
                AskFailure::new(AskFailureKind::Unavailable, detail)
            })?;
            let lines = lines::worth_reading(lines);
            let whose = prepared.community.as_ref();
            let before = asked.newest().and_then(|note| eyes.glances.behind(whose, note));
            let noted = note::read(&asked, &lines, before.as_deref());
            if !noted.nothing_new {
                eyes.glances.keep(whose, noted.note.clone(), lines);
            }
            noted
        }
    };
    Ok(written(&noted, &request.output))
}

/// Says nothing about a screen, and why.
pub(super) fn silence(request: &ModelRequest) -> String {
    match &request.output {
        OutputShape::Text => SILENCE.to_owned(),
        OutputShape::Json { .. } => json(&Silence {
            action: "skip",
            text: "",
            reason: "the offline model reads a screen at best, and does not see it",
            notes: [],
        }),
    }
}

#[derive(Serialize)]
struct Silence {
    action: &'static str,
    text: &'static str,
    reason: &'static str,
    notes: [String; 0],
}

#[derive(Serialize)]
struct WrittenNote<'a> {
    note: &'a str,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_new: Option<bool>,
}

fn written(noted: &Noted, output: &OutputShape) -> String {
    match output {
        OutputShape::Text if noted.nothing_new => SILENCE.to_owned(),
        OutputShape::Text => noted.note.clone(),
        OutputShape::Json { schema, .. } => {
            let asks_for_it = schema.pointer("/properties/nothing_new").is_some();
            json(&WrittenNote {
                note: &noted.note,
                why: noted.why,
                nothing_new: (asks_for_it || noted.nothing_new).then_some(noted.nothing_new),
            })
        }
    }
}

fn picture(
    request: &ModelRequest,
    pictures: &BTreeMap<AttachmentId, Bytes>,
) -> Result<(PictureKind, Bytes), AskFailure> {
    let mut parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let found = parts.find_map(|part| match part {
        ContentPart::Image { id, mime } => Some((PictureKind::of_mime(mime)?, pictures.get(id)?.clone())),
        _ => None,
    });
    found.ok_or_else(gone)
}
