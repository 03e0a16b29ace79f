//! A call with its sockets: feeds the machine with what they say, and does what it wants.

use std::collections::VecDeque;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tracing::{debug, info, warn};
use vocabulary::Moment;

use crate::call::VoiceCall;
use crate::health::CallHealth;
use crate::io::{CallCommand, CallEvent, CallInput, CallOutput, CallPlace};
use crate::socket::{CallSocket, CallSocketFault, FromServer, open_line};

/// Ten seconds of twenty people who all speak. Packets that find no room are lost, other events wait.
const EVENTS: usize = 10_000;
const COMMANDS: usize = 600;
/// No packet of Discord's is larger.
const PACKET_MAX: usize = 4_096;

/// A call that runs. It is left when this is dropped.
#[derive(Clone, Debug)]
pub struct VoiceConnection {
    commands: mpsc::Sender<CallCommand>,
    health: watch::Receiver<CallHealth>,
}

impl VoiceConnection {
    /// Joins a call: gives the handle, and what happens in it until `CallEvent::Ended`.
    pub fn connect(place: CallPlace) -> (Self, mpsc::Receiver<CallEvent>) {
        let (events_in, events) = mpsc::channel(EVENTS);
        let (commands, commands_out) = mpsc::channel(COMMANDS);
        let (health_in, health) = watch::channel(CallHealth::default());
        let start = Instant::now();
        // Differs from call to call, which is all that it is for.
        let seed = place.user ^ place.channel.rotate_left(32) ^ u64::from(std::process::id());
        let task = CallTask {
            call: VoiceCall::new(place, seed),
            start,
            line: None,
            events: events_in,
            waiting: VecDeque::new(),
            commands: commands_out,
            health: health_in,
            lost: 0,
        };
        tokio::spawn(task.run());
        (Self { commands, health }, events)
    }

    /// A frame of Opus of 20 ms. False: there was no room for it, or the call is over.
    pub fn play(&self, frame: Vec<u8>) -> bool {
        self.commands.try_send(CallCommand::Play(frame)).is_ok()
    }

    /// What was to be played is not. Waits behind at most a moment's frames.
    pub async fn stop(&self) {
        self.command(CallCommand::Stop).await;
    }

    /// The same at once, for whoever cannot wait. What still waits in the channel is a moment's frames at most.
    pub fn hush(&self) {
        // Where there is no room for a word, the call is over or ten seconds behind.
        let _ = self.commands.try_send(CallCommand::Stop);
    }

    /// Leaves at once, for whoever cannot wait.
    pub fn part(&self) {
        let _ = self.commands.try_send(CallCommand::Leave);
    }

    /// The call is at another server now, or in another channel.
    pub async fn move_to(&self, place: CallPlace) {
        self.command(CallCommand::Move(place)).await;
    }

    pub async fn leave(&self) {
        self.command(CallCommand::Leave).await;
    }

    async fn command(&self, command: CallCommand) {
        // A call that is over needs no telling.
        let _ = self.commands.send(command).await;
    }

    pub fn health(&self) -> CallHealth {
        self.health.borrow().clone()
    }

    /// Sees its health without keeping the call.
    pub fn watched(&self) -> watch::Receiver<CallHealth> {
        self.health.clone()
    }
}

type Opening = Pin<Box<dyn Future<Output = Result<CallSocket, CallSocketFault>> + Send>>;

/// The connection to the voice gateway in one of its states.
enum Gateway {
    Down,
    Opening(Opening),
    Up(Box<CallSocket>),
}

/// What was waited for.
enum Happened {
    Opened(Result<Box<CallSocket>, CallSocketFault>),
    Received(FromServer),
    Packet(std::io::Result<usize>),
    HandedOn,
    Commanded(Option<CallCommand>),
    Time,
}

struct CallTask {
    call: VoiceCall,
    start: Instant,
    line: Option<Arc<UdpSocket>>,
    events: mpsc::Sender<CallEvent>,
    /// Events that found no room yet. Never packets.
    waiting: VecDeque<CallEvent>,
    commands: mpsc::Receiver<CallCommand>,
    health: watch::Sender<CallHealth>,
    /// Packets that nobody took in time.
    lost: u64,
}

impl CallTask {
    fn now(&self) -> Moment {
        Moment(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    async fn run(mut self) {
        let mut gateway = Gateway::Down;
        let mut packet = vec![0; PACKET_MAX];
        let mut outputs = self.call.step(self.now(), CallInput::Tick);
        loop {
            let goes_on = self.perform(outputs, &mut gateway).await;
            self.tell_health();
            if !goes_on {
                break;
            }
            let happened = self.wait(&mut gateway, &mut packet).await;
            let now = self.now();
            outputs = match happened {
                Happened::Opened(Ok(socket)) => {
                    gateway = Gateway::Up(socket);
                    self.call.step(now, CallInput::Opened)
                }
                Happened::Opened(Err(fault)) => {
                    warn!(%fault, "no connection to the voice server");
                    gateway = Gateway::Down;
                    self.call.step(now, CallInput::Closed(None))
                }
                Happened::Received(FromServer::Text(text)) => self.call.step(now, CallInput::Text(&text)),
                Happened::Received(FromServer::Binary(bytes)) => {
                    self.call.step(now, CallInput::Binary(&bytes))
                }
                Happened::Received(FromServer::Closed(code)) => {
                    info!(code, "the voice server closed the connection");
                    gateway = Gateway::Down;
                    self.call.step(now, CallInput::Closed(code))
                }
                Happened::Packet(Ok(length)) => self.call.step(now, CallInput::Datagram(&packet[..length])),
                // A packet of ours was refused somewhere, which says nothing about the next.
                Happened::Packet(Err(_)) => self.call.step(now, CallInput::Tick),
                Happened::HandedOn => {
                    self.hand_on();
                    Vec::new()
                }
                Happened::Commanded(Some(command)) => self.call.step(now, CallInput::Command(command)),
                // Nobody has the call any more.
                Happened::Commanded(None) => self.call.step(now, CallInput::Command(CallCommand::Leave)),
                Happened::Time => self.call.step(now, CallInput::Tick),
            };
        }
        // What happened before the end is told, as long as somebody listens.
        for event in std::mem::take(&mut self.waiting) {
            if self.events.send(event).await.is_err() {
                return;
            }
        }
    }

    async fn wait(&mut self, gateway: &mut Gateway, packet: &mut [u8]) -> Happened {
        let wake = self
            .call
            .wake()
            .map(|wake| self.start + Duration::from_millis(wake.0));
        tokio::select! {
            // Sound first: it is late soonest.
            biased;
            () = until(wake) => Happened::Time,
            command = self.commands.recv() => Happened::Commanded(command),
            happened = attend(gateway) => happened,
            received = receive(self.line.as_deref(), packet) => Happened::Packet(received),
            _ = self.events.reserve(), if !self.waiting.is_empty() => Happened::HandedOn,
        }
    }

    /// As many as there is room for.
    fn hand_on(&mut self) {
        while let Some(event) = self.waiting.pop_front() {
            if let Err(mpsc::error::TrySendError::Full(event)) = self.events.try_send(event) {
                self.waiting.push_front(event);
                return;
            }
        }
    }

    fn tell(&mut self, event: CallEvent) {
        if !matches!(event, CallEvent::Packet(_)) {
            self.waiting.push_back(event);
            return self.hand_on();
        }
        // In order: not before what still waits. Whoever is seconds behind has no use for old sound.
        let is_lost = !self.waiting.is_empty() || self.events.try_send(event).is_err();
        self.lost += u64::from(is_lost);
        if is_lost && self.lost.is_power_of_two() {
            debug!(lost = self.lost, "packets of sound found nobody to take them");
        }
    }

    /// Whether the call goes on.
    async fn perform(&mut self, outputs: Vec<CallOutput>, gateway: &mut Gateway) -> bool {
        let mut outputs = VecDeque::from(outputs);
        while let Some(output) = outputs.pop_front() {
            let is_sent = match output {
                CallOutput::Connect(endpoint) => {
                    debug!("connecting to a voice server");
                    *gateway = Gateway::Opening(Box::pin(CallSocket::open(endpoint)));
                    true
                }
                CallOutput::Send(payload) => match gateway {
                    Gateway::Up(socket) => socket.send(payload.0).await,
                    Gateway::Down | Gateway::Opening(_) => true,
                },
                CallOutput::SendBinary(bytes) => match gateway {
                    Gateway::Up(socket) => socket.send_binary(bytes).await,
                    Gateway::Down | Gateway::Opening(_) => true,
                },
                CallOutput::Close(code) => {
                    if let Gateway::Up(socket) = std::mem::replace(gateway, Gateway::Down) {
                        tokio::spawn(socket.close(code));
                    }
                    true
                }
                CallOutput::OpenLine(server) => {
                    self.line = match open_line(server).await {
                        Ok(line) => Some(Arc::new(line)),
                        Err(error) => {
                            warn!(%error, "no line of sound to the voice server");
                            outputs.extend(self.call.step(self.now(), CallInput::LineFailed));
                            None
                        }
                    };
                    true
                }
                CallOutput::Datagram(packet) => {
                    if let Some(line) = &self.line {
                        // Lost packets are what UDP has.
                        let _ = line.send(&packet).await;
                    }
                    true
                }
                CallOutput::Event(event) => {
                    self.tell(event);
                    true
                }
                CallOutput::Ended(end) => {
                    info!(%end, "a call is over");
                    return false;
                }
            };
            if !is_sent {
                *gateway = Gateway::Down;
                // Whatever else was to be said is said by nobody.
                outputs.retain(|output| !matches!(output, CallOutput::Send(_) | CallOutput::SendBinary(_)));
                outputs.extend(self.call.step(self.now(), CallInput::Closed(None)));
            }
        }
        true
    }

    fn tell_health(&self) {
        let health = self.call.health();
        self.health.send_if_modified(|told| {
            let is_new = told != health;
            if is_new {
                told.clone_from(health);
            }
            is_new
        });
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}

async fn attend(gateway: &mut Gateway) -> Happened {
    match gateway {
        Gateway::Opening(opening) => Happened::Opened(opening.await.map(Box::new)),
        Gateway::Up(socket) => Happened::Received(socket.receive().await),
        Gateway::Down => pending().await,
    }
}

async fn receive(line: Option<&UdpSocket>, packet: &mut [u8]) -> std::io::Result<usize> {
    match line {
        Some(line) => line.recv(packet).await,
        None => pending().await,
    }
}
