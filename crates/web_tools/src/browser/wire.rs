//! The browser's command protocol over its pipe: JSON with a zero byte at the end of each message.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;

/// A rendered page with all its text is the largest message; no more is kept of any.
const MESSAGE_BYTES_MAX: usize = 16 << 20;
/// Events that wait to be looked at. A browser that is not listened to waits, too.
const EVENTS_WAITING_MAX: usize = 256;
const COMMANDS_WAITING_MAX: usize = 64;
/// What a browser says when it fails; more is not read.
const COMPLAINT_BYTES_MAX: usize = 4 << 10;

/// Something that happened in the browser.
#[derive(Debug)]
pub(super) struct Event {
    pub method: String,
    pub params: Value,
}

/// Why a command came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// No answer in time; what it was told may still happen.
    Late(String),
    Ended,
    Failed(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late(method) => write!(formatter, "the browser did not answer {method}"),
            Self::Ended => formatter.write_str("the browser has ended"),
            Self::Failed(why) => write!(formatter, "the browser could not do it: {why}"),
        }
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

/// The command line into a browser. Cheap to clone; when the last one goes, the pipe closes.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    outgoing: mpsc::Sender<Vec<u8>>,
    waiting: Arc<Mutex<Waiting>>,
    _tasks: Arc<[AbortOnDropHandle<()>; 2]>,
}

#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    closed: bool,
    answers: BTreeMap<u64, oneshot::Sender<Result<Value, Fault>>>,
}

impl Wire {
    pub(super) fn new(commands: pipe::Sender, answers: pipe::Receiver) -> (Self, mpsc::Receiver<Event>) {
        let (outgoing, queue) = mpsc::channel(COMMANDS_WAITING_MAX);
        let (events, happened) = mpsc::channel(EVENTS_WAITING_MAX);
        let waiting = Arc::new(Mutex::new(Waiting::default()));
        let tasks = [
            AbortOnDropHandle::new(tokio::spawn(write(commands, queue))),
            AbortOnDropHandle::new(tokio::spawn(read(answers, waiting.clone(), events))),
        ];
        let wire = Self {
            outgoing,
            waiting,
            _tasks: Arc::new(tasks),
        };
        (wire, happened)
    }

    /// Tells the browser, or a page of it, to do something, and says what came of it.
    pub(super) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        time: Duration,
    ) -> Result<Value, Fault> {
        let (sender, answer) = oneshot::channel();
        let id = self.next_id();
        {
            let mut waiting = lock(&self.waiting);
            if waiting.closed {
                return Err(Fault::Ended);
            }
            waiting.answers.insert(id, sender);
        }
        let bytes = message(id, session, method, params);
        let asking = async {
            self.outgoing.send(bytes).await.map_err(|_| Fault::Ended)?;
            answer.await.unwrap_or(Err(Fault::Ended))
        };
        let answered = tokio::time::timeout(time, asking).await;
        lock(&self.waiting).answers.remove(&id);
        answered.unwrap_or_else(|_| Err(Fault::Late(method.to_owned())))
    }

    /// Tells without waiting for what comes of it. Whoever looks at events does it so: an answer comes after them.
    pub(super) async fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        let bytes = message(self.next_id(), session, method, params);
        let _ = self.outgoing.send(bytes).await;
    }

    fn next_id(&self) -> u64 {
        let mut waiting = lock(&self.waiting);
        waiting.last += 1;
        waiting.last
    }
}

/// Bytes of a message.
fn message(id: u64, session: Option<&str>, method: &str, params: Value) -> Vec<u8> {
    let mut message = json!({ "id": id, "method": method, "params": params });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    let mut bytes = message.to_string().into_bytes();
    bytes.push(0);
    bytes
}

/// What a program complains about, its first few kilobytes; ends when the program does.
pub(super) async fn complaints(mut pipe: pipe::Receiver) -> String {
    let mut kept = Vec::new();
    let mut piece = [0; 1024];
    while let Ok(read) = pipe.read(&mut piece).await {
        if read == 0 {
            break;
        }
        let room = COMPLAINT_BYTES_MAX - kept.len();
        kept.extend_from_slice(&piece[..read.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

async fn write(mut commands: pipe::Sender, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(bytes) = queue.recv().await {
        if commands.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

async fn read(mut answers: pipe::Receiver, waiting: Arc<Mutex<Waiting>>, events: mpsc::Sender<Event>) {
    let mut buffer: Vec<u8> = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let mut searched = 0;
    loop {
        let read = match answers.read(&mut piece).await {
            Ok(read) if read > 0 && buffer.len() + read <= MESSAGE_BYTES_MAX => read,
            _ => break,
        };
        buffer.extend_from_slice(&piece[..read]);
        while let Some(end) = buffer[searched..].iter().position(|byte| *byte == 0) {
            let message: Vec<u8> = buffer.drain(..=searched + end).collect();
            searched = 0;
            deliver(&message[..message.len() - 1], &waiting, &events).await;
        }
        searched = buffer.len();
    }
    let mut waiting = lock(&waiting);
    waiting.closed = true;
    waiting.answers.clear();
}

async fn deliver(message: &[u8], waiting: &Mutex<Waiting>, events: &mpsc::Sender<Event>) {
    let Ok(mut message) = serde_json::from_slice::<Value>(message) else {
        // Lone halves of letters that a page made up cannot be read; whoever waits for this hears nothing.
        tracing::debug!(
            bytes = message.len(),
            "a message of the browser could not be read"
        );
        return;
    };
    if let Some(id) = message["id"].as_u64() {
        let asked = lock(waiting).answers.remove(&id);
        let outcome = match message.get("error") {
            Some(error) => Err(Fault::Failed(crate::plain::line(
                &error["message"].to_string(),
                200,
            ))),
            None => Ok(message["result"].take()),
        };
        if let Some(asked) = asked {
            let _ = asked.send(outcome);
        }
    } else if let Some(method) = message["method"].as_str().map(str::to_owned) {
        let params = message["params"].take();
        let _ = events.send(Event { method, params }).await;
    }
}

fn lock(waiting: &Mutex<Waiting>) -> std::sync::MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}
