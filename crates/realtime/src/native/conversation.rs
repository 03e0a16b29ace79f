//! A conversation with its socket, as the house knows it: a task of its own, which ends with whoever holds the conversation.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use runtime::ports::{
    NativeClip, NativeConversation, NativeEvents, NativeInstructions, NativeKnown, NativePiece,
    RealtimeFault, RealtimeSound, RealtimeTranscript,
};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout_at};
use vocabulary::{Span, ToolResult};

use super::{NativeInput, NativeOutput, NativeSession, TOGETHER};
use crate::event::Usage;
use crate::line::{LineNews, Telling, Words};
use crate::plug::{Happening, Plug};
use crate::prices;
use crate::service::{Lines, at_rate};
use crate::socket::Endpoint;

/// Pieces of an answer that wait for whoever plays them: all of the longest one.
const PIECES_MAX: usize = 16_384;

#[derive(Debug)]
enum Wish {
    Hear(NativeInput, u64, oneshot::Sender<Words>),
    Answer(u64, String, mpsc::Sender<NativePiece>),
    /// Something happens that the session is told of as it is.
    Plain(NativeInput),
}

/// A conversation at a service.
pub(crate) struct Conversation {
    endpoint: Endpoint,
    /// Who hears where the service does not tell what it has heard.
    ears: Arc<Lines>,
    wishes: mpsc::UnboundedSender<Wish>,
    numbers: AtomicU64,
    known: watch::Receiver<NativeKnown>,
}

impl Conversation {
    pub(crate) fn new(endpoint: Endpoint, ears: Arc<Lines>, telling: Telling) -> Self {
        let (wishes, waiting) = mpsc::unbounded_channel();
        let (knowing, known) = watch::channel(NativeKnown::default());
        let keeper = ConversationKeeper {
            session: NativeSession::new(endpoint.brief.clone()),
            prices: Prices::of(&endpoint),
            who: endpoint.choice.clone(),
            hears_at: endpoint.brief.hears_at(),
            plug: Plug::new(endpoint.clone()),
            clips: BTreeMap::new(),
            answers: BTreeMap::new(),
            owed: Usage::default(),
            knowing,
            telling,
        };
        tokio::spawn(keeper.run(waiting));
        Self {
            endpoint,
            ears,
            wishes,
            numbers: AtomicU64::new(1),
            known,
        }
    }

    fn wish(&self, input: NativeInput) {
        let _ = self.wishes.send(Wish::Plain(input));
    }

    fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    fn lost(&self, is_late: bool) -> RealtimeFault {
        RealtimeFault {
            is_late,
            ..self.endpoint.choice.given_up()
        }
    }
}

/// Tells the conversation that nobody understood a clip, where nobody has by the end.
struct Understanding<'a> {
    conversation: &'a Conversation,
    clip: u64,
    words: Option<String>,
}

impl Drop for Understanding<'_> {
    fn drop(&mut self) {
        self.conversation.wish(NativeInput::Understood {
            clip: self.clip,
            words: self.words.take(),
        });
    }
}

#[async_trait]
impl NativeConversation for Conversation {
    fn engine(&self) -> String {
        self.endpoint.choice.engine(&self.endpoint.brief.model)
    }

    fn events(&self) -> NativeEvents {
        self.endpoint.brief.events()
    }

    fn is_deaf(&self) -> bool {
        self.endpoint.brief.is_deaf()
    }

    fn answer_price(&self, characters: u64, heard: Span) -> Option<u64> {
        let prices = Prices::of(&self.endpoint);
        prices.of_answer(|model| prices::answer(model, characters, heard.0 as f64 / 1_000.0))
    }

    fn hearing_price(&self, seconds: f64) -> Option<u64> {
        self.ears.hearing_price(seconds)
    }

    fn known(&self) -> watch::Receiver<NativeKnown> {
        self.known.clone()
    }

    fn instruct(&self, instructions: NativeInstructions) {
        self.wish(NativeInput::Instruct(Arc::new(instructions)));
    }

    fn tell(&self, text: String) {
        self.wish(NativeInput::Tell(text));
    }

    async fn hear(&self, clip: NativeClip, deadline: Instant) -> Result<RealtimeTranscript, RealtimeFault> {
        let number = self.number();
        let brief = &self.endpoint.brief;
        let seconds = clip.samples.len() as f64 / f64::from(audio::EAR_RATE);
        let input = NativeInput::Hear {
            clip: number,
            who: clip.speakers.join(TOGETHER),
            samples: clip.samples.clone(),
            heard: Span((seconds * 1_000.0) as u64),
        };
        if brief.holds() {
            self.wish(input);
            let mut understanding = Understanding {
                conversation: self,
                clip: number,
                words: None,
            };
            if !clip.wants_words {
                return Ok(RealtimeTranscript::default());
            }
            let heard = self.ears.understand(clip.samples, deadline).await?;
            understanding.words = Some(heard.text.clone());
            return Ok(heard);
        }
        let (reply, words) = oneshot::channel();
        let _ = self.wishes.send(Wish::Hear(input, number, reply));
        if !clip.wants_words {
            return Ok(RealtimeTranscript::default());
        }
        match timeout_at(deadline, words).await {
            Err(_) => Err(self.lost(true)),
            Ok(Err(_)) => Err(self.lost(false)),
            Ok(Ok(Err(lost))) => Err(self.endpoint.choice.fault(lost)),
            Ok(Ok(Ok((text, usage)))) => Ok(RealtimeTranscript {
                text,
                cost_micro_dollars: self.ears.heard_price(seconds, usage),
            }),
        }
    }

    fn give_results(&self, results: Vec<ToolResult>) {
        self.wish(NativeInput::Results(results));
    }

    fn answer(&self, hint: String) -> mpsc::Receiver<NativePiece> {
        let (pieces, answer) = mpsc::channel(PIECES_MAX);
        let _ = self.wishes.send(Wish::Answer(self.number(), hint, pieces));
        answer
    }

    fn stop(&self, heard: Span) {
        self.wish(NativeInput::Stop { heard });
    }

    fn begin_anew(&self) {
        self.wish(NativeInput::BeginAnew);
    }
}

/// What answers cost there.
struct Prices {
    endpoint: Endpoint,
}

impl Prices {
    fn of(endpoint: &Endpoint) -> Self {
        Self {
            endpoint: endpoint.clone(),
        }
    }

    /// What an answer took, with what it cost.
    fn bill(&self, usage: Usage) -> vocabulary::Usage {
        vocabulary::Usage {
            input_tokens: usage.text_in.saturating_add(usage.sound_in),
            cached_input_tokens: usage.text_cached.saturating_add(usage.sound_cached),
            output_tokens: usage.text_out.saturating_add(usage.sound_out),
            cost_micro_dollars: self.of_answer(|model| prices::answered(model, usage)),
            ..vocabulary::Usage::default()
        }
    }

    fn of_answer(&self, price: impl Fn(&str) -> Option<u64>) -> Option<u64> {
        let Endpoint { choice, brief } = &self.endpoint;
        match choice.is_makers {
            true => price(choice.asked(&brief.model)),
            false => choice.key.is_none().then_some(0),
        }
    }
}

/// The task of a conversation.
struct ConversationKeeper {
    session: NativeSession,
    who: crate::choice::ServiceChoice,
    prices: Prices,
    hears_at: u32,
    plug: Plug,
    clips: BTreeMap<u64, oneshot::Sender<Words>>,
    answers: BTreeMap<u64, mpsc::Sender<NativePiece>>,
    /// What answers have cost that nobody waited for.
    owed: Usage,
    knowing: watch::Sender<NativeKnown>,
    telling: Telling,
}

impl ConversationKeeper {
    async fn run(mut self, mut wishes: mpsc::UnboundedReceiver<Wish>) {
        loop {
            let wakes_at = self.session.wakes_at();
            let input = tokio::select! {
                wish = wishes.recv() => match wish {
                    None => return,
                    Some(Wish::Hear(input, clip, reply)) => {
                        self.clips.insert(clip, reply);
                        input.at_rate(self.hears_at)
                    }
                    Some(Wish::Answer(number, hint, pieces)) => {
                        self.answers.insert(number, pieces);
                        NativeInput::Answer { number, hint }
                    }
                    Some(Wish::Plain(input)) => input,
                },
                number = let_go(&self.answers) => {
                    self.answers.remove(&number);
                    NativeInput::LetGo { number }
                }
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

    fn step(&mut self, input: NativeInput) {
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
    fn perform(&mut self, output: NativeOutput) -> Option<NativeInput> {
        match output {
            NativeOutput::Open { generation } => self.plug.open(generation),
            NativeOutput::Close { .. } => self.plug.close(),
            NativeOutput::Send(command) => return self.plug.send(&command).map(NativeInput::from),
            NativeOutput::Heard { clip, result } => {
                if let Some(reply) = self.clips.remove(&clip) {
                    let result = result.map(|(words, usage)| match reply.is_closed() {
                        // It is on the next bill.
                        true => (words, usage),
                        false => (words, self.plug.charged(usage)),
                    });
                    let _ = reply.send(result);
                }
            }
            NativeOutput::Sound {
                number,
                rate,
                samples,
                marks,
            } => {
                let sound = RealtimeSound { rate, samples, marks };
                self.hand_on(number, NativePiece::Sound(sound));
            }
            NativeOutput::Words { number, words } => self.hand_on(number, NativePiece::Words(words)),
            NativeOutput::Call { number, call } => self.hand_on(number, NativePiece::Call(call)),
            NativeOutput::Over { number, result } => {
                let is_waited_for = self
                    .answers
                    .get(&number)
                    .is_some_and(|pieces| !pieces.is_closed());
                let used = result.as_ref().map_or_else(|lost| lost.spent, |usage| *usage);
                let used = self.plug.charged(used);
                self.owed = self.owed.plus(used);
                // Whoever does not wait any more has it on the next bill.
                let usage = match is_waited_for {
                    true => std::mem::take(&mut self.owed),
                    false => Usage::default(),
                };
                if result.is_err() && usage != Usage::default() {
                    self.hand_on(number, NativePiece::Spent(self.prices.bill(usage)));
                }
                let result = result
                    .map(|_| self.prices.bill(usage))
                    .map_err(|lost| self.who.fault(lost));
                self.hand_on(number, NativePiece::Over(result));
                self.answers.remove(&number);
            }
            NativeOutput::Spent(usage) => self.owed = self.owed.plus(usage),
            NativeOutput::Known(known) => {
                self.knowing.send_replace(known);
            }
            NativeOutput::Standing { works, detail } => (self.telling)(LineNews::Standing { works, detail }),
        }
        None
    }

    fn hand_on(&mut self, number: u64, piece: NativePiece) {
        if let Some(pieces) = self.answers.get(&number) {
            let _ = pieces.try_send(piece);
        }
    }
}

impl From<Happening> for NativeInput {
    fn from(happening: Happening) -> Self {
        match happening.plain() {
            Happening::Opened { generation } => Self::Opened { generation },
            Happening::Told { generation, reading } => Self::Told { generation, reading },
            Happening::Gone { generation, fault } => Self::Gone { generation, fault },
            Happening::Replaced { .. } | Happening::Tick => Self::Tick,
        }
    }
}

impl NativeInput {
    /// The same with its sound as the service takes it. Whoever sends it does this, so that it is on its way right after.
    fn at_rate(self, rate: u32) -> Self {
        match self {
            Self::Hear {
                clip,
                who,
                samples,
                heard,
            } => Self::Hear {
                clip,
                who,
                samples: at_rate(&samples, rate),
                heard,
            },
            other => other,
        }
    }
}

/// An answer that nobody waits for any more.
async fn let_go(answers: &BTreeMap<u64, mpsc::Sender<NativePiece>>) -> u64 {
    match answers.last_key_value() {
        Some((number, pieces)) => {
            pieces.closed().await;
            *number
        }
        None => pending().await,
    }
}
