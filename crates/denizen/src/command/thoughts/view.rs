//! The ambient cycle as the API shows it, as far as the command tells of it.

use mind::ambient::view::{Receipt, RunView, Stop};
use serde::Deserialize;
use vocabulary::{MediaKind, MediaWish, Span, WallTime};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub enabled: bool,
    pub attention: Attention,
    pub next_tick_in: Option<Span>,
    pub stopped_by: Option<Stop>,
    pub eagerness: u64,
    pub channels: Vec<Channel>,
    pub thought: Option<Thought>,
    pub run: Option<RunView>,
    pub receipts: Vec<Receipt>,
    pub budget: Budget,
    pub posts_per_day: Meter,
    pub media: Vec<Media>,
    pub posts: Vec<Post>,
    pub tools: Vec<Tool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    pub state: String,
    pub ends_in: Option<Span>,
    pub room: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Channel {
    pub room: String,
    pub eligible: bool,
    pub why: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thought {
    pub text: String,
    pub room: String,
    pub media: Option<MediaWish>,
    pub reason: String,
    pub created_at: WallTime,
    pub expires_at: WallTime,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    pub calls: Meter,
    pub tokens: Meter,
    pub cost: Meter,
    pub unpriced_calls: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meter {
    pub used: u64,
    pub limit: u64,
    pub frees_in: Option<Span>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    pub kind: MediaKind,
    pub used: u64,
    pub limit: u64,
    pub why_not: String,
}

#[derive(Debug, Deserialize)]
pub struct Post {
    pub room: String,
    pub text: String,
    pub at: WallTime,
    pub reactions: u64,
    pub replies: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub name: String,
    pub offered: bool,
    pub why_not: String,
}
