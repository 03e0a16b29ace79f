//! A room's session: what the model sees word for word, and the summary of what came before.

use utoipa::ToSchema;

/// Everything before the cursor is in the summary, everything from it on is kept word for word.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Whether this room's conversation is folded at all: `context.compaction.textChannels`.
    pub enabled: bool,
    /// The running summary; empty until something was folded.
    pub summary: String,
    /// Unix milliseconds; none while there is no summary.
    #[schema(required = true)]
    pub summarised_at: Option<i64>,
    /// The number of the first turn that is not in the summary.
    pub cursor: u64,
    /// How many turns there were in all, which is the number the next one will have.
    pub turns: u64,
    /// The turns from the cursor on, oldest first.
    pub verbatim: Vec<TimelineTurn>,
    /// What was seen beside the conversation and waits to be folded.
    pub pending_notes: Vec<PendingNote>,
    /// The fold under way.
    #[schema(required = true)]
    pub run: Option<RunView>,
    /// The newest finished folds, oldest first.
    pub finished: Vec<FinishedRun>,
    /// So many of the newest turns are never folded.
    pub recent_window: usize,
    /// So many turns are folded at a time.
    pub batch_size: usize,
    /// The longest summary, in characters.
    pub summary_chars_max: usize,
}

/// One thing that was said.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineTurn {
    pub seq: u64,
    pub speaker: String,
    /// Unix milliseconds.
    pub at: i64,
    /// `typed`, `spoken`, `note` or `membership`.
    #[schema(example = "typed")]
    pub modality: String,
    pub text: String,
    /// The message it was.
    #[schema(nullable = false)]
    pub message: Option<String>,
}

/// Something that was seen beside the conversation.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingNote {
    pub seq: u64,
    /// Unix milliseconds.
    pub at: i64,
    /// Who shared what was seen; empty where nobody did.
    pub shared_by: String,
    pub text: String,
}

/// A fold under way.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// The model call that writes the summary.
    pub ask: u64,
    pub cursor: u64,
    /// How many turns from the cursor on are being folded.
    pub turns: usize,
    pub notes: usize,
    /// The summary came out too long and is being condensed.
    pub condensing: bool,
}

/// A fold that made a new summary.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinishedRun {
    /// Unix milliseconds.
    pub at: i64,
    /// Milliseconds.
    pub took: u64,
    pub old_cursor: u64,
    pub new_cursor: u64,
    /// The model call, where one was made.
    #[schema(required = true)]
    pub ask: Option<u64>,
    /// Provider and model, or `offline`.
    #[schema(example = "ollama qwen3")]
    pub summariser: String,
    /// The turns that were folded, as lines.
    pub turns: Vec<String>,
    /// The notes that were folded, as lines.
    pub notes: Vec<String>,
    pub summary: String,
}

#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// Who shared what was seen; left out where nobody did.
    #[schema(max_length = 40, example = "Bob")]
    pub shared_by: Option<String>,
    #[schema(min_length = 1, max_length = 400)]
    pub text: String,
}
