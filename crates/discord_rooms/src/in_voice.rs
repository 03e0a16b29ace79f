//! Who is in the voice channels of a server, as its mind is told; and what follows when somebody moves the bot.

use std::collections::BTreeMap;

use discord::wire::{ChannelKind, Snowflake};
use mind::RoomEvent;
use runtime::wall;

use crate::names;
use crate::queue::CommunityQueue;

impl CommunityQueue {
    /// Tells who has come and gone since it was told last.
    pub(crate) async fn find_voices(&mut self) {
        let Some(guild) = self.guild else { return };
        let now = self.voices(guild);
        let before = std::mem::take(&mut self.in_voice);
        for (user, channel) in &before {
            if now.get(user) != Some(channel) {
                let person = names::person(*user);
                self.tell(names::room(*channel), RoomEvent::PersonLeft { person })
                    .await;
            }
        }
        for (user, channel) in &now {
            if before.get(user) != Some(channel) {
                self.know_room(*channel, None).await;
                let author = self.inside.caller(guild, user.number());
                self.tell(names::room(*channel), RoomEvent::PersonJoined(author))
                    .await;
            }
        }
        self.in_voice = now;
        self.follow(guild).await;
    }

    /// Everybody but the bot, with the channel that they are in. Of what it does not see it is not told.
    fn voices(&self, guild: Snowflake) -> BTreeMap<Snowflake, Snowflake> {
        let now = wall();
        self.inside.read(self.guild, |reading| {
            let states = reading.world.voices_of(guild);
            let others = states.filter(|state| Some(state.user) != reading.own);
            let places = others.filter_map(|state| {
                let channel = reading.world.channel(state.channel?)?;
                let is_open = channel.kind == ChannelKind::Voice && reading.sees(channel, now);
                is_open.then_some((state.user, channel.id))
            });
            places.collect()
        })
    }

    /// Whoever moves the bot has Denizen leave where it was, and come where the bot is now.
    async fn follow(&mut self, guild: Snowflake) {
        let Some(astray) = self.inside.calls.astray(guild) else {
            return;
        };
        let asked = |come| RoomEvent::VoiceAsked { person: None, come };
        self.tell(names::room(astray.from), asked(false)).await;
        if let Some(to) = astray.to {
            self.know_room(to, None).await;
            self.tell(names::room(to), asked(true)).await;
        }
    }
}
