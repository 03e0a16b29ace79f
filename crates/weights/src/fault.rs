//! Why a model cannot be had.

use thiserror::Error;

/// For a person: what went wrong, and what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WeightFault {
    #[error("there is no model called {name:?}. There are: {known}. Or name what it is for: {purposes}")]
    Unknown {
        name: String,
        known: String,
        purposes: String,
    },
    #[error(
        "{model} has no file for {platform}. Get {what} from {home} yourself, and name it in the settings or in ORT_DYLIB_PATH"
    )]
    NotForThisSystem {
        model: String,
        platform: String,
        what: String,
        home: String,
    },
    #[error(
        "not in {folder} nor in a folder of it, also not within an archive. Fetch and put there:{missing}"
    )]
    NotInFolder {
        folder: String,
        /// A line for each file: what it is called, and where it can be had.
        missing: String,
    },
    #[error(
        "{path} could not be had from anywhere: {tries}. Without a network: fetch {from} elsewhere, and name its folder with --from"
    )]
    Unreachable {
        path: String,
        tries: String,
        from: String,
    },
    #[error("{path} cannot be written: {detail}")]
    Disk { path: String, detail: String },
}
