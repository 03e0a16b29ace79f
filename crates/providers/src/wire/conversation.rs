//! A request's turns as every provider can take them: nothing empty, roles taking turns, pictures loaded.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use vocabulary::{Carried, ChatRole, ContentPart, ModelRequest, ToolCall, ToolResult};

use crate::pictures::{Pictures, Shown};

/// Some providers refuse a conversation that starts with the model's own words.
const OPENING: &str = "(What was said before is not shown.)";
const LOST_PICTURE: &str = "(A picture that you cannot see.)";

/// What one side said, or what tools gave.
#[derive(Debug)]
pub(super) struct Said<'a> {
    pub(super) role: ChatRole,
    pub(super) pieces: Vec<Piece<'a>>,
    /// The same as whoever is asked now wrote it before.
    pub(super) carried: Option<&'a Carried>,
}

#[derive(Debug)]
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    Picture { mime: &'a str, base64: String },
    Call(&'a ToolCall),
    Result(&'a ToolResult),
}

/// Lays the turns out.
pub(super) fn conversation<'a>(request: &'a ModelRequest, pictures: &Pictures, to: &str) -> Vec<Said<'a>> {
    let mut said: Vec<Said<'a>> = Vec::new();
    for turn in &request.turns {
        let pieces: Vec<Piece<'a>> = turn
            .parts
            .iter()
            .filter_map(|part| piece(part, pictures))
            .collect();
        if pieces.is_empty() {
            continue;
        }
        let carried = turn.parts.iter().find_map(|part| match part {
            ContentPart::Carried(carried) if carried.from == to => Some(carried),
            _ => None,
        });
        match said.last_mut() {
            // A turn that goes back as it was stays by itself.
            Some(last) if last.role == turn.role && (carried.is_some() || last.carried.is_some()) => {
                said.push(Said {
                    role: turn.role,
                    pieces,
                    carried,
                });
            }
            // The results of one round of calls must come together, and a role must not speak twice in a row.
            Some(last) if last.role == turn.role => last.pieces.extend(pieces),
            None if turn.role == ChatRole::Assistant => {
                said.push(Said {
                    role: ChatRole::User,
                    pieces: vec![Piece::Text(Cow::Borrowed(OPENING))],
                    carried: None,
                });
                said.push(Said {
                    role: turn.role,
                    pieces,
                    carried,
                });
            }
            _ => said.push(Said {
                role: turn.role,
                pieces,
                carried,
            }),
        }
    }
    said
}

/// Arguments as they are sent back: every provider insists on an object, whatever a model made of them.
pub(super) fn sent_arguments(call: &ToolCall) -> Cow<'_, Value> {
    if call.arguments.is_object() {
        Cow::Borrowed(&call.arguments)
    } else {
        Cow::Owned(Value::Object(Map::new()))
    }
}

/// The tools that were called in this conversation, each once.
pub(super) fn called(request: &ModelRequest) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for part in request.turns.iter().flat_map(|turn| &turn.parts) {
        if let ContentPart::ToolCall(call) = part
            && !names.contains(&call.name.as_str())
        {
            names.push(&call.name);
        }
    }
    names
}

fn piece<'a>(part: &'a ContentPart, pictures: &Pictures) -> Option<Piece<'a>> {
    match part {
        ContentPart::Text(text) if text.trim().is_empty() => None,
        ContentPart::Text(text) => Some(Piece::Text(Cow::Borrowed(text))),
        ContentPart::Image { id, mime } => Some(match pictures.get(id) {
            Some(Shown::Picture { mime: found, bytes }) => Piece::Picture {
                mime: found.unwrap_or(mime),
                base64: STANDARD.encode(bytes),
            },
            Some(Shown::LeftOut(line)) => Piece::Text(Cow::Owned(line.clone())),
            None => Piece::Text(Cow::Borrowed(LOST_PICTURE)),
        }),
        // What the shell did not put in is not there to be sent.
        ContentPart::History { .. } => None,
        // Whoever wrote it gets the whole turn back as it was, in place of its parts.
        ContentPart::Carried(_) => None,
        ContentPart::ToolCall(call) => Some(Piece::Call(call)),
        ContentPart::ToolResult(result) => Some(Piece::Result(result)),
    }
}
