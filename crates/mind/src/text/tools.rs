//! The model asked for tools: each call gets exactly one result, then it is asked again.

use vocabulary::{ChatRole, ChatTurn, ContentPart, ModelAnswer, Span, ToolCall, ToolResult, ToolRunId};

use super::room::TextRoom;
use super::turn::{OpenRun, Stage, Turn};
use crate::desk::Desk;
use crate::effect::{Effect, ToolRun};
use crate::journal::JournalEvent;
use crate::prompt::{LOOK_TOOL, Needed, needed_argument, tools_offered};

/// How long the tools of one round may take.
const TOOL_DEADLINE: Span = Span::seconds(30);
/// Longest result a model is given.
const RESULT_CHARS_MAX: usize = 4_000;

impl TextRoom {
    /// Runs what may be run, and answers the rest with why not.
    pub(super) fn run_tools(&mut self, mut turn: Turn, answer: &ModelAnswer, desk: &mut Desk<'_>) {
        let max_calls = desk.settings.reply_followup.max_tool_calls;
        turn.tool_steps += 1;
        let screen_in_view = self.watch.in_view().is_some();
        let mut runs = Vec::new();
        for call in &answer.tool_calls {
            let refusal = match () {
                () if turn.tool_calls >= max_calls => {
                    Some("the budget for look-ups is spent; answer with what you have".to_owned())
                }
                () => refusal(call, screen_in_view, desk),
            };
            turn.tool_calls += 1;
            runs.push(match refusal {
                None if call.name == LOOK_TOOL => self.look_at_screen(&mut turn, call, desk),
                Some(why) => self.refuse_tool(&mut turn, call, &why, desk),
                None => self.start_tool(&mut turn, call, desk),
            });
        }
        let mut parts = Vec::new();
        if !answer.text.is_empty() {
            parts.push(ContentPart::Text(answer.text.clone()));
        }
        parts.extend(answer.tool_calls.iter().cloned().map(ContentPart::ToolCall));
        turn.tool_turns.push(ChatTurn {
            role: ChatRole::Assistant,
            parts,
        });
        let started = desk.moment();
        turn.stage = Stage::RunningTools {
            runs,
            started,
            deadline: started + TOOL_DEADLINE,
        };
        self.go_on_when_answered(turn, desk);
    }

    /// Nothing to run: the picture goes with the next question.
    fn look_at_screen(&self, turn: &mut Turn, call: &ToolCall, desk: &mut Desk<'_>) -> OpenRun {
        let run = desk.counters.tool_run.take_next();
        let tool = call.name.clone();
        turn.cause = desk
            .ledger
            .note(turn.scope(&self.id), JournalEvent::ToolStarted { run, tool });
        turn.looks_at_screen = true;
        let text = "The current picture of the screen is attached to the message you answer.";
        let event = JournalEvent::ToolCompleted {
            run,
            tool: call.name.clone(),
            failed: false,
            characters: text.chars().count(),
            took: Span::ZERO,
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        OpenRun {
            run: None,
            call: call.clone(),
            result: Some(ToolResult {
                call_id: call.id.clone(),
                name: call.name.clone(),
                text: text.to_owned(),
                failed: false,
            }),
        }
    }

    fn start_tool(&self, turn: &mut Turn, call: &ToolCall, desk: &mut Desk<'_>) -> OpenRun {
        let run = desk.counters.tool_run.take_next();
        let event = JournalEvent::ToolStarted {
            run,
            tool: call.name.clone(),
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        desk.ledger.want(Effect::RunTool(Box::new(ToolRun {
            run,
            room: self.id.clone(),
            turn: turn.id,
            call: call.clone(),
            view: desk.view(&self.id, vec![turn.burst.author.clone()]),
            deadline: TOOL_DEADLINE,
        })));
        OpenRun {
            run: Some(run),
            call: call.clone(),
            result: None,
        }
    }

    fn refuse_tool(&self, turn: &mut Turn, call: &ToolCall, why: &str, desk: &mut Desk<'_>) -> OpenRun {
        let event = JournalEvent::ToolRefused {
            tool: call.name.clone(),
            why: why.to_owned(),
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        OpenRun {
            run: None,
            call: call.clone(),
            result: Some(failed(call, why)),
        }
    }

    pub fn tool_ended(&mut self, run: ToolRunId, result: &ToolResult, desk: &mut Desk<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        let scope = turn.scope(&self.id);
        if let Stage::RunningTools { runs, started, .. } = &mut turn.stage
            && let Some(open) = runs
                .iter_mut()
                .find(|open| open.run == Some(run) && open.result.is_none())
        {
            let text: String = result.text.chars().take(RESULT_CHARS_MAX).collect();
            let event = JournalEvent::ToolCompleted {
                run,
                tool: open.call.name.clone(),
                failed: result.failed,
                characters: text.chars().count(),
                took: desk.moment().since(*started),
            };
            let call_id = open.call.id.clone();
            open.result = Some(ToolResult {
                call_id,
                name: open.call.name.clone(),
                text,
                failed: result.failed,
            });
            turn.cause = desk.ledger.note(scope, event);
        }
        self.go_on_when_answered(turn, desk);
    }

    pub(super) fn tools_timed_out(&mut self, mut turn: Turn, desk: &mut Desk<'_>) {
        if let Stage::RunningTools { runs, .. } = &mut turn.stage {
            for open in runs.iter_mut().filter(|open| open.result.is_none()) {
                open.result = Some(failed(&open.call, "it took too long"));
            }
        }
        self.go_on_when_answered(turn, desk);
    }

    fn go_on_when_answered(&mut self, mut turn: Turn, desk: &mut Desk<'_>) {
        let Stage::RunningTools { runs, .. } = &turn.stage else {
            self.turn = Some(turn);
            return;
        };
        let results: Option<Vec<ToolResult>> = runs.iter().map(|open| open.result.clone()).collect();
        let Some(results) = results else {
            self.turn = Some(turn);
            return;
        };
        let parts = results.into_iter().map(ContentPart::ToolResult).collect();
        turn.tool_turns.push(ChatTurn {
            role: ChatRole::Tool,
            parts,
        });
        self.generate(turn, desk);
    }
}

fn failed(call: &ToolCall, why: &str) -> ToolResult {
    ToolResult {
        call_id: call.id.clone(),
        name: call.name.clone(),
        text: why.to_owned(),
        failed: true,
    }
}

/// Why a call cannot be run as it is.
fn refusal(call: &ToolCall, screen_in_view: bool, desk: &Desk<'_>) -> Option<String> {
    let offered = tools_offered(desk.settings, screen_in_view)
        .iter()
        .any(|tool| tool.name == call.name);
    if !offered && call.name == LOOK_TOOL {
        return Some("no screen is to be seen here now".to_owned());
    }
    let argument = match needed_argument(&call.name).filter(|_| offered) {
        None => return Some("there is no such tool".to_owned()),
        Some(Needed::Nothing) => return None,
        Some(Needed::Argument(argument)) => argument,
    };
    let given = call.arguments.get(argument).and_then(serde_json::Value::as_str);
    match given {
        Some(_) => None,
        None => Some(format!(
            "the argument `{argument}` is missing: give what to look for"
        )),
    }
}
