//! The room of one question: the real mind by a clock of its own, with the real adapter where a model is asked.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use anyhow::ensure;
use mind::{
    Answer, Asking, Effect, Genesis, Input, Mind, Recollection, RoomEvent, RoomWish, ShellEvent, ToolRun,
};
use runtime::ports::{Language, RawResponse};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{
    AskOutcome, AskPurpose, Author, AuthorKind, Finish, Message, MessageId, ModelAnswer, Moment, Now,
    OutsideTool, PersonId, RoomId, Span, ToolOrigin, ToolResult, ToolSpec, Usage, WallTime,
};

use super::question::Question;
use super::remembered::{is_of, recollection};
use super::score::{Outcome, answers};

const DENIZEN: &str = "Denizen";
const LOUNGE: &str = "lounge";
/// Between two lines of the room.
const PAUSE: Span = Span::seconds(40);
/// Long lines are folded away sooner than many: so many characters of them make a room outgrow a small prompt.
const LONG_LINE_CHARS: usize = 1_900;
const LONG_LINES: usize = 3;
/// What is said after them, so that nothing of them stands word for word: the newest lines always do.
const SMALL_TALK: [&str; 5] = ["oh well", "right", "anyway", "hm, yes", "so it goes"];
/// Steps of one question at most; far more than any takes.
const STEPS_MAX: usize = 400;

/// Asks one question in a room of its own; says what came of it.
pub(super) async fn answer_in_a_room(
    question: &Question,
    models: &dyn Language,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let mut room = Room::new(question, models, settings);
    room.prepare()?;
    room.outcome = Outcome::default();
    let message = room.message(&question.author, &question.question);
    room.waiting.clear();
    room.step(Input::message_arrived(message), settings);
    room.settle(settings, true).await?;
    Ok(room.outcome)
}

struct Room<'a> {
    question: &'a Question,
    models: &'a dyn Language,
    settings: &'a Settings,
    mind: Mind,
    now: Now,
    said: usize,
    wake: Option<Moment>,
    waiting: VecDeque<Effect>,
    outcome: Outcome,
}

impl<'a> Room<'a> {
    fn new(question: &'a Question, models: &'a dyn Language, settings: &'a Settings) -> Self {
        Self {
            question,
            models,
            settings,
            mind: Mind::new(Genesis::first("bench", PersonId::new("local-denizen"), 1)),
            now: Now {
                moment: Moment(0),
                wall: WallTime(1_762_000_000_000),
            },
            said: 0,
            wake: None,
            waiting: VecDeque::new(),
            outcome: Outcome::default(),
        }
    }

    /// What was said before: told, summed up, and answered by Denizen where the file says so.
    fn prepare(&mut self) -> anyhow::Result<()> {
        let tools = outside_tools();
        let media = Vec::new();
        self.step(
            Input::Shell(ShellEvent::CapabilitiesChanged { tools, media }),
            self.settings,
        );
        let model = self.models.reply_model(self.settings);
        self.step(
            Input::Shell(ShellEvent::ReplyModelChanged { model }),
            self.settings,
        );
        if !self.question.summary.is_empty() {
            self.fold()?;
        }
        for (at, line) in self.question.before.iter().enumerate() {
            let (name, words) = line.split_once(": ").unwrap_or(("", line));
            if name == DENIZEN {
                continue;
            }
            let next = self.question.before.get(at + 1);
            let reply = next.and_then(|next| next.strip_prefix(&format!("{DENIZEN}: ")));
            let message = self.message(name, words);
            self.step(Input::message_arrived(message), self.settings);
            self.play(reply.unwrap_or("[SKIP]"), self.settings);
        }
        Ok(())
    }

    /// A room that has outgrown a small prompt, whose summary is the one of the question.
    fn fold(&mut self) -> anyhow::Result<()> {
        let mut document = Document::default();
        document.set("llm.contextTokens", 1_000.into());
        document.set("llm.provider", "compatible".into());
        // Whatever tells more of this talk: the summary is the question's.
        document.set("context.compaction.summariser", "model".into());
        let small = Settings::read(&document).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
        let filler = "and so on ".repeat(LONG_LINE_CHARS / 10);
        let long = format!("{} {filler}", self.question.summary);
        for number in 0..LONG_LINES {
            let message = self.message("Robin", &format!("{number} {long}"));
            self.step(Input::message_arrived(message), &small);
            self.play("[SKIP]", &small);
        }
        // The last of them still stands word for word.
        let last = MessageId::new(format!("m{}", self.said));
        let deleted = RoomEvent::MessageDeleted { id: last };
        self.step(Input::Room(RoomId::new(LOUNGE), deleted), &small);
        for words in SMALL_TALK {
            let message = self.message("Robin", words);
            self.step(Input::message_arrived(message), &small);
            self.play("[SKIP]", &small);
        }
        let room = RoomId::new(LOUNGE);
        let session = self.mind.session(&room, self.settings);
        let summary = session.map(|view| view.summary).unwrap_or_default();
        ensure!(
            summary.contains(self.question.summary.trim()),
            "the summary of {} did not become the room's: {summary:?}",
            self.question.id
        );
        Ok(())
    }

    fn message(&mut self, name: &str, text: &str) -> Message {
        self.pass(PAUSE);
        self.said += 1;
        Message {
            id: MessageId::new(format!("m{}", self.said)),
            room: RoomId::new(LOUNGE),
            author: Author {
                id: PersonId::new(format!("local:{}", name.to_lowercase())),
                name: name.to_owned(),
                kind: AuthorKind::Person,
            },
            text: text.to_owned(),
            at: self.now.wall,
            reply_to: None,
            mentions: Vec::new(),
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

    fn step(&mut self, input: Input, settings: &Settings) {
        let step = self.mind.step(self.now, input, settings);
        self.wake = step.wake.map(|wake| wake.at);
        self.waiting.extend(step.effects);
    }

    /// Lets time pass to when the mind wants waking; whether it does within the hour.
    fn sleep(&mut self, settings: &Settings) -> bool {
        let Some(at) = self.wake else { return false };
        let wait = at.since(self.now.moment);
        if wait > Span::hours(1) {
            return false;
        }
        self.pass(wait);
        self.step(Input::Shell(ShellEvent::WakeReached), settings);
        true
    }

    /// Plays on until all is quiet, with this in place of every reply of a model, and the summary in place of a summary.
    fn play(&mut self, reply: &str, settings: &Settings) {
        let mut replies = [reply].into_iter();
        for _ in 0..STEPS_MAX {
            let Some(effect) = self.waiting.pop_front() else {
                if self.mind.busy_rooms() == 0 || !self.sleep(settings) {
                    return;
                }
                continue;
            };
            let answer = match effect {
                Effect::Ask(asking) => {
                    let text = match asking.request.purpose {
                        AskPurpose::ContextCompaction => self.question.summary.as_str(),
                        _ => replies.next().unwrap_or("[SKIP]"),
                    };
                    Some(Answer::AskEnded {
                        ask: asking.ask,
                        outcome: AskOutcome::Answered(written(text)),
                    })
                }
                Effect::Recall(query) => Some(Answer::Recalled {
                    recall: query.recall,
                    found: Recollection::default(),
                }),
                other => self.carried_out(other),
            };
            if let Some(answer) = answer {
                self.step(Input::Answer(answer), settings);
            }
        }
    }

    /// Plays on until all is quiet, with the real model.
    async fn settle(&mut self, settings: &Settings, counted: bool) -> anyhow::Result<()> {
        for _ in 0..STEPS_MAX {
            let Some(effect) = self.waiting.pop_front() else {
                if self.mind.busy_rooms() == 0 || !self.sleep(settings) {
                    return Ok(());
                }
                continue;
            };
            let answer = match effect {
                Effect::Ask(asking) => Some(self.ask(&asking, counted).await),
                Effect::Recall(query) => Some(Answer::Recalled {
                    recall: query.recall,
                    found: recollection(self.question, &query.people, self.now.wall),
                }),
                Effect::RunTool(run) => Some(self.look_up(&run)),
                other => self.carried_out(other),
            };
            if let Some(answer) = answer {
                self.step(Input::Answer(answer), settings);
            }
        }
        anyhow::bail!("{} did not come to an end", self.question.id)
    }

    /// What a room answers to a wish.
    fn carried_out(&mut self, effect: Effect) -> Option<Answer> {
        let Effect::Room(_, RoomWish::Send(delivery)) = effect else {
            return None;
        };
        let said = self.outcome.said.get_or_insert_default();
        if !said.is_empty() {
            said.push('\n');
        }
        said.push_str(&delivery.text);
        let message = delivery.as_message(PersonId::new("local-denizen"), DENIZEN, self.now.wall);
        Some(Answer::MessageSent {
            delivery: delivery.id,
            message,
        })
    }

    async fn ask(&mut self, asking: &Asking, counted: bool) -> Answer {
        let ask = asking.ask;
        if asking.request.purpose == AskPurpose::ContextCompaction {
            let outcome = AskOutcome::Answered(written(&self.question.summary));
            return Answer::AskEnded { ask, outcome };
        }
        let began = Instant::now();
        let outcome = match self
            .models
            .prepare(&asking.request, &BTreeMap::new(), self.settings)
        {
            Ok(prepared) => {
                let (deltas, mut pieces) = mpsc::channel(64);
                let sending = self
                    .models
                    .send(&asking.request, &prepared, deltas, RawResponse::default());
                let reading = async { while pieces.recv().await.is_some() {} };
                tokio::join!(sending, reading).0
            }
            Err(failure) => AskOutcome::Failed(failure),
        };
        let took = began.elapsed();
        self.pass(Span(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)));
        if counted {
            self.outcome.calls += 1;
            self.outcome.seconds += took.as_secs_f64();
            match &outcome {
                AskOutcome::Answered(answer) => self.outcome.prompt_tokens += answer.usage.input_tokens,
                AskOutcome::Failed(failure) => self.outcome.failures.push(failure.to_string()),
            }
        }
        Answer::AskEnded { ask, outcome }
    }

    fn look_up(&mut self, run: &ToolRun) -> Answer {
        let (name, arguments) = (&run.call.name, &run.call.arguments);
        self.outcome.looked_up.push((name.clone(), arguments.clone()));
        let wanted = self.question.tool.as_ref();
        let gives = wanted.filter(|tool| answers(tool, name, arguments));
        let of_memory: Vec<&str> = self.question.facts.iter().map(|fact| is_of(fact).1).collect();
        let text = match gives {
            Some(tool) => tool.gives.clone(),
            None if name == mind::prompt::MEMORY_TOOL && !of_memory.is_empty() => of_memory.join("\n"),
            None => "Nothing was found.".to_owned(),
        };
        Answer::ToolEnded {
            run: run.run,
            result: ToolResult {
                call_id: run.call.id.clone(),
                name: name.clone(),
                text,
                failed: false,
            },
        }
    }
}

/// What a scripted model answers.
fn written(text: &str) -> ModelAnswer {
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

/// The web's tools, as a running process offers them.
fn outside_tools() -> Vec<OutsideTool> {
    let tool = |name: &str, description: &str, argument: &str, meaning: &str| OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": { argument: { "type": "string", "description": meaning } },
                "required": [argument],
                "additionalProperties": false
            }),
        },
        origin: ToolOrigin::Web,
        in_replies: true,
        in_thoughts: true,
        deadline: Span::seconds(20),
    };
    vec![
        tool(
            mind::prompt::WEB_SEARCH_TOOL,
            "Searches the web and gives titles, addresses and short excerpts.",
            "query",
            "What to search for, in a few words",
        ),
        tool(
            mind::prompt::WEB_SCRAPE_TOOL,
            "Reads a page of the web and gives its text.",
            "url",
            "Address of the page, with https://",
        ),
    ]
}
