//! What a bot asks to be told of.

use std::ops::BitOr;

/// Kinds of events, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intents(u64);

impl Intents {
    pub const GUILDS: Self = Self(1);
    /// Who joins, leaves and is renamed. **Privileged**: to be switched on in the developer portal.
    pub const MEMBERS: Self = Self(1 << 1);
    /// The server's own emoji.
    pub const EXPRESSIONS: Self = Self(1 << 3);
    pub const VOICE_STATES: Self = Self(1 << 7);
    pub const MESSAGES: Self = Self(1 << 9);
    pub const REACTIONS: Self = Self(1 << 10);
    pub const TYPING: Self = Self(1 << 11);
    pub const DIRECT_MESSAGES: Self = Self(1 << 12);
    pub const DIRECT_REACTIONS: Self = Self(1 << 13);
    pub const DIRECT_TYPING: Self = Self(1 << 14);
    /// What messages say that do not mention the bot. **Privileged**: to be switched on in the developer portal.
    pub const MESSAGE_CONTENT: Self = Self(1 << 15);

    /// What Denizen needs to take part. Members are not among them: those who speak are told with what they say.
    pub const NEEDED: Self = Self(
        Self::GUILDS.0
            | Self::EXPRESSIONS.0
            | Self::VOICE_STATES.0
            | Self::MESSAGES.0
            | Self::REACTIONS.0
            | Self::TYPING.0
            | Self::DIRECT_MESSAGES.0
            | Self::DIRECT_REACTIONS.0
            | Self::DIRECT_TYPING.0
            | Self::MESSAGE_CONTENT.0,
    );

    pub fn bits(self) -> u64 {
        self.0
    }

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Those of them that have to be switched on in the developer portal, by the names they have there.
    pub fn privileged(self) -> Vec<&'static str> {
        let names = [
            (Self::MEMBERS, "Server Members Intent"),
            (Self::MESSAGE_CONTENT, "Message Content Intent"),
        ];
        let wanted = names.into_iter().filter(|(intent, _)| self.has(*intent));
        wanted.map(|(_, name)| name).collect()
    }
}

impl BitOr for Intents {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn privileged_intents_are_told_by_their_names_in_the_portal() {
        assert_eq!(Intents::NEEDED.privileged(), ["Message Content Intent"]);
        let all = Intents::NEEDED | Intents::MEMBERS;
        assert_eq!(
            all.privileged(),
            ["Server Members Intent", "Message Content Intent"]
        );
        let none = all.without(Intents::MEMBERS).without(Intents::MESSAGE_CONTENT);
        assert!(none.privileged().is_empty() && none.has(Intents::MESSAGES));
        assert_eq!(Intents::NEEDED.bits(), 65_161);
    }
}
