//! Reaching out: what is new in the world, tools that look things up, and media that are made.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use settings::Settings;
use thiserror::Error;
use vocabulary::{
    FeedHarvest, FeedSource, FeedWish, MediaKind, MediaOrder, OutsideTool, SourceReport, Span, ToolCall,
};

/// Collects what is new.
#[async_trait]
pub trait Discovery: Send + Sync {
    /// Reads the sources, each on its own: one that fails is reported and stops nobody. `settings` say which private
    /// hosts may be fetched.
    async fn gather(&self, wish: &FeedWish, settings: &Settings) -> FeedHarvest;

    /// Reads one source to see whether it is one; for a model and a person, what it has, or why it will not do.
    async fn check(
        &self,
        source: &FeedSource,
        wish: &FeedWish,
        settings: &Settings,
    ) -> Result<String, String>;

    /// What became of every source when it was read last.
    fn reports(&self) -> Vec<SourceReport>;
}

/// Tools that reach out.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// What can be run now, as the settings want it. Asked again after every change of settings.
    async fn tools(&self, settings: &Settings) -> Vec<OutsideTool>;

    /// Ends when `tools` may say something else than before without a change of settings.
    async fn changed(&self);

    /// Runs a call of one of its tools within the time; the text of the result, or why there is none.
    async fn run(&self, call: &ToolCall, deadline: Span, settings: &Settings) -> Result<String, String>;

    /// How it stands with each of its parts, for the operator.
    async fn status(&self, settings: &Settings) -> Vec<ToolStatus>;
}

/// How it stands with a search service, the browser, or an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolStatus {
    /// `web_search`, `browser_browse`, or a server's name.
    pub name: String,
    pub ready: bool,
    /// For a person: what it is, or why not and what to do.
    pub detail: String,
    pub tools: Vec<String>,
}

/// Something that was made or found.
#[derive(Clone, Debug)]
pub struct MadeMedia {
    pub mime: String,
    pub name: String,
    pub bytes: Bytes,
    pub provider: String,
    /// Millionths of a dollar; none where the price is not known.
    pub cost_micro_dollars: Option<u64>,
}

/// Why nothing was made; for a person, with the remedy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{detail}")]
pub struct MediaFault {
    pub detail: String,
    /// The service declined what was wanted.
    pub refused: bool,
}

/// Makes pictures and clips, and finds GIFs.
#[async_trait]
pub trait MediaMaker: Send + Sync {
    /// What can be made, as the settings and keys are.
    fn can_make(&self, settings: &Settings) -> Vec<MediaKind>;
    async fn make(&self, order: &MediaOrder, settings: &Settings) -> Result<MadeMedia, MediaFault>;
    fn status(&self, settings: &Settings) -> Vec<ToolStatus>;
}

/// The setting that says how long an order may take: one for a reply has less time than one for a post.
pub fn media_patience(order: &MediaOrder, settings: &Settings) -> &'static str {
    let is_hurried = order.deadline < Span::seconds(settings.media.timeout_seconds);
    match order.wish.kind {
        // Nobody waits for a clip in a reply.
        MediaKind::Image | MediaKind::Gif if is_hurried => "media.replyTimeoutSeconds",
        MediaKind::Image | MediaKind::Gif | MediaKind::Video => "media.timeoutSeconds",
    }
}

/// Everything that reaches out.
#[derive(Clone)]
#[allow(missing_debug_implementations, reason = "holds the adapters")]
pub struct OutboundServices {
    pub discovery: Arc<dyn Discovery>,
    pub toolboxes: Vec<Arc<dyn Toolbox>>,
    pub studio: Arc<dyn MediaMaker>,
}

impl OutboundServices {
    /// Nothing reaches out.
    pub fn none() -> Self {
        Self {
            discovery: Arc::new(Nowhere),
            toolboxes: Vec::new(),
            studio: Arc::new(Nowhere),
        }
    }
}

struct Nowhere;

#[async_trait]
impl Discovery for Nowhere {
    async fn gather(&self, _wish: &FeedWish, _settings: &Settings) -> FeedHarvest {
        FeedHarvest::default()
    }

    async fn check(
        &self,
        source: &FeedSource,
        _wish: &FeedWish,
        _settings: &Settings,
    ) -> Result<String, String> {
        Err(format!("{source} cannot be read: nothing here reaches out"))
    }

    fn reports(&self) -> Vec<SourceReport> {
        Vec::new()
    }
}

#[async_trait]
impl MediaMaker for Nowhere {
    fn can_make(&self, _settings: &Settings) -> Vec<MediaKind> {
        Vec::new()
    }

    async fn make(&self, _order: &MediaOrder, _settings: &Settings) -> Result<MadeMedia, MediaFault> {
        Err(MediaFault {
            detail: "nothing here makes media".to_owned(),
            refused: false,
        })
    }

    fn status(&self, _settings: &Settings) -> Vec<ToolStatus> {
        Vec::new()
    }
}
