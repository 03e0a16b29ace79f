//! Piper as a program: for whoever has it installed, and no ONNX Runtime.

use std::path::PathBuf;

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::program::Program;
use super::voicebox::{Sound, Voicebox};
use crate::trouble::Trouble;

pub(crate) const PROGRAM: &str = "piper";

/// Speaks by the program piper, which loads the voice anew for each sentence.
#[derive(Clone, Debug)]
pub(crate) struct PiperProgram {
    pub(crate) program: PathBuf,
    pub(crate) model: PathBuf,
    pub(crate) rate: u32,
    pub(crate) name: String,
    pub(crate) pace: f32,
    pub(crate) speaker: Option<i64>,
}

#[async_trait]
impl Voicebox for PiperProgram {
    fn engine(&self) -> String {
        format!("piper:{}", self.name)
    }

    async fn say(&self, text: &str, _voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let length = (1.0 / self.pace.clamp(0.5, 2.0)).to_string();
        let model = self.model.to_string_lossy();
        let arguments = ["--model", &model, "--length_scale", &length, "--output_raw"];
        let mut arguments = arguments.map(str::to_owned).to_vec();
        if let Some(speaker) = self.speaker {
            arguments.extend(["--speaker".to_owned(), speaker.to_string()]);
        }
        let program = Program {
            path: self.program.clone(),
            arguments,
        };
        // A line is a sentence to it.
        program.say(&text.replace('\n', " "), self.rate, sound).await
    }
}
