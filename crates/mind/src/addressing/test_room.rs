//! A room to try the rules in.

use vocabulary::{PersonId, WallTime};

use super::{AddressSignal, Conversation, FollowupLimits, Heard, Identity};

const MINUTE: i64 = 60_000;

/// A room with Denizen in it, alias Robo, where people go by their ids.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) conversation: Conversation,
    pub(super) identity: Identity,
    pub(super) minute: i64,
}

impl Room {
    pub(super) fn new() -> Self {
        Self {
            conversation: Conversation::default(),
            identity: Identity::new(PersonId::from("0"), "Denizen", &["Robo".to_owned()]),
            minute: 0,
        }
    }

    pub(super) fn after(lines: &[(&str, &str)]) -> Self {
        let mut room = Self::new();
        for (author, text) in lines {
            room.say(author, text);
        }
        room
    }

    pub(super) fn heard<T>(&self, author: &str, text: &str, then: impl FnOnce(&Heard<'_>) -> T) -> T {
        then(&Heard {
            author: &PersonId::from(author),
            author_name: author,
            by_denizen: author == "Denizen",
            text,
            at: WallTime(self.minute * MINUTE),
            mentions: &[],
            reply_to_author: None,
            spoken: false,
        })
    }

    pub(super) fn say(&mut self, author: &str, text: &str) {
        let mut conversation = std::mem::take(&mut self.conversation);
        self.heard(author, text, |heard| {
            conversation.observe(heard, &self.identity, FollowupLimits::default())
        });
        self.conversation = conversation;
    }

    pub(super) fn wait(mut self, minutes: i64) -> Self {
        self.minute += minutes;
        self
    }

    /// What the rules alone say.
    pub(super) fn judge(&self, author: &str, text: &str) -> AddressSignal {
        let limits = FollowupLimits {
            least_score: None,
            ..FollowupLimits::default()
        };
        self.judge_within(author, text, limits)
    }

    /// What the rules and the score say.
    pub(super) fn weigh(&self, author: &str, text: &str) -> AddressSignal {
        self.judge_within(author, text, FollowupLimits::default())
    }

    pub(super) fn judge_within(&self, author: &str, text: &str, limits: FollowupLimits) -> AddressSignal {
        self.heard(author, text, |heard| {
            self.conversation.judge(heard, &self.identity, limits)
        })
    }

    pub(super) fn rule(&self, author: &str, text: &str) -> String {
        self.judge(author, text).rule
    }
}
