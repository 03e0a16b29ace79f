//! Thoughts of its own: a tick a minute, gates, at most one held thought, a bounded look around, and then to post,
//! to hold or to drop.
//!
//! `Ambient` composes the parts: the `Ticker` and its receipts, the shelf of the held thought, the `Run` under way, which
//! says what is `Next`, and the `Books` of what was spent, posted, made and read.

mod answers;
pub mod channels;
mod curating;
mod cycle;
mod deciding;
pub mod feed;
mod feed_preview;
pub mod gate_docs;
pub mod gates;
mod gathering;
mod moment;
mod overview;
mod pool;
mod posting;
mod posts;
mod prompt;
mod question;
pub mod reading;
mod receipts;
mod rooms;
mod run;
pub mod sources;
mod thinking;
mod thought;
mod ticking;
pub mod view;

use serde::{Deserialize, Serialize};
use vocabulary::Span;

use self::feed::Candidate;
use self::posts::Posts;
use self::receipts::ReceiptBook;
use self::run::Run;
use self::sources::Sources;
use self::thought::HeldThoughtShelf;
use self::ticking::Ticker;
use self::view::RunView;
use crate::media::MediaBook;
use crate::spending::ThoughtSpending;

pub use crate::reasons::{InitiativeSkip, RunOutcome};
pub(crate) use rooms::{RoomLookup, RoomSeen, RoomsInView};
pub(crate) use thought::rest;

/// How long an allowance lasts.
pub(crate) const DAY: Span = Span::hours(24);
/// Between two ticks.
pub const TICK: Span = Span::seconds(60);

/// The ambient cycle of one community.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ambient {
    #[serde(flatten)]
    ticker: Ticker,
    receipts: ReceiptBook,
    held: HeldThoughtShelf,
    run: Option<Run>,
    /// What the operator's last trial came to.
    trial: Option<RunView>,
    /// What was made and found lately. It is taken out for a step and put back after it, because replies count in it, too.
    pub media: MediaBook,
    /// What thoughts cost lately; taken out for a step, too, because those that are said aloud count in it.
    pub spending: ThoughtSpending,
    #[serde(flatten)]
    books: Books,
}

/// What is kept from one run to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Books {
    posts: Posts,
    sources: Sources,
    /// What the last thought was shown.
    candidates: Vec<Candidate>,
}
