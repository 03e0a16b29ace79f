//! How a network is opened: with few threads that sleep between two questions.

use std::path::Path;

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;

use crate::error::OnnxError;
use crate::library;

/// A room has other work for the machine; more threads than this hardly help with small inputs.
const THREADS_MAX: usize = 4;

/// Opens a network by the runtime that is named, or else by one beside the file or among the system's libraries.
pub(crate) fn load_session(file: &Path, library: Option<&Path>) -> Result<Session, OnnxError> {
    let bad = |detail: String| OnnxError::BadFile {
        file: file.to_owned(),
        detail,
    };
    if !file.is_file() {
        return Err(bad("there is no such file".to_owned()));
    }
    let beside: Vec<&Path> = file.parent().into_iter().collect();
    let environment = library::environment(library, &beside)?;
    open_session(&environment, file).map_err(|error| bad(brief(&error.to_string())))
}

pub(crate) fn open_session(environment: &Environment, file: &Path) -> ort::Result<Session> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / 2).clamp(1, THREADS_MAX);
    Session::builder(environment)?
        .with_optimization_level(GraphOptimizationLevel::All)?
        .with_intra_threads(threads)?
        // Waiting threads must sleep: between two inputs there may be minutes.
        .with_intra_op_spinning(false)?
        .with_inter_op_spinning(false)?
        .commit_from_file(file)
}

/// The library's words in one line; our sentence goes on behind them.
pub(crate) fn brief(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(300).collect();
    short.trim_end_matches('.').to_owned()
}
