//! The voice of a server's channels, as its community has it: Denizen goes into a call there.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use discord::wire::{ChannelKind, Snowflake};
use discord::world::Permissions;
use runtime::ports::{Voice, VoiceEvent, VoiceFault, VoiceRoom};
use runtime::wall;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use vocabulary::RoomId;

use super::seat::{Claim, ClaimedSeat, Keeper};
use super::{Standing, TakenSeat};
use crate::names;
use crate::residence::Inside;

const EVENTS: usize = 100;
/// Discord says nothing to whoever is not let in.
const LET_IN_WITHIN: Duration = Duration::from_secs(10);
/// How long the channel before may take to be left.
const LEFT_WITHIN: Duration = Duration::from_secs(8);
const LOOKS_AGAIN: Duration = Duration::from_millis(50);
/// Whoever is moved is told of the server a moment after, if it is another one.
const SERVED_WITHIN: Duration = Duration::from_secs(2);

/// The voice of one server.
pub(crate) struct DiscordVoice {
    pub inside: Arc<Inside>,
    pub guild: Snowflake,
}

impl DiscordVoice {
    async fn claim(&self, channel: Snowflake) -> Option<Claim> {
        let claiming = async {
            loop {
                match Claim::make(&self.inside, self.guild, channel) {
                    Some(claim) => return claim,
                    None => tokio::time::sleep(LOOKS_AGAIN).await,
                }
            }
        };
        timeout(LEFT_WITHIN, claiming).await.ok()
    }

    /// Where the call is, once the main gateway has said it.
    async fn let_in(&self, channel: Snowflake, standing: &mut watch::Receiver<Standing>) -> Option<Standing> {
        let is_there = standing.borrow_and_update().leads_to(channel);
        let waited = if is_there {
            // Somebody has put the bot here.
            let fresh = standing.wait_for(|standing| standing.is_fresh);
            let _ = timeout(SERVED_WITHIN, fresh).await;
            true
        } else {
            self.inside.calls.ask(self.guild, channel);
            let named = standing.wait_for(|standing| standing.is_fresh && standing.leads_to(channel));
            matches!(timeout(LET_IN_WITHIN, named).await, Ok(Ok(_)))
        };
        let found = standing.borrow_and_update().clone();
        (waited && found.leads_to(channel)).then_some(found)
    }
}

#[async_trait]
impl Voice for DiscordVoice {
    async fn join(
        &self,
        room: &RoomId,
    ) -> Result<(Box<dyn VoiceRoom>, mpsc::Receiver<VoiceEvent>), VoiceFault> {
        let refused = |detail: &str| VoiceFault::Refused {
            room: room.clone(),
            detail: detail.to_owned(),
        };
        let channel = names::channel_of(room).ok_or_else(|| refused("it is no channel of Discord's"))?;
        if let Some(obstacle) = self.inside.keeps_out(self.guild, channel) {
            return Err(refused(obstacle));
        }
        let own = self.inside.own();
        let own = own.ok_or_else(|| refused("it is not connected to Discord yet"))?;
        let claim = self.claim(channel).await;
        let claim = claim.ok_or_else(|| refused("I am in another voice channel of this server"))?;
        let mut standing = self.inside.calls.standing(self.guild);
        let found = self.let_in(channel, &mut standing).await;
        let found = found.ok_or_else(|| refused("Discord has not let me in; the channel may be full"))?;
        let place = found.place(self.guild, channel, own);
        let place = place.ok_or_else(|| refused("Discord has named no voice server"))?;
        let (inside, guild) = (self.inside.clone(), self.guild);
        let named = Arc::new(move |user| inside.caller(guild, user));
        let taken = (self.inside.calls.take_seat)(room.clone(), place, named);
        let (told, events) = mpsc::channel(EVENTS);
        let TakenSeat {
            seat,
            events: happening,
            connection,
            wanted,
        } = taken;
        self.inside.watch.hears(connection.watched());
        let keeper = Keeper {
            inside: self.inside.clone(),
            guild: self.guild,
            channel,
            own,
            standing,
            at: found.mark(),
            told,
        };
        tokio::spawn(keeper.run(happening, connection, wanted));
        Ok((Box::new(ClaimedSeat { seat, claim }), events))
    }
}

impl Inside {
    /// Why the bot cannot talk in a channel, as far as that is known.
    pub fn keeps_out(&self, guild: Snowflake, channel: Snowflake) -> Option<&'static str> {
        let rights = self.read(Some(guild), |reading| {
            let kind = reading.world.channel(channel).map(|channel| channel.kind);
            let own = reading.own?;
            Some((kind?, reading.world.permissions(channel, own, wall())))
        });
        let (kind, rights) = rights?;
        let lacks = |right| rights.is_some_and(|rights| !rights.has(right));
        match () {
            () if kind == ChannelKind::Stage => Some("I do not talk on stages"),
            () if !kind.is_voice() => Some(
                "it is a text channel and has no voice; go into a voice channel, and use `/denizen join`",
            ),
            () if lacks(Permissions::VIEW_CHANNEL) => {
                Some("I cannot see it; my role lacks *View Channel* there")
            }
            () if lacks(Permissions::CONNECT) => Some("I may not come in; my role lacks *Connect* there"),
            () if lacks(Permissions::SPEAK) => Some("I may not speak there; my role lacks *Speak*"),
            () => None,
        }
    }
}
