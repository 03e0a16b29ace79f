//! Operators: how they set thoughts of its own up, and what they change on the way.

use serde_json::{Value, json};
use settings::Document;
use vocabulary::{FeedFamily, FeedSource, MediaKind, OutsideTool, Span, ToolOrigin, ToolSpec};

use crate::chance::Chance;
use crate::deed::Deed;
use crate::weather::Stormy;

/// What is changed in the weeks, and to what. Explicit zeros are among it.
const CHANGES: &[(&str, &[&str])] = &[
    ("initiative.text.enabled", &["true", "true", "true", "false"]),
    ("initiative.text.eagerness", &["0", "5", "20", "60", "100"]),
    (
        "initiative.text.minMinutesBetweenPosts",
        &["1", "7", "30", "90", "360", "1440"],
    ),
    ("initiative.text.maxPostsPerDay", &["0", "1", "3", "12", "100"]),
    ("initiative.text.maxToolSteps", &["0", "1", "3", "8"]),
    ("initiative.text.maxToolCalls", &["0", "1", "4", "12"]),
    ("initiative.text.lookbackMessages", &["4", "20", "80"]),
    ("initiative.text.allowActiveCuriosity", &["true", "false"]),
    (
        "initiative.budget.maxCallsPerDay",
        &["0", "1", "5", "40", "400", "10000"],
    ),
    (
        "initiative.budget.maxTokensPerDay",
        &["0", "9000", "60000", "250000", "5000000"],
    ),
    (
        "initiative.budget.maxDollarsPerDay",
        &["0.0", "0.01", "0.2", "1.0", "50.0"],
    ),
    (
        "permissions.replies.discoveryChannelIds",
        &[
            "[]",
            "[\"lobby\"]",
            "[\"dev\", \"lobby\"]",
            "[\"lobby\", \"dev\", \"garden\"]",
            "[\"garden\", \"dev\"]",
        ],
    ),
    (
        "permissions.replies.blockedChannelIds",
        &["[]", "[]", "[\"dev\"]", "[\"lobby\"]"],
    ),
    (
        "permissions.replies.allowedChannelIds",
        &["[]", "[]", "[\"lobby\", \"dev\"]"],
    ),
    ("initiative.discovery.allowSelfCuration", &["true", "false"]),
    ("initiative.discovery.maxSourcesPerType", &["1", "3", "10"]),
    ("initiative.discovery.maxLinksPerPost", &["0", "1", "2"]),
    ("initiative.discovery.dedupeHours", &["1", "48", "168"]),
    (
        "initiative.discovery.rssFeeds",
        &["[]", "[\"https://a.example/feed\", \"https://b.example/feed\"]"],
    ),
    ("initiative.discovery.allowImagePosts", &["true", "false"]),
    ("initiative.discovery.allowVideoPosts", &["true", "false"]),
    ("initiative.discovery.allowReplyGifs", &["true", "false"]),
    ("initiative.discovery.maxImagesPerDay", &["0", "1", "3"]),
    ("initiative.discovery.maxVideosPerDay", &["0", "1", "3"]),
    ("initiative.discovery.maxGifsPerDay", &["0", "1", "3"]),
    ("attention.activeSeconds", &["0", "30", "120", "900"]),
    ("memory.enabled", &["true", "false"]),
    ("activity.maxRetries", &["0", "2"]),
    ("llm.structuredOutput", &["\"auto\"", "\"off\""]),
    ("llm.contextTokens", &["2000", "12000"]),
];

/// Settings of some weeks: every knob of thoughts of its own may stand anywhere. In calm weeks nothing shuts them off.
pub(crate) fn week_settings(calm: bool, chance: &mut Chance) -> Document {
    let mut document = Document::default();
    let mut set = |key: &str, value: Value| document.set(key, value);
    set("identity.aliases", json!(["Deni"]));
    set(
        "permissions.replies.discoveryChannelIds",
        json!(["lobby", "dev"]),
    );
    set(
        "initiative.discovery.rssFeeds",
        json!(["https://a.example/feed", "https://b.example/feed"]),
    );
    set("initiative.discovery.redditSubreddits", json!(["r/gardening"]));
    set("initiative.discovery.allowImagePosts", json!(true));
    set("initiative.discovery.allowReplyGifs", json!(true));
    set("initiative.discovery.allowedImageModels", json!(["painter"]));
    set("initiative.discovery.allowedVideoModels", json!(["filmer"]));
    if calm {
        set("initiative.text.minMinutesBetweenPosts", json!(45));
        set("initiative.text.eagerness", json!(50));
        set("initiative.text.maxPostsPerDay", json!(8));
        return document;
    }
    for (key, values) in CHANGES {
        if chance.percent(55) {
            set(key, parsed(chance.pick::<&str>(values)));
        }
    }
    document
}

/// One change of an operator's mind.
pub(super) fn change(chance: &mut Chance) -> Deed<Stormy> {
    match chance.below(100) {
        0..=69 => {
            let (key, values) = *chance.pick(CHANGES);
            Deed::Set {
                key: key.to_owned(),
                value: parsed(chance.pick::<&str>(values)),
            }
        }
        70..=84 => Deed::ThinkNow,
        85..=90 => Deed::DropThought,
        91..=94 => Deed::DropSource(FeedSource {
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
    let tool = |name: &str, origin| OutsideTool {
        spec: ToolSpec {
            name: name.to_owned(),
            description: format!("{name} as simulated"),
            parameters: json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}),
        },
        origin,
        in_replies: false,
        in_thoughts: true,
        deadline: Span::seconds(20),
    };
    let weather = ToolOrigin::Mcp {
        server: "weather".to_owned(),
    };
    vec![
        tool("web_search", ToolOrigin::Web),
        tool("web_scrape", ToolOrigin::Web),
        tool("weather_forecast", weather),
    ]
}

fn parsed(value: &str) -> Value {
    serde_json::from_str(value).expect("the values above are JSON")
}
