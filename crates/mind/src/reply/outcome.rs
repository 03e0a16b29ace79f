//! Reading a model's answer.

use serde::{Deserialize, Serialize};

/// Why no reply was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The model chose silence.
    LlmSkip,
    /// The model gave nothing to say.
    EmptyReply,
    /// Nothing to say was left once the media were gone.
    EmptyReplyAfterMedia,
    /// The model declined for safety.
    Refused,
    /// The gate said no when the message arrived.
    NotAdmitted,
    /// The gate said yes at first, and no right before generation.
    NoLongerAdmitted,
    /// The classifier thought it was not meant for Denizen.
    NotAddressed,
    /// Denizen has written enough in this room for an hour.
    HourlyCap,
    /// Too much was waiting already.
    QueueFull,
    /// Every message of the burst was taken back.
    MessageDeleted,
    /// The model could not be had, and the tries are used up.
    ModelFailed,
    /// The room could not be written to, and the tries are used up.
    SendFailed,
}
