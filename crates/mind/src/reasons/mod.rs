//! Why something was, or was not, done: the answers that journal lines, inputs and effects carry.

mod ambient;
mod ask;
mod folding;
mod memory;
mod replies;
mod spending;
mod voice;
mod watch;

pub use ambient::{AmbientGate, InitiativeSkip, PassedMoment, RunOutcome, SourceRemover};
pub use ask::{CancelReason, PlainCause};
pub use folding::{CompactionSkip, Outgrown};
pub use memory::{ContextUse, ExtractionDrop, ExtractionSkip, ExtractionTrigger, ForgottenKind};
pub use replies::{AgainRefusal, CommandHold, DelayReason, DropReason, RoomEnding, TurnOutcome};
pub use spending::{
    RestCause, Shortage, SpendingGate, SpendingLimit, SpendingPurpose, SpendingRefusal, SpendingScope,
};
pub use voice::{
    BargeInReason, UtteranceDrop, VoiceEndCause, VoiceJoinCause, VoiceJoinRefusal, VoiceThoughtOutcome,
    VoiceTurnOutcome, VoiceTurnReason,
};
pub use watch::{
    CommentaryGate, CommentarySkip, CommentaryTrigger, FrameAttached, NoteHold, NoteOutcome, NoteTrigger,
    UnwatchCause, WatchCause,
};
