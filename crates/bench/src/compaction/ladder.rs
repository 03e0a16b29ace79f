//! The summary of a session as a room of the product comes by it where a model is asked: the real mind, its prompt, what
//! it takes of an answer and what it does not, and the real adapter.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mind::{Answer, Asking, Effect, Genesis, Input, JournalEvent, Mind, Recollection, ShellEvent};
use providers::{Keys, Models};
use runtime::ports::{Language, RawResponse};
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{
    AskOutcome, AskPurpose, Author, AuthorKind, ContentPart, Finish, Message, MessageId, ModelAnswer,
    ModelRequest, Moment, Now, PersonId, RoomId, Span, Usage, WallTime,
};

use super::batch_due;
use super::conversation::Conversation;
use super::kept::Kept;

const DENIZEN: &str = "local-denizen";
const LOUNGE: &str = "lounge";
/// Between two lines, where nothing tells their times.
const PAUSE: Span = Span::seconds(40);
/// Steps of one line at most; far more than any takes.
const STEPS_MAX: usize = 400;

/// Which model is asked, and where its answers are kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ModelOptions {
    /// Whose model writes summaries, where one does: compatible, anthropic, openai, gemini.
    #[arg(long, default_value = "compatible")]
    pub provider: String,
    /// Which model; empty takes the provider's default.
    #[arg(long, default_value = "")]
    pub model: String,
    /// Address of an OpenAI-compatible server.
    #[arg(long, default_value = "")]
    pub base_url: String,
    /// Keeps every answer of the model in this file as it comes, and does not ask again what it holds.
    #[arg(long)]
    pub keep: Option<PathBuf>,
}

/// Summaries by a model.
pub struct Writer {
    models: Models,
    settings: Settings,
    runtime: tokio::runtime::Runtime,
    kept: Kept,
    /// How often each question of this session was asked: one that is asked again may be answered otherwise.
    asked: BTreeMap<String, u32>,
}

/// What became of a session.
#[derive(Debug, Default)]
pub struct Folded {
    pub summary: String,
    /// The first turn that is not in it.
    pub cursor: usize,
    pub folds: u32,
    pub by_model: u32,
    pub folding: Duration,
}

impl Writer {
    /// A room that asks its model as one of this profile (`llm.profile`).
    pub fn new(options: &ModelOptions, profile: &str) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let settings = settings(options, profile)?;
        let env = |name: &str| std::env::var(name).ok();
        let models = Models::new(Keys::from_env_and_file(env, Path::new("/nonexistent"))?);
        runtime.block_on(models.configure(&settings));
        Ok(Self {
            models,
            settings,
            runtime,
            kept: Kept::open(options.keep.as_deref())?,
            asked: BTreeMap::new(),
        })
    }

    /// Lets a session of so many turns go by.
    pub fn fold(&mut self, conversation: &Conversation, turns: usize) -> anyhow::Result<Folded> {
        self.asked.clear();
        let mut room = Room {
            writer: self,
            mind: Mind::new(Genesis::first("bench", PersonId::new(DENIZEN), 1)),
            now: Now {
                moment: Moment(0),
                wall: conversation
                    .turns
                    .first()
                    .and_then(|turn| turn.at)
                    .unwrap_or(WallTime(0)),
            },
            wake: None,
            waiting: VecDeque::new(),
            folded: Folded::default(),
        };
        room.begin();
        for (number, turn) in conversation.turns.iter().take(turns).enumerate() {
            let is_due = batch_due(number + 1, room.folded.cursor).is_some();
            let message = room.message(number, &turn.speaker, &turn.text, turn.at, is_due);
            room.step(Input::message_arrived(message));
            room.settle()?;
        }
        let session = room.mind.session(&RoomId::new(LOUNGE), &room.writer.settings);
        let mut folded = std::mem::take(&mut room.folded);
        folded.summary = session.map(|view| view.summary).unwrap_or_default();
        Ok(folded)
    }
}

struct Room<'a> {
    writer: &'a mut Writer,
    mind: Mind,
    now: Now,
    wake: Option<Moment>,
    waiting: VecDeque<Effect>,
    folded: Folded,
}

impl Room<'_> {
    fn begin(&mut self) {
        let model = self.writer.models.reply_model(&self.writer.settings);
        self.step(Input::Shell(ShellEvent::ReplyModelChanged { model }));
    }

    /// A turn as a message. One with which a batch is due mentions Denizen: a prompt is made for it, and folding is
    /// considered where a prompt is made.
    fn message(
        &mut self,
        number: usize,
        name: &str,
        text: &str,
        at: Option<WallTime>,
        is_due: bool,
    ) -> Message {
        self.pass(PAUSE);
        if let Some(at) = at.filter(|at| *at > self.now.wall) {
            self.now.wall = at;
        }
        Message {
            id: MessageId::new(format!("m{number}")),
            room: RoomId::new(LOUNGE),
            author: Author {
                id: PersonId::new(format!("local:{}", name.to_lowercase())),
                name: name.to_owned(),
                kind: AuthorKind::Person,
            },
            text: text.to_owned(),
            at: at.unwrap_or(self.now.wall),
            reply_to: None,
            mentions: is_due.then(|| PersonId::new(DENIZEN)).into_iter().collect(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        }
    }

    fn pass(&mut self, time: Span) {
        self.now.moment = self.now.moment + time;
        self.now.wall.0 += i64::try_from(time.0).unwrap_or(i64::MAX);
    }

    fn step(&mut self, input: Input) {
        let step = self.mind.step(self.now, input, &self.writer.settings);
        self.wake = step.wake.map(|wake| wake.at);
        for effect in step.effects {
            match effect {
                Effect::Journal(entry) => self.note(&entry.event),
                effect => self.waiting.push_back(effect),
            }
        }
    }

    fn note(&mut self, event: &JournalEvent) {
        if let JournalEvent::CompactionCompleted {
            cursor, summariser, ..
        } = event
        {
            self.folded.cursor = usize::try_from(cursor.0).unwrap_or(usize::MAX);
            self.folded.folds += 1;
            self.folded.by_model += u32::from(summariser != "offline");
        }
    }

    /// Plays on until all is quiet.
    fn settle(&mut self) -> anyhow::Result<()> {
        for _ in 0..STEPS_MAX {
            let Some(effect) = self.waiting.pop_front() else {
                if self.mind.busy_rooms() == 0 || !self.sleep() {
                    return Ok(());
                }
                continue;
            };
            let answer = match effect {
                Effect::Ask(asking) => Some(self.ask(&asking)?),
                Effect::Recall(query) => Some(Answer::Recalled {
                    recall: query.recall,
                    found: Recollection::default(),
                }),
                // Nothing that Denizen might say becomes part of the conversation.
                _ => None,
            };
            if let Some(answer) = answer {
                self.step(Input::Answer(answer));
            }
        }
        anyhow::bail!("a turn did not come to an end")
    }

    /// Lets time pass to when the mind wants waking; whether it does within the hour.
    fn sleep(&mut self) -> bool {
        let Some(at) = self.wake else { return false };
        let wait = at.since(self.now.moment);
        if wait > Span::hours(1) {
            return false;
        }
        self.pass(wait);
        self.step(Input::Shell(ShellEvent::WakeReached));
        true
    }

    fn ask(&mut self, asking: &Asking) -> anyhow::Result<Answer> {
        let ask = asking.ask;
        if asking.request.purpose != AskPurpose::ContextCompaction {
            let outcome = AskOutcome::Answered(written("[SKIP]"));
            return Ok(Answer::AskEnded { ask, outcome });
        }
        let began = Instant::now();
        let outcome = self.writer.answered(&asking.request)?;
        self.folded.folding += began.elapsed();
        Ok(Answer::AskEnded { ask, outcome })
    }
}

impl Writer {
    fn answered(&mut self, request: &ModelRequest) -> anyhow::Result<AskOutcome> {
        let words = words_of(request);
        let times = self.asked.entry(words.clone()).or_default();
        *times += 1;
        let words = format!("{times} {words}");
        if let Some(kept) = self.kept.answer(&words) {
            return Ok(AskOutcome::Answered(kept));
        }
        let outcome = match self.models.prepare(request, &BTreeMap::new(), &self.settings) {
            Ok(prepared) => self.runtime.block_on(async {
                let (deltas, mut pieces) = mpsc::channel(64);
                let sending = self
                    .models
                    .send(request, &prepared, deltas, RawResponse::default());
                let reading = async { while pieces.recv().await.is_some() {} };
                tokio::join!(sending, reading).0
            }),
            Err(failure) => AskOutcome::Failed(failure),
        };
        match &outcome {
            AskOutcome::Answered(answer) => self.kept.add(words, answer)?,
            AskOutcome::Failed(failure) => eprintln!("the model failed: {failure}"),
        }
        Ok(outcome)
    }
}

/// As a new operator has them, but for patience: a model on a small machine takes its time, and is not given up here.
fn settings(options: &ModelOptions, profile: &str) -> anyhow::Result<Settings> {
    let mut document = Document::default();
    document.set("llm.provider", options.provider.as_str().into());
    document.set("llm.model", options.model.as_str().into());
    document.set("llm.compatibleBaseUrl", options.base_url.as_str().into());
    document.set("llm.profile", profile.into());
    for key in [
        "llm.timeoutSeconds",
        "llm.firstByteSeconds",
        "llm.localFirstByteSeconds",
        "llm.stallSeconds",
        "context.compaction.timeoutSeconds",
    ] {
        document.set(key, 600.into());
    }
    for key in ["memory.enabled", "initiative.text.enabled"] {
        document.set(key, false.into());
    }
    Settings::read(&document).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", errors.join("\n"))
    })
}

/// What a model that writes no summary answers.
pub fn written(text: &str) -> ModelAnswer {
    ModelAnswer {
        provider: "bench".to_owned(),
        model: "scripted".to_owned(),
        text: text.to_owned(),
        carried: None,
        tool_calls: Vec::new(),
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span(1),
        tries: 1,
    }
}

/// Everything that a question says.
fn words_of(request: &ModelRequest) -> String {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let texts = parts.filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let choice = &request.choice;
    let mut words = format!("{:?} {}\n{}", choice.provider, choice.model, request.system);
    for text in texts {
        words.push('\n');
        words.push_str(text);
    }
    words
}
