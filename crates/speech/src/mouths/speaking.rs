//! Sentences through a voice: the next is made while the last is heard, and everything stops at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use runtime::ports::{Spoken, SpokenSound};
use tokio::sync::{OwnedMutexGuard, mpsc};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::UnheardReason;

use super::bill::{Bill, CHARACTERS_A_SECOND};
use super::frames::{Framer, SentenceSound};
use super::voicebox::{Sound, Voicebox};
use crate::services::{TrialTime, Unreached};
use crate::speakable::{Sayable, Tongue, speakable};
use crate::trouble::Trouble;

/// Pieces of sound of one sentence that wait for their turn; a minute of most engines.
const PIECES_MAX: usize = 512;
/// Where somebody else can speak, the first sound may take no longer: an answer that comes late is none.
const FIRST_SOUND: Duration = Duration::from_secs(4);
/// Whoever failed is not asked for so long, where somebody else can speak.
const NOT_ASKED: Duration = Duration::from_secs(60);
/// So many sentences in a row that were not said end it.
const UNSAID_MAX: usize = 2;
/// A sentence may be waited for so many times as long as it takes to say.
const SLOWER: f64 = 3.0;

/// What speaks, and how.
pub(crate) struct Speaking {
    voicebox: Arc<dyn Voicebox>,
    /// Who says what the first could not.
    reserve: Option<Arc<dyn Voicebox>>,
    tongue: Tongue,
    timeout: Duration,
    /// The first has failed, and is not asked before this.
    not_before: Mutex<Option<Instant>>,
}

/// A sentence in the making.
struct Made {
    sentence: usize,
    said: Sayable,
    is_reserve: bool,
    begun: usize,
    pieces: mpsc::Receiver<Sound>,
    task: AbortOnDropHandle<Result<(), Trouble>>,
}

impl Speaking {
    pub(crate) fn new(
        voicebox: Arc<dyn Voicebox>,
        reserve: Option<Arc<dyn Voicebox>>,
        tongue: Tongue,
        timeout: Duration,
    ) -> Self {
        Self {
            voicebox,
            reserve,
            tongue,
            timeout,
            not_before: Mutex::new(None),
        }
    }

    /// Whose voice it is, as far as is known by now.
    pub(crate) fn engine(&self) -> String {
        self.voicebox.engine()
    }

    /// Whether that voice answers.
    pub(crate) async fn reach(&self, patience: TrialTime) -> Result<(), Unreached> {
        self.voicebox.reach(patience).await
    }

    /// Speaks until the sentences end, nobody listens any more, or it is cancelled. `troubled` is told of what went wrong.
    pub(crate) async fn speak(
        &self,
        voice: &str,
        sentences: mpsc::Receiver<String>,
        sound: mpsc::Sender<SpokenSound>,
        cancel: &CancellationToken,
        troubled: impl Fn(&Trouble),
    ) -> Spoken {
        let bill = Mutex::new(Bill::default());
        // Whoever failed once has failed for this time: two voices in turn are worse than one.
        let has_failed = AtomicBool::new(self.has_failed_lately());
        // One place: a sentence is heard, one waits, and none further is made.
        let (made, next) = mpsc::channel(1);
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => Ok(()),
            (ended, ()) = async {
                tokio::join!(
                    self.play(next, sound, &bill, &has_failed, &troubled),
                    self.make(voice, sentences, made, &bill, &has_failed),
                )
            } => ended,
        };
        let mut spoken = bill.into_inner().unwrap_or_else(PoisonError::into_inner).told();
        spoken.fault = ended.err().map(Into::into);
        spoken
    }

    /// Whether another voice speaks instead for a while.
    pub(super) fn has_failed_lately(&self) -> bool {
        let not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        self.reserve.is_some() && not_before.is_some_and(|not_before| Instant::now() < not_before)
    }

    /// The first has failed: who speaks instead, where there is somebody.
    fn fail(&self, has_failed: &AtomicBool) {
        has_failed.store(self.reserve.is_some(), Ordering::Relaxed);
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = Some(Instant::now() + NOT_ASKED);
    }

    /// Who speaks, and whether that is a makeshift.
    fn speaker(&self, has_failed: &AtomicBool) -> (&Arc<dyn Voicebox>, bool) {
        match &self.reserve {
            Some(reserve) if has_failed.load(Ordering::Relaxed) => (reserve, true),
            _ => (&self.voicebox, false),
        }
    }

    async fn make(
        &self,
        voice: &str,
        mut sentences: mpsc::Receiver<String>,
        made: mpsc::Sender<Made>,
        bill: &Mutex<Bill>,
        has_failed: &AtomicBool,
    ) {
        let mut sentence = 0;
        let making = Arc::new(tokio::sync::Mutex::new(()));
        loop {
            // First a place, then a sentence: what is made too early may have been made for nothing.
            let Ok(place) = made.reserve().await else { return };
            let said = loop {
                // Whoever plays may be gone for good while nothing is written.
                let written = tokio::select! {
                    written = sentences.recv() => written,
                    () = made.closed() => return,
                };
                let Some(written) = written else { return };
                let said = speakable(&written, &self.tongue);
                sentence += 1;
                if !said.is_empty() {
                    break said;
                }
            };
            let turn = match self.speaker(has_failed).0.one_at_a_time() {
                true => Some(Arc::clone(&making).lock_owned().await),
                false => None,
            };
            if made.is_closed() {
                return;
            }
            place.send(self.begin(sentence - 1, said, voice, bill, has_failed, turn));
        }
    }

    /// Has a sentence said, by whoever speaks now.
    fn begin(
        &self,
        sentence: usize,
        said: Sayable,
        voice: &str,
        bill: &Mutex<Bill>,
        has_failed: &AtomicBool,
        turn: Option<OwnedMutexGuard<()>>,
    ) -> Made {
        let (speaker, is_reserve) = self.speaker(has_failed);
        let (pieces, receiver) = mpsc::channel(PIECES_MAX);
        // Names of voices are the first one's.
        let voice = if is_reserve { "" } else { voice };
        Made {
            sentence,
            is_reserve,
            begun: Bill::begin(bill, speaker.as_ref(), &said),
            task: begin(Arc::clone(speaker), &said, voice, pieces, turn),
            pieces: receiver,
            said,
        }
    }

    async fn play(
        &self,
        mut next: mpsc::Receiver<Made>,
        sound: mpsc::Sender<SpokenSound>,
        bill: &Mutex<Bill>,
        has_failed: &AtomicBool,
        troubled: &impl Fn(&Trouble),
    ) -> Result<(), Trouble> {
        let mut framer = Framer::default();
        let mut unsaid: Vec<Trouble> = Vec::new();
        loop {
            let made = tokio::select! {
                biased;
                () = sound.closed() => return Ok(()),
                made = next.recv() => made,
            };
            let Some(mut made) = made else { break };
            if !made.is_reserve && self.speaker(has_failed).1 {
                // It was begun before the other failed: only where nothing came of it, it costs nothing. What is under way
                // is paid for, and given up.
                if made.task.is_finished() && made.pieces.try_recv().is_err() {
                    Bill::give_back(bill, made.begun);
                }
                made = self.begin(made.sentence, made.said, "", bill, has_failed, None);
            }
            let mut heard = self.play_one(&mut made, &sound, &mut framer).await;
            if let Err(Unplayed::Silent(trouble)) = &heard {
                refund(bill, &made, trouble);
                if !made.is_reserve && self.reserve.is_some() {
                    troubled(trouble);
                    self.fail(has_failed);
                    made = self.begin(made.sentence, made.said, "", bill, has_failed, None);
                    heard = self.play_one(&mut made, &sound, &mut framer).await;
                    if let Err(Unplayed::Silent(trouble)) = &heard {
                        refund(bill, &made, trouble);
                    }
                }
            }
            match heard {
                Ok(()) => unsaid.clear(),
                Err(Unplayed::Unwanted) => return Ok(()),
                // What comes behind one sentence that could not be said is still worth saying.
                Err(Unplayed::Silent(trouble) | Unplayed::Broken(trouble)) => {
                    troubled(&trouble);
                    if !made.is_reserve && self.reserve.is_some() {
                        self.fail(has_failed);
                    }
                    unsaid.push(trouble);
                    if unsaid.len() >= UNSAID_MAX {
                        break;
                    }
                }
            }
        }
        unsaid.pop().map_or(Ok(()), Err)
    }

    async fn play_one(
        &self,
        made: &mut Made,
        sound: &mpsc::Sender<SpokenSound>,
        framer: &mut Framer,
    ) -> Result<(), Unplayed> {
        let said = made.said.clone();
        let mut sentence = SentenceSound::new(made.sentence, &said);
        let ended = self.play_pieces(made, &mut sentence, sound, framer).await;
        let is_silent = sentence.seconds() == 0.0;
        match ended {
            Ok(()) if is_silent => {
                let speaker = match (&self.reserve, made.is_reserve) {
                    (Some(reserve), true) => reserve,
                    _ => &self.voicebox,
                };
                let detail = format!("{} gave no sound for a sentence", speaker.engine());
                Err(Unplayed::Silent(Trouble::passing(detail)))
            }
            Err(Unplayed::Broken(trouble)) if is_silent => Err(Unplayed::Silent(trouble)),
            ended => ended,
        }
    }

    async fn play_pieces(
        &self,
        made: &mut Made,
        sentence: &mut SentenceSound<'_>,
        sound: &mpsc::Sender<SpokenSound>,
        framer: &mut Framer,
    ) -> Result<(), Unplayed> {
        let mut is_first = true;
        let mut patience = Patience::new(self, made);
        loop {
            let piece = patience.wait(&mut made.pieces).await?;
            let frames = match piece {
                Some(piece) if piece.samples.is_empty() && piece.marks.is_empty() => continue,
                Some(piece) => {
                    if !piece.samples.is_empty() {
                        patience.sounded();
                    }
                    let pause = if is_first {
                        framer.pause(made.sentence)
                    } else {
                        Vec::new()
                    };
                    is_first = false;
                    let frames = sentence.push(piece, framer).map_err(Unplayed::Broken)?;
                    [pause, frames].concat()
                }
                None => {
                    let ended = (&mut made.task).await;
                    match ended {
                        Ok(ended) => ended.map_err(Unplayed::Broken)?,
                        Err(_) => return Err(Unplayed::Broken(Trouble::broken("the voice"))),
                    }
                    let frames = sentence.finish(framer);
                    return send(frames, sound).await;
                }
            };
            send(frames, sound).await?;
        }
    }
}

/// Nothing was heard of a sentence: what was refused is not paid for; what was only too slow is.
fn refund(bill: &Mutex<Bill>, made: &Made, trouble: &Trouble) {
    if trouble.reason != UnheardReason::TimedOut {
        Bill::give_back(bill, made.begun);
    }
}

/// How long a sentence is waited for: for each sound, and in all. Only waiting counts, not what is being heard.
struct Patience {
    for_sound: Duration,
    usual: Duration,
    /// Of this sound, so far.
    waited: Duration,
    left: Duration,
}

impl Patience {
    fn new(speaking: &Speaking, made: &Made) -> Self {
        let characters = made.said.text().chars().count() as f64;
        let is_first_choice = speaking.reserve.is_some() && !made.is_reserve;
        Self {
            for_sound: match is_first_choice {
                true => speaking.timeout.min(FIRST_SOUND),
                false => speaking.timeout,
            },
            usual: speaking.timeout,
            waited: Duration::ZERO,
            left: speaking.timeout + Duration::from_secs_f64(SLOWER * characters / CHARACTERS_A_SECOND),
        }
    }

    fn sounded(&mut self) {
        self.waited = Duration::ZERO;
        self.for_sound = self.usual;
    }

    async fn wait(&mut self, pieces: &mut mpsc::Receiver<Sound>) -> Result<Option<Sound>, Unplayed> {
        let began = Instant::now();
        let most = self.for_sound.saturating_sub(self.waited).min(self.left);
        let piece = timeout(most, pieces.recv()).await;
        let waited = began.elapsed();
        self.waited += waited;
        self.left = self.left.saturating_sub(waited);
        piece.map_err(|_| Unplayed::Broken(Trouble::late("the voice", self.for_sound)))
    }
}

fn begin(
    voicebox: Arc<dyn Voicebox>,
    said: &Sayable,
    voice: &str,
    pieces: mpsc::Sender<Sound>,
    turn: Option<OwnedMutexGuard<()>>,
) -> AbortOnDropHandle<Result<(), Trouble>> {
    let text = said.text().to_owned();
    let voice = voice.to_owned();
    AbortOnDropHandle::new(tokio::spawn(async move {
        let made = voicebox.say(&text, &voice, &pieces).await;
        drop(turn);
        made
    }))
}

async fn send(frames: Vec<SpokenSound>, sound: &mpsc::Sender<SpokenSound>) -> Result<(), Unplayed> {
    for frame in frames {
        sound.send(frame).await.map_err(|_| Unplayed::Unwanted)?;
    }
    Ok(())
}

/// Why a sentence was not heard whole.
enum Unplayed {
    /// Nobody listens any more.
    Unwanted,
    /// Nothing of it was heard.
    Silent(Trouble),
    Broken(Trouble),
}

#[cfg(test)]
#[path = "speaking_tests.rs"]
mod tests;
