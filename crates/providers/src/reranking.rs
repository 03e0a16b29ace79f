//! Whoever judges how well what was found answers what was looked for: a cross-encoder in a folder on this machine.
//!
//! No text is ever in a log line or an error.

mod turns;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use onnx::CrossEncoder;
use recall::telling_part;
use runtime::ports::{MemoryFault, Reranker};
use settings::RerankerSettings;
use vocabulary::{Found, Record, Scores};

use self::turns::Turns;
use crate::embedding::{EmbedderOptions, blocking};

const DOING: &str = "judging what was found";
/// So many finds are judged, as many as are brought up: each costs some milliseconds.
const JUDGED_MAX: usize = 10;

/// Opens the cross-encoder that the settings name; none where they name none.
pub async fn open(settings: &RerankerSettings) -> Result<Option<Arc<dyn Reranker>>, MemoryFault> {
    open_with(settings, EmbedderOptions::default().onnx_library).await
}

/// As `open`, with the ONNX Runtime to load; without it, one is looked for.
pub async fn open_with(
    settings: &RerankerSettings,
    library: Option<PathBuf>,
) -> Result<Option<Arc<dyn Reranker>>, MemoryFault> {
    let path = settings.path.trim();
    if path.is_empty() {
        return Ok(None);
    }
    let folder = PathBuf::from(path);
    let model = blocking("loading a model", move || {
        CrossEncoder::load(&folder, library.as_deref()).map_err(|error| {
            let folder = folder.display();
            MemoryFault::Refused(format!("memory.reranker.path ({folder}) cannot be used: {error}"))
        })
    })
    .await?;
    tracing::info!(
        name = model.name(),
        "what is found is judged by a model on this machine"
    );
    Ok(Some(Arc::new(ModelFolder {
        model: Arc::new(model),
        turns: Turns::new(),
    })))
}

/// A loaded model; one search at a time, so it never occupies more than one thread of the pool.
struct ModelFolder {
    model: Arc<CrossEncoder>,
    turns: Turns,
}

#[async_trait]
impl Reranker for ModelFolder {
    fn name(&self) -> String {
        format!("onnx:{}", self.model.name())
    }

    async fn judge(&self, words: &str, found: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault> {
        let Some((turn, mut waiting)) = self.turns.take().await else {
            return Ok(None);
        };
        let scores: Vec<Scores> = found.iter().map(|found| found.scores).collect();
        let records = found.iter().take(JUDGED_MAX);
        let records: Vec<Record> = records.map(|found| found.record.clone()).collect();
        let (model, words) = (self.model.clone(), words.trim().to_owned());
        let judged = blocking(DOING, move || {
            let wanted = records.iter().take_while(|_| !turn.is_given_up());
            let judged: Result<Vec<f64>, _> = wanted
                .map(|record| model.score(&words, &passage(&words, record)))
                .collect();
            judged.map_err(|error| MemoryFault::Failed {
                doing: DOING,
                detail: error.to_string(),
            })
        })
        .await?;
        waiting.over();
        Ok(Some(recall::judged(&scores, &judged)))
    }
}

/// What the model is shown of a record: the best part of it, and of a turn who said it.
fn passage(words: &str, record: &Record) -> String {
    let part = telling_part(words, record.text());
    match record {
        Record::Turn(turn) => format!("{}: {part}", turn.speaker.name),
        Record::Gem(_) => part,
    }
}
