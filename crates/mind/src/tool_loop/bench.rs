//! A loop by itself, with all it needs around it and a clock that a test sets.

use serde_json::json;
use settings::Settings;
use vocabulary::{
    ChatRole, ContentPart, Finish, ModelAnswer, Moment, Now, OutsideTool, RoomId, Span, ToolCall, ToolOrigin,
    ToolResult, ToolRunId, ToolSpec, TurnId, Usage, WallTime,
};

use super::{ToolBudget, ToolLoop, Workplace};
use crate::addressing::Identity;
use crate::effect::{Effect, ToolRun};
use crate::journal::Scope;
use crate::prompt::reply_tools;
use crate::step_context::flight::Flights;
use crate::step_context::flight::Owner;
use crate::step_context::{Capabilities, Counters, Dice, Downtimes, Ledger, StepContext};

pub(super) const BUDGET: ToolBudget = ToolBudget {
    steps: 2,
    calls: 3,
    time: Span::seconds(30),
};

/// A loop with all it needs around it, and a clock that a test sets.
pub(super) struct Bench {
    pub tools: ToolLoop,
    pub outside: Capabilities,
    counters: Counters,
    seq: vocabulary::JournalSeq,
    pub now: Moment,
    /// What the loop wanted in its last step.
    pub wanted: Vec<Effect>,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            tools: ToolLoop::default(),
            outside: Capabilities {
                tools: vec![web("web_search", 20), web("slow_tool", 300)],
                ..Capabilities::default()
            },
            counters: Counters::default(),
            seq: vocabulary::JournalSeq::default(),
            now: Moment(100_000),
            wanted: Vec::new(),
        }
    }

    pub fn with<T>(
        &mut self,
        act: impl FnOnce(&mut ToolLoop, &Workplace<'_>, &mut StepContext<'_>) -> T,
    ) -> T {
        let settings = Settings::default();
        let identity = Identity::new("denizen".into(), "Denizen", &[]);
        let community = "local".into();
        let room = RoomId::new("lounge");
        let mut dice = Dice::seeded(1);
        let now = Now {
            moment: self.now,
            wall: WallTime(0),
        };
        let mut step = StepContext {
            settings: &settings,
            identity: &identity,
            ledger: Ledger::new(now, &community, &mut self.seq),
            counters: &mut self.counters,
            dice: &mut dice,
            flights: &mut Flights::default(),
            outside: &self.outside,
            downtimes: &Downtimes::default(),
            spending: &mut crate::spending::SpendingBook::default(),
            rests: &mut crate::spending::ModelRests::default(),
            media: &mut crate::media::MediaBook::default(),
            deliveries: &mut crate::parcel::Deliveries::default(),
            outgoing: Vec::new(),
            reports: Vec::new(),
            context_used: None,
            exchange: None,
            thoughts: &mut crate::spending::ThoughtSpending::default(),
            aloud: Vec::new(),
            active_until: None,
            unlistened: &mut crate::step_context::Unlistened::default(),
        };
        let mut offered = reply_tools(&settings, false, &[], &self.outside);
        // The web's own names are the only ones a web tool may have; this one stands for any tool with its own time.
        offered.push(self.outside.tools[1].spec.clone());
        let place = Workplace {
            owner: Owner::Ambient,
            room: &room,
            turn: TurnId(7),
            scope: Scope::room(&room).turn(TurnId(7)),
            view: step.view(&room, Vec::new()),
            offered: &offered,
        };
        let done = act(&mut self.tools, &place, &mut step);
        self.wanted = step.ledger.into_effects();
        done
    }

    /// The model answers with these calls.
    pub fn calls(&mut self, calls: &[(&str, &str, serde_json::Value)]) {
        let answer = answer(calls);
        self.with(|tools, place, step| tools.take_up(&answer, place, &BUDGET, &mut |_| None, step));
    }

    pub fn ends(&mut self, run: u64, text: &str) {
        let result = ToolResult {
            call_id: "whatever the shell says".to_owned(),
            name: "nobody reads this".to_owned(),
            text: text.to_owned(),
            failed: false,
        };
        self.with(|tools, place, step| tools.tool_ended(ToolRunId(run), &result, place.scope.clone(), step));
    }

    /// The runs that were wanted in the last step.
    pub fn runs(&self) -> Vec<&ToolRun> {
        let runs = self.wanted.iter().filter_map(|effect| match effect {
            Effect::RunTool(run) => Some(run.as_ref()),
            _ => None,
        });
        runs.collect()
    }

    /// The journal lines of the last step, by name.
    pub fn journal(&self) -> Vec<&'static str> {
        let lines = self.wanted.iter().filter_map(|effect| match effect {
            Effect::Journal(entry) => Some(entry.event.name()),
            _ => None,
        });
        lines.collect()
    }

    /// Id and text of every result of the newest closed round.
    pub fn results(&self) -> Vec<(String, String)> {
        let turn = self.tools.turns.last().expect("a closed round");
        assert_eq!(turn.role, ChatRole::Tool);
        let results = turn.parts.iter().map(|part| match part {
            ContentPart::ToolResult(result) => (result.call_id.clone(), result.text.clone()),
            other => panic!("only results: {other:?}"),
        });
        results.collect()
    }
}

pub(super) fn web(name: &str, seconds: u64) -> OutsideTool {
    OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: "Searches.".to_owned(),
            parameters: json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}),
        },
        origin: ToolOrigin::Web,
        in_replies: true,
        in_thoughts: true,
        deadline: Span::seconds(seconds),
    }
}

pub(super) fn answer(calls: &[(&str, &str, serde_json::Value)]) -> ModelAnswer {
    let calls = calls.iter().map(|(id, name, arguments)| ToolCall {
        id: (*id).to_owned(),
        name: (*name).to_owned(),
        arguments: arguments.clone(),
    });
    ModelAnswer {
        provider: "test".to_owned(),
        model: "test".to_owned(),
        text: String::new(),
        tool_calls: calls.collect(),
        carried: None,
        finish: Finish::ToolCalls,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span::ZERO,
        tries: 1,
    }
}

pub(super) fn words() -> serde_json::Value {
    json!({"words": "pizza"})
}
