//! One community's events, one after the other: what was missed first, then what happens, so that nothing overtakes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use discord::wire::{GatewayEvent, MessageChanged, MessageKind, PostedMessage, ReactionChange, Snowflake};
use futures_util::future::join_all;
use mind::{Input, RoomEvent};
use runtime::{Handle, NotAccepted, Town, wall};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use vocabulary::{AuthorKind, Message, RoomFacts, RoomId};

use crate::home::CommunityHome;
use crate::names;
use crate::reading::{direct_facts, emoji_text, pictures_of, unknown_facts};
use crate::residence::Inside;

/// Events of a community that wait. Those that find no room are asked for by REST once the others are through.
const EVENTS_MAX: usize = 1_000;
const BUSY_AGAIN: Duration = Duration::from_millis(250);
const UNSTORED_AGAIN: Duration = Duration::from_secs(2);
/// Channels whose missed messages could not be read are tried again after this.
pub(crate) const UNREAD_AGAIN: Duration = Duration::from_secs(30);

/// Where a community's events go in. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct QueueDoor {
    events: mpsc::Sender<GatewayEvent>,
    /// Something found no room.
    is_behind: Arc<AtomicBool>,
}

impl QueueDoor {
    pub fn bring(&self, event: GatewayEvent) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.events.try_send(event) {
            self.is_behind.store(true, Ordering::Relaxed);
        }
    }
}

/// What works one community's events off.
pub(crate) struct CommunityQueue {
    pub(crate) inside: Arc<Inside>,
    home: CommunityHome,
    /// None: direct messages.
    pub(crate) guild: Option<Snowflake>,
    /// Its community was just found or made: its rooms are to be described.
    is_new: bool,
    /// What the mind was told of rooms.
    told: BTreeMap<RoomId, RoomFacts>,
    /// Channels that could not be read, each with the message after which it was to be.
    pub(crate) unread: BTreeMap<Snowflake, Snowflake>,
    /// When they are tried again.
    pub(crate) unread_again: Instant,
    /// Channels where something may have been taken back or changed while nobody told.
    pub(crate) uncompared: BTreeSet<Snowflake>,
    /// When the next of them is looked at.
    pub(crate) compared_again: Instant,
    /// What was read back lately and may still come by the gateway.
    pub(crate) read_back: BTreeSet<Snowflake>,
    /// Who was told to be in which voice channel.
    pub(crate) in_voice: BTreeMap<Snowflake, Snowflake>,
    is_behind: Arc<AtomicBool>,
}

impl CommunityQueue {
    /// Begins to work off what is brought to the door.
    pub fn begin(
        inside: Arc<Inside>,
        town: Town,
        guild: Option<Snowflake>,
    ) -> (QueueDoor, impl Future<Output = ()>) {
        let (events, waiting) = mpsc::channel(EVENTS_MAX);
        let is_behind: Arc<AtomicBool> = Arc::default();
        let door = QueueDoor {
            events,
            is_behind: is_behind.clone(),
        };
        let queue = Self {
            home: CommunityHome::new(inside.clone(), town, guild),
            inside,
            guild,
            is_new: false,
            told: BTreeMap::new(),
            unread: BTreeMap::new(),
            unread_again: Instant::now(),
            uncompared: BTreeSet::new(),
            compared_again: Instant::now(),
            read_back: BTreeSet::new(),
            in_voice: BTreeMap::new(),
            is_behind,
        };
        (door, queue.run(waiting))
    }

    async fn run(mut self, mut waiting: mpsc::Receiver<GatewayEvent>) {
        loop {
            let (has_unread, is_uncompared) = (!self.unread.is_empty(), !self.uncompared.is_empty());
            tokio::select! {
                event = waiting.recv() => match event {
                    Some(event) => self.take(event).await,
                    None => return,
                },
                () = sleep_until(self.unread_again), if has_unread => self.read_unread().await,
                () = sleep_until(self.compared_again), if is_uncompared => self.compare_next().await,
                () = self.home.stopped() => self.is_without_home(),
            }
            if waiting.is_empty() && self.is_behind.swap(false, Ordering::Relaxed) {
                tracing::warn!(community = %names::community_of(self.guild), "more happened than could be taken in; what was left out is asked for");
                self.catch_up().await;
            }
        }
    }

    async fn take(&mut self, event: GatewayEvent) {
        if self.home.is_stopping() {
            self.is_without_home();
        }
        self.happens(event).await;
        if std::mem::take(&mut self.is_new) {
            self.describe_changes().await;
        }
    }

    /// The community was removed while the bot is in the server: it begins anew with what happens next there, and what was
    /// written before is not read again.
    fn is_without_home(&mut self) {
        self.told.clear();
        self.in_voice.clear();
        self.unread.clear();
        self.uncompared.clear();
        self.home.leave();
    }

    async fn happens(&mut self, event: GatewayEvent) {
        match event {
            GatewayEvent::GuildUpdated(_) => self.home.go_by_its_name().await,
            GatewayEvent::GuildCreated(guild) => {
                self.home.go_by_its_name().await;
                self.find_own_member(guild.id).await;
                self.catch_up().await;
                self.find_voices().await;
            }
            GatewayEvent::VoiceStateChanged(_) => self.find_voices().await,
            // It is answered beside this line, by a community that is there.
            GatewayEvent::InteractionCreated(_) => drop(self.handle().await),
            // Direct messages are told of by no server; what was missed of them is looked for when a session begins.
            GatewayEvent::Ready(_) => self.catch_up().await,
            GatewayEvent::MessageCreated(posted) => self.message(*posted).await,
            GatewayEvent::MessageChanged(changed) => self.changed(*changed).await,
            GatewayEvent::MessagesDeleted {
                channel, messages, ..
            } => {
                for id in messages {
                    let id = names::message(id);
                    self.happened(channel, RoomEvent::MessageDeleted { id }).await;
                }
            }
            GatewayEvent::ReactionAdded(reaction) => self.reaction(*reaction, true).await,
            GatewayEvent::ReactionRemoved(reaction) => self.reaction(*reaction, false).await,
            GatewayEvent::TypingStarted { channel, user, .. } => self.typing(channel, user).await,
            GatewayEvent::ChannelDeleted(channel) => self.ended(channel.id).await,
            GatewayEvent::ThreadDeleted { thread, .. } => self.ended(thread).await,
            GatewayEvent::ChannelCreated(_)
            | GatewayEvent::ChannelUpdated(_)
            | GatewayEvent::ThreadCreated(_)
            | GatewayEvent::ThreadUpdated(_)
            | GatewayEvent::ThreadsListed(_)
            | GatewayEvent::ThreadPeopleChanged { .. }
            | GatewayEvent::RoleSet { .. }
            | GatewayEvent::RoleDeleted { .. }
            | GatewayEvent::MemberUpdated { .. } => self.describe_changes().await,
            _ => {}
        }
    }

    /// Brings an input in, however long it takes. False: the community has ended.
    pub(crate) async fn tell(&mut self, room: RoomId, event: RoomEvent) -> bool {
        let Some(handle) = self.handle().await else {
            return false;
        };
        let input = Input::Room(room, event);
        loop {
            match handle.accept(input.clone()).await {
                Ok(()) => return true,
                Err(NotAccepted::Busy) => tokio::time::sleep(BUSY_AGAIN).await,
                Err(NotAccepted::NotStored(error)) => {
                    tracing::error!(%error, "what happened on Discord could not be stored; it is tried again");
                    tokio::time::sleep(UNSTORED_AGAIN).await;
                }
                Err(NotAccepted::Stopping) => {
                    self.is_without_home();
                    return false;
                }
            }
        }
    }

    /// The community that this is, which is made where there is none yet.
    pub(crate) async fn handle(&mut self) -> Option<Handle> {
        let (handle, is_new) = self.home.handle().await?;
        if is_new {
            self.told.clear();
            self.in_voice.clear();
            self.is_new = true;
        }
        Some(handle)
    }

    /// Whether its community is there already.
    pub(crate) fn is_settled(&self) -> bool {
        self.home.is_settled()
    }

    /// Without it nobody knows what the bot may do. Some servers do not tell.
    async fn find_own_member(&self, guild: Snowflake) {
        let (Some(own), Some(rest)) = (self.inside.own(), &self.inside.rest) else {
            return;
        };
        if self.inside.world().member(guild, own).is_some() {
            return;
        }
        match rest.member(guild, own).await {
            Ok(member) => {
                let member = Box::new(member);
                let event = GatewayEvent::MemberUpdated { guild, member };
                self.inside.world().apply(&event);
            }
            Err(failure) => tracing::warn!(%failure, "it is not known what the bot may do in a server"),
        }
    }

    /// Tells the mind of rooms that are others than it was told.
    pub(crate) async fn describe_changes(&mut self) {
        let Some(guild) = self.guild else { return };
        let Some(handle) = self.handle().await else { return };
        let now = wall();
        let told = &self.told;
        let changed: Vec<RoomFacts> = self.inside.read(self.guild, |reading| {
            let channels = reading
                .world
                .channels(guild)
                .filter(|channel| channel.kind.has_messages());
            let facts = channels.filter_map(|channel| {
                let facts = reading.facts(channel, now);
                match told.get(&facts.id) {
                    Some(known) => (*known != facts).then_some(facts),
                    // What the bot never saw is nothing to it.
                    None => reading.sees(channel, now).then_some(facts),
                }
            });
            facts.collect()
        });
        let telling = changed.iter().map(|facts| {
            let event = RoomEvent::Described(facts.clone());
            handle.accept(Input::Room(facts.id.clone(), event))
        });
        let accepted = join_all(telling).await;
        for (facts, accepted) in changed.into_iter().zip(accepted) {
            // What is private now must not be taken for open because much was going on.
            let event = RoomEvent::Described(facts.clone());
            if accepted.is_err() && !self.tell(facts.id.clone(), event).await {
                return;
            }
            self.told.insert(facts.id.clone(), facts);
        }
    }

    /// A room is described before anything happens in it, and anew where it is not as it was told.
    pub(crate) async fn know_room(&mut self, channel: Snowflake, with: Option<&str>) {
        let room = names::room(channel);
        let told = self.told.get(&room);
        let facts = match self.guild {
            None => told
                .is_none()
                .then(|| direct_facts(channel, with.unwrap_or_default())),
            Some(_) => self.inside.read(self.guild, |reading| {
                let known = reading
                    .world
                    .channel(channel)
                    .map(|known| reading.facts(known, wall()));
                known.or_else(|| told.is_none().then(|| unknown_facts(channel)))
            }),
        };
        let Some(facts) = facts.filter(|facts| told != Some(facts)) else {
            return;
        };
        if !self.tell(room.clone(), RoomEvent::Described(facts.clone())).await {
            return;
        }
        // Whoever else is in a direct conversation gives it its name, once they are known.
        if self.guild.is_some() || with.is_some() {
            self.told.insert(room, facts);
        }
    }

    async fn happened(&mut self, channel: Snowflake, event: RoomEvent) {
        self.tell(names::room(channel), event).await;
    }

    async fn ended(&mut self, channel: Snowflake) {
        self.told.remove(&names::room(channel));
        self.unread.remove(&channel);
        self.uncompared.remove(&channel);
        self.happened(channel, RoomEvent::Ended).await;
    }

    async fn message(&mut self, posted: PostedMessage) {
        if self.read_back.remove(&posted.id) {
            return;
        }
        let is_own = Some(posted.author.id) == self.inside.own();
        // What it shows for a command is no part of the conversation.
        if is_own && (self.inside.sent.is_echo(&posted) || posted.kind == MessageKind::CommandAnswer) {
            return;
        }
        if let Some(message) = self.read(&posted).await {
            // A second time where its community was removed in this very moment.
            for _ in 0..2 {
                self.know(&posted, &message).await;
                let event = RoomEvent::MessageArrived(message.clone());
                if self.tell(names::room(posted.channel), event).await {
                    break;
                }
            }
        }
    }

    /// The room of a message is known by whoever else is in it.
    pub(crate) async fn know(&mut self, posted: &PostedMessage, message: &Message) {
        let with = Some(message.author.name.as_str()).filter(|_| message.author.kind == AuthorKind::Person);
        self.know_room(posted.channel, with).await;
    }

    /// A message with its pictures; none where it says nothing.
    pub(crate) async fn read(&mut self, posted: &PostedMessage) -> Option<Message> {
        let mut message = self.inside.read(self.guild, |reading| reading.message(posted))?;
        let pictures = pictures_of(posted);
        if !pictures.is_empty() {
            let handle = self.handle().await?;
            let store = handle.store().as_ref();
            let fetched = self
                .inside
                .pictures
                .keep(store, handle.community(), &message.id, &pictures);
            let fetched = fetched.await;
            message.attachments = fetched.attachments;
            for line in fetched.missing {
                if !message.text.is_empty() {
                    message.text.push('\n');
                }
                message.text.push_str(&line);
            }
        }
        Some(message)
    }

    /// Only what its author changed: previews that load later are no change of what was said.
    async fn changed(&mut self, changed: MessageChanged) {
        if changed.edited_at.is_none() {
            return;
        }
        let Some(posted) = changed.message else { return };
        if Some(posted.author.id) == self.inside.own() {
            return;
        }
        let text = self.inside.read(self.guild, |reading| reading.text(&posted));
        let id = names::message(changed.id);
        self.happened(changed.channel, RoomEvent::MessageEdited { id, text })
            .await;
    }

    async fn reaction(&mut self, reaction: ReactionChange, added: bool) {
        if Some(reaction.user) == self.inside.own() {
            return;
        }
        let event = RoomEvent::ReactionChanged {
            message: names::message(reaction.message),
            person: names::person(reaction.user),
            emoji: emoji_text(&reaction.emoji),
            added,
        };
        self.happened(reaction.channel, event).await;
    }

    async fn typing(&mut self, channel: Snowflake, user: Snowflake) {
        if Some(user) == self.inside.own() {
            return;
        }
        let person = names::person(user);
        self.happened(channel, RoomEvent::TypingChanged { person, typing: true })
            .await;
    }
}
