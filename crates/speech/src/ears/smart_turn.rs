//! Smart Turn: a small model that hears by how somebody spoke whether they have finished, in many languages; by ONNX Runtime.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use audio::mel::{BANDS, LogMel};
use onnx::{Graph, Numbers};

use super::turn_end::TurnJudge;
use crate::trouble::Trouble;

/// It listens to the last so many seconds.
const SECONDS: usize = 8;
const INPUT: &str = "input_features";

/// Hears whether somebody has finished.
#[derive(Debug)]
pub(crate) struct SmartTurn {
    parts: Arc<Parts>,
    name: String,
}

#[derive(Debug)]
struct Parts {
    graph: Graph,
    mel: LogMel,
}

/// The model that a path means: the file itself, or the one in the folder.
pub(crate) fn file(path: &Path) -> Result<PathBuf, String> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let listed = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut models: Vec<PathBuf> = listed
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "onnx"))
        .collect();
    models.sort();
    models
        .into_iter()
        .next()
        .ok_or_else(|| format!("there is no model (NAME.onnx) in {}", path.display()))
}

/// The name under which a model is told of.
pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

impl SmartTurn {
    /// Loads the model; takes a moment.
    pub(crate) fn load(path: &Path, library: Option<&Path>) -> Result<Self, String> {
        let file = file(path)?;
        let graph =
            Graph::load(&file, library, "hearing ends of turns").map_err(|error| error.to_string())?;
        let mel = LogMel::new(SECONDS);
        let wanted = [BANDS as i64, mel.columns() as i64];
        if graph.inputs().get(INPUT).is_none_or(|shape| shape[1..] != wanted) {
            let detail = format!(
                "it has no input named {INPUT} of {} by {} numbers",
                wanted[0], wanted[1]
            );
            return Err(graph.unsuitable(detail).to_string());
        }
        let name = name_of(&file);
        let parts = Parts { graph, mel };
        // One that cannot run should say so now.
        parts.chance_over(&[]).map_err(|trouble| trouble.detail)?;
        Ok(Self {
            parts: Arc::new(parts),
            name,
        })
    }
}

#[async_trait]
impl TurnJudge for SmartTurn {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chance_over(&self, clip: Arc<[i16]>) -> Result<f32, Trouble> {
        let parts = Arc::clone(&self.parts);
        let heard = tokio::task::spawn_blocking(move || parts.chance_over(&clip)).await;
        heard.unwrap_or_else(|_| Err(Trouble::broken(&self.name)))
    }
}

impl Parts {
    fn chance_over(&self, clip: &[i16]) -> Result<f32, Trouble> {
        let odd = |detail: String| Trouble::from(self.graph.failed(detail));
        let picture = self.mel.picture(clip);
        let input = Numbers::floats(&[1, BANDS, self.mel.columns()], picture).map_err(odd)?;
        let given = self.graph.run(&[(INPUT, &input)])?;
        let output = self.graph.outputs().first().and_then(|name| given.get(name));
        let output = output.ok_or_else(|| odd("it gave nothing".to_owned()))?;
        let chance = output.block().map_err(odd)?.numbers.first().copied();
        chance
            .filter(|chance| (0.0..=1.0).contains(chance))
            .ok_or_else(|| odd("what it gave is no chance".to_owned()))
    }
}

#[cfg(test)]
#[path = "smart_turn_tests.rs"]
mod tests;
