//! What kind of message something is: somebody's words, or Discord's own about what happened.

/// Kinds that are told apart; the rest are told by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    Plain,
    Reply,
    /// What a bot answered to a command.
    CommandAnswer,
    RecipientAdded,
    RecipientRemoved,
    Call,
    ChannelRenamed,
    ChannelPicture,
    Pinned,
    Joined,
    Boosted,
    ThreadBegun,
    /// Stands first in a thread and shows the message it was begun at.
    ThreadStarter,
    StageBegun,
    StageEnded,
    StageTopic,
    PollEnded,
    Other(u64),
}

impl MessageKind {
    /// What is not said is a plain one.
    pub fn of(number: Option<u64>) -> Self {
        match number.unwrap_or_default() {
            0 => Self::Plain,
            1 => Self::RecipientAdded,
            2 => Self::RecipientRemoved,
            3 => Self::Call,
            4 => Self::ChannelRenamed,
            5 => Self::ChannelPicture,
            6 => Self::Pinned,
            7 => Self::Joined,
            8..=11 => Self::Boosted,
            18 => Self::ThreadBegun,
            19 => Self::Reply,
            20 | 23 => Self::CommandAnswer,
            21 => Self::ThreadStarter,
            27 => Self::StageBegun,
            28 => Self::StageEnded,
            31 => Self::StageTopic,
            46 => Self::PollEnded,
            other => Self::Other(other),
        }
    }

    /// Whether it is somebody's own words, and no notice of Discord's.
    pub fn is_said(self) -> bool {
        matches!(self, Self::Plain | Self::Reply | Self::CommandAnswer)
    }
}
