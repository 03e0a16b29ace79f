//! What is remembered.

use utoipa::ToSchema;

use super::Author;

/// One thing worth remembering, with where it came from and how long it holds.
#[derive(Debug, ToSchema)]
pub struct Gem {
    pub gem_id: String,
    /// A sentence that stands alone.
    #[schema(example = "Alice is allergic to walnuts.")]
    pub content: String,
    pub summary: String,
    pub topics: Vec<String>,
    /// 0 to 1.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub importance: f64,
    pub source: GemSource,
    /// `decision`, `fact`, `preference`, `todo` or `code`.
    pub tags: Vec<String>,
    #[schema(example = "2026-02-23T15:26:00Z")]
    pub created_at: String,
    pub place: Place,
    /// Whom it is about.
    #[schema(nullable = false)]
    pub person: Option<String>,
    #[schema(required = false)]
    pub person_name: String,
    /// What it states a value of.
    #[schema(nullable = false)]
    pub attribute: Option<String>,
    /// Somebody tried to give instructions by way of memory: a quoted claim, never guidance.
    pub claim: bool,
    /// A standing preference: it does not age.
    pub standing: bool,
    /// Kept in view by an operator: it does not age and ranks higher.
    pub pinned: bool,
    /// How often it was said.
    pub strength: u32,
    pub last_seen_at: String,
    /// From when it holds.
    pub valid_from: String,
    /// Until when it held; missing while it holds.
    #[schema(nullable = false)]
    pub valid_until: Option<String>,
    /// The gem that holds instead.
    #[schema(nullable = false)]
    pub superseded_by: Option<String>,
    /// The extracting model, `offline`, `operator`, or the agent that put it in.
    pub made_by: String,
}

#[derive(Debug, ToSchema)]
pub struct GemSource {
    pub session_id: String,
    #[schema(example = "2026-02-23")]
    pub date: String,
    #[schema(example = "15-20")]
    pub turn_range: String,
    pub turns: Vec<String>,
}

/// Where something was said, and so where it may come up again.
#[derive(Debug, ToSchema)]
pub struct Place {
    pub community: String,
    pub room: String,
    /// It never comes up anywhere else.
    pub private: bool,
}

/// One turn, word for word.
#[derive(Debug, ToSchema)]
pub struct CapturedTurn {
    pub id: String,
    pub place: Place,
    pub session: String,
    /// Its place in the conversation.
    pub number: u64,
    pub speaker: Author,
    /// `typed`, `spoken`, `ambient`, `screen_note` or `summary`.
    pub kind: String,
    pub text: String,
    /// Unix milliseconds.
    pub at: i64,
}

/// What was found, with why.
#[derive(Debug, ToSchema)]
pub struct Found {
    pub record: Record,
    pub scores: Scores,
    /// Words of the question that it has.
    #[schema(required = false)]
    pub matched: Vec<String>,
    /// Gems that led to this turn.
    #[schema(required = false)]
    pub through: Vec<String>,
}

/// Exactly one of the two.
#[derive(Debug, ToSchema)]
pub struct Record {
    #[schema(nullable = false)]
    pub gem: Option<Gem>,
    #[schema(nullable = false)]
    pub turn: Option<CapturedTurn>,
}

/// How a score came about. Only `confidence` is comparable between questions.
#[derive(Debug, ToSchema)]
pub struct Scores {
    pub total: f64,
    /// 0 to 1.
    pub confidence: f64,
    /// By its own words.
    pub lexical: f64,
    /// By meaning.
    pub dense: f64,
    /// By what was said around it.
    pub surroundings: f64,
    /// By gems that lead to it.
    pub keys: f64,
    /// What age takes off, as a factor.
    pub recency: f64,
    /// What importance adds, as a factor.
    pub importance: f64,
}

/// How memory is.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryStatus {
    /// Whether it takes in and brings up anything.
    pub enabled: bool,
    /// Where gems and turns are kept.
    pub store: String,
    /// Where captured turns wait.
    pub buffer: String,
    #[schema(required = true)]
    pub embedder: Option<Embedder>,
    pub stats: MemoryStats,
    pub waiting: Waiting,
    /// While vectors are made anew.
    #[schema(required = true)]
    pub reembedding: Option<Reembedding>,
    /// What does not work, for a person.
    #[schema(required = true)]
    pub trouble: Option<String>,
    /// `auto`, `model` or `offline`.
    pub extractor: String,
}

#[derive(Debug, ToSchema)]
pub struct Embedder {
    pub name: String,
    pub dimensions: usize,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryStats {
    pub gems: usize,
    pub superseded: usize,
    pub turns: usize,
    #[schema(required = true)]
    pub disk_bytes: Option<u64>,
    #[schema(required = true)]
    pub memory_bytes: Option<u64>,
}

/// Captured turns that wait for gems to be made of them.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    pub waiting: usize,
    pub held: usize,
    pub kept_back: usize,
}

#[derive(Debug, ToSchema)]
pub struct Reembedding {
    pub done: usize,
    pub total: usize,
    #[schema(nullable = false)]
    pub trouble: Option<String>,
}

#[derive(Debug, ToSchema)]
pub struct GemPage {
    pub items: Vec<Gem>,
    /// What to give as `after` for the gems that follow.
    #[schema(nullable = false)]
    pub next: Option<String>,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GemAnswer {
    pub gem: Gem,
    /// The turns it came from.
    pub turns: Vec<CapturedTurn>,
    /// What it replaced.
    pub supersedes: Vec<Gem>,
    #[schema(nullable = false)]
    pub superseded_by: Option<Gem>,
}

#[derive(Debug, ToSchema)]
pub struct GemOnly {
    pub gem: Gem,
}

/// What is not given stays.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GemEdit {
    #[schema(min_length = 1, max_length = 2000)]
    pub content: Option<String>,
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    #[schema(max_items = 12)]
    pub topics: Option<Vec<String>>,
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub importance: Option<f64>,
    pub tags: Option<Vec<String>>,
    pub pinned: Option<bool>,
    pub standing: Option<bool>,
}

/// Exactly one of the two.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Supersede {
    /// The gem that holds now.
    pub by: Option<String>,
    /// What holds now, in words.
    #[schema(max_length = 2000)]
    pub content: Option<String>,
}

#[derive(Debug, ToSchema)]
pub struct Superseded {
    /// What holds now.
    pub gem: Gem,
    /// What held.
    pub superseded: Gem,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    pub found: Vec<Found>,
    pub took_ms: u64,
    /// What is less sure is not brought up in a room.
    pub threshold: f64,
    #[schema(nullable = false)]
    pub remark: Option<String>,
}

#[derive(Debug, ToSchema)]
pub struct MemoryPeople {
    pub people: Vec<MemoryPerson>,
    /// Whether older records were left out of the counts.
    pub partial: bool,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPerson {
    pub id: String,
    pub name: String,
    pub gems: usize,
    pub turns: usize,
    /// Unix milliseconds.
    pub first_at: i64,
    /// Unix milliseconds.
    pub last_at: i64,
}

#[derive(Debug, ToSchema)]
pub struct Timeline {
    pub items: Vec<TimelineItem>,
    /// What to give as `after` for what is older.
    #[schema(nullable = false)]
    pub next: Option<String>,
}

/// A gem or a turn.
#[derive(Debug, ToSchema)]
pub struct TimelineItem {
    /// Unix milliseconds.
    pub at: i64,
    #[schema(nullable = false)]
    pub gem: Option<Gem>,
    #[schema(nullable = false)]
    pub turn: Option<CapturedTurn>,
}

#[derive(Debug, ToSchema)]
pub struct RemovedAnswer {
    pub removed: Removed,
}

/// The ids of what is gone.
#[derive(Debug, ToSchema)]
pub struct Removed {
    pub gems: Vec<String>,
    pub turns: Vec<String>,
}

#[derive(Debug, ToSchema)]
pub struct MemoryRuns {
    pub runs: Vec<MemoryRun>,
}

/// One run in which gems were made of turns.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryRun {
    pub extraction: u64,
    pub session: String,
    #[schema(nullable = false)]
    pub room: Option<String>,
    /// `turn_end`, `idle`, `context`, `session_end`, `new` or `reset`.
    pub reason: String,
    /// Unix milliseconds.
    pub started_at: i64,
    pub turns: usize,
    /// `under_way`, `storing`, `stored` or `failed`.
    pub state: String,
    /// The model call.
    #[schema(nullable = false)]
    pub ask: Option<u64>,
    /// Who read the turns.
    #[schema(nullable = false)]
    pub by: Option<String>,
    pub gems: usize,
    pub added: usize,
    pub strengthened: usize,
    pub superseded: usize,
    pub already_there: usize,
    pub rejected: Vec<RejectedGems>,
    #[schema(nullable = false)]
    pub failure: Option<String>,
    /// Milliseconds so far.
    #[schema(nullable = false)]
    pub took: Option<i64>,
}

#[derive(Debug, ToSchema)]
pub struct RejectedGems {
    pub reason: String,
    pub count: usize,
}
