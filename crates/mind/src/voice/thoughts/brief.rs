//! What a thought in the voice of a room is based on, besides what every question there is, and what its answer is like.

use minijinja::context;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{OutputShape, Span};

use crate::ambient::reading::{ThoughtReading, read_thought};
use crate::prompt::output;
use crate::prompt::templates::Template;
use crate::prompt::transcript;
use crate::reasons::RoomChange;
use crate::reply::without_reasoning;
use crate::voice::people::VoicePeople;
use crate::voice::prompt::{ROSTER_MAX, VoiceBrief};

/// The held thought.
#[derive(Clone, Copy, Debug)]
pub(in crate::voice) struct HeldBrief<'a> {
    pub text: &'a str,
    pub reason: &'a str,
    pub held_for: Span,
    /// Which look this is.
    pub look: u64,
    /// What happened since the last one.
    pub changes: &'a [RoomChange],
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(in crate::voice) struct ThoughtBrief<'a> {
    /// How long nobody has said anything.
    pub silence: Span,
    /// A small model answers in one line.
    pub is_plain: bool,
    pub held: Option<HeldBrief<'a>>,
}

impl ThoughtBrief<'_> {
    /// What is wanted.
    pub fn task(&self, brief: &VoiceBrief<'_>) -> String {
        let (now, held) = (brief.now, self.held.as_ref());
        let changes = held.map_or(&[][..], |held| held.changes);
        let changes: Vec<&str> = changes.iter().map(|change| change.words()).collect();
        Template::VoiceThoughtTask.render(context! {
            date => transcript::date(now.wall),
            time => transcript::clock(now.wall),
            silence => self.silence.0 / 1_000,
            own_words => brief.last_heard.map(|heard| now.moment.since(heard).0 / 1_000),
            alone => brief.people.count() == 1,
            people => names(brief.people),
            held => held.map(|held| held.text),
            held_for => held.map(|held| held.held_for.0 / 1_000),
            look => held.map(|held| held.look),
            reason => held.map_or("", |held| held.reason),
            changes => changes.join(", "),
            plain => self.is_plain,
        })
    }

    /// What the answer must look like.
    pub fn shape(&self, settings: &Settings) -> OutputShape {
        match self.is_plain {
            true => OutputShape::Text,
            false => output::shape(settings, "voice_thought", schema()),
        }
    }
}

fn names(people: &VoicePeople) -> String {
    people.roster(ROSTER_MAX).join(", ")
}

/// The action comes first and the words second, so that an answer that is cut off still says what it is.
fn schema() -> Value {
    output::object(
        json!({
            "action": {
                "type": "string", "enum": ["drop", "hold", "say"],
                "description": "drop to stay silent, hold to keep it for a better moment, say to say it now"
            },
            "text": {"type": "string", "description": "the words as they will be spoken; empty when silent"},
            "reason": {"type": "string", "description": "why, in a few words; not spoken"}
        }),
        &["action", "text", "reason"],
    )
}

/// Reads an answer: as thoughts are read, and `SAY: words`, `HOLD: words` or `DROP` in one line.
pub(super) fn read(answer: &str, name: &str) -> ThoughtReading {
    match one_line(without_reasoning(answer).trim()) {
        Some((action, text)) => {
            let answer = json!({"action": action, "text": text, "reason": ""});
            read_thought(&answer.to_string(), name)
        }
        None => read_thought(answer, name),
    }
}

fn one_line(answer: &str) -> Option<(&'static str, &str)> {
    let first = answer.lines().next().unwrap_or_default().trim();
    let (word, text) = first.split_once(':').unwrap_or((first, ""));
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let action = ["say", "hold", "drop"]
        .into_iter()
        .find(|action| word.eq_ignore_ascii_case(action))?;
    Some((action, text.trim().trim_matches(['"', '“', '”'])))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::ambient::reading::ThoughtAction;

    #[test]
    fn an_answer_in_one_line_is_read() {
        let read = |answer: &str| {
            let reading = read(answer, "Denizen");
            (reading.action, reading.text, reading.is_understood)
        };
        let say = |text: &str| (ThoughtAction::PostNow, text.to_owned(), true);
        assert_eq!(
            read("SAY: The tide turns at noon."),
            say("The tide turns at noon.")
        );
        assert_eq!(read("**say**: \"The tide turns.\"\n"), say("The tide turns."));
        assert_eq!(
            read("<think>hm</think>\nHold: later"),
            (ThoughtAction::Hold, "later".to_owned(), true)
        );
        assert_eq!(read("DROP"), (ThoughtAction::Drop, String::new(), true));
        assert_eq!(
            read("drop: nothing"),
            (ThoughtAction::Drop, "nothing".to_owned(), true)
        );
        assert_eq!(
            read(r#"{"action": "say", "text": "Hello.", "reason": "why not"}"#),
            say("Hello.")
        );
        // Whatever cannot be understood is not said.
        assert_eq!(read("I could say: something.").0, ThoughtAction::Drop);
        assert!(!read("The tide turns at noon.").2);
        assert_eq!(read("SAY: [SKIP]").0, ThoughtAction::Drop);
    }
}
