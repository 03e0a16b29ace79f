//! The conversation with a page that shares: frames in, answers out, and whatever it should know in between.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use mind::watch::intake::RefusedFrame;
use mind::watch::view::WatchView;
use runtime::live::{LiveEvent, Numbered};
use runtime::screens::{ShareTicket, TakenFrame};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use vocabulary::{PictureKind, ShareEnd};

use super::connection::{Broken, Close, Heard, ShareConnection};
use super::sockets::Seat;
use super::state::State;
use super::view::look;
use super::words::{PageLimits, Said, Say};
use crate::site::Shared;

const PING_EVERY: Duration = Duration::from_secs(15);
/// Whoever was not heard of for so long, although asked, is gone.
const SILENT_MAX: Duration = Duration::from_secs(45);

/// How a page left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The share is over, or goes on without this socket.
    Over,
    /// The connection is gone, and the share is not.
    Broken,
}

pub(super) struct Sharing<'a> {
    shared: &'a Shared,
    connection: ShareConnection,
    ticket: &'a ShareTicket,
    seat: &'a Seat,
    frame_bytes_max: u64,
    limits: PageLimits,
    told: State,
    events: Receiver<Arc<Numbered>>,
    /// The frame that is being looked at: one at a time.
    frame: FuturesUnordered<BoxFuture<'a, Result<TakenFrame, RefusedFrame>>>,
    /// The look at the mind that is under way: one at a time.
    looking: FuturesUnordered<BoxFuture<'a, Option<WatchView>>>,
    /// Something happened since that look began.
    look_again: bool,
}

/// Why the conversation ends.
enum End {
    ShareEnded(&'static str),
    Nonsense(&'static str),
    Gone,
}

impl From<Broken> for End {
    fn from(_: Broken) -> Self {
        End::Gone
    }
}

impl<'a> Sharing<'a> {
    pub fn new(
        shared: &'a Shared,
        connection: ShareConnection,
        ticket: &'a ShareTicket,
        seat: &'a Seat,
        frame_bytes_max: u64,
    ) -> Self {
        // Before anything is said, so that no change falls in between.
        let (_, events) = shared.handle().live().subscribe(None);
        let settings = shared.handle().in_force().settings;
        Self {
            shared,
            connection,
            ticket,
            seat,
            frame_bytes_max,
            limits: PageLimits::new(&settings.stream_watch, frame_bytes_max),
            told: State {
                watched: ticket.is_watched(),
                reason: None,
                note: None,
            },
            events,
            frame: FuturesUnordered::new(),
            looking: FuturesUnordered::new(),
            look_again: false,
        }
    }

    pub async fn run(mut self) -> Left {
        let end = match self.converse().await {
            Err(end) => end,
            Ok(never) => match never {},
        };
        match end {
            End::ShareEnded(reason) => {
                if self.connection.say(&Say::Ended { reason }).await.is_ok() {
                    self.connection.close(Close::Done).await;
                }
                Left::Over
            }
            End::Nonsense(problem) => {
                self.connection.close(Close::Nonsense(problem)).await;
                Left::Broken
            }
            End::Gone => Left::Broken,
        }
    }

    async fn converse(&mut self) -> Result<std::convert::Infallible, End> {
        self.welcome().await?;
        self.look();
        let mut ended = pin!(self.ticket.ended());
        let mut ping = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard_at = Instant::now();
        loop {
            tokio::select! {
                biased;
                () = &mut ended => {
                    let reason = self.ticket.end_reason().unwrap_or(ShareEnd::Lost);
                    return Err(End::ShareEnded(reason.name()));
                }
                () = self.shared.stopping.cancelled() => return Err(End::ShareEnded(ShareEnd::Restarted.name())),
                () = self.seat.taken_over() => return Err(End::ShareEnded("taken_over")),
                Some(outcome) = self.frame.next() => {
                    // Nobody was listened to meanwhile.
                    heard_at = Instant::now();
                    self.answer(outcome).await?;
                }
                Some(view) = self.looking.next() => self.tell_state(view).await?,
                event = self.events.recv() => self.take_event(event).await?,
                _ = ping.tick() => {
                    if self.frame.is_empty() && heard_at.elapsed() >= SILENT_MAX {
                        return Err(End::Gone);
                    }
                    self.connection.ping().await?;
                }
                // Nothing is read while a frame is looked at: whoever sends more has to wait.
                heard = self.connection.hear(), if self.frame.is_empty() => {
                    heard_at = Instant::now();
                    self.take(heard).await?;
                }
            }
        }
    }

    async fn welcome(&mut self) -> Result<(), Broken> {
        let settings = self.shared.handle().in_force().settings;
        let room = self.ticket.room();
        let rooms = self.shared.rooms().await.unwrap_or_default();
        let called = rooms.into_iter().find(|known| known.id == room);
        let welcome = Say::Welcome {
            share: self.ticket.share(),
            room_name: called.map(|known| known.name).unwrap_or_default(),
            platform: self.shared.community.platform(),
            room,
            name: self.ticket.name(),
            denizen: settings.identity.name.clone(),
            limits: self.limits,
            watched: self.told.watched,
        };
        self.connection.say(&welcome).await
    }

    async fn take(&mut self, heard: Heard) -> Result<(), End> {
        match heard {
            Heard::Frame(bytes) => self.bring(bytes),
            // A page in the background cannot keep time; its browser still answers.
            Heard::SignOfLife | Heard::Words(Said::Still) => self.ticket.touch(),
            Heard::Words(Said::Stop) => {
                self.ticket.end(ShareEnd::Stopped).await;
                return Err(End::ShareEnded(ShareEnd::Stopped.name()));
            }
            Heard::Words(Said::Hello { .. }) => {
                return Err(End::Nonsense("Hello is said once, at the beginning."));
            }
            Heard::Nonsense(problem) => return Err(End::Nonsense(problem)),
            Heard::Gone => return Err(End::Gone),
        }
        Ok(())
    }

    fn bring(&self, bytes: Bytes) {
        let ticket = self.ticket;
        let bringing = async move { ticket.picture(PictureKind::Jpeg.mime(), bytes).await };
        self.frame.push(bringing.boxed());
    }

    async fn answer(&mut self, outcome: Result<TakenFrame, RefusedFrame>) -> Result<(), Broken> {
        let say = match outcome {
            Ok(taken) => Say::Taken {
                frame: taken.glimpse.frame,
                score: taken.glimpse.change.score,
                ema: taken.glimpse.change.ema,
                scene_cut: taken.glimpse.change.scene_cut,
            },
            Err(refused) => Say::Refused {
                reason: refused.reason.name().to_owned(),
                detail: refused.detail,
            },
        };
        self.connection.say(&say).await
    }

    async fn take_event(&mut self, event: Result<Arc<Numbered>, RecvError>) -> Result<(), End> {
        match event.as_deref().map(|numbered| &numbered.event) {
            Ok(LiveEvent::Journal { entry }) => {
                let ours = entry
                    .scope
                    .room
                    .as_ref()
                    .is_none_or(|room| *room == self.ticket.room());
                if ours && entry.event.name().starts_with("stream_watch_") {
                    self.look();
                }
            }
            Ok(LiveEvent::Settings { .. }) => self.tell_limits().await?,
            // What was missed may have been anything.
            Ok(LiveEvent::Reset {}) | Err(RecvError::Lagged(_)) => {
                self.tell_limits().await?;
                self.look();
            }
            Ok(_) => {}
            Err(RecvError::Closed) => return Err(End::ShareEnded(ShareEnd::Restarted.name())),
        }
        Ok(())
    }

    async fn tell_limits(&mut self) -> Result<(), Broken> {
        let settings = self.shared.handle().in_force().settings;
        let limits = PageLimits::new(&settings.stream_watch, self.frame_bytes_max);
        if limits == self.limits {
            return Ok(());
        }
        self.limits = limits;
        self.connection.say(&Say::Limits(limits)).await
    }

    /// Looks at what the mind has, without keeping anything else waiting.
    fn look(&mut self) {
        if !self.looking.is_empty() {
            self.look_again = true;
            return;
        }
        let (shared, room) = (self.shared, self.ticket.room());
        // Whoever is too busy to be looked at journals again soon.
        let looking = async move { look(shared, room).await.ok().flatten() };
        self.looking.push(looking.boxed());
    }

    async fn tell_state(&mut self, view: Option<WatchView>) -> Result<(), Broken> {
        if std::mem::take(&mut self.look_again) {
            self.look();
        }
        let state = match view {
            Some(view) => State::of(&view, self.ticket),
            None => State {
                watched: self.ticket.is_watched(),
                reason: None,
                note: self.told.note.clone(),
            },
        };
        if state == self.told {
            return Ok(());
        }
        self.told = state.clone();
        self.connection.say(&Say::State(state)).await
    }
}
