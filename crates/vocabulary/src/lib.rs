//! The nouns of Denizen: typed ids, the two clocks, messages, and what is asked of models.
//!
//! Everything here is plain data that can be stored, recorded and replayed. Nothing here decides anything.

mod allowance;
mod ask;
mod ask_failure;
pub mod calendar;
mod carried;
mod chance;
mod feed;
mod id;
mod making;
mod memory;
mod message;
mod named;
pub mod names;
mod picture_size;
pub mod rfc3339;
mod room;
mod screen;
pub mod text;
mod time;
mod tool;
mod usage;
mod voice;
mod voice_loss;

pub use allowance::AskAllowance;
pub use ask::{
    AnswerWords, AskOutcome, AskPurpose, ChatRole, ChatTurn, ContentPart, Finish, ModelAnswer, ModelChoice,
    ModelRequest, ModelRole, OutputShape, ReplyModel, SectionFate, SectionReport,
};
pub use ask_failure::{AskFailure, AskFailureKind};
pub use carried::Carried;
pub use chance::SeededChance;
pub use feed::{FeedFamily, FeedHarvest, FeedItem, FeedSource, FeedWish, SourceReport};
pub use id::{
    AskId, AttachmentId, CommunityId, DeliveryId, ExtractionId, FrameId, GatherId, GemId, JournalSeq,
    MediaId, MessageId, NoteSeq, PersonId, RecallId, RoomId, SessionId, ShareId, ToolRunId, TurnId, TurnKey,
    TurnSeq,
};
pub use making::{MediaKind, MediaOrder, MediaOutcome, MediaWish};
pub use memory::{
    CapturedTurn, Forget, Found, Gem, GemSource, GemTag, Kinds, Place, Reach, Record, RecordId, Scores,
    Search, TurnKind, Viewpoint,
};
pub use message::{Attachment, Author, AuthorKind, Message};
pub use picture_size::{PICTURE_PIXELS_MAX, PICTURE_SIDE_MAX, is_fit_picture_size, picture_size};
pub use room::{QuietWish, RoomFacts, RoomKind};
pub use screen::{
    ChangeScore, FrameRefusal, Glimpse, PictureKind, ScreenRegion, Share, ShareEnd, ShareSource,
};
pub use time::{Moment, Now, Span, WallTime};
pub use tool::{OutsideTool, ToolCall, ToolOrigin, ToolResult, ToolSpec};
pub use usage::Usage;
pub use voice::UnheardReason;
pub use voice_loss::VoiceLoss;
