//! The tools a model may call while it writes a reply.

use mind::ToolRun;
use vocabulary::{Message, ToolResult};

use crate::performer::tool_failed;
use crate::ports::Store;

/// Messages a search gives back.
const FOUND_MESSAGES_MAX: usize = 12;

/// Runs one call.
pub(crate) async fn run(store: &dyn Store, run: &ToolRun) -> ToolResult {
    let deadline = std::time::Duration::from_millis(run.deadline.0);
    match tokio::time::timeout(deadline, search(store, run)).await {
        Ok(result) => result,
        Err(_) => tool_failed(run, "it took too long".to_owned()),
    }
}

async fn search(store: &dyn Store, run: &ToolRun) -> ToolResult {
    let words = run
        .call
        .arguments
        .get("words")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default();
    match store.search(&run.room, words, &[], FOUND_MESSAGES_MAX).await {
        Err(error) => tool_failed(run, error.to_string()),
        Ok(found) => ToolResult {
            call_id: run.call.id.clone(),
            name: run.call.name.clone(),
            text: listing(&found),
            failed: false,
        },
    }
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
