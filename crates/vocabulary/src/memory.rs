//! What is remembered: captured turns, the gems made of them, where they may be shown, and what a search finds.

mod gem;
mod search;
mod turn;
mod view;

pub use gem::{Gem, GemSource, GemTag};
pub use search::{Found, Kinds, Record, RecordId, Scores, Search};
pub use turn::{CapturedTurn, TurnKind};
pub use view::{Forget, Place, Reach, Viewpoint};
