//! The tools as they are offered to a model.

use serde_json::json;
use settings::Settings;
use vocabulary::{OutsideTool, Span, ToolOrigin, ToolSpec};

use crate::search::HITS_MAX;

pub(crate) const SEARCH: &str = "web_search";
pub(crate) const SCRAPE: &str = "web_scrape";
pub(crate) const BROWSE: &str = "browser_browse";

/// A browser takes a while to start; no look-up takes longer than this.
const BROWSE_SECONDS_MAX: u64 = 60;

pub(crate) fn search(settings: &Settings) -> OutsideTool {
    let parameters = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "What to search for, in a few words" },
            "count": {
                "type": "integer", "minimum": 1, "maximum": HITS_MAX,
                "description": format!("Most results; {HITS_MAX} without it")
            }
        },
        "required": ["query"],
        "additionalProperties": false
    });
    let does = "Searches the web: titles, addresses and short excerpts of pages. For what happened lately, or what you \
                do not know. Read a page with web_scrape before you rely on an excerpt.";
    offer(SEARCH, does, parameters, page_span(settings), settings)
}

pub(crate) fn scrape(settings: &Settings) -> OutsideTool {
    let parameters = json!({
        "type": "object",
        "properties": {
            "url": { "type": "string", "description": "Address of the page, with https://" },
            "from": {
                "type": "integer", "minimum": 0,
                "description": "First character to show, to read on in a page that was cut"
            }
        },
        "required": ["url"],
        "additionalProperties": false
    });
    let does = "Reads one web page or text file and gives its main text. Quick; does not run scripts.";
    offer(SCRAPE, does, parameters, page_span(settings), settings)
}

pub(crate) fn browse(settings: &Settings) -> OutsideTool {
    let parameters = json!({
        "type": "object",
        "properties": {
            "url": { "type": "string", "description": "Address of the page, with https://" },
            "wait_for": {
                "type": "string",
                "description": "Words, or a CSS selector, that the page shows once it is ready"
            },
            "question": {
                "type": "string",
                "description": "What you look for; of a long page, the parts about it are shown"
            },
            "from": {
                "type": "integer", "minimum": 0,
                "description": "First character to show, to read on in a page that was cut"
            }
        },
        "required": ["url"],
        "additionalProperties": false
    });
    let does = "Opens one page in a real browser and gives the text and links it shows. Slow: only for pages that \
                web_scrape cannot read because scripts make them.";
    offer(BROWSE, does, parameters, browse_span(settings), settings)
}

fn page_span(settings: &Settings) -> Span {
    Span::seconds(settings.tools.timeout_seconds)
}

fn browse_span(settings: &Settings) -> Span {
    Span::seconds((settings.tools.timeout_seconds * 2).min(BROWSE_SECONDS_MAX))
}

fn offer(
    name: &str,
    does: &str,
    parameters: serde_json::Value,
    deadline: Span,
    settings: &Settings,
) -> OutsideTool {
    OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: does.to_owned(),
            parameters,
        },
        origin: ToolOrigin::Web,
        in_replies: settings.tools.web_in_replies,
        in_thoughts: settings.initiative.allow_active_curiosity,
        deadline,
    }
}
