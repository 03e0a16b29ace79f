//! The rooms of one community on Discord, as its mind has them: what is to be said goes there, once.

use std::sync::Arc;

use async_trait::async_trait;
use discord::wire::{Emoji, Snowflake};
use mind::Delivery;
use runtime::DenizenName;
use runtime::ports::{Rooms, SendFailure};
use vocabulary::{CommunityId, Message, MessageId, PersonId, RoomId};

use crate::names;
use crate::outgoing::Sending;
use crate::residence::Inside;

pub(crate) struct DiscordRooms {
    inside: Arc<Inside>,
    community: CommunityId,
    guild: Option<Snowflake>,
    name: DenizenName,
}

impl DiscordRooms {
    pub fn new(inside: Arc<Inside>, community: CommunityId, name: DenizenName) -> Self {
        Self {
            guild: names::guild_of(&community),
            inside,
            community,
            name,
        }
    }
}

#[async_trait]
impl Rooms for DiscordRooms {
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure> {
        let Some(channel) = names::channel_of(&delivery.room) else {
            return Err(SendFailure {
                detail: format!("{} is no channel of Discord's", delivery.room),
                retryable: false,
            });
        };
        let Some(rest) = self.inside.rest.clone() else {
            return Err(SendFailure {
                detail: "there is no token for Discord; give one to `denizen setup discord`".to_owned(),
                retryable: true,
            });
        };
        let sending = Sending {
            inside: &self.inside,
            rest,
            community: &self.community,
            guild: self.guild,
            channel,
        };
        let posted = sending.deliver(delivery).await?;
        self.inside.typing.hide(channel);
        let denizen = names::bot(self.inside.own());
        Ok(Message {
            id: names::message(posted.id),
            ..delivery.as_message(denizen, &(self.name)(), posted.sent_at)
        })
    }

    async fn react(&self, room: &RoomId, message: &MessageId, emoji: &str) -> Result<(), SendFailure> {
        let lost = |detail: String| SendFailure {
            detail,
            retryable: false,
        };
        let place = names::channel_of(room).zip(names::message_of(message));
        let (channel, on) = place.ok_or_else(|| lost(format!("{message} is no message of Discord's")))?;
        let rest = self.inside.rest.clone();
        let rest = rest.ok_or_else(|| lost("there is no token for Discord".to_owned()))?;
        let emoji = match emoji.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')) {
            None => Emoji::Character(emoji.to_owned()),
            Some(name) => {
                let known = self
                    .guild
                    .and_then(|guild| self.inside.world().emoji(guild, name));
                known.ok_or_else(|| lost(format!("there is no emoji {emoji} in this room")))?
            }
        };
        let reacted = rest.react(channel, on, &emoji).await;
        reacted.map_err(|failure| lost(failure.detail))
    }

    fn show_typing(&self, room: &RoomId, typing: bool) {
        let (Some(channel), Some(rest)) = (names::channel_of(room), self.inside.rest.clone()) else {
            return;
        };
        match typing {
            true => self.inside.typing.show(rest, channel),
            false => self.inside.typing.hide(channel),
        }
    }

    async fn forget(&self, person: &PersonId) {
        if let Some(user) = names::user_of(person) {
            self.inside.world().forget(user);
        }
    }
}
