//! Who shares where: links by token, what is watched in each room, and what a page may see of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use mind::{Input, RoomEvent};
use tokio::time::Instant;
use vocabulary::{FrameId, RoomId, Share, ShareEnd, ShareId, WallTime};

use super::open_share::{OpenShare, Phase};
use super::samples::Samples;
use super::shelf::Shelf;
use super::token::{Said, Token, new_share_id};
use super::{CommunityLink, NewShare, Sample, ShareLink, ShareRefusal, ShareTicket, ShelvedPicture};
use crate::NotAccepted;
use crate::clock::wall;

/// Links that may be open at a time, shares under way among them.
const LINKS_MAX: usize = 240;

/// The shared screens of a community. Cheap to clone.
#[derive(Clone)]
pub struct Screens(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub community: CommunityLink,
    next_frame: AtomicU64,
    registry: Mutex<Registry>,
}

#[derive(Default)]
pub(super) struct Registry {
    /// Links that are open and shares under way; whatever is over is not in here.
    pub shares: BTreeMap<ShareId, Arc<OpenShare>>,
    pub rooms: BTreeMap<RoomId, RoomWatch>,
    pub shelf: Shelf,
    /// Counts the watches of all rooms.
    last_watch: u64,
    /// The community goes down, so no link is given out any more.
    is_closed: bool,
}

#[derive(Default)]
pub(super) struct RoomWatch {
    pub watched: Option<ShareId>,
    pub watch: u64,
    pub samples: Samples,
}

impl Screens {
    /// `first_frame` must be beyond any number an earlier process gave.
    pub(crate) fn new(community: CommunityLink, first_frame: FrameId) -> Self {
        Self(Arc::new(Inner {
            community,
            next_frame: AtomicU64::new(first_frame.0),
            registry: Mutex::default(),
        }))
    }

    /// Gives a link out.
    pub fn invite(&self, new: NewShare) -> Result<ShareLink, ShareRefusal> {
        let settings = self.0.community.settings();
        if !settings.stream_watch.enabled {
            return Err(ShareRefusal::Disabled);
        }
        self.close_expired();
        let now = Instant::now();
        let opens_for = Duration::from_secs(settings.stream_watch.share_link_minutes * 60);
        let mut registry = self.registry();
        if registry.is_closed || self.0.community.is_over() {
            return Err(NotAccepted::Stopping.into());
        }
        if registry.shares.len() >= LINKS_MAX {
            return Err(ShareRefusal::TooManyLinks);
        }
        let id = new_share_id();
        let (token, told) = Token::draw();
        let share = Share {
            share: id.clone(),
            room: new.room,
            person: new.person,
            name: new.name,
            source: new.source,
        };
        let open = OpenShare::new(share, token, now, now + opens_for);
        registry.shares.insert(id.clone(), Arc::new(open));
        Ok(ShareLink {
            share: id,
            token: told,
            expires_at: WallTime(wall().0 + i64::try_from(opens_for.as_millis()).unwrap_or(i64::MAX)),
        })
    }

    /// Proves the right to a share. A share page knows nothing but the token.
    pub fn ticket(&self, share: Option<&ShareId>, token: &str) -> Result<ShareTicket, ShareRefusal> {
        let said = Said::read(token).ok_or(ShareRefusal::NotFound)?;
        let now = Instant::now();
        let registry = self.registry();
        // All of them are looked at, so that the time this takes says nothing.
        let fitting = registry
            .shares
            .values()
            .filter(|open| open.token.is(&said))
            .fold(None, |_, open| Some(open));
        fitting
            .filter(|open| open.is_open(now) && share.is_none_or(|share| *share == open.share.share))
            .map(|open| ShareTicket::new(self.clone(), open.clone()))
            .ok_or(ShareRefusal::NotFound)
    }

    /// Who shares, where and how, while the link or the share is open.
    pub fn share(&self, share: &ShareId) -> Option<Share> {
        let open = self.open(share)?;
        open.is_open(Instant::now()).then(|| open.share.clone())
    }

    /// The share that is watched in a room.
    pub fn watched(&self, room: &RoomId) -> Option<Share> {
        let registry = self.registry();
        let watched = registry.rooms.get(room)?.watched.as_ref()?;
        registry.shares.get(watched).map(|open| open.share.clone())
    }

    /// Ends somebody's share.
    pub async fn end(&self, share: &ShareId, reason: ShareEnd) -> Result<(), ShareRefusal> {
        let open = self.open(share).ok_or(ShareRefusal::NotFound)?;
        if self.end_share(&open, reason).await {
            Ok(())
        } else {
            Err(ShareRefusal::NotFound)
        }
    }

    /// Has one share of a room watched, or none.
    pub async fn choose(&self, room: &RoomId, share: Option<ShareId>) -> Result<(), ShareRefusal> {
        if let Some(share) = &share {
            let is_there = |open: &Arc<OpenShare>| open.share.room == *room && open.phase() == Phase::Begun;
            self.open(share).filter(is_there).ok_or(ShareRefusal::NotFound)?;
        }
        let chosen = Input::Room(room.clone(), RoomEvent::WatchChosen { share });
        self.0.community.accept(chosen).await?;
        self.0.community.settle(room.clone()).await;
        Ok(())
    }

    /// The newest picture of the share that is watched in a room.
    pub fn newest(&self, room: &RoomId) -> Option<ShelvedPicture> {
        let registry = self.registry();
        let watched = registry.rooms.get(room)?.watched.as_ref()?;
        // The mind may not have heard of its end yet.
        registry.shares.get(watched)?;
        registry.shelf.newest_of(watched)
    }

    /// A picture, while it is on the shelf.
    pub fn picture(&self, frame: FrameId) -> Option<ShelvedPicture> {
        self.registry().shelf.picture(frame)
    }

    /// The plot of a room's watch: the samples of the last ten minutes, or those after a frame.
    pub fn samples(&self, room: &RoomId, after: Option<FrameId>) -> Vec<Sample> {
        let registry = self.registry();
        let room = registry.rooms.get(room);
        room.map_or_else(Vec::new, |room| room.samples.after(Instant::now(), after))
    }

    /// The mind wants the frames of this share, and of no other in the room.
    pub fn watch(&self, room: &RoomId, share: &ShareId) {
        self.registry().turn_to(room, Some(share));
    }

    /// The mind wants no frames here.
    pub fn unwatch(&self, room: &RoomId) {
        self.registry().turn_to(room, None);
    }

    /// The community goes down: no token is worth anything any more. The mind ends its shares by itself when it is back.
    pub(crate) fn close(&self) {
        let shares = {
            let mut registry = self.registry();
            registry.is_closed = true;
            registry.shelf.clear();
            std::mem::take(&mut registry.shares)
        };
        for open in shares.into_values() {
            open.state().phase = Phase::Ended(ShareEnd::Restarted);
            open.over.cancel();
        }
    }

    pub(super) fn take_frame_id(&self) -> FrameId {
        FrameId(self.0.next_frame.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn registry(&self) -> MutexGuard<'_, Registry> {
        self.0.registry.lock().expect("no holder of this lock can panic")
    }

    fn open(&self, share: &ShareId) -> Option<Arc<OpenShare>> {
        self.registry().shares.get(share).cloned()
    }
}

impl Registry {
    fn turn_to(&mut self, room: &RoomId, share: Option<&ShareId>) {
        let watch = self.rooms.entry(room.clone()).or_default();
        if watch.watched.as_ref() == share {
            return;
        }
        self.last_watch += 1;
        watch.watch = self.last_watch;
        watch.watched = share.cloned();
        for open in self.shares.values().filter(|open| open.share.room == *room) {
            open.watched.send_replace(Some(&open.share.share) == share);
        }
    }

    /// Every share that is watched somewhere.
    pub fn watched(&self) -> BTreeSet<ShareId> {
        self.rooms
            .values()
            .filter_map(|room| room.watched.clone())
            .collect()
    }
}

impl std::fmt::Debug for Screens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screens").finish_non_exhaustive()
    }
}
