//! How a network is opened: with few threads that sleep between two questions.

use std::path::Path;

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;

/// A room has other work for the machine; more threads than this hardly help with small inputs.
const THREADS_MAX: usize = 4;

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
