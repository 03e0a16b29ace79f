//! Clients of language models: Anthropic, OpenAI, any OpenAI-compatible server, Gemini, and a built-in
//! model that needs no network. And of models that tell what texts mean ([`embedding`]) and which of them answer what
//! was looked for ([`reranking`]).
//!
//! [`Models`] fulfils the shell's `Language` port. A request is first translated to the exact bytes that will
//! travel (`wire`), then sent with retries inside its deadline (`exchange`, `attempt`). Keys stay in [`Keys`]
//! and travel in headers only.

mod abilities;
mod ailing;
mod allowance;
mod aside;
mod attempt;
mod catalogue;
mod choosing;
mod compatible;
mod defaults;
mod discover;
mod elsewhere;
pub mod embedding;
mod ends;
mod error_body;
mod examine;
mod exchange;
mod fetch;
mod gone;
mod headers;
mod heard;
mod http;
mod inventory;
mod kept_choice;
mod keys;
mod lists;
mod marks;
mod models;
mod narrowing;
mod nearby;
mod no_tools;
pub mod offline;
mod options;
mod outlook;
mod overfull;
mod pictures;
mod purposes;
mod quirks;
mod refused;
mod renewal;
pub mod reranking;
mod resolve;
mod retry_after;
mod schema;
mod served;
mod servers;
mod sight;
mod small;
mod sse;
mod status;
mod suspects;
mod text_calls;
mod think;
mod thought;
mod trial;
mod trial_price;
mod trouble;
mod wire;
mod writing;

pub use catalogue::{
    Abilities, Api, CATALOGUE_BYTES_MAX, Catalogue, CatalogueError, CatalogueRemark, Known, ModelEntry,
    OFFLINE_MODEL, OwnCatalogue, PriceSource, Prices, Provider, Rates, Thinking,
};
pub use ends::{AnnouncedEnd, announced_end};
pub use examine::Finding;
pub use fetch::fetch_catalogue;
pub use inventory::{Breadth, Listing, ModelRow, PurposeChoice, choices, inventory, lists, look_closer};
pub use kept_choice::try_gone_again;
pub use keys::{Keys, KeysError};
pub use models::Models;
pub use offline::ChooseReader;
pub use options::Options;
pub use sight::may_see;
pub use trial::{Part, Trial, try_others, try_purposes, well};
pub use trial_price::TrialPrice;
