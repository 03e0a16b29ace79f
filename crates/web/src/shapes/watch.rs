//! Shared screens: links, what is watched, and what was seen.

use utoipa::ToSchema;

/// Somebody wants to share a screen.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewShare {
    /// Who shares, as they are called in the room.
    #[schema(min_length = 1, max_length = 40, example = "Alice")]
    pub name: String,
    /// By which way the screen comes in: `share_page` (usual), `frame_api`, `whip` or `file`.
    #[schema(required = false, nullable = false, example = "share_page")]
    pub source: Option<String>,
}

/// A link to share a screen. Whoever knows the token may share; it is shown only here.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLink {
    pub share: String,
    pub token: String,
    /// Unix milliseconds; a share that is under way then goes on.
    pub expires_at: i64,
    /// The page to share on. The token is in the fragment, which browsers keep to themselves.
    #[schema(example = "/share#TOKEN")]
    pub url: String,
    pub frames_url: String,
    pub whip_url: String,
}

/// Whose screen is watched.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChoice {
    /// The share to watch; null: nobody's.
    #[schema(required = true)]
    pub share: Option<String>,
}

/// A frame that was taken in.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenFrame {
    pub frame: u64,
    pub width: u32,
    pub height: u32,
    /// How much it differs from the frame before, 0 to 1.
    pub score: f64,
    /// The smoothed score.
    pub ema: f64,
    pub scene_cut: bool,
}

/// What is watched in a room, what was noted, and what holds a comment back.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchView {
    /// Whether screens are watched at all: `voice.streamWatch.enabled`.
    pub enabled: bool,
    /// Everybody who shares here, oldest first.
    pub shares: Vec<ShareView>,
    /// Whose screen is watched. None while several share and nobody has chosen.
    #[schema(required = true)]
    pub watched: Option<String>,
    /// Counts the watches of this room.
    pub generation: u64,
    #[schema(required = true)]
    pub newest: Option<SeenFrame>,
    /// `static`, `moving` or `significant`.
    #[schema(required = true, example = "moving")]
    pub activity: Option<String>,
    /// `absolute` or `relative`.
    #[schema(example = "absolute")]
    pub threshold_mode: String,
    pub thresholds: Thresholds,
    /// Rolling notes, oldest first.
    pub notes: Vec<ScreenNote>,
    pub note_taker: NoteTakerView,
    pub commentary: CommentaryView,
    pub calls: CallsView,
    /// What happened in the last ten minutes, oldest first.
    pub marks: Vec<WatchMark>,
    /// The frames of the last ten minutes, or those after the one that was asked about; oldest first.
    pub samples: Vec<SeenFrame>,
}

/// A screen that somebody shares.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    pub share: String,
    pub person: String,
    pub name: String,
    #[schema(example = "share_page")]
    pub source: String,
    /// Unix milliseconds.
    pub since: i64,
    pub watched: bool,
    /// Frames of it that were seen.
    pub frames: u64,
}

/// A frame that was seen, without its picture.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeenFrame {
    /// Unix milliseconds.
    pub at: i64,
    pub frame: u64,
    /// `jpeg`, `png` or `webp`.
    #[schema(example = "jpeg")]
    pub kind: String,
    pub width: u32,
    pub height: u32,
    pub score: f64,
    pub ema: f64,
    pub scene_cut: bool,
    /// Where most of the change was.
    #[schema(nullable = false, example = "top_left")]
    pub region: Option<String>,
}

/// The lines a score is held against.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Thresholds {
    /// From here on something happened.
    pub change: f64,
    /// Below this the screen is static.
    pub static_floor: f64,
}

/// One thing that was seen.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenNote {
    pub seq: u64,
    /// Unix milliseconds: when it was first seen.
    pub at: i64,
    /// Unix milliseconds: when it was last seen to be so.
    pub seen_at: i64,
    /// Whose screen it was.
    pub shared_by: String,
    pub text: String,
    /// Why it mattered; empty where nobody said.
    pub why: String,
    /// What made Denizen look: `first_frame`, `scene_cut`, `change`, `interval`, `idle_interval` or `commentary`.
    #[schema(example = "scene_cut")]
    pub trigger: String,
}

/// What the note-taker does now.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteTakerView {
    #[schema(required = true)]
    pub asking: Option<AskingView>,
    /// What it waits for; none while a note is due at once.
    #[schema(required = true, example = "interval")]
    pub held_by: Option<String>,
    /// Milliseconds until the next note, as things stand.
    #[schema(required = true)]
    pub due_in: Option<u64>,
    /// Failures in a row.
    pub failures: u64,
    #[schema(required = true)]
    pub last_failure: Option<String>,
}

/// A model call under way.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskingView {
    pub ask: u64,
    /// Milliseconds.
    pub running_for: u64,
}

/// What commentary does now.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentaryView {
    pub enabled: bool,
    #[schema(required = true)]
    pub asking: Option<AskingView>,
    /// The trigger that waits for the gates: `share_start`, `change_detected` or `interval`.
    #[schema(required = true, example = "interval")]
    pub waiting: Option<String>,
    /// Milliseconds.
    #[schema(required = true)]
    pub waiting_for: Option<u64>,
    /// Every gate, and whether it is shut now.
    pub gates: Vec<GateView>,
    /// Milliseconds until it is considered again, where nothing waits.
    #[schema(required = true)]
    pub due_in: Option<u64>,
}

/// One thing that may hold a comment back.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateView {
    #[schema(example = "quiet_window")]
    pub gate: String,
    pub shut: bool,
    /// Milliseconds for which it has held the trigger that waits.
    pub held_for: u64,
    /// Milliseconds until it opens by itself, where that is known.
    #[schema(required = true)]
    pub opens_in: Option<u64>,
}

/// Model calls of the last hour.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallsView {
    pub notes: u64,
    pub commentary: u64,
    pub failed: u64,
    /// Millionths of a dollar, of the calls whose price is known.
    pub cost_micro_dollars: u64,
    /// Calls whose price is not known.
    pub unpriced: u64,
    pub calls_per_hour: f64,
    pub cost_per_hour_micro_dollars: f64,
}

/// Something on the time line.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchMark {
    /// Unix milliseconds.
    pub at: i64,
    #[schema(example = "note_added")]
    pub kind: String,
    #[schema(required = true)]
    pub frame: Option<u64>,
    /// What made Denizen look, for notes.
    #[schema(required = true)]
    pub trigger: Option<String>,
    /// The note, the comment, or what went wrong.
    pub text: String,
}
