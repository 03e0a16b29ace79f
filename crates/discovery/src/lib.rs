//! Collects what is new on Reddit, Hacker News, YouTube, X and in feeds.
//!
//! Every source is read on its own: asked conditionally, not more often than every five minutes, and left alone for
//! longer and longer while it fails. What it brings is text of strangers: titles and summaries become plain text, and
//! addresses become canonical before anybody sees them.

mod endpoint;
mod feed_parser;
mod feeds;
mod hacker_news;
mod nesting;
mod picking;
mod plain;
mod reading;
mod reddit;
mod related;
mod shelf;
mod story;
mod telling;
mod x;

pub use endpoint::Bases;
pub use feeds::Feeds;
