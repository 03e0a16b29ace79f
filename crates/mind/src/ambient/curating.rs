//! It minds its own feed: sources it adds are looked at first, those it removes were its own, and the operator's stay.

use settings::Settings;
use vocabulary::{FeedSource, JournalSeq, ToolCall};

use super::feed::standing;
use super::sources::{OwnSource, Sources, named};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{LOOK_TOOL, SOURCE_ADD_TOOL, SOURCE_LIST_TOOL, SOURCE_REMOVE_TOOL};
use crate::reasons::SourceRemover;
use crate::step_context::StepContext;
use crate::tool_loop::Inside;

/// Longest reason for a source.
const REASON_CHARS_MAX: usize = 200;

/// Answers calls that need nobody outside, and remembers what is to come of them.
#[derive(Debug)]
pub(super) struct Curation<'a> {
    sources: &'a Sources,
    trial: bool,
    /// The screen was asked for.
    pub looked: bool,
    /// Sources that are looked at before they are added, by the id of the call.
    pub adding: Vec<(String, FeedSource, String)>,
    /// Sources to remove.
    pub removed: Vec<FeedSource>,
}

impl<'a> Curation<'a> {
    pub fn new(sources: &'a Sources, trial: bool) -> Self {
        Self {
            sources,
            trial,
            looked: false,
            adding: Vec::new(),
            removed: Vec::new(),
        }
    }

    pub fn answer(&mut self, call: &ToolCall, settings: &Settings) -> Option<Inside> {
        match call.name.as_str() {
            LOOK_TOOL => {
                self.looked = true;
                let text = "The current picture of the screen is attached to the message you answer.";
                Some(Inside::Done(text.to_owned()))
            }
            SOURCE_LIST_TOOL => Some(Inside::Done(self.list(settings))),
            SOURCE_ADD_TOOL | SOURCE_REMOVE_TOOL if self.trial => Some(Inside::Refused(
                "this is a rehearsal: nothing is changed by it".to_owned(),
            )),
            // Results are told apart by the id of their call.
            SOURCE_ADD_TOOL if self.adding.iter().any(|(id, ..)| *id == call.id) => {
                Some(Inside::Refused("two calls have one id; call again".to_owned()))
            }
            SOURCE_ADD_TOOL => match self.source_of(call) {
                Err(why) => Some(Inside::Refused(why)),
                Ok(source) => match self.sources.refuses(&source, settings) {
                    Some(why) => Some(Inside::Refused(why)),
                    None => {
                        let reason = text_of(call, "reason").chars().take(REASON_CHARS_MAX).collect();
                        self.adding.push((call.id.clone(), source, reason));
                        None
                    }
                },
            },
            SOURCE_REMOVE_TOOL => Some(match self.source_of(call) {
                Err(why) => Inside::Refused(why),
                Ok(source) if self.sources.is_own(&source) && !self.removed.contains(&source) => {
                    let text = format!("{source} is removed");
                    self.removed.push(source);
                    Inside::Done(text)
                }
                Ok(source) => Inside::Refused(format!(
                    "{source} is none of the sources you have added; the operator's stay"
                )),
            }),
            _ => None,
        }
    }

    fn source_of(&self, call: &ToolCall) -> Result<FeedSource, String> {
        named(text_of(call, "family"), text_of(call, "name"))
    }

    fn list(&self, settings: &Settings) -> String {
        let views = self.sources.views(settings);
        let lines: Vec<String> = views
            .iter()
            .map(|view| standing(&view.source, &view.tally, view.own))
            .collect();
        match lines.is_empty() {
            true => "No source is read.".to_owned(),
            false => lines.join("\n"),
        }
    }
}

impl Sources {
    /// Denizen itself wants one of its sources gone.
    pub fn remove_by_itself(&mut self, source: &FeedSource, scope: Scope, step: &mut StepContext<'_>) {
        self.remove(source, SourceRemover::Denizen, scope, step);
    }

    /// The operator wants a source gone that it has added.
    pub fn dropped(&mut self, source: &FeedSource, step: &mut StepContext<'_>) {
        self.remove(source, SourceRemover::Operator, Scope::default(), step);
    }

    fn remove(&mut self, source: &FeedSource, by: SourceRemover, scope: Scope, step: &mut StepContext<'_>) {
        let before = self.own.len();
        self.own.retain(|own| own.source != *source);
        if self.own.len() < before {
            let event = JournalEvent::AmbientSourceRemoved {
                source: source.clone(),
                by,
            };
            step.ledger.write(scope, event);
        }
    }

    /// A source was looked at; if it is one, it is added. Says the line of the journal.
    pub fn checked(
        &mut self,
        source: FeedSource,
        reason: String,
        failed: bool,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> Option<JournalSeq> {
        // Two calls of one round may want the last place there is.
        if failed || self.refuses(&source, step.settings).is_some() {
            return None;
        }
        let event = JournalEvent::AmbientSourceAdded {
            source: source.clone(),
            reason: reason.clone(),
        };
        self.own.push(OwnSource {
            source,
            added_at: step.now().wall,
            reason,
        });
        Some(step.ledger.write(scope, event))
    }
}

fn text_of<'a>(call: &'a ToolCall, argument: &str) -> &'a str {
    let given = call.arguments.get(argument).and_then(serde_json::Value::as_str);
    given.unwrap_or_default().trim()
}
