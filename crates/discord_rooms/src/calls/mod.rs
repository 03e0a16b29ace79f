//! The bot's calls, as the main gateway tells of them: where it is in each server, at which voice server, and who wants
//! it to be there. A bot is in one call of a server at a time.

mod seat;
mod voice;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use discord::gateway::GatewayCommand;
use discord::wire::{GatewayEvent, Guild, Snowflake, VoiceServer, VoiceState};
use discord_voice::{CallPlace, VoiceConnection};
use runtime::ports::{VoiceEvent, VoiceRoom};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{mpsc, watch};
use vocabulary::{Author, RoomId};

pub(crate) use voice::DiscordVoice;

/// Who somebody in a call is, by Discord's number.
pub type CallerNames = Arc<dyn Fn(u64) -> Author + Send + Sync>;
/// Takes a seat in the call that the main gateway has named.
pub type TakeSeat = fn(RoomId, CallPlace, CallerNames) -> TakenSeat;

/// A seat in a call, and what comes with it.
#[allow(missing_debug_implementations, reason = "holds tracks")]
pub struct TakenSeat {
    pub seat: Box<dyn VoiceRoom>,
    pub events: mpsc::Receiver<VoiceEvent>,
    pub connection: VoiceConnection,
    /// The call waits to be moved. True: the main gateway is to be asked.
    pub wanted: mpsc::Receiver<bool>,
}

/// So long Denizen may take to come where somebody has put the bot.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(20);
/// Wishes to the main gateway that wait for it.
const WISHES_MAX: usize = 200;

/// All of the bot's calls.
pub(crate) struct Calls {
    pub take_seat: TakeSeat,
    wishes: mpsc::Sender<GatewayCommand>,
    /// For whoever has the gateway.
    waiting: Mutex<Option<mpsc::Receiver<GatewayCommand>>>,
    guilds: Mutex<BTreeMap<Snowflake, GuildCall>>,
    claims: AtomicU64,
}

/// The one call of a server.
#[derive(Default)]
struct GuildCall {
    /// Where Denizen wants to be or is, and the number of that wish.
    claim: Option<(Snowflake, u64)>,
    /// Where somebody has put the bot, and since when Denizen is on its way there.
    followed: Option<(Snowflake, Instant)>,
    standing: watch::Sender<Standing>,
}

/// Where the bot is, as the main gateway says.
#[derive(Clone, Default)]
pub(crate) struct Standing {
    channel: Option<Snowflake>,
    session: Option<SecretString>,
    server: Option<VoiceServer>,
    /// Voice servers that were named so far.
    servers: u64,
    /// Whether the server was named for this channel, and not for the one before it.
    is_fresh: bool,
    /// It was asked to let the bot in, and has not answered: until then the bot may be anywhere.
    is_asked: bool,
}

/// The bot is not where Denizen wants to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Astray {
    /// Where Denizen is, as far as it knows.
    pub from: Snowflake,
    /// Where somebody has put the bot; none: out.
    pub to: Option<Snowflake>,
}

impl Standing {
    /// Whether the bot is in a channel, and its voice server is known.
    fn leads_to(&self, channel: Snowflake) -> bool {
        self.channel == Some(channel) && self.session.is_some() && self.server.is_some()
    }

    fn place(&self, guild: Snowflake, channel: Snowflake, own: Snowflake) -> Option<CallPlace> {
        let server = self.server.as_ref().filter(|_| self.leads_to(channel))?;
        Some(CallPlace {
            endpoint: server.endpoint.clone()?,
            token: server.token.clone(),
            session: self.session.clone()?,
            guild: guild.number(),
            channel: channel.number(),
            user: own.number(),
        })
    }

    /// Which place it is, to be told from another.
    fn mark(&self) -> (u64, String) {
        let session = self.session.as_ref().map(|session| session.expose_secret());
        (self.servers, session.unwrap_or_default().to_owned())
    }

    fn is_in(&mut self, state: &VoiceState) {
        if self.channel.is_some() && self.channel != state.channel {
            self.is_fresh = false;
        }
        if state.channel.is_some() {
            // A list of everybody may still name the place from before.
            self.is_asked &= self.server.is_none();
            self.session = Some(state.session.clone().into());
        }
        self.channel = state.channel;
    }

    fn is_served_by(&mut self, server: &VoiceServer) {
        self.server = server.endpoint.is_some().then(|| server.clone());
        self.is_fresh = true;
        self.is_asked &= self.server.is_none() || self.channel.is_none();
        self.servers += 1;
    }

    fn forget(&mut self) {
        self.server = None;
        self.is_fresh = false;
    }
}

impl Calls {
    pub fn new(take_seat: TakeSeat) -> Self {
        let (wishes, waiting) = mpsc::channel(WISHES_MAX);
        Self {
            take_seat,
            wishes,
            waiting: Mutex::new(Some(waiting)),
            guilds: Mutex::default(),
            claims: AtomicU64::new(0),
        }
    }

    /// What is wished of the main gateway; there once.
    pub fn wishes(&self) -> Option<mpsc::Receiver<GatewayCommand>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The main gateway has said something; what does not concern the bot's calls is nothing here.
    pub fn heard(&self, own: Option<Snowflake>, event: &GatewayEvent) {
        match event {
            GatewayEvent::VoiceStateChanged(state) if Some(state.user) == own => {
                if let Some(guild) = state.guild {
                    self.change(guild, |standing| standing.is_in(state));
                }
            }
            GatewayEvent::VoiceServerChanged(server) => {
                self.change(server.guild, |standing| standing.is_served_by(server));
            }
            GatewayEvent::GuildCreated(guild) => self.listed(own, guild),
            _ => {}
        }
    }

    fn listed(&self, own: Option<Snowflake>, guild: &Guild) {
        let own = guild.voice_states.iter().find(|state| Some(state.user) == own);
        self.change(guild.id, |standing| match own {
            Some(state) => standing.is_in(state),
            None => standing.channel = None,
        });
    }

    /// A new session at the main gateway knows of no call: the bot goes in anew where Denizen is.
    pub fn begins_anew(&self, concerns: impl Fn(Snowflake) -> bool) {
        let claims: Vec<(Snowflake, Snowflake)> = self
            .guilds()
            .iter()
            .filter_map(|(guild, call)| Some((*guild, call.claim?.0)))
            .filter(|(guild, _)| concerns(*guild))
            .collect();
        for (guild, channel) in claims {
            self.ask_anew(guild, channel);
        }
    }

    /// Asks the main gateway to let the bot in, as if it had never been there.
    fn ask_anew(&self, guild: Snowflake, channel: Snowflake) {
        self.change(guild, |standing| {
            standing.forget();
            standing.is_asked = true;
        });
        self.wish(guild, None);
        self.wish(guild, Some(channel));
    }

    fn ask(&self, guild: Snowflake, channel: Snowflake) {
        self.change(guild, |standing| {
            standing.forget();
            standing.is_asked = true;
        });
        self.wish(guild, Some(channel));
    }

    fn wish(&self, guild: Snowflake, channel: Option<Snowflake>) {
        let wish = GatewayCommand::Voice {
            guild,
            channel,
            is_muted: false,
            is_deafened: false,
        };
        if self.wishes.try_send(wish).is_err() {
            tracing::warn!(
                "more is wished of Discord's gateway than it takes; a call is not entered or left"
            );
        }
    }

    /// Every call in which Denizen is, or into which it goes: the server and the channel.
    pub fn claimed(&self) -> Vec<(Snowflake, Snowflake)> {
        let guilds = self.guilds();
        let claimed = guilds
            .iter()
            .filter_map(|(guild, call)| Some((*guild, call.claim?.0)));
        claimed.collect()
    }

    /// The channel in which Denizen is, or into which it goes.
    pub fn channel_in(&self, guild: Snowflake) -> Option<Snowflake> {
        Some(self.guilds().get(&guild)?.claim?.0)
    }

    /// Where somebody has put the bot that Denizen is not. A bot that nobody wants to be in a call leaves it.
    pub fn astray(&self, guild: Snowflake) -> Option<Astray> {
        let mut guilds = self.guilds();
        let call = guilds.get_mut(&guild)?;
        let (to, is_asked) = {
            let standing = call.standing.borrow();
            (standing.channel, standing.is_asked)
        };
        match call.claim {
            Some((from, _)) if !is_asked && to != Some(from) => {
                call.followed = to.map(|to| (to, Instant::now()));
                Some(Astray { from, to })
            }
            Some(_) => None,
            None => {
                // Whatever else happens there while it is between the two is no reason to leave.
                let followed = call.followed;
                let follows = followed.filter(|(_, since)| since.elapsed() < FOLLOWS_WITHIN);
                drop(guilds);
                if to.is_some() && follows.map(|(channel, _)| channel) != to {
                    self.wish(guild, None);
                }
                None
            }
        }
    }

    /// Wants to be in a channel; none while Denizen is in another one of that server.
    fn claim(&self, guild: Snowflake, channel: Snowflake) -> Option<u64> {
        let mut guilds = self.guilds();
        let call = guilds.entry(guild).or_default();
        if call.claim.is_some() {
            return None;
        }
        let number = self.claims.fetch_add(1, Ordering::Relaxed);
        call.claim = Some((channel, number));
        call.followed = None;
        // Until it was asked for, where the bot is says nothing.
        call.standing
            .send_modify(|standing| standing.is_asked = standing.channel != Some(channel));
        Some(number)
    }

    /// Does not want to be there any more: the bot leaves, unless somebody has put it elsewhere.
    fn release(&self, guild: Snowflake, channel: Snowflake, number: u64) {
        let is_elsewhere = {
            let mut guilds = self.guilds();
            let call = guilds.entry(guild).or_default();
            if call.claim != Some((channel, number)) {
                return;
            }
            call.claim = None;
            let mut is_elsewhere = false;
            call.standing.send_modify(|standing| {
                is_elsewhere = standing.channel.is_some_and(|at| at != channel);
                standing.is_asked = false;
                if !is_elsewhere {
                    standing.channel = None;
                    standing.forget();
                }
            });
            is_elsewhere
        };
        if !is_elsewhere {
            self.wish(guild, None);
        }
    }

    fn standing(&self, guild: Snowflake) -> watch::Receiver<Standing> {
        self.guilds().entry(guild).or_default().standing.subscribe()
    }

    fn change(&self, guild: Snowflake, change: impl FnOnce(&mut Standing)) {
        self.guilds()
            .entry(guild)
            .or_default()
            .standing
            .send_modify(change);
    }

    fn guilds(&self) -> MutexGuard<'_, BTreeMap<Snowflake, GuildCall>> {
        self.guilds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
