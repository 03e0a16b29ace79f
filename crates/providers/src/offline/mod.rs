//! The built-in model: no network, no dice, no wisdom. It looks answers up in the conversation and in the memories that
//! it is shown, and says who said them or when, so that the whole pipeline can be seen without a key.

mod about;
mod addressed;
mod answer;
mod eyes;
mod fitting;
mod recollection;
mod run;
mod screen;
mod seen;
mod transcript;
mod words;

use serde::Serialize;
use vocabulary::{AskPurpose, ChatTurn, ContentPart, ModelRequest, OutputShape};

use answer::{Thought, think};
use transcript::Scene;

pub use eyes::ChooseReader;
pub(crate) use eyes::Eyes;
pub(crate) use run::run;

/// Answers a request about a conversation; the same request always gets the same answer.
pub fn compose(request: &ModelRequest) -> String {
    let scene = Scene::read(request);
    if request.purpose == AskPurpose::AddressClassifier {
        return json(&addressed::judge(&scene));
    }
    if request.purpose == AskPurpose::VoiceReplyDecision {
        let word = if addressed::judge(&scene).is_addressed() {
            "YES"
        } else {
            "NO"
        };
        return word.to_owned();
    }
    if request.purpose == AskPurpose::VoiceReply && is_hello(request) {
        return "Hello everybody!".to_owned();
    }
    let thought = think(&scene);
    // Unasked, it only speaks up when somebody wonders about something that was said here.
    // To whoever is in an exchange with it, it says more than a nod.
    let goes_on = scene.follows_up && thought.goes_on;
    let worth_saying = thought.answers_a_question || goes_on || scene.reply_required.unwrap_or(true);
    match &request.output {
        OutputShape::Json { .. } => json(&Reply::new(thought, worth_saying)),
        OutputShape::Text if worth_saying => thought.text,
        OutputShape::Text => "[SKIP]".to_owned(),
    }
}

/// Whether it is to say hello: nothing was said yet that it could look up.
fn is_hello(request: &ModelRequest) -> bool {
    let parts = request.turns.last().into_iter().flat_map(|turn| &turn.parts);
    let mut texts = parts.filter_map(|part| match part {
        ContentPart::Text(text) => Some(text),
        _ => None,
    });
    texts.any(|text| text.contains("You have just come into the voice channel."))
}

/// The body the inspector shows: what the model is given, as it is.
pub(crate) fn body(request: &ModelRequest) -> Vec<u8> {
    let given = Given {
        model: crate::OFFLINE_MODEL,
        purpose: request.purpose,
        system: &request.system,
        turns: &request.turns,
        output: &request.output,
    };
    serde_json::to_vec(&given).expect("plain data is always JSON")
}

#[derive(Serialize)]
struct Given<'a> {
    model: &'static str,
    purpose: AskPurpose,
    system: &'a str,
    turns: &'a [ChatTurn],
    output: &'a OutputShape,
}

#[derive(Serialize)]
struct Reply {
    action: &'static str,
    text: String,
    reason: String,
}

impl Reply {
    fn new(thought: Thought, worth_saying: bool) -> Self {
        if worth_saying {
            Self {
                action: "reply",
                text: thought.text,
                reason: thought.reason.to_owned(),
            }
        } else {
            Self {
                action: "skip",
                text: String::new(),
                reason: "no reply is required, and nothing was asked that the conversation answers"
                    .to_owned(),
            }
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is always JSON")
}

#[cfg(test)]
mod about_tests;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod screen_testing;

#[cfg(test)]
#[path = "offline_tests.rs"]
mod tests;
