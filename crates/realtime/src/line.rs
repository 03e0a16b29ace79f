//! A session with its socket: a task of its own, which ends with whoever holds the line.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::{mpsc, oneshot};

use crate::event::Usage;
use crate::plug::{Happening, Plug};
use crate::session::{Input, Lost, Output, Session};
use crate::socket::Endpoint;

/// What came of a clip.
pub(crate) type Words = Result<(String, Usage), Lost>;

/// A piece of what is said, or its end.
#[derive(Debug)]
pub(crate) enum Piece {
    Sound {
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
    },
    Over(Result<Usage, Lost>),
}

/// What is told of a line.
#[derive(Clone, Debug)]
pub(crate) enum LineNews {
    Standing {
        works: bool,
        detail: String,
    },
    /// The service said something else than it was given.
    Departed,
    /// Another model is asked from now on.
    Replaced,
}

pub(crate) type Telling = Arc<dyn Fn(LineNews) + Send + Sync>;

#[derive(Debug)]
enum Wish {
    Hear(u64, Arc<[i16]>, oneshot::Sender<Words>),
    Say(u64, String, mpsc::UnboundedSender<Piece>),
    /// Something happens that the session is told of as it is.
    Plain(Input),
}

/// A line to a service. Dropping it hangs up.
#[derive(Debug)]
pub(crate) struct Line {
    wishes: mpsc::UnboundedSender<Wish>,
    numbers: AtomicU64,
    /// How much is under way on it.
    load: Arc<AtomicUsize>,
}

/// Something under way: dropping it gives it up.
#[derive(Debug)]
pub(crate) struct UnderWay {
    wishes: mpsc::UnboundedSender<Wish>,
    given_up: Option<Input>,
    load: Arc<AtomicUsize>,
}

impl UnderWay {
    /// It is over: there is nothing to give up.
    pub(crate) fn end(mut self) {
        self.given_up = None;
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.load.fetch_sub(1, Ordering::Relaxed);
        if let Some(input) = self.given_up.take() {
            let _ = self.wishes.send(Wish::Plain(input));
        }
    }
}

impl Line {
    pub(crate) fn new(endpoint: Endpoint, telling: Telling) -> Self {
        let (wishes, waiting) = mpsc::unbounded_channel();
        let keeper = Keeper {
            session: Session::new(endpoint.brief.clone()),
            plug: Plug::new(endpoint),
            clips: BTreeMap::new(),
            texts: BTreeMap::new(),
            telling,
        };
        tokio::spawn(keeper.run(waiting));
        Self {
            wishes,
            numbers: AtomicU64::new(1),
            load: Arc::default(),
        }
    }

    pub(crate) fn load(&self) -> usize {
        self.load.load(Ordering::Relaxed)
    }

    pub(crate) fn warm_up(&self) {
        let _ = self.wishes.send(Wish::Plain(Input::Warm));
    }

    /// Asks for the words of a clip, at the rate that the service takes.
    pub(crate) fn hear(&self, samples: Arc<[i16]>) -> (oneshot::Receiver<Words>, UnderWay) {
        let (reply, words) = oneshot::channel();
        let clip = self.number();
        let _ = self.wishes.send(Wish::Hear(clip, samples, reply));
        (words, self.under_way(Input::Unhear { clip }))
    }

    /// Asks for the sound of a text.
    pub(crate) fn say(&self, text: String) -> (mpsc::UnboundedReceiver<Piece>, UnderWay) {
        let (pieces, sound) = mpsc::unbounded_channel();
        let number = self.number();
        let _ = self.wishes.send(Wish::Say(number, text, pieces));
        (sound, self.under_way(Input::Unsay { number }))
    }

    fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    fn under_way(&self, given_up: Input) -> UnderWay {
        self.load.fetch_add(1, Ordering::Relaxed);
        UnderWay {
            wishes: self.wishes.clone(),
            given_up: Some(given_up),
            load: self.load.clone(),
        }
    }
}

/// The task of a line.
struct Keeper {
    session: Session,
    plug: Plug,
    clips: BTreeMap<u64, oneshot::Sender<Words>>,
    texts: BTreeMap<u64, mpsc::UnboundedSender<Piece>>,
    telling: Telling,
}

impl Keeper {
    async fn run(mut self, mut wishes: mpsc::UnboundedReceiver<Wish>) {
        loop {
            let wakes_at = self.session.wakes_at();
            let input = tokio::select! {
                wish = wishes.recv() => match wish {
                    None => return,
                    Some(Wish::Hear(clip, samples, reply)) => {
                        self.clips.insert(clip, reply);
                        Input::Hear { clip, samples }
                    }
                    Some(Wish::Say(number, text, pieces)) => {
                        self.texts.insert(number, pieces);
                        Input::Say { number, text }
                    }
                    Some(Wish::Plain(input)) => {
                        match &input {
                            Input::Unhear { clip } => drop(self.clips.remove(clip)),
                            Input::Unsay { number } => drop(self.texts.remove(number)),
                            _ => {}
                        }
                        input
                    }
                },
                happening = self.plug.next(wakes_at) => {
                    if matches!(happening, Happening::Replaced { .. }) {
                        (self.telling)(LineNews::Replaced);
                    }
                    happening.into()
                }
            };
            self.step(input);
        }
    }

    fn step(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            for output in self.session.step(self.plug.now(), input) {
                if let Some(failed) = self.perform(output) {
                    next = Some(failed);
                }
            }
        }
    }

    /// Does what the session wants; what became of it at once, where something did.
    fn perform(&mut self, output: Output) -> Option<Input> {
        match output {
            Output::Open { generation } => self.plug.open(generation),
            Output::Close { .. } => self.plug.close(),
            Output::Send(command) => return self.plug.send(&command).map(Input::from),
            Output::Heard { clip, result } => {
                if let Some(reply) = self.clips.remove(&clip) {
                    let result = result.map(|(words, usage)| match reply.is_closed() {
                        // It is on the next bill.
                        true => (words, usage),
                        false => (words, self.plug.charged(usage)),
                    });
                    let _ = reply.send(result);
                }
            }
            Output::Sound {
                number,
                samples,
                marks,
            } => {
                if let Some(pieces) = self.texts.get(&number) {
                    let _ = pieces.send(Piece::Sound { samples, marks });
                }
            }
            Output::Said { number, result } => {
                if let Some(pieces) = self.texts.remove(&number) {
                    let result = result.map(|usage| match pieces.is_closed() {
                        true => usage,
                        false => self.plug.charged(usage),
                    });
                    let _ = pieces.send(Piece::Over(result));
                }
            }
            Output::Departed { .. } => (self.telling)(LineNews::Departed),
            Output::Standing { works, detail } => (self.telling)(LineNews::Standing { works, detail }),
        }
        None
    }
}

impl From<Happening> for Input {
    fn from(happening: Happening) -> Self {
        match happening.plain() {
            Happening::Opened { generation } => Self::Opened { generation },
            Happening::Told { generation, reading } => Self::Told { generation, reading },
            Happening::Gone { generation, fault } => Self::Gone { generation, fault },
            Happening::Replaced { .. } | Happening::Tick => Self::Tick,
        }
    }
}
