//! Who is in the voice channels of a server, as its mind is told; and what follows when somebody moves the bot.

use std::collections::BTreeMap;

use discord::wire::{ChannelKind, Snowflake};
use mind::RoomEvent;
use runtime::{Handle, SettingsLayer, wall};
use serde_json::json;

use crate::names;
use crate::queue::CommunityQueue;

/// When Denizen comes into voice.
pub(crate) const JOIN_POLICY: &str = "voice.joinPolicy";
/// On Discord nobody finds ears in a call that nobody has asked there.
pub(crate) const ON_REQUEST: &str = "on_request";

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

    /// A server that has said nothing about it has Denizen in its calls when somebody asks for it, and not before.
    pub(crate) async fn comes_on_request(&self, handle: &Handle) {
        if self.guild.is_none() || handle.in_force().layers.own.get(JOIN_POLICY).is_some() {
            return;
        }
        let changes = vec![(JOIN_POLICY.to_owned(), Some(json!(ON_REQUEST)))];
        let changed = match handle.store().settings(handle.community()).await {
            Ok(newest) => {
                let changed = handle.change_settings(SettingsLayer::Own, newest.version(), changes);
                changed.await.map(drop).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = changed {
            tracing::error!(%error, "Denizen may come into calls of a server unasked: voice.joinPolicy could not be set there");
        }
    }
}
