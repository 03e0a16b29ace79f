//! What the built-in model says of itself, and how a real one is had: plainly, and not again and again.

use super::transcript::{Scene, Speaker};

/// How to get a model that thinks. The guide of models says more.
const HOW_TO: &str = "For a real model, start me with a key (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY) or with Ollama running; \
    `denizen doctor` checks it.";
/// The same where it is heard: nobody wants names of variables read out.
const HOW_TO_ALOUD: &str = "`denizen doctor` tells how to get a real model.";
const BRIEF: &str = "I am still the offline model, and only look things up.";
/// A summary is quoted as far as it is read in a chat.
const EARLIER_CHARS_MAX: usize = 900;

/// What it is, and the first time also how to get another.
pub(super) fn what_it_is(scene: &Scene) -> String {
    if was_told(scene) {
        return BRIEF.to_owned();
    }
    format!(
        "This is the built-in offline model, no language model: it looks things up in this conversation and in what it remembers, \
         and little else. {}",
        how_to(scene)
    )
}

fn how_to(scene: &Scene) -> &'static str {
    match scene.aloud {
        true => HOW_TO_ALOUD,
        false => HOW_TO,
    }
}

/// What can be asked of it.
pub(super) fn what_it_can(scene: &Scene) -> String {
    let whose = scene.before().iter().find_map(|line| line.who.name());
    let name = whose.unwrap_or("Bob");
    let how_to = if was_told(scene) { "" } else { how_to(scene) };
    format!(
        "With the built-in offline model I can look things up. Try “summarise”, “what did {name} say?”, “what do you remember about me?”, \
         or ask about anything that was said here. I also remember what you tell me of yourself, and note what is on a shared screen. \
         `/help` lists the commands. {how_to}"
    )
    .trim_end()
    .to_owned()
}

/// What the running summary has of before, as it stands there.
pub(super) fn earlier(scene: &Scene) -> String {
    let summary: String = scene.summary.chars().take(EARLIER_CHARS_MAX).collect();
    match summary.trim() {
        "" => String::new(),
        _ if summary.chars().count() < scene.summary.chars().count() => {
            format!("Before that, shortened: {}", summary.trim_end())
        }
        whole => format!("Before that: {whole}"),
    }
}

/// Whether it said so in what the prompt shows.
fn was_told(scene: &Scene) -> bool {
    let mut lines = scene.before().iter();
    lines.any(|line| line.who == Speaker::Own && line.text.contains("denizen doctor"))
}
