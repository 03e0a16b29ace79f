//! Looks things up on the web: search, readable pages, and a real browser.
//!
//! What comes back is data from strangers: plain text without control or invisible characters, cut to a size that
//! fits a prompt. Whoever puts it before a model marks it as data.

mod arguments;
mod browser;
mod cut;
mod offers;
mod pages;
mod plain;
mod search;
mod shelf;
mod toolbox;

pub use search::SearchKeys;
pub use toolbox::{WebTools, browse_once, scrape_once};
