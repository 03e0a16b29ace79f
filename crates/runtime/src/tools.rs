//! The tools a model may call while it writes a reply or thinks by itself.

use mind::ToolRun;
use mind::memory::recall::found_text;
use mind::prompt::{MEMORY_TOOL, SEARCH_TOOL, SOURCE_ADD_TOOL};
use settings::Settings;
use vocabulary::{CommunityId, Kinds, Message, ToolResult};

use crate::memory::{MemoryService, Question};
use crate::outbound;
use crate::performer::{tool_ended, tool_failed};
use crate::ports::{OutboundServices, Store};

/// Messages a search gives back.
const FOUND_MESSAGES_MAX: usize = 12;

/// Memories a search gives back.
const FOUND_MEMORIES_MAX: usize = 10;

/// What a tool may reach: what belongs to its community.
pub(crate) struct Within<'a> {
    pub community: &'a CommunityId,
    pub store: &'a dyn Store,
    pub memory: Option<&'a MemoryService>,
    pub outbound: &'a OutboundServices,
    pub settings: &'a Settings,
}

/// Runs one call.
pub(crate) async fn run(within: &Within<'_>, run: &ToolRun) -> ToolResult {
    let (outbound, settings) = (within.outbound, within.settings);
    let deadline = std::time::Duration::from_millis(run.deadline.0);
    let running = async {
        match run.call.name.as_str() {
            MEMORY_TOOL => remember(within.memory, run).await,
            SEARCH_TOOL => search(within, run).await,
            SOURCE_ADD_TOOL => outbound::check_source(outbound, run, settings).await,
            _ => outbound::run_tool(outbound, run, settings)
                .await
                .unwrap_or_else(|| tool_failed(run, "that tool cannot be reached now".to_owned())),
        }
    };
    match tokio::time::timeout(deadline, running).await {
        Ok(result) => result,
        Err(_) => tool_failed(run, "it took too long".to_owned()),
    }
}

/// Searches memory as the room may see it.
async fn remember(memory: Option<&MemoryService>, run: &ToolRun) -> ToolResult {
    let Some(service) = memory else {
        return tool_failed(run, "there is no memory here".to_owned());
    };
    let query = run
        .call
        .arguments
        .get("query")
        .and_then(serde_json::Value::as_str);
    let recalled = service
        .records()
        .recall(&Question {
            words: query.unwrap_or_default().to_owned(),
            view: run.view.clone(),
            person: None,
            kinds: Kinds::Both,
            exclude: Vec::new(),
            superseded: false,
            limit: FOUND_MEMORIES_MAX,
        })
        .await;
    let told = recalled.map(|recalled| found_text(&recalled.found));
    tool_ended(run, told.map_err(|fault| fault.to_string()))
}

async fn search(within: &Within<'_>, run: &ToolRun) -> ToolResult {
    let words = run
        .call
        .arguments
        .get("words")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    let found = within
        .store
        .search(within.community, &run.room, words, &[], FOUND_MESSAGES_MAX)
        .await;
    let told = found.map(|found| listing(&found));
    tool_ended(run, told.map_err(|error| error.to_string()))
}

fn listing(found: &[Message]) -> String {
    if found.is_empty() {
        return "No message in this channel has these words.".to_owned();
    }
    let lines = found.iter().map(|message| {
        let words: Vec<&str> = message.text.split_whitespace().collect();
        format!("{}: {}", message.author.name, words.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}
