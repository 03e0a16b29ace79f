//! Thoughts of its own: a tick a minute, gates, at most one held thought, a bounded look around, and then to post,
//! to hold or to drop.

pub mod channels;
mod curating;
mod deciding;
pub mod feed;
pub mod gate_docs;
pub mod gates;
mod gathering;
pub mod interests;
mod life;
pub mod links;
mod looking_up;
mod passing;
mod picturing;
mod pool;
mod posting;
mod posts;
mod previewing;
mod prompt;
pub mod reading;
mod receipts;
mod run;
mod showing;
pub mod sources;
mod spending;
mod thinking;
mod thought;
mod ticking;
pub mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{MediaKind, Moment, RoomId, Span};

use self::feed::Candidate;
use self::posts::Posts;
use self::receipts::ReceiptBook;
use self::run::Run;
use self::sources::Sources;
use self::spending::Spending;
use self::thought::HeldThought;
use self::view::RunView;
use crate::attention::Attention;
use crate::text::TextRoom;

pub use crate::reasons::{InitiativeSkip, RunOutcome};

/// How long an allowance lasts.
pub(crate) const DAY: Span = Span::hours(24);
/// Between two ticks.
pub const TICK: Span = Span::seconds(60);

/// The ambient cycle of one community.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ambient {
    /// None while it is switched off or has nowhere to post.
    next_tick: Option<Moment>,
    held: Option<HeldThought>,
    /// When a fresh thought was last looked for.
    considered: Option<Moment>,
    run: Option<Run>,
    /// What the operator's last trial came to.
    trial: Option<RunView>,
    spending: Spending,
    posts: Posts,
    /// Pictures, clips and GIFs that were wanted.
    media: Vec<(Moment, MediaKind)>,
    receipts: ReceiptBook,
    sources: Sources,
    /// What the last thought was shown.
    candidates: Vec<Candidate>,
}

/// What is around a thought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub rooms: &'a BTreeMap<RoomId, TextRoom>,
    pub attention: &'a Attention,
}
