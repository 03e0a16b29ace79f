//! Reaching out on the mind's behalf, and telling it what can be reached.

use std::sync::Arc;

use futures_util::future::select_all;
use mind::ambient::sources::{named, wish};
use mind::{Answer, Gather, Input, ShellEvent, ToolRun};
use settings::Settings;
use tokio::sync::watch;
use vocabulary::{
    Attachment, AttachmentId, CommunityId, MediaKind, MediaOrder, MediaOutcome, OutsideTool, ToolResult,
};

use crate::clock;
use crate::handle::{Handle, InForce};
use crate::performer::{tool_ended, tool_failed};
use crate::ports::{OutboundServices, Store, Toolbox, media_patience};

/// Looks around; at its deadline there is nothing to be seen.
pub(crate) async fn gather(outbound: &OutboundServices, gather: &Gather, settings: &Settings) -> Input {
    let deadline = std::time::Duration::from_millis(gather.deadline.0);
    let looking = outbound.discovery.gather(&gather.wish, settings);
    let found = tokio::time::timeout(deadline, looking).await.unwrap_or_default();
    Input::Answer(Answer::SurroundingsGathered {
        gather: gather.gather,
        found,
    })
}

/// Has something made, and keeps it.
pub(crate) async fn make(
    outbound: &OutboundServices,
    store: &dyn Store,
    community: &CommunityId,
    order: &MediaOrder,
    settings: &Settings,
) -> Input {
    let deadline = std::time::Duration::from_millis(order.deadline.0);
    let outcome = match tokio::time::timeout(deadline, outbound.studio.make(order, settings)).await {
        Err(_) => MediaOutcome::Failed {
            detail: format!(
                "it took too long; {} is how long it may",
                media_patience(order, settings)
            ),
            refused: false,
        },
        Ok(Err(fault)) => MediaOutcome::Failed {
            detail: fault.detail,
            refused: fault.refused,
        },
        Ok(Ok(made)) => {
            let attachment = Attachment {
                id: AttachmentId::new(format!("{community}-media-{}", order.media)),
                mime: made.mime,
                name: made.name,
                bytes: made.bytes.len() as u64,
                description: String::new(),
            };
            match store
                .put_attachment(community, &attachment.id, &attachment.mime, made.bytes)
                .await
            {
                Ok(()) => MediaOutcome::Made {
                    attachment,
                    provider: made.provider,
                    cost_micro_dollars: made.cost_micro_dollars,
                },
                Err(error) => MediaOutcome::Failed {
                    detail: format!("it was made and could not be kept: {error}"),
                    refused: false,
                },
            }
        }
    };
    Input::Answer(Answer::MediaEnded {
        media: order.media,
        outcome,
    })
}

/// Looks at a source before it is added; the mind has seen to everything else about it.
pub(crate) async fn check_source(
    outbound: &OutboundServices,
    run: &ToolRun,
    settings: &Settings,
) -> ToolResult {
    let argument = |name: &str| {
        let given = run.call.arguments.get(name);
        given.and_then(serde_json::Value::as_str).unwrap_or_default()
    };
    let source = match named(argument("family"), argument("name")) {
        Ok(source) => source,
        Err(why) => return tool_failed(run, why),
    };
    let wish = wish(settings, std::slice::from_ref(&source), clock::wall());
    tool_ended(run, outbound.discovery.check(&source, &wish, settings).await)
}

/// Runs a tool that reaches out; none where nobody out there has it.
pub(crate) async fn run_tool(
    outbound: &OutboundServices,
    run: &ToolRun,
    settings: &Settings,
) -> Option<ToolResult> {
    for toolbox in &outbound.toolboxes {
        let tools = toolbox.tools(settings).await;
        if !tools.iter().any(|tool| tool.spec.name == run.call.name) {
            continue;
        }
        let gave = toolbox.run(&run.call, run.deadline, settings).await;
        return Some(tool_ended(run, gave));
    }
    None
}

/// Tells the mind what can be done out there, at the start and whenever it is something else.
pub(crate) async fn keep_telling(
    outbound: OutboundServices,
    handle: Handle,
    mut in_force: watch::Receiver<InForce>,
) {
    let mut told: Option<(Vec<OutsideTool>, Vec<MediaKind>)> = None;
    loop {
        let settings = in_force.borrow_and_update().settings.clone();
        let now = (
            tools(&outbound.toolboxes, &settings).await,
            outbound.studio.can_make(&settings),
        );
        if told.as_ref() != Some(&now) {
            let (tools, media) = now.clone();
            if handle
                .accept(Input::Shell(ShellEvent::CapabilitiesChanged { tools, media }))
                .await
                .is_ok()
            {
                told = Some(now);
            }
        }
        let changes = outbound.toolboxes.iter().map(|toolbox| toolbox.changed());
        let changes: Vec<_> = changes.collect();
        tokio::select! {
            changed = in_force.changed() => if changed.is_err() { return },
            () = async {
                match changes.is_empty() {
                    true => std::future::pending().await,
                    false => { select_all(changes).await; }
                }
            } => {}
        }
    }
}

/// What the tools out there offer under these settings.
pub async fn tools(toolboxes: &[Arc<dyn Toolbox>], settings: &Settings) -> Vec<OutsideTool> {
    let mut all: Vec<OutsideTool> = Vec::new();
    for toolbox in toolboxes {
        for tool in toolbox.tools(settings).await {
            // The first to offer a name has it: a server of the operator's cannot pose as another tool.
            if !all.iter().any(|known| known.spec.name == tool.spec.name) {
                all.push(tool);
            }
        }
    }
    all
}

#[cfg(test)]
#[path = "outbound_tests.rs"]
mod tests;
