//! Sentences through a voice: the next is made while the last is heard, and everything stops at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use runtime::ports::{Spoken, SpokenSound};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::frames::{Framer, SentenceSound};
use super::voicebox::{Sound, Voicebox};
use crate::speakable::{Sayable, Tongue, speakable};
use crate::trouble::Trouble;

/// How quickly voices speak, about.
const CHARACTERS_A_SECOND: f64 = 14.0;
/// Pieces of sound of one sentence that wait for their turn; a minute of most engines.
const PIECES_MAX: usize = 512;

/// What speaks, and how.
pub(crate) struct Speaking {
    pub(crate) voicebox: Arc<dyn Voicebox>,
    /// Who says what the first could not.
    pub(crate) reserve: Option<Arc<dyn Voicebox>>,
    pub(crate) tongue: Tongue,
    pub(crate) timeout: Duration,
}

/// A sentence in the making.
struct Made {
    sentence: usize,
    said: Sayable,
    pieces: mpsc::Receiver<Sound>,
    task: AbortOnDropHandle<Result<(), Trouble>>,
}

/// What was given to engines to say, by sentence: paid for when it is begun, and not when nothing came of it.
#[derive(Default)]
struct Bill {
    begun: Vec<Begun>,
}

struct Begun {
    sentence: usize,
    engine: String,
    characters: u64,
    cost: Option<u64>,
}

impl Bill {
    fn begin(bill: &Mutex<Bill>, sentence: usize, voicebox: &dyn Voicebox, said: &Sayable) {
        let characters = said.text().chars().count() as u64;
        // How long it will be is known when it is over, and then it may be too late to be counted.
        let cost = voicebox.cost(characters, characters as f64 / CHARACTERS_A_SECOND);
        let mut bill = bill.lock().unwrap_or_else(PoisonError::into_inner);
        bill.begun.push(Begun {
            sentence,
            engine: voicebox.engine(),
            characters,
            cost,
        });
    }

    fn give_back(bill: &Mutex<Bill>, sentence: usize) {
        let mut bill = bill.lock().unwrap_or_else(PoisonError::into_inner);
        bill.begun.retain(|begun| begun.sentence != sentence);
    }

    fn told(&self) -> Spoken {
        let mut engines: Vec<&str> = self.begun.iter().map(|begun| begun.engine.as_str()).collect();
        engines.dedup();
        Spoken {
            engine: engines.join(", then "),
            characters: self.begun.iter().map(|begun| begun.characters).sum(),
            cost_micro_dollars: self.begun.iter().map(|begun| begun.cost).sum(),
            fault: None,
        }
    }
}

impl Speaking {
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
        // One place: a sentence is heard, one waits, and none further is made.
        let (made, next) = mpsc::channel(1);
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => Ok(()),
            (ended, ()) = async {
                tokio::join!(
                    self.play(next, sound, &bill, &troubled),
                    self.make(voice, sentences, made, &bill),
                )
            } => ended,
        };
        let mut spoken = bill.into_inner().unwrap_or_else(PoisonError::into_inner).told();
        spoken.fault = ended.err().map(Into::into);
        spoken
    }

    async fn make(
        &self,
        voice: &str,
        mut sentences: mpsc::Receiver<String>,
        made: mpsc::Sender<Made>,
        bill: &Mutex<Bill>,
    ) {
        let mut sentence = 0;
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
            let (pieces, receiver) = mpsc::channel(PIECES_MAX);
            let task = begin(Arc::clone(&self.voicebox), &said, voice, pieces);
            Bill::begin(bill, sentence - 1, self.voicebox.as_ref(), &said);
            place.send(Made {
                sentence: sentence - 1,
                said,
                pieces: receiver,
                task,
            });
        }
    }

    async fn play(
        &self,
        mut next: mpsc::Receiver<Made>,
        sound: mpsc::Sender<SpokenSound>,
        bill: &Mutex<Bill>,
        troubled: &impl Fn(&Trouble),
    ) -> Result<(), Trouble> {
        let mut framer = Framer::default();
        // Whoever failed once has failed for this time: two voices in turn are worse than one.
        let mut failed = false;
        while let Some(mut made) = next.recv().await {
            let mut heard = match (&self.reserve, failed) {
                (Some(reserve), true) => self.replay(&mut made, reserve, &sound, bill, &mut framer).await,
                _ => {
                    self.play_one(&mut made, &self.voicebox, &sound, &mut framer)
                        .await
                }
            };
            if let (Err(Unplayed::Silent(trouble)), Some(reserve), false) = (&heard, &self.reserve, failed) {
                troubled(trouble);
                failed = true;
                heard = self.replay(&mut made, reserve, &sound, bill, &mut framer).await;
            }
            match heard {
                Ok(()) => {}
                Err(Unplayed::Unwanted) => return Ok(()),
                Err(Unplayed::Silent(trouble)) => {
                    Bill::give_back(bill, made.sentence);
                    troubled(&trouble);
                    return Err(trouble);
                }
                Err(Unplayed::Broken(trouble)) => {
                    troubled(&trouble);
                    return Err(trouble);
                }
            }
        }
        Ok(())
    }

    /// Has somebody else say a sentence.
    async fn replay(
        &self,
        made: &mut Made,
        speaker: &Arc<dyn Voicebox>,
        sound: &mpsc::Sender<SpokenSound>,
        bill: &Mutex<Bill>,
        framer: &mut Framer,
    ) -> Result<(), Unplayed> {
        Bill::give_back(bill, made.sentence);
        Bill::begin(bill, made.sentence, speaker.as_ref(), &made.said);
        let (pieces, receiver) = mpsc::channel(PIECES_MAX);
        made.task = begin(Arc::clone(speaker), &made.said, "", pieces);
        made.pieces = receiver;
        self.play_one(made, speaker, sound, framer).await
    }

    async fn play_one(
        &self,
        made: &mut Made,
        speaker: &Arc<dyn Voicebox>,
        sound: &mpsc::Sender<SpokenSound>,
        framer: &mut Framer,
    ) -> Result<(), Unplayed> {
        let said = made.said.clone();
        let mut sentence = SentenceSound::new(made.sentence, &said);
        let ended = self.play_pieces(made, &mut sentence, sound, framer).await;
        let is_silent = sentence.seconds() == 0.0;
        match ended {
            Ok(()) if is_silent => Err(Unplayed::Silent(Trouble::passing(format!(
                "{} gave no sound",
                speaker.engine()
            )))),
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
        loop {
            let piece = timeout(self.timeout, made.pieces.recv())
                .await
                .map_err(|_| Unplayed::Broken(Trouble::late("the voice", self.timeout)))?;
            let frames = match piece {
                Some(piece) if piece.samples.is_empty() && piece.marks.is_empty() => continue,
                Some(piece) => {
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

fn begin(
    voicebox: Arc<dyn Voicebox>,
    said: &Sayable,
    voice: &str,
    pieces: mpsc::Sender<Sound>,
) -> AbortOnDropHandle<Result<(), Trouble>> {
    let text = said.text().to_owned();
    let voice = voice.to_owned();
    AbortOnDropHandle::new(tokio::spawn(
        async move { voicebox.say(&text, &voice, &pieces).await },
    ))
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
