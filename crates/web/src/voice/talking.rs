//! A program's stay in a voice room: its sound and its words in, the room's out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use mind::{Input, RoomEvent};
use runtime::VoiceLook;
use runtime::live::Numbered;
use runtime::ports::{LineCoding, LineEnd, LineFault, SAMPLES_PER_SECOND, VoiceDoors, VoiceLine};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use uuid::Uuid;
use vocabulary::{Author, Message, MessageId, RoomId, Span};

use super::connection::{Deaf, Heard, VoiceConnection};
use super::view::{VoiceParticipant, participants};
use super::words::{self, Said, Say};
use super::{choose_listening, look, mute_told, until_shown_out};
use crate::access::Caller;
use crate::refusal::Refusal;
use crate::rooms::rate::refuse_too_fast;
use crate::rooms::text;
use crate::site::Shared;

const PING_EVERY: Duration = Duration::from_secs(15);
/// Whoever was not heard of for so long, although asked, is gone.
const SILENT_MAX: Duration = Duration::from_secs(45);
/// Faults are told at most so often.
const FAULT_EVERY: Duration = Duration::from_secs(1);
/// Faults without anything right in between, after which it is no use.
const FAULTS_MAX: u32 = 100;
/// How long words take that were not spoken, for each character.
const SPOKEN_PER_CHARACTER: u64 = 60;

/// Who talks, where and how.
pub(super) struct Who {
    pub(super) caller: Caller,
    pub(super) author: Author,
    pub(super) room: RoomId,
    pub(super) coding: LineCoding,
}

pub(super) struct Talking {
    shared: Shared,
    doors: Arc<dyn VoiceDoors>,
    line: Box<dyn VoiceLine>,
    who: Who,
    connection: VoiceConnection,
    events: Receiver<Arc<Numbered>>,
    changes: watch::Receiver<u64>,
    /// Resolves once whoever talks may not be there any more.
    over: BoxFuture<'static, &'static str>,
    /// A look at who is there, under way: sound does not wait for it.
    looking: Option<BoxFuture<'static, Option<VoiceLook>>>,
    told: Option<(bool, Vec<VoiceParticipant>)>,
    faults: u32,
    fault_told: Option<Instant>,
    /// While it is held, the process waits for this socket to close before it ends.
    _open: Option<OwnedSemaphorePermit>,
}

/// Why a stay ends.
enum End {
    /// The other side closed, or does not read.
    Gone,
    /// It is over, and the other side is told; with a sentence where something was wrong.
    Over(Option<&'static str>),
}

impl From<Deaf> for End {
    fn from(_: Deaf) -> Self {
        End::Gone
    }
}

impl Talking {
    pub(super) fn new(
        shared: Shared,
        doors: Arc<dyn VoiceDoors>,
        line: Box<dyn VoiceLine>,
        who: Who,
        socket: WebSocket,
    ) -> Self {
        // Before anything is said, so that no change falls in between.
        let (_, events) = shared.handle().live().subscribe(None);
        let mut changes = doors.changes();
        changes.mark_changed();
        let open = shared.sockets.for_talking();
        let over = until_shown_out(&shared, &who.caller, &who.author);
        Self {
            shared,
            doors,
            line,
            who,
            connection: VoiceConnection::new(socket),
            events,
            changes,
            over: over.boxed(),
            looking: None,
            told: None,
            faults: 0,
            fault_told: None,
            _open: open,
        }
    }

    pub(super) async fn run(mut self) {
        let end = match self.converse().await {
            Err(end) => end,
            Ok(never) => match never {},
        };
        // First the room: whoever is slow to close is not in it any more.
        drop(self.line);
        if let End::Over(problem) = end {
            self.connection.close(problem).await;
        }
    }

    async fn converse(&mut self) -> Result<std::convert::Infallible, End> {
        self.greet().await?;
        let stopping = self.shared.stopping.clone();
        let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard_at = Instant::now();
        loop {
            tokio::select! {
                () = stopping.cancelled() => return Err(End::Over(None)),
                why = &mut self.over => return Err(End::Over(Some(why))),
                heard = self.connection.hear() => {
                    heard_at = Instant::now();
                    self.take(heard).await?;
                }
                sound = self.line.hear() => match sound {
                    Ok(sound) => self.connection.play(sound).await?,
                    Err(LineEnd::Superseded) => {
                        return Err(End::Over(Some("You talk from somewhere else now: one person has one voice in a room.")));
                    }
                    Err(LineEnd::Closed) => return Err(End::Over(None)),
                },
                // Who comes while it looks is seen by the next look.
                changed = self.changes.changed(), if self.looking.is_none() => {
                    changed.map_err(|_| End::Over(None))?;
                    let (shared, room) = (self.shared.clone(), self.who.room.clone());
                    self.looking = Some(async move { look(&shared, &room).await.ok().flatten() }.boxed());
                }
                seen = seen(&mut self.looking) => self.tell_people(seen.as_ref()).await?,
                event = self.events.recv() => match event {
                    Ok(numbered) => {
                        // Whom it listens to changes nothing at the doors.
                        if words::tells_of_people(&numbered.event, &self.who.room) {
                            self.changes.mark_changed();
                        }
                        if let Some(say) = words::of_event(&numbered.event, &self.who.room) {
                            self.connection.say(&say).await?;
                        }
                    }
                    // Sound matters more than words of a while ago.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return Err(End::Over(None)),
                },
                _ = pings.tick() => {
                    if heard_at.elapsed() >= SILENT_MAX {
                        return Err(End::Gone);
                    }
                    self.connection.ping().await?;
                }
            }
        }
    }

    async fn greet(&mut self) -> Result<(), Deaf> {
        let hello = Say::Hello {
            session: self.line.session().as_str(),
            room: &self.who.room,
            you: &self.who.author,
            format: words::name_of(self.who.coding),
            samples_per_second: SAMPLES_PER_SECOND,
            channels: 1,
            frame_milliseconds: 20,
        };
        self.connection.say(&hello).await
    }

    async fn take(&mut self, heard: Heard) -> Result<(), End> {
        match heard {
            Heard::Sound(sound) => self.sound(&sound).await,
            Heard::Text(text) => self.words(&text).await,
            Heard::SignOfLife => Ok(()),
            Heard::TooMuch => Err(End::Over(Some(
                "Far more came than 50 frames a second. Send one frame every 20 ms.",
            ))),
            Heard::Broken => Err(End::Over(Some(
                "A message was broken or too large: 40 kB at most.",
            ))),
            Heard::Gone => Err(End::Gone),
        }
    }

    async fn sound(&mut self, sound: &Bytes) -> Result<(), End> {
        match self.line.say(sound) {
            Ok(()) => {
                self.faults = 0;
                Ok(())
            }
            Err(fault) => {
                // Far too much of it is noticed where messages are counted.
                if fault == LineFault::TooFast {
                    self.faults = 0;
                }
                self.fault("bad_sound", &fault.to_string()).await
            }
        }
    }

    async fn words(&mut self, text: &str) -> Result<(), End> {
        let said = match words::read(text) {
            Ok(said) => said,
            Err(problem) => return self.fault("bad_message", &problem).await,
        };
        // Nobody has to wait for not being heard.
        let hushes = matches!(said, Said::Mute { muted: true });
        if !hushes && let Err(refusal) = refuse_too_fast(&self.shared, &self.who.caller) {
            let (code, message) = refusal.into_words();
            return self.fault(code, &message).await;
        }
        let (shared, room) = (&self.shared, &self.who.room);
        let done = match said {
            Said::Mute { muted } => {
                self.line.mute(muted);
                let (shared, room) = (shared.clone(), room.clone());
                tokio::spawn(async move { mute_told(&shared, &room).await });
                Ok(())
            }
            Said::Listen { listen } => {
                choose_listening(shared, room, self.who.author.id.clone(), listen).await
            }
            Said::SayTyped { .. } if !self.doors.presence(room).denizen => Err(nobody_answers()),
            Said::SayTyped { text } => say_typed(shared, &self.who, text).await,
        };
        match done {
            Ok(()) => Ok(()),
            Err(refusal) => {
                let (code, message) = refusal.into_words();
                self.fault(code, &message).await
            }
        }
    }

    /// Tells what was wrong, not too often; whoever gets everything wrong is sent away.
    async fn fault(&mut self, code: &str, message: &str) -> Result<(), End> {
        self.faults += 1;
        if self.faults > FAULTS_MAX {
            return Err(End::Over(Some(
                "Everything that came was wrong; the errors before say how.",
            )));
        }
        let now = Instant::now();
        if self
            .fault_told
            .is_none_or(|told| now.duration_since(told) >= FAULT_EVERY)
        {
            self.fault_told = Some(now);
            self.connection.say(&Say::Error { code, message }).await?;
        }
        Ok(())
    }

    /// Tells who is there, where that has changed.
    async fn tell_people(&mut self, seen: Option<&VoiceLook>) -> Result<(), Deaf> {
        let people = participants(&self.shared, &self.who.caller, &self.who.room, seen);
        let now = (self.doors.presence(&self.who.room).denizen, people);
        if self.told.as_ref() == Some(&now) {
            return Ok(());
        }
        let (in_room, people) = self.told.insert(now);
        let say = Say::People {
            in_room: *in_room,
            people,
        };
        self.connection.say(&say).await
    }
}

/// What a look has shown; never ends where there is none.
async fn seen(looking: &mut Option<BoxFuture<'static, Option<VoiceLook>>>) -> Option<VoiceLook> {
    let Some(look) = looking else {
        return std::future::pending().await;
    };
    let seen = look.await;
    *looking = None;
    seen
}

/// Words that stand in for sound are not taken where nobody would answer them.
fn nobody_answers() -> Refusal {
    Refusal::unprocessable(
        "not_in_voice",
        "Denizen is not in the voice of this room, so nobody would answer that. Ask it in with /join or POST …/voice/join, or write into the text of the room.",
    )
}

/// Words that stand in for sound: they are what was said.
async fn say_typed(shared: &Shared, who: &Who, words: String) -> Result<(), Refusal> {
    text::check(&words)?;
    if words.trim().is_empty() {
        return Err(text::empty_message());
    }
    let spoken = Span(words.chars().count() as u64 * SPOKEN_PER_CHARACTER);
    let message = Message {
        id: MessageId::new(Uuid::now_v7().to_string()),
        room: who.room.clone(),
        author: who.author.clone(),
        text: words,
        at: runtime::wall(),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: true,
        sign: false,
    };
    let heard = RoomEvent::UtteranceHeard {
        message,
        spoken,
        silence: Span(0),
        took: Span(0),
    };
    let input = Input::Room(who.room.clone(), heard);
    shared.handle().accept(input).await?;
    Ok(())
}
