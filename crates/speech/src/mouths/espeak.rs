//! espeak-ng, which speaks a hundred languages. It is a program and is never linked: its licence would be ours.

use std::path::Path;

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::phonemes;
use super::program::Program;
use super::voicebox::{Sound, Voicebox};
use crate::choice::knobs;
use crate::trouble::Trouble;

pub(crate) const PROGRAM: &str = "espeak-ng";
/// Words a minute at its own pace.
const WORDS_A_MINUTE: f32 = 175.0;
/// What it writes without a head.
const RATE: u32 = 22_050;

/// Why it cannot be used, and what to do.
pub(crate) fn missing() -> String {
    format!("the program {PROGRAM} was not found. Install it (apt install espeak-ng, brew install espeak-ng)")
}

/// Speaks by espeak-ng.
#[derive(Clone, Debug)]
pub(crate) struct Espeak {
    pub(crate) program: std::path::PathBuf,
    /// The voice where none is named.
    pub(crate) voice: String,
    pub(crate) pace: f32,
}

#[async_trait]
impl Voicebox for Espeak {
    fn engine(&self) -> String {
        PROGRAM.to_owned()
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let voice = if voice.is_empty() { &self.voice } else { voice };
        if !is_voice(voice) {
            return Err(Trouble::lasting(format!(
                "{} is {voice:?}, which cannot be a voice of espeak-ng. Run espeak-ng --voices for their names",
                knobs::MOUTH_VOICE
            )));
        }
        let pace = (WORDS_A_MINUTE * self.pace).clamp(80.0, 450.0).round();
        let arguments = ["-v", voice, "-s", &pace.to_string(), "--stdin", "--stdout"];
        let program = Program {
            path: self.program.clone(),
            arguments: arguments.map(str::to_owned).to_vec(),
        };
        program.say(text, RATE, sound).await
    }
}

/// Whether a name can be one of a voice, such as `en-us` or `de+f3`, and nothing that a program would take for more.
pub(crate) fn is_voice(name: &str) -> bool {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '+');
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.len() <= 64
        && name.chars().all(is_plain)
}

/// The sounds of a text in a language, with the marks between its clauses.
pub(crate) async fn sounds(program: &Path, language: &str, text: &str) -> Result<String, Trouble> {
    if !is_voice(language) {
        return Err(Trouble::lasting(format!(
            "the voice names {language:?} for espeak-ng, which is none"
        )));
    }
    let clauses = phonemes::clauses(text);
    let program = Program {
        path: program.to_owned(),
        arguments: ["-q", "--ipa", "-v", language, "--stdin"]
            .map(str::to_owned)
            .to_vec(),
    };
    let lines: Vec<&str> = clauses.iter().map(|clause| clause.words.as_str()).collect();
    // An empty line between them makes each a paragraph, and each paragraph a line of the answer.
    let written = program.ask(&lines.join("\n\n")).await?;
    Ok(phonemes::sounds(&clauses, &written))
}

/// The voice for a language.
pub(crate) fn voice_for(language: &str) -> String {
    match language.trim().to_lowercase().replace('_', "-").as_str() {
        "" | "en" => "en-us".to_owned(),
        "zh" | "zh-cn" => "cmn".to_owned(),
        language => language.to_owned(),
    }
}
