//! What a closed connection means: whether its session goes on, a new one begins, or nothing helps.

use thiserror::Error;

use super::Intents;

/// What follows from a close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterClose {
    /// The session is still there.
    Resume,
    /// The session is gone.
    Identify,
    /// The server will say the same again, until somebody changes something.
    Stop(GatewayRefusal),
}

/// Why a server will not have the bot. Each says what to do.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GatewayRefusal {
    #[error(
        "Discord does not accept the bot's token (close code 4004); reset it in the developer portal, under Bot, and \
         give Denizen the new one"
    )]
    Token,
    #[error(
        "Discord does not know this shard (close code 4010); leave the number of shards out, so that Discord says it"
    )]
    Shard,
    #[error(
        "the bot is in too many servers for so few shards (close code 4011); leave the number of shards out and start \
         again, so that Discord says it"
    )]
    TooFewShards,
    #[error("Discord no longer speaks this version of its gateway (close code 4012); a newer Denizen does")]
    Version,
    #[error("Discord does not know one of the intents {} (close code 4013); a newer Denizen may", .0.bits())]
    Intents(Intents),
    #[error(
        "Discord does not let the bot have an intent (close code 4014); switch on in the developer portal, under Bot: {}",
        .0.privileged().join(", ")
    )]
    PrivilegedIntents(Intents),
}

/// What follows. `None`: the connection broke, without a word.
pub fn after_close(code: Option<u16>, intents: Intents) -> AfterClose {
    match code {
        Some(4004) => AfterClose::Stop(GatewayRefusal::Token),
        Some(4010) => AfterClose::Stop(GatewayRefusal::Shard),
        Some(4011) => AfterClose::Stop(GatewayRefusal::TooFewShards),
        Some(4012) => AfterClose::Stop(GatewayRefusal::Version),
        Some(4013) => AfterClose::Stop(GatewayRefusal::Intents(intents)),
        Some(4014) => AfterClose::Stop(GatewayRefusal::PrivilegedIntents(intents)),
        // Not logged in, a wrong sequence, a session that timed out.
        Some(4003 | 4007 | 4009) => AfterClose::Identify,
        // Whatever else it was: a server that has forgotten the session says so when it is resumed.
        _ => AfterClose::Resume,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_helps_against_stops_and_says_what_to_do() {
        for code in [4004, 4010, 4011, 4012, 4013, 4014] {
            let AfterClose::Stop(refusal) = after_close(Some(code), Intents::NEEDED) else {
                panic!("{code} goes on");
            };
            let told = refusal.to_string();
            assert!(told.contains(&code.to_string()), "{told}");
        }
        let intents = AfterClose::Stop(GatewayRefusal::PrivilegedIntents(Intents::NEEDED));
        assert_eq!(after_close(Some(4014), Intents::NEEDED), intents);
        let told = GatewayRefusal::PrivilegedIntents(Intents::NEEDED).to_string();
        assert!(told.ends_with("under Bot: Message Content Intent"), "{told}");
    }

    #[test]
    fn a_session_goes_on_unless_the_server_says_that_it_is_gone() {
        for code in [
            None,
            Some(1000),
            Some(1001),
            Some(1006),
            Some(4000),
            Some(4001),
            Some(4008),
            Some(4999),
        ] {
            assert_eq!(after_close(code, Intents::NEEDED), AfterClose::Resume, "{code:?}");
        }
        for code in [4003, 4007, 4009] {
            assert_eq!(
                after_close(Some(code), Intents::NEEDED),
                AfterClose::Identify,
                "{code}"
            );
        }
    }
}
