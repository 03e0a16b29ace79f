//! xAI's Voice Agent API: OpenAI's events, with a way of its own to have a text said word for word.

use serde_json::{Value, json};

use super::{SessionBrief, openai, openai_mind};
use crate::command::Command;

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    match command {
        Command::SetUp { .. } => vec![json!({"type": "session.update", "session": session(brief)})],
        // It is said by the voice alone; no model has a say in it.
        Command::Utter { text, .. } => vec![json!({
            "type": "conversation.item.create",
            "item": {
                "type": "force_message",
                "role": "assistant",
                "interruptible": true,
                "content": [{"type": "output_text", "text": text}],
            },
        })],
        Command::Cancel { .. } => vec![json!({"type": "response.cancel"})],
        Command::Begin { being, history, .. } => {
            let mut session = session(brief);
            openai_mind::be(&mut session, being);
            openai_mind::begin(session, history)
        }
        // It has no kinds of sessions.
        Command::Instruct { being } => {
            let mut session = json!({});
            openai_mind::be(&mut session, being);
            vec![json!({"type": "session.update", "session": session})]
        }
        other => openai::write(brief, other),
    }
}

fn session(brief: &SessionBrief) -> Value {
    let mut session = json!({
        "instructions": super::READER,
        "turn_detection": {"type": null},
        "audio": {
            "input": {"format": {"type": "audio/pcm", "rate": brief.hears_at()}},
            "output": {"format": {"type": "audio/pcm", "rate": brief.speaks_at()}},
        },
    });
    if !brief.voice.is_empty() {
        session["voice"] = json!(brief.voice);
    }
    session
}
