//! What a room reads, and what it was shown while an answer was being written.

use mind::{Effect, RoomWish};
use vocabulary::{AuthorKind, Message, Moment};

use crate::platform::Platform;
use crate::render::clock;
use crate::trace::{Trace, WALL_START};

/// A line of a room with its time apart: `Denizen (to Alice): words`, and the room's name where it is not the lobby.
pub(super) fn room(platform: &Platform, only_denizen: bool) -> Vec<(Moment, String)> {
    let all = platform.messages().iter();
    let wanted = all.filter(|message| !only_denizen || message.author.kind == AuthorKind::Denizen);
    wanted
        .map(|message| {
            let at = Moment((message.at.0 - WALL_START.0) as u64);
            (at, line(message, platform))
        })
        .collect()
}

fn line(message: &Message, platform: &Platform) -> String {
    let target = message.reply_to.as_ref().map(|id| {
        let found = platform.messages().iter().find(|other| other.id == *id);
        found.map_or("somebody", |other| other.author.name.as_str())
    });
    let room = match message.room.as_str() {
        "lobby" => String::new(),
        other => format!("#{other} "),
    };
    let to = target.map_or(String::new(), |name| format!(" (to {name})"));
    let mut text = format!("{room}{}{to}: {}", message.author.name, visible(&message.text));
    if message.author.kind == AuthorKind::Denizen {
        for attachment in &message.attachments {
            text.push_str(&format!(" [{}]", attachment.name));
        }
    }
    text
}

/// Drafts as they were shown, and taken back.
pub(super) fn drafts(trace: &Trace) -> Vec<(Moment, String)> {
    let mut lines = Vec::new();
    for step in &trace.steps {
        for effect in &step.effects {
            match effect {
                Effect::Room(_, RoomWish::ShowDraft { text, .. }) => {
                    lines.push((step.now.moment, visible(text)))
                }
                Effect::Room(_, RoomWish::DropDraft { .. }) => {
                    lines.push((step.now.moment, "(taken back)".to_owned()))
                }
                _ => {}
            }
        }
    }
    lines
}

/// Sentences as they were given to Denizen's voice, and that it was to fall silent.
pub(super) fn spoken(trace: &Trace) -> Vec<(Moment, String)> {
    let mut lines = Vec::new();
    for step in &trace.steps {
        for effect in &step.effects {
            match effect {
                Effect::Room(_, RoomWish::Speak { sentence, .. }) if !sentence.is_empty() => {
                    lines.push((step.now.moment, visible(sentence)));
                }
                Effect::Room(_, RoomWish::StopSpeaking) => {
                    lines.push((step.now.moment, "(falls silent)".to_owned()));
                }
                Effect::Ask(asking) if asking.aloud.is_some() => {
                    lines.push((step.now.moment, "(asks the service)".to_owned()));
                }
                Effect::Room(_, RoomWish::InstructService { anew, .. }) => {
                    let what = if *anew {
                        "(has it begin anew)"
                    } else {
                        "(tells it who it is)"
                    };
                    lines.push((step.now.moment, what.to_owned()));
                }
                Effect::Room(_, RoomWish::TellService { text }) => {
                    lines.push((step.now.moment, format!("(tells it: {})", visible(text))));
                }
                Effect::Room(_, RoomWish::JoinVoice) => lines.push((step.now.moment, "(joins)".to_owned())),
                Effect::Room(_, RoomWish::LeaveVoice) => lines.push((step.now.moment, "(leaves)".to_owned())),
                _ => {}
            }
        }
    }
    lines
}

/// What was offered to memory.
pub(super) fn offered(trace: &Trace) -> Vec<(Moment, String)> {
    let mut lines = Vec::new();
    for step in &trace.steps {
        for effect in &step.effects {
            if let Effect::OfferToMemory { text, .. } = effect {
                lines.push((step.now.moment, visible(text)));
            }
        }
    }
    lines
}

/// Line ends and invisible characters as marks, so that a text stays on its line.
fn visible(text: &str) -> String {
    text.trim_end().replace('\n', "⏎").replace('\u{200b}', "·")
}

/// Lines with their times, for a person.
pub(super) fn shown(lines: &[(Moment, String)]) -> String {
    if lines.is_empty() {
        return "      (nothing)".to_owned();
    }
    let lines: Vec<String> = lines
        .iter()
        .map(|(at, line)| format!("      {} {line}", clock(*at)))
        .collect();
    lines.join("\n")
}
