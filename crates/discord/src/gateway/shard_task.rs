//! Feeds one shard with what its socket says, and does what it wants. All it decides is what it waits for next.

use std::collections::VecDeque;
use std::future::{Future, pending};
use std::pin::Pin;

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

use super::clock::Clock;
use super::socket::{Received, Socket, SocketFault};
use super::{GatewayCommand, Shard, ShardHealth, ShardInput, ShardOutput};
use crate::wire::GatewayEvent;

/// The bot is not to be shown as online any more.
const GOODBYE: u16 = 1000;

/// What a shard has to say about its turn to begin a session.
#[derive(Clone, Copy, Debug)]
pub(super) enum TurnWish {
    Ask(u32),
    Withdraw(u32),
}

#[derive(Debug)]
pub(super) struct ShardTask {
    pub shard: Shard,
    pub clock: Clock,
    pub is_compressed: bool,
    pub events: mpsc::Sender<(u32, GatewayEvent)>,
    pub commands: mpsc::Receiver<GatewayCommand>,
    pub wishes: mpsc::Sender<TurnWish>,
    pub turns: mpsc::Receiver<()>,
    pub health: watch::Sender<ShardHealth>,
    pub stop: CancellationToken,
}

type Opening = Pin<Box<dyn Future<Output = Result<Socket, SocketFault>> + Send>>;

/// A line in one of its states.
enum Line {
    Down,
    Opening(Opening),
    Up(Box<Socket>),
}

/// What was waited for.
enum Happened {
    Opened(Result<Box<Socket>, SocketFault>),
    Received(Received),
    HandedOn,
    Granted,
    Commanded(GatewayCommand),
    Time,
    Stop,
}

impl ShardTask {
    pub async fn run(mut self) {
        let number = self.shard.number();
        let mut line = Line::Down;
        let mut events: VecDeque<GatewayEvent> = VecDeque::new();
        let mut outputs = self.shard.step(self.clock.now(), ShardInput::Tick);
        loop {
            if !self.perform(outputs, &mut line, &mut events).await {
                break;
            }
            self.tell_health();
            let happened = self.wait(&mut line, &events).await;
            let now = self.clock.now();
            outputs = match happened {
                Happened::Opened(Ok(socket)) => {
                    line = Line::Up(socket);
                    self.shard.step(now, ShardInput::Opened)
                }
                Happened::Opened(Err(fault)) => {
                    warn!(shard = number, %fault, "no connection to the gateway");
                    line = Line::Down;
                    self.shard.step(now, ShardInput::Closed(None))
                }
                Happened::Received(Received::Text(text)) => self.shard.step(now, ShardInput::Text(&text)),
                Happened::Received(Received::Closed(code)) => {
                    info!(shard = number, code, "the gateway closed the connection");
                    line = Line::Down;
                    self.shard.step(now, ShardInput::Closed(code))
                }
                Happened::HandedOn => match self.hand_on(&mut events) {
                    true => Vec::new(),
                    // Nobody listens any more.
                    false => break,
                },
                Happened::Granted => self.shard.step(now, ShardInput::TurnGranted),
                Happened::Commanded(command) => self.shard.step(now, ShardInput::Command(command)),
                Happened::Time => self.shard.step(now, ShardInput::Tick),
                Happened::Stop => break,
            };
        }
        self.tell_health();
        if let Line::Up(socket) = line {
            socket.close(GOODBYE).await;
        }
        // What was heard before it stopped is handed on, unless nobody wants it.
        while let Some(event) = events.pop_front() {
            if self.stop.is_cancelled() || self.events.send((number, event)).await.is_err() {
                return;
            }
        }
    }

    async fn wait(&mut self, line: &mut Line, events: &VecDeque<GatewayEvent>) -> Happened {
        let is_free = events.is_empty();
        let wake = self.shard.wake();
        tokio::select! {
            () = self.stop.cancelled() => Happened::Stop,
            happened = attend(line, is_free) => happened,
            // Also when nobody listens any more: then handing on fails.
            _ = self.events.reserve(), if !is_free => Happened::HandedOn,
            Some(()) = self.turns.recv() => Happened::Granted,
            Some(command) = self.commands.recv() => Happened::Commanded(command),
            () = self.clock.until(wake) => Happened::Time,
        }
    }

    /// As many as there is room for; whether anybody listens.
    fn hand_on(&self, events: &mut VecDeque<GatewayEvent>) -> bool {
        while !events.is_empty() {
            match self.events.try_reserve() {
                Ok(permit) => {
                    if let Some(event) = events.pop_front() {
                        permit.send((self.shard.number(), event));
                    }
                }
                Err(mpsc::error::TrySendError::Full(())) => return true,
                Err(mpsc::error::TrySendError::Closed(())) => return false,
            }
        }
        true
    }

    /// Whether the shard goes on.
    async fn perform(
        &mut self,
        outputs: Vec<ShardOutput>,
        line: &mut Line,
        events: &mut VecDeque<GatewayEvent>,
    ) -> bool {
        let number = self.shard.number();
        let mut outputs = VecDeque::from(outputs);
        while let Some(output) = outputs.pop_front() {
            match output {
                ShardOutput::Connect(url) => {
                    debug!(shard = number, "connecting to the gateway");
                    *line = Line::Opening(Box::pin(Socket::open(url, self.is_compressed)));
                }
                ShardOutput::Send(text) => {
                    let Line::Up(socket) = line else { continue };
                    if !socket.send(text.0).await {
                        *line = Line::Down;
                        // Whatever else was to be said is said by nobody.
                        let after = self.shard.step(self.clock.now(), ShardInput::Closed(None));
                        outputs.retain(|output| !matches!(output, ShardOutput::Send(_)));
                        outputs.extend(after);
                    }
                }
                ShardOutput::Close(code) => {
                    if let Line::Up(socket) = std::mem::replace(line, Line::Down) {
                        info!(shard = number, code, "gave up a connection to the gateway");
                        tokio::spawn(socket.close(code));
                    }
                }
                ShardOutput::AskTurn => drop(self.wishes.send(TurnWish::Ask(number)).await),
                ShardOutput::WithdrawTurn => drop(self.wishes.send(TurnWish::Withdraw(number)).await),
                ShardOutput::Skipped(event) => {
                    warn!(
                        shard = number,
                        event, "an event could not be read and was left out"
                    );
                }
                ShardOutput::Event(event) => events.push_back(*event),
                ShardOutput::Stopped(refusal) => {
                    error!(shard = number, %refusal, "the gateway refuses the bot");
                    *line = Line::Down;
                    return false;
                }
            }
        }
        true
    }

    fn tell_health(&self) {
        let health = self.shard.health();
        self.health.send_if_modified(|told| {
            let is_new = told != health;
            if is_new {
                told.clone_from(health);
            }
            is_new
        });
    }
}

/// The line's part of waiting. A line is not read while events wait: the server keeps what comes meanwhile.
async fn attend(line: &mut Line, is_free: bool) -> Happened {
    match line {
        Line::Opening(opening) => Happened::Opened(opening.await.map(Box::new)),
        Line::Up(socket) if is_free => Happened::Received(socket.receive().await),
        Line::Up(_) | Line::Down => pending().await,
    }
}
