//! How the bot's connection to Discord is, for whoever runs it: shards, calls, what was asked, and what went wrong last.

use std::sync::{Mutex, MutexGuard, PoisonError};

use discord::gateway::{FleetWatcher, GatewayRefusal, Intents, ShardHealth};
use discord::wire::Snowflake;
use discord_voice::CallHealth;
use runtime::ports::{
    Abroad, CallStanding, IntentStanding, PlatformStanding, PlatformState, PlatformTrouble, RequestCounts,
    ShardStanding, SoundCounts,
};
use runtime::wall;
use tokio::sync::watch;

use crate::checkup::invite_link;
use crate::names;
use crate::reading::shown;
use crate::residence::{Discord, Inside};

/// What is seen of the connection.
#[derive(Debug, Default)]
pub(crate) struct ConnectionWatch(Mutex<Watched>);

#[derive(Debug, Default)]
struct Watched {
    gateway: Option<FleetWatcher>,
    /// What earlier connections came to, shard by shard: figures do not go back.
    before: Vec<ShardStanding>,
    is_refused: bool,
    trouble: Option<PlatformTrouble>,
    application: Option<Snowflake>,
    /// Whether the gateway lets the bot have what it asks for; known once it has answered.
    is_granted: Option<bool>,
    calls: Vec<watch::Receiver<CallHealth>>,
    sound_before: SoundCounts,
}

impl ConnectionWatch {
    /// A connection is made; the one before is over.
    pub fn begins(&self, gateway: FleetWatcher) {
        let mut watched = self.lock();
        watched.fold_gateway();
        watched.gateway = Some(gateway);
        watched.is_refused = false;
    }

    /// A shard was let in.
    pub fn is_let_in(&self, application: Snowflake) {
        let mut watched = self.lock();
        watched.application = Some(application);
        watched.is_granted = Some(true);
        watched.is_refused = false;
    }

    /// The gateway has refused the bot.
    pub fn is_refused(&self, refusal: GatewayRefusal) {
        let mut watched = self.lock();
        watched.is_refused = true;
        if matches!(refusal, GatewayRefusal::PrivilegedIntents(_)) {
            watched.is_granted = Some(false);
        }
        watched.fell_into(refusal.to_string());
    }

    /// The token was refused: nothing is tried any more.
    pub fn is_shut_out(&self, what: String) {
        let mut watched = self.lock();
        watched.is_refused = true;
        watched.fell_into(what);
    }

    /// Something went wrong that passes by itself.
    pub fn fell_into(&self, what: String) {
        self.lock().fell_into(what);
    }

    /// A call was entered.
    pub fn hears(&self, call: watch::Receiver<CallHealth>) {
        let mut watched = self.lock();
        watched.fold_calls();
        watched.sound_before.calls += 1;
        watched.calls.push(call);
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    fn fell_into(&mut self, what: String) {
        self.trouble = Some(PlatformTrouble { at: wall(), what });
    }

    fn fold_gateway(&mut self) {
        if let Some(over) = self.gateway.take() {
            self.before = since_start(&self.before, &over.health().shards);
        }
    }

    /// Calls that are over are kept as figures alone.
    fn fold_calls(&mut self) {
        let (over, live): (Vec<_>, Vec<_>) = std::mem::take(&mut self.calls)
            .into_iter()
            .partition(|call| call.has_changed().is_err());
        self.calls = live;
        for call in over {
            add_sound(&mut self.sound_before, &call.borrow());
        }
    }

    fn sound(&mut self) -> SoundCounts {
        self.fold_calls();
        let mut all = self.sound_before.clone();
        for call in &self.calls {
            add_sound(&mut all, &call.borrow());
        }
        all
    }
}

/// The figures of a connection together with those of the ones before it.
fn since_start(before: &[ShardStanding], now: &[ShardHealth]) -> Vec<ShardStanding> {
    let shards = now.iter().enumerate().map(|(number, shard)| {
        let mut sum = before.get(number).cloned().unwrap_or_default();
        sum.connected = shard.is_live;
        sum.latency_ms = shard.latency.map(|span| span.0);
        sum.reconnects += shard.reconnects;
        sum.resumes += shard.resumes;
        sum.sessions += shard.sessions;
        sum.zombies += shard.zombies;
        sum.events += shard.events;
        sum.last_close = shard.last_close.or(sum.last_close);
        for (name, times) in &shard.skipped {
            *sum.malformed.entry(name.clone()).or_default() += times;
        }
        sum
    });
    shards.collect()
}

fn add_sound(sum: &mut SoundCounts, call: &CallHealth) {
    sum.heard += call.heard;
    sum.sent += call.sent;
    sum.undecryptable += call.undecryptable.values().sum::<u64>();
    sum.undecryptable_people += call.undecryptable.len() as u64;
    sum.rekeys += call.rekeys;
    sum.reconnects += call.reconnects;
    sum.resumes += call.resumes;
}

fn state(has_token: bool, is_refused: bool, shards: &[ShardStanding]) -> PlatformState {
    let live = shards.iter().filter(|shard| shard.connected).count();
    match live {
        _ if !has_token => PlatformState::Off,
        0 if is_refused => PlatformState::Refused,
        0 => PlatformState::Connecting,
        live if live == shards.len() => PlatformState::Connected,
        _ => PlatformState::Partly,
    }
}

impl Abroad for Discord {
    fn standing(&self) -> PlatformStanding {
        let inside = &self.0;
        let (shards, starts_left, sound, told) = {
            let mut watched = inside.watch.lock();
            let health = watched.gateway.as_ref().map(FleetWatcher::health);
            let health = health.unwrap_or_default();
            let shards = since_start(&watched.before, &health.shards);
            let told = (watched.is_refused, watched.is_granted, watched.application);
            let trouble = watched.trouble.clone();
            (shards, health.starts_left, watched.sound(), (told, trouble))
        };
        let ((is_refused, granted, application), trouble) = told;
        let (account, servers) = {
            let world = inside.world();
            (world.own().map(|own| shown(own.shown())), world.guilds().count())
        };
        let intents = Intents::NEEDED.privileged().into_iter();
        PlatformStanding {
            platform: "Discord",
            state: state(inside.token.is_some(), is_refused, &shards),
            account,
            invite: application.map(invite_link),
            intents: intents.map(|name| IntentStanding { name, granted }).collect(),
            servers,
            shards,
            starts_left,
            calls: inside.calls_now(),
            trouble,
            requests: inside.requests(),
            sound,
        }
    }
}

impl Inside {
    fn requests(&self) -> RequestCounts {
        let Some(rest) = &self.rest else {
            return RequestCounts::default();
        };
        let (counts, (waiting, under_way)) = (rest.counts(), rest.load());
        RequestCounts {
            sent: counts.sent,
            limited: counts.limited,
            failed: counts.failed,
            waited: counts.waited,
            waited_ms: counts.waited_ms,
            waiting,
            under_way,
        }
    }

    /// Calls that Denizen is in, by the names people know.
    fn calls_now(&self) -> Vec<CallStanding> {
        let claimed = self.calls.claimed();
        let own = self.own();
        let world = self.world();
        let calls = claimed.into_iter().map(|(guild, channel)| CallStanding {
            community: names::community_of(Some(guild)),
            server: world
                .guild_name(guild)
                .map_or_else(|| "a server".to_owned(), shown),
            room: names::room(channel),
            channel: world
                .channel(channel)
                .map_or_else(|| "a channel".to_owned(), |known| shown(&known.name)),
            people: world
                .in_voice(channel)
                .filter(|state| Some(state.user) != own)
                .count(),
        });
        calls.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_go_on_where_the_connection_before_ended() {
        let mut shard = ShardHealth {
            is_live: true,
            resumes: 2,
            events: 40,
            ..ShardHealth::default()
        };
        shard.skipped.insert("MESSAGE_CREATE".to_owned(), 3);
        let first = since_start(&[], &[shard.clone()]);
        let both = since_start(&first, &[shard]);
        assert_eq!((both[0].resumes, both[0].events), (4, 80));
        assert_eq!(both[0].malformed["MESSAGE_CREATE"], 6);
    }

    #[test]
    fn the_connection_is_told_by_its_shards() {
        let shard = |connected| ShardStanding {
            connected,
            ..ShardStanding::default()
        };
        for (has_token, is_refused, shards, expected) in [
            (false, false, vec![], PlatformState::Off),
            (true, false, vec![], PlatformState::Connecting),
            (
                true,
                false,
                vec![shard(true), shard(false)],
                PlatformState::Partly,
            ),
            (
                true,
                false,
                vec![shard(true), shard(true)],
                PlatformState::Connected,
            ),
            (true, true, vec![shard(false)], PlatformState::Refused),
        ] {
            assert_eq!(state(has_token, is_refused, &shards), expected);
        }
    }
}
