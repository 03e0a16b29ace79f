//! A realtime service as the house knows it: as many lines as are needed at a time, and what it costs.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use audio::resample::Resampler;
use runtime::ports::{
    NativeConversation, RealtimeFault, RealtimeNews, RealtimeService, RealtimeSound, RealtimeStanding,
    RealtimeTranscript, RealtimeUnreached,
};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, timeout_at};

use crate::choice::ServiceChoice;
use crate::event::Usage;
use crate::line::{Line, LineNews, Piece};
use crate::native::Conversation;
use crate::prices;
use crate::probe::probe;
use crate::session::Lost;
use crate::socket::Endpoint;
use crate::wire::{Dialect, Part, SessionBrief};

/// Connections to one service for hearing, and as many for speaking: who speaks at the same time is heard at the same time.
const LINES_MAX: usize = 4;
/// How quickly voices speak, about.
const CHARACTERS_A_SECOND: f64 = 14.0;

/// A service that was chosen.
pub(crate) struct Service {
    choice: ServiceChoice,
    ears: Arc<Lines>,
    mouth: Arc<Lines>,
    standing: watch::Sender<RealtimeStanding>,
    /// What it said it used, over what was reckoned with, in millionths of a dollar: it is on the next bill.
    owed: AtomicI64,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Service")
            .field("choice", &self.choice)
            .finish_non_exhaustive()
    }
}

/// Lines of one kind, opened as they are needed.
pub(crate) struct Lines {
    endpoint: Endpoint,
    standing: watch::Sender<RealtimeStanding>,
    open: Mutex<Vec<Arc<Line>>>,
}

impl Lines {
    fn new(
        choice: &ServiceChoice,
        brief: &SessionBrief,
        standing: &watch::Sender<RealtimeStanding>,
    ) -> Arc<Self> {
        Arc::new(Self {
            endpoint: Endpoint {
                choice: choice.clone(),
                brief: brief.clone(),
            },
            standing: standing.clone(),
            open: Mutex::default(),
        })
    }

    /// One on which nothing is under way, or the one with the least.
    fn line(&self) -> Arc<Line> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let least = open.iter().min_by_key(|line| line.load()).cloned();
        match least {
            Some(line) if line.load() == 0 || open.len() >= LINES_MAX => line,
            _ => {
                let standing = self.standing.clone();
                let choice = self.endpoint.choice.clone();
                let telling = move |news| tell(&standing, &choice, news);
                let line = Arc::new(Line::new(self.endpoint.clone(), Arc::new(telling)));
                open.push(line.clone());
                line
            }
        }
    }
}

impl Lines {
    pub(crate) fn hearing_price(&self, seconds: f64) -> Option<u64> {
        let Endpoint { choice, brief } = &self.endpoint;
        match choice.is_makers {
            true => prices::heard(choice.asked(&brief.transcription_model), seconds, None),
            false if choice.key.is_none() => Some(0),
            false => None,
        }
    }

    /// What hearing cost, by what the service says it used.
    pub(crate) fn heard_price(&self, seconds: f64, usage: Usage) -> Option<u64> {
        let Endpoint { choice, brief } = &self.endpoint;
        match choice.is_makers {
            true => prices::heard(choice.asked(&brief.transcription_model), seconds, Some(usage)),
            false => self.hearing_price(seconds),
        }
    }

    pub(crate) async fn understand(
        &self,
        clip: Arc<[i16]>,
        deadline: Instant,
    ) -> Result<RealtimeTranscript, RealtimeFault> {
        let Endpoint { choice, brief } = &self.endpoint;
        let seconds = clip.len() as f64 / f64::from(audio::EAR_RATE);
        let (words, under_way) = self.line().hear(at_rate(&clip, brief.hears_at()));
        let Ok(words) = timeout_at(deadline, words).await else {
            drop(under_way);
            return Err(RealtimeFault {
                is_late: true,
                ..choice.given_up()
            });
        };
        under_way.end();
        match words {
            Ok(Ok((text, usage))) => Ok(RealtimeTranscript {
                text,
                cost_micro_dollars: self.heard_price(seconds, usage),
            }),
            Ok(Err(lost)) => Err(choice.fault(lost)),
            Err(_) => Err(choice.given_up()),
        }
    }
}

/// What is told of a line is told of the service.
fn tell(standing: &watch::Sender<RealtimeStanding>, choice: &ServiceChoice, news: LineNews) {
    let who = &choice.who;
    standing.send_if_modified(|standing| {
        let service = choice.engine(&choice.mouth.model);
        let is_news = standing.service != service;
        standing.service = service;
        is_news
    });
    match news {
        LineNews::Replaced => {}
        LineNews::Departed => tracing::warn!("speaking: {who} said something else than it was given"),
        LineNews::Standing { works, detail } => {
            standing.send_if_modified(|standing| {
                let is_news = standing.works != works || standing.detail != detail;
                if is_news && !works {
                    tracing::warn!("realtime: {who}: {detail}");
                }
                standing.works = works;
                standing.detail = detail;
                is_news
            });
        }
    }
}

impl Service {
    pub(crate) fn new(choice: ServiceChoice) -> Self {
        let standing = watch::Sender::new(RealtimeStanding {
            service: choice.engine(&choice.mouth.model),
            event: choice.mouth.utter_event().to_owned(),
            works: true,
            detail: String::new(),
        });
        let ears = Lines::new(&choice, &choice.ears, &standing);
        let mouth = match choice.mouth.part {
            Part::Both => ears.clone(),
            Part::Ears | Part::Mouth | Part::Mind => Lines::new(&choice, &choice.mouth, &standing),
        };
        Self {
            choice,
            ears,
            mouth,
            standing,
            owed: AtomicI64::new(0),
        }
    }

    pub(crate) fn is_of(&self, choice: &ServiceChoice) -> bool {
        self.choice == *choice
    }

    /// What saying something was reckoned to cost, without what is owed.
    fn reckoned(&self, characters: u64, seconds: f64) -> Option<u64> {
        prices::spoken(self.choice.asked(&self.choice.mouth.model), characters, seconds)
    }
}

#[async_trait]
impl RealtimeService for Service {
    fn hearing_engine(&self) -> String {
        self.choice.engine(&self.choice.ears.transcription_model)
    }

    fn speaking_engine(&self) -> String {
        self.choice.engine(&self.choice.mouth.model)
    }

    fn description(&self) -> String {
        self.choice.description()
    }

    fn hearing_price(&self, seconds: f64) -> Option<u64> {
        self.ears.hearing_price(seconds)
    }

    fn speaking_price(&self, characters: u64, seconds: f64) -> Option<u64> {
        match self.choice.is_makers {
            true => {
                let reckoned = self.reckoned(characters, seconds)?;
                let with_debts = reckoned as i64 + self.owed.swap(0, Ordering::Relaxed);
                // What was reckoned too dear is taken off the next ones, too.
                self.owed.fetch_add(with_debts.min(0), Ordering::Relaxed);
                Some(with_debts.max(0) as u64)
            }
            false if self.choice.key.is_none() => Some(0),
            false => None,
        }
    }

    fn news(&self) -> RealtimeNews {
        self.standing.subscribe()
    }

    fn warm_up(&self) {
        self.ears.line().warm_up();
        if !Arc::ptr_eq(&self.ears, &self.mouth) {
            self.mouth.line().warm_up();
        }
    }

    async fn understand(
        &self,
        clip: Arc<[i16]>,
        deadline: Instant,
    ) -> Result<RealtimeTranscript, RealtimeFault> {
        self.ears.understand(clip, deadline).await
    }

    async fn try_out(&self, within: Duration) -> Result<(), RealtimeUnreached> {
        // What thinks is what speaks, but for an agent.
        let mind = self.choice.mind.as_ref();
        let agent = mind.filter(|mind| mind.dialect == Dialect::ElevenLabsAgent);
        let mut briefs = vec![&self.choice.ears, &self.choice.mouth];
        briefs.dedup();
        for brief in briefs.into_iter().chain(agent) {
            let endpoint = Endpoint {
                choice: self.choice.clone(),
                brief: brief.clone(),
            };
            if let Err((fault, is_slow)) = probe(&endpoint, within).await {
                let remedy = self.choice.remedy(&fault, brief);
                let lost = Lost {
                    is_late: is_slow,
                    ..Lost::of(fault)
                };
                return Err(RealtimeUnreached {
                    detail: self.choice.fault(lost).fault.detail,
                    remedy,
                    is_slow,
                });
            }
        }
        Ok(())
    }

    fn converse(&self) -> Option<Arc<dyn NativeConversation>> {
        let brief = self.choice.mind.clone()?;
        let endpoint = Endpoint {
            choice: self.choice.clone(),
            brief,
        };
        let (standing, choice) = (self.standing.clone(), self.choice.clone());
        let telling = move |news| tell(&standing, &choice, news);
        Some(Arc::new(Conversation::new(
            endpoint,
            self.ears.clone(),
            Arc::new(telling),
        )))
    }

    async fn say(&self, text: &str, sound: mpsc::Sender<RealtimeSound>) -> Result<(), RealtimeFault> {
        let (mut pieces, under_way) = self.mouth.line().say(text.to_owned());
        let rate = self.choice.mouth.speaks_at();
        loop {
            let piece = tokio::select! {
                biased;
                // Nobody listens any more: what is under way is given up.
                () = sound.closed() => return Ok(()),
                piece = pieces.recv() => piece,
            };
            match piece {
                Some(Piece::Sound { samples, marks }) => {
                    let piece = RealtimeSound { rate, samples, marks };
                    if sound.send(piece).await.is_err() {
                        return Ok(());
                    }
                }
                Some(Piece::Over(result)) => {
                    under_way.end();
                    let usage = result.map_err(|lost| self.choice.fault(lost))?;
                    let characters = text.chars().count() as u64;
                    let reckoned = self.reckoned(characters, characters as f64 / CHARACTERS_A_SECOND);
                    let used = prices::used(self.choice.asked(&self.choice.mouth.model), usage);
                    if let (Some(used), Some(reckoned)) = (used, reckoned) {
                        self.owed
                            .fetch_add(used as i64 - reckoned as i64, Ordering::Relaxed);
                    }
                    return Ok(());
                }
                None => {
                    under_way.end();
                    return Err(self.choice.given_up());
                }
            }
        }
    }
}

/// A clip of 16,000 samples a second at another rate.
pub(crate) fn at_rate(clip: &Arc<[i16]>, rate: u32) -> Arc<[i16]> {
    if rate == audio::EAR_RATE {
        return clip.clone();
    }
    let Ok(mut resampler) = Resampler::new(audio::EAR_RATE, rate) else {
        return clip.clone();
    };
    let mut samples = Vec::new();
    resampler.push(clip, &mut samples);
    resampler.finish(&mut samples);
    samples.into()
}
