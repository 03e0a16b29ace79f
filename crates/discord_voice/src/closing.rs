//! What a closed connection to a voice server means: whether the call goes on there, elsewhere, or not at all.

use thiserror::Error;

/// What follows from a close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterVoiceClose {
    /// The session is still there.
    Resume,
    /// The session is gone, and its server takes a new one.
    Identify,
    /// The session is gone, and the main gateway has to be asked for a new one.
    AskAnew,
    /// Moved or taken out: the main gateway says which.
    AwaitWord,
    /// The server will say the same again.
    End(CallEnd),
}

/// Why a call is over.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CallEnd {
    #[error("it left the call")]
    Left,
    #[error("the voice server does not accept the call's token (close code 4004); join the channel again")]
    Token,
    #[error("the voice server no longer speaks this protocol (close code 4012 or 4016); a newer Denizen may")]
    Protocol,
    #[error(
        "the call wants end-to-end encryption of a kind that this Denizen does not speak (close code 4017); a newer \
         one may"
    )]
    Encryption,
    #[error(
        "Discord has had too many calls from here (close code 4021); wait some minutes before joining again"
    )]
    TooMany,
    #[error("the call was ended (close code 4022), or it was taken out of it")]
    Over,
    #[error("the voice server offers none of the ways to seal sound that Denizen knows")]
    NoMode,
    #[error("no voice server was named in time, so there is no call")]
    NoServer,
}

/// What follows. `None`: the connection broke, without a word.
pub(crate) fn after_voice_close(code: Option<u16>) -> AfterVoiceClose {
    match code {
        Some(4004) => AfterVoiceClose::End(CallEnd::Token),
        Some(4012 | 4016) => AfterVoiceClose::End(CallEnd::Protocol),
        Some(4017) => AfterVoiceClose::End(CallEnd::Encryption),
        Some(4021) => AfterVoiceClose::End(CallEnd::TooMany),
        Some(4022) => AfterVoiceClose::End(CallEnd::Over),
        // Moved to another channel, taken out of it, or the main gateway lost the bot.
        Some(4014) => AfterVoiceClose::AwaitWord,
        // A session that is not valid, one that timed out, a server that is not there.
        Some(4006 | 4009 | 4011) => AfterVoiceClose::AskAnew,
        // It did not understand something, or the login came in the wrong order: from the beginning, then.
        Some(4001 | 4002 | 4003 | 4005 | 4020) => AfterVoiceClose::Identify,
        // A server that crashed (4015) has kept what there was; whatever else it was, a session that is gone is told so.
        _ => AfterVoiceClose::Resume,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_close_code_has_what_follows() {
        let table = [
            (None, AfterVoiceClose::Resume),
            (Some(1000), AfterVoiceClose::Resume),
            (Some(1006), AfterVoiceClose::Resume),
            (Some(4000), AfterVoiceClose::Resume),
            (Some(4015), AfterVoiceClose::Resume),
            (Some(4999), AfterVoiceClose::Resume),
            (Some(4001), AfterVoiceClose::Identify),
            (Some(4002), AfterVoiceClose::Identify),
            (Some(4003), AfterVoiceClose::Identify),
            (Some(4005), AfterVoiceClose::Identify),
            (Some(4020), AfterVoiceClose::Identify),
            (Some(4006), AfterVoiceClose::AskAnew),
            (Some(4009), AfterVoiceClose::AskAnew),
            (Some(4011), AfterVoiceClose::AskAnew),
            (Some(4014), AfterVoiceClose::AwaitWord),
            (Some(4004), AfterVoiceClose::End(CallEnd::Token)),
            (Some(4012), AfterVoiceClose::End(CallEnd::Protocol)),
            (Some(4016), AfterVoiceClose::End(CallEnd::Protocol)),
            (Some(4017), AfterVoiceClose::End(CallEnd::Encryption)),
            (Some(4021), AfterVoiceClose::End(CallEnd::TooMany)),
            (Some(4022), AfterVoiceClose::End(CallEnd::Over)),
        ];
        for (code, follows) in table {
            assert_eq!(after_voice_close(code), follows, "{code:?}");
        }
    }
}
