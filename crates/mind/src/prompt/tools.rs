//! Which tools a model is offered while it writes a reply, and while it thinks by itself; and what keeps the others away.

use settings::{SearchProvider, Settings};
use vocabulary::{MediaKind, OutsideTool, ToolOrigin, ToolSpec};

use super::tool_specs::{
    BROWSE_TOOL, LOOK_TOOL, MEMORY_TOOL, WEB_SCRAPE_TOOL, WEB_SEARCH_TOOL, WEB_TOOLS, is_own_tool, look_tool,
    media_tool, memory_tool, search_tool, source_tools,
};
use crate::step_context::Capabilities;

/// Denizen's own tools, the web's, or the name of an MCP server: where a tool comes from, for a page.
const OWN: &str = "denizen";
const WEB: &str = "web";

/// The tools for a reply. There is something to look at only while a frame of a shared screen is there, and pictures can be
/// had only where that is set up.
pub(crate) fn reply_tools(
    settings: &Settings,
    screen_in_view: bool,
    media: &[MediaKind],
    outside: &Capabilities,
) -> Vec<ToolSpec> {
    let mut tools = vec![search_tool()];
    if settings.memory.enabled {
        tools.push(memory_tool());
    }
    if screen_in_view {
        tools.push(look_tool());
    }
    tools.extend(media.iter().filter_map(|kind| media_tool(*kind)));
    let out_there = usable(outside).filter(|tool| tool.in_replies);
    tools.extend(out_there.map(|tool| tool.spec.clone()));
    tools
}

/// The tools for a thought.
pub(crate) fn thought_tools(
    settings: &Settings,
    screen_in_view: bool,
    outside: &Capabilities,
) -> Vec<ToolSpec> {
    let candidates = candidates(settings, screen_in_view, outside);
    candidates
        .into_iter()
        .filter_map(|candidate| candidate.offer.ok())
        .collect()
}

/// Every tool there could be for a thought, with where it comes from, and what keeps it away if it is not offered.
pub(crate) fn thought_tool_list(
    settings: &Settings,
    screen_in_view: bool,
    outside: &Capabilities,
) -> Vec<(String, String, Result<(), String>)> {
    let candidates = candidates(settings, screen_in_view, outside);
    candidates
        .into_iter()
        .map(|candidate| (candidate.name, candidate.origin, candidate.offer.map(|_| ())))
        .collect()
}

/// A tool that could be offered.
struct Candidate {
    name: String,
    origin: String,
    /// The tool, or why not.
    offer: Result<ToolSpec, String>,
}

impl Candidate {
    fn own(spec: ToolSpec, why_not: Option<String>) -> Self {
        Self {
            name: spec.name.clone(),
            origin: OWN.to_owned(),
            offer: why_not.map_or(Ok(spec), Err),
        }
    }
}

fn candidates(settings: &Settings, screen_in_view: bool, outside: &Capabilities) -> Vec<Candidate> {
    let own = [(memory_tool(), MEMORY_TOOL), (look_tool(), LOOK_TOOL)];
    let own = own.map(|(spec, name)| Candidate::own(spec, why_not_own(name, settings, screen_in_view)));
    let web = WEB_TOOLS.map(|name| {
        let known = usable(outside).find(|tool| tool.spec.name == name);
        Candidate {
            name: name.to_owned(),
            origin: WEB.to_owned(),
            offer: match (why_not_outside(settings), known) {
                (Some(why), _) => Err(why),
                (None, Some(tool)) if tool.in_thoughts => Ok(tool.spec.clone()),
                (None, _) => Err(why_not_there(name, settings)),
            },
        }
    });
    let sources = source_tools().map(|spec| Candidate::own(spec, why_not_curated(settings)));
    let servers = outside.tools.iter().filter_map(|tool| match &tool.origin {
        ToolOrigin::Mcp { server } => Some(of_server(tool, server, settings, outside)),
        ToolOrigin::Web => None,
    });
    let mut all: Vec<Candidate> = own.into_iter().chain(web).chain(sources).chain(servers).collect();
    if let Some(why) = why_not_any(settings) {
        for candidate in &mut all {
            candidate.offer = Err(why.clone());
        }
    }
    all
}

fn of_server(tool: &OutsideTool, server: &str, settings: &Settings, outside: &Capabilities) -> Candidate {
    let name = tool.spec.name.clone();
    let is_usable = usable(outside).any(|other| std::ptr::eq(other, tool));
    let offer = match why_not_outside(settings) {
        _ if !is_usable => Err(format!("another tool is called {name}, too")),
        _ if !tool.in_thoughts => Err(format!(
            "the entry of {server} in mcp.json keeps it out of thoughts"
        )),
        Some(why) => Err(why),
        None => Ok(tool.spec.clone()),
    };
    Candidate {
        name,
        origin: server.to_owned(),
        offer,
    }
}

/// Tools out there whose names are theirs alone: a server cannot pose as Denizen's own or as the web.
fn usable(outside: &Capabilities) -> impl Iterator<Item = &OutsideTool> {
    let tools = &outside.tools;
    tools.iter().enumerate().filter_map(|(at, tool)| {
        let name = &tool.spec.name;
        let is_taken = tools[..at].iter().any(|earlier| earlier.spec.name == *name);
        let poses = match tool.origin {
            ToolOrigin::Web => !WEB_TOOLS.contains(&name.as_str()),
            ToolOrigin::Mcp { .. } => is_own_tool(name) || WEB_TOOLS.contains(&name.as_str()),
        };
        (!is_taken && !poses).then_some(tool)
    })
}

fn why_not_any(settings: &Settings) -> Option<String> {
    let initiative = &settings.initiative;
    let in_the_way = match () {
        () if initiative.max_tool_steps == 0 => "initiative.text.maxToolSteps is 0",
        () if initiative.max_tool_calls == 0 => "initiative.text.maxToolCalls is 0",
        () => return None,
    };
    Some(in_the_way.to_owned())
}

fn why_not_own(name: &str, settings: &Settings, screen_in_view: bool) -> Option<String> {
    let in_the_way = match name {
        MEMORY_TOOL if !settings.memory.enabled => "memory.enabled is off",
        LOOK_TOOL if !screen_in_view => "no screen is to be seen now",
        _ => return None,
    };
    Some(in_the_way.to_owned())
}

fn why_not_outside(settings: &Settings) -> Option<String> {
    let allowed = settings.initiative.allow_active_curiosity;
    (!allowed).then(|| "initiative.text.allowActiveCuriosity is off".to_owned())
}

fn why_not_curated(settings: &Settings) -> Option<String> {
    let allowed = settings.discovery.allow_self_curation;
    (!allowed).then(|| "initiative.discovery.allowSelfCuration is off".to_owned())
}

/// Why the web's tools are not there, as far as the settings tell.
fn why_not_there(name: &str, settings: &Settings) -> String {
    let tools = &settings.tools;
    match name {
        WEB_SEARCH_TOOL if tools.search_provider == SearchProvider::None => "tools.searchProvider is none",
        WEB_SCRAPE_TOOL if !tools.pages => "tools.pages is off",
        BROWSE_TOOL if !tools.browser => "tools.browser is off",
        _ => "it is not ready: its entry under the tools' status says why",
    }
    .to_owned()
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
