//! A realtime service that thinks for itself, in this process: it says what it is told to, and keeps what it was told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use runtime::ports::{
    NativeClip, NativeConversation, NativeEvents, NativeInstructions, NativeKnown, NativePiece,
    RealtimeFault, RealtimeNews, RealtimeService, RealtimeSound, RealtimeStanding, RealtimeTranscript,
};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use vocabulary::{Span, ToolResult, Usage};

/// Something that the service was told or asked for, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum NativeTold {
    Instructed(NativeInstructions),
    Told(String),
    /// It heard a clip of these.
    Heard(Vec<String>),
    Results(Vec<ToolResult>),
    /// It was asked, with this.
    Asked(String),
    /// It was stopped when so much was heard.
    Stopped(Span),
    BegunAnew,
}

/// The service, and its one conversation. Cheap to clone.
#[derive(Clone)]
pub struct StandInService(Arc<Inner>);

struct Inner {
    told: watch::Sender<Vec<NativeTold>>,
    known: watch::Sender<NativeKnown>,
    standing: watch::Sender<RealtimeStanding>,
    answers: Mutex<VecDeque<Vec<NativePiece>>>,
    /// Where what comes later of the newest answer goes.
    newest: Mutex<Option<mpsc::Sender<NativePiece>>>,
    /// The words of clips to come.
    words: Mutex<VecDeque<String>>,
    /// What it heard, and of whom.
    clips: Mutex<Vec<NativeClip>>,
    /// How often it was asked for the words of a clip.
    understood: watch::Sender<usize>,
}

impl std::fmt::Debug for StandInService {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("StandInService").finish_non_exhaustive()
    }
}

impl Default for StandInService {
    fn default() -> Self {
        Self(Arc::new(Inner {
            told: watch::Sender::new(Vec::new()),
            known: watch::Sender::new(NativeKnown {
                begun: 1,
                ..NativeKnown::default()
            }),
            standing: watch::Sender::new(RealtimeStanding {
                service: "openai:gpt-realtime-1.5".to_owned(),
                event: "response.create".to_owned(),
                works: true,
                detail: String::new(),
            }),
            answers: Mutex::default(),
            newest: Mutex::default(),
            words: Mutex::default(),
            clips: Mutex::default(),
            understood: watch::Sender::new(0),
        }))
    }
}

impl StandInService {
    /// Answers with this next; where it does not end with `Over`, more may follow.
    pub fn answers_next(&self, pieces: Vec<NativePiece>) {
        lock(&self.0.answers).push_back(pieces);
    }

    /// More of the newest answer.
    pub async fn goes_on(&self, piece: NativePiece) -> bool {
        let newest = lock(&self.0.newest).clone();
        match newest {
            Some(newest) => newest.send(piece).await.is_ok(),
            None => false,
        }
    }

    /// Understands this of the next clip.
    pub fn understands_next(&self, words: &str) {
        lock(&self.0.words).push_back(words.to_owned());
    }

    /// Until it was asked so often for the words of a clip.
    pub async fn has_understood(&self, clips: usize) {
        let mut understood = self.0.understood.subscribe();
        understood
            .wait_for(|understood| *understood >= clips)
            .await
            .expect("the service is there");
    }

    /// What it heard, in its order.
    pub fn clips(&self) -> Vec<NativeClip> {
        lock(&self.0.clips).clone()
    }

    pub fn told(&self) -> Vec<NativeTold> {
        self.0.told.borrow().clone()
    }

    /// Until it was told something like that.
    pub async fn is_told(&self, like: impl Fn(&NativeTold) -> bool) -> NativeTold {
        let mut told = self.0.told.subscribe();
        let all = told
            .wait_for(|all| all.iter().any(&like))
            .await
            .expect("the service is there");
        all.iter()
            .find(|told| like(told))
            .cloned()
            .expect("it was waited for")
    }

    fn note(&self, told: NativeTold) {
        self.0.told.send_modify(|all| all.push(told));
        self.0.known.send_modify(|known| known.items += 1);
    }
}

/// A word of an answer, with a tenth of a second of sound for it: by then so many characters are said in all.
pub fn word(text: &str, seconds: f64, characters: usize) -> [NativePiece; 2] {
    [
        NativePiece::Words(text.to_owned()),
        NativePiece::Sound(RealtimeSound {
            rate: 24_000,
            samples: vec![0; 2_400],
            marks: vec![(seconds, characters)],
        }),
    ]
}

/// That an answer is over, for a known price.
pub fn over() -> NativePiece {
    NativePiece::Over(Ok(Usage {
        input_tokens: 400,
        output_tokens: 60,
        cost_micro_dollars: Some(9_000),
        ..Usage::default()
    }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}

#[async_trait]
impl RealtimeService for StandInService {
    fn hearing_engine(&self) -> String {
        "openai:gpt-transcribe".to_owned()
    }

    fn speaking_engine(&self) -> String {
        "openai:gpt-realtime-1.5".to_owned()
    }

    fn description(&self) -> String {
        "a service of the test's own".to_owned()
    }

    fn hearing_price(&self, _: f64) -> Option<u64> {
        Some(1)
    }

    fn speaking_price(&self, _: u64, _: f64) -> Option<u64> {
        Some(1)
    }

    fn news(&self) -> RealtimeNews {
        self.0.standing.subscribe()
    }

    fn warm_up(&self) {}

    async fn understand(&self, _: Arc<[i16]>, _: Instant) -> Result<RealtimeTranscript, RealtimeFault> {
        let text = lock(&self.0.words).pop_front().unwrap_or_default();
        // Whoever waits for this may ask at once, and is to have what comes next.
        self.0.understood.send_modify(|count| *count += 1);
        Ok(RealtimeTranscript {
            text,
            cost_micro_dollars: Some(1),
        })
    }

    async fn say(&self, _: &str, _: mpsc::Sender<RealtimeSound>) -> Result<(), RealtimeFault> {
        Ok(())
    }

    fn converse(&self) -> Option<Arc<dyn NativeConversation>> {
        Some(Arc::new(self.clone()))
    }
}

#[async_trait]
impl NativeConversation for StandInService {
    fn engine(&self) -> String {
        self.speaking_engine()
    }

    fn events(&self) -> NativeEvents {
        NativeEvents {
            instruct: "session.update",
            hear: "input_audio_buffer.commit",
            heard: "conversation.item.input_audio_transcription.completed",
            answer: "response.create",
            words: "response.output_audio_transcript.delta",
            stop: "conversation.item.truncate",
        }
    }

    fn answer_price(&self, _: u64, _: Span) -> Option<u64> {
        Some(20_000)
    }

    fn hearing_price(&self, _: f64) -> Option<u64> {
        Some(1)
    }

    fn known(&self) -> watch::Receiver<NativeKnown> {
        self.0.known.subscribe()
    }

    fn instruct(&self, instructions: NativeInstructions) {
        let is_same = |told: &NativeTold| *told == NativeTold::Instructed(instructions.clone());
        let told = self.told();
        let mut newest = told.iter().rev();
        let newest = newest.find(|told| matches!(told, NativeTold::Instructed(_)));
        if !newest.is_some_and(is_same) {
            self.note(NativeTold::Instructed(instructions));
        }
    }

    fn tell(&self, text: String) {
        self.note(NativeTold::Told(text));
    }

    async fn hear(&self, clip: NativeClip, deadline: Instant) -> Result<RealtimeTranscript, RealtimeFault> {
        lock(&self.0.clips).push(clip.clone());
        self.note(NativeTold::Heard(clip.speakers));
        match clip.wants_words {
            true => self.understand(clip.samples, deadline).await,
            false => Ok(RealtimeTranscript::default()),
        }
    }

    fn give_results(&self, results: Vec<ToolResult>) {
        self.note(NativeTold::Results(results));
    }

    fn answer(&self, hint: String) -> mpsc::Receiver<NativePiece> {
        let (pieces, receiver) = mpsc::channel(1_024);
        for piece in lock(&self.0.answers).pop_front().unwrap_or_else(|| vec![over()]) {
            let _ = pieces.try_send(piece);
        }
        *lock(&self.0.newest) = Some(pieces);
        self.note(NativeTold::Asked(hint));
        receiver
    }

    fn stop(&self, heard: Span) {
        lock(&self.0.newest).take();
        self.note(NativeTold::Stopped(heard));
    }

    fn begin_anew(&self) {
        self.0.known.send_modify(|known| {
            *known = NativeKnown {
                begun: known.begun + 1,
                ..NativeKnown::default()
            };
        });
        self.note(NativeTold::BegunAnew);
    }
}
