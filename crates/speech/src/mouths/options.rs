//! What there is to speak with on this machine.

use super::espeak;
use super::kokoro::KokoroFiles;
use super::piper::VoiceFiles;
use super::program::Program;
use crate::choice::{MouthChoice, knobs};
use crate::speakable::Tongue;
use crate::status::SpeechOption;

/// What there is to speak with, chosen or not.
pub(super) fn options(choice: &MouthChoice, tongue: &Tongue) -> Vec<SpeechOption> {
    let built_in = match tongue.is_english() {
        true => SpeechOption::there("builtin", "inside Denizen, English"),
        false => SpeechOption::missing("builtin", "speaks English only"),
    };
    let espeak = match Program::find(espeak::PROGRAM) {
        Some(path) => SpeechOption::there("espeak", path.display().to_string()),
        None => SpeechOption::missing("espeak", espeak::missing()),
    };
    let piper = match choice.path.as_deref().map(VoiceFiles::find) {
        Some(Ok(files)) => SpeechOption::there("piper", files.model.display().to_string()),
        Some(Err(why)) => SpeechOption::missing("piper", why),
        None => SpeechOption::missing(
            "piper",
            format!(
                "{} names no folder with a voice. Get one with `denizen models install voice`",
                knobs::MOUTH_PATH
            ),
        ),
    };
    let kokoro = match choice.path.as_deref().map(KokoroFiles::find) {
        Some(Ok(files)) => SpeechOption::there("kokoro", files.model.display().to_string()),
        Some(Err(why)) => SpeechOption::missing("kokoro", why),
        None => SpeechOption::missing(
            "kokoro",
            format!(
                "{} names no folder with it. Get it with `denizen models install kokoro`",
                knobs::MOUTH_PATH
            ),
        ),
    };
    vec![built_in, espeak, piper, kokoro]
}
