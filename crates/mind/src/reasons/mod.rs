//! Why something was, or was not, done: the answers that journal lines, inputs and effects carry.

mod ambient;
mod ask;
mod folding;
mod memory;
mod replies;
mod spending;
mod voice;
mod voice_thoughts;
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
    BargeInReason, UtteranceDrop, VoiceEndCause, VoiceJoinCause, VoiceJoinRefusal, VoiceTurnOutcome,
    VoiceTurnReason,
};
pub use voice_thoughts::{RoomChange, VoiceThoughtGate, VoiceThoughtLoss, VoiceThoughtOutcome};
pub use watch::{
    CommentaryGate, CommentarySkip, CommentaryTrigger, FrameAttached, NoteHold, NoteOutcome, NoteTrigger,
    UnwatchCause, WatchCause,
};
