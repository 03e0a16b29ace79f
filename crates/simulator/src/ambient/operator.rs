//! Operators: how they set thoughts of its own up, and what they change on the way.

use serde_json::{Value, json};
use settings::Document;
use vocabulary::{FeedFamily, FeedSource, MediaKind, OutsideTool, Span, ToolOrigin, ToolSpec};

use crate::chance::Chance;
use crate::deed::Deed;
use crate::faulty_director::Faults;

/// What is changed in the weeks: how it stands where nothing is in the way, and to what else. Explicit zeros are among it.
const CHANGES: &[(&str, &str, &[&str])] = &[
    ("initiative.text.enabled", "true", &["false"]),
    ("initiative.text.eagerness", "70", &["0", "5", "100"]),
    (
        "initiative.text.minMinutesBetweenPosts",
        "20",
        &["1", "7", "90", "360", "1440"],
    ),
    ("initiative.text.maxPostsPerDay", "30", &["0", "1", "3", "100"]),
    ("initiative.text.maxToolSteps", "3", &["0", "1", "8"]),
    ("initiative.text.maxToolCalls", "4", &["0", "1", "12"]),
    ("initiative.text.lookbackMessages", "4", &["20", "80"]),
    ("initiative.text.allowActiveCuriosity", "true", &["false"]),
    (
        "initiative.budget.maxCallsPerDay",
        "400",
        &["0", "1", "5", "12", "12", "40"],
    ),
    (
        "initiative.budget.maxTokensPerDay",
        "5000000",
        &["0", "9000", "60000", "250000"],
    ),
    (
        "initiative.budget.maxDollarsPerDay",
        "50.0",
        &["0.0", "0.01", "0.2", "1.0"],
    ),
    (
        "permissions.replies.discoveryChannelIds",
        "[\"dev\", \"lobby\"]",
        &[
            "[]",
            "[\"lobby\"]",
            "[\"lobby\", \"dev\", \"garden\"]",
            "[\"garden\", \"dev\"]",
        ],
    ),
    (
        "permissions.replies.blockedChannelIds",
        "[]",
        &["[\"dev\"]", "[\"lobby\"]"],
    ),
    (
        "permissions.replies.allowedChannelIds",
        "[]",
        &["[\"lobby\", \"dev\"]", "[\"garden\"]"],
    ),
    ("initiative.discovery.allowSelfCuration", "true", &["false"]),
    ("initiative.discovery.maxSourcesPerType", "10", &["1", "3"]),
    ("initiative.discovery.maxLinksPerPost", "2", &["0", "1"]),
    ("initiative.discovery.dedupeHours", "48", &["1", "168"]),
    (
        "initiative.discovery.rssFeeds",
        "[\"https://a.example/feed\", \"https://b.example/feed\"]",
        &["[]"],
    ),
    ("initiative.discovery.allowImagePosts", "true", &["false"]),
    ("initiative.discovery.allowVideoPosts", "true", &["false"]),
    ("initiative.discovery.allowReplyGifs", "true", &["false"]),
    ("initiative.discovery.allowReplyImages", "true", &["false"]),
    ("initiative.discovery.maxImagesPerDay", "10", &["0", "1", "3"]),
    ("initiative.discovery.maxVideosPerDay", "10", &["0", "1"]),
    ("initiative.discovery.maxGifsPerDay", "10", &["0", "1"]),
    ("attention.activeSeconds", "120", &["0", "30", "900"]),
    ("memory.enabled", "false", &["true"]),
    ("activity.maxRetries", "2", &["0"]),
    ("llm.structuredOutput", "\"auto\"", &["\"off\""]),
    ("llm.contextTokens", "12000", &["2000"]),
];

/// Settings of some weeks: every knob of thoughts of its own may stand anywhere. In calm weeks nothing shuts them off.
pub(crate) fn week_settings(calm: bool, chance: &mut Chance) -> Document {
    let mut document = Document::default();
    let mut set = |key: &str, value: Value| document.set(key, value);
    set("identity.aliases", json!(["Deni"]));
    set("permissions.replies.discoveryChannelIds", json!(["lobby", "dev"]));
    set(
        "initiative.discovery.rssFeeds",
        json!(["https://a.example/feed", "https://b.example/feed"]),
    );
    set("initiative.discovery.redditSubreddits", json!(["r/gardening"]));
    set("initiative.discovery.allowImagePosts", json!(true));
    set("initiative.discovery.allowReplyGifs", json!(true));
    set("initiative.discovery.allowReplyImages", json!(true));
    set("initiative.discovery.allowedImageModels", json!(["painter"]));
    set("initiative.discovery.allowedVideoModels", json!(["filmer"]));
    if calm {
        set("initiative.text.minMinutesBetweenPosts", json!(45));
        set("initiative.text.eagerness", json!(50));
        set("initiative.text.maxPostsPerDay", json!(8));
        return document;
    }
    for (key, open, others) in CHANGES {
        let value = match chance.percent(20) {
            true => chance.pick::<&str>(others),
            false => open,
        };
        set(key, parsed(value));
    }
    document
}

/// Thoughts of its own between all the talk of an hour, as often as they may come.
pub(crate) fn think_often(document: &mut Document) {
    let mut set = |key: &str, value: Value| document.set(key, value);
    set("permissions.replies.discoveryChannelIds", json!(["dev", "lobby"]));
    set("initiative.text.eagerness", json!(90));
    set("initiative.text.minMinutesBetweenPosts", json!(3));
    set("initiative.text.maxPostsPerDay", json!(50));
    set("initiative.budget.maxCallsPerDay", json!(300));
    set("initiative.budget.maxTokensPerDay", json!(3_000_000));
    set("attention.activeSeconds", json!(20));
}

/// One change of an operator's mind, and how it is taken back.
pub(super) fn change(chance: &mut Chance) -> (Deed<Faults>, Option<Deed<Faults>>) {
    let (key, open, others) = *chance.pick(CHANGES);
    let to = |value: &str| Deed::Set {
        key: key.to_owned(),
        value: parsed(value),
    };
    match chance.percent(60) {
        true => (to(chance.pick::<&str>(others)), Some(to(open))),
        false => (wish(chance), None),
    }
}

fn wish(chance: &mut Chance) -> Deed<Faults> {
    match chance.below(100) {
        0..=64 => Deed::ThinkNow,
        65..=74 => Deed::DropThought,
        75..=84 => Deed::DropSource(FeedSource {
            family: FeedFamily::Rss,
            name: format!("https://own.example/feed{}", chance.below(6)),
        }),
        _ => Deed::Capabilities {
            tools: match chance.percent(50) {
                true => tools_out_there(),
                false => Vec::new(),
            },
            media: match chance.percent(70) {
                true => MediaKind::ALL.to_vec(),
                false => Vec::new(),
            },
        },
    }
}

/// The web, and a server of the operator's.
pub(crate) fn tools_out_there() -> Vec<OutsideTool> {
    let names = ["web_search", "web_scrape", "weather_forecast"];
    names.map(tool_out_there).to_vec()
}

/// A tool that can be run while it thinks: of the web by its name, else of a server of the operator's.
pub(crate) fn tool_out_there(name: &str) -> OutsideTool {
    OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: format!("{name} as simulated"),
            parameters: json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}),
        },
        origin: match ["web_search", "web_scrape", "browser_browse"].contains(&name) {
            true => ToolOrigin::Web,
            false => ToolOrigin::Mcp {
                server: "faulty_director".to_owned(),
            },
        },
        in_replies: false,
        in_thoughts: true,
        deadline: Span::seconds(20),
    }
}

fn parsed(value: &str) -> Value {
    serde_json::from_str(value).expect("the values above are JSON")
}
