//! A world to think in, for the tests of the question.

use settings::Document;
use vocabulary::{FeedFamily, FeedItem, SectionReport, ToolCall, ToolResult};

use super::*;
use crate::replies::prompt::prompt_tests::rendered;

pub(super) const NOW: WallTime = WallTime(1_762_000_600_000);
pub(super) const HEADINGS: [&str; 11] = [
    "=== AMBIENT TEXT MODE ===",
    "=== YOUR CURRENT THOUGHT ===",
    "=== CHANNELS ===",
    "=== YOUR FEED ===",
    "=== FEED SOURCES ===",
    "=== WHAT THIS COMMUNITY IS INTO ===",
    "=== MEMORY ===",
    "=== BEHAVIOR GUIDANCE ===",
    "=== RELEVANT BEHAVIORAL MEMORY ===",
    "=== CAPABILITIES ===",
    "=== TASK ===",
];

/// What a brief borrows from.
pub(super) struct World {
    pub(super) settings: Settings,
    pub(super) channels: Vec<ChannelSummary>,
    pub(super) feed: Vec<Candidate>,
    pub(super) sources: Vec<(FeedSource, SourceTally, bool)>,
    pub(super) words: [Vec<String>; 4],
    pub(super) wish: MediaWish,
    pub(super) held: Option<(String, usize)>,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) turns: Vec<ChatTurn>,
    pub(super) media: Vec<MediaKind>,
}

impl World {
    pub(super) fn empty() -> Self {
        let channel = ChannelSummary {
            room: "lounge".to_owned(),
            ..ChannelSummary::default()
        };
        Self {
            settings: Settings::default(),
            channels: vec![channel],
            feed: Vec::new(),
            sources: Vec::new(),
            words: Default::default(),
            wish: MediaWish {
                kind: MediaKind::Gif,
                prompt: "a fox that waves".to_owned(),
            },
            held: None,
            tools: Vec::new(),
            turns: Vec::new(),
            media: Vec::new(),
        }
    }

    pub(super) fn full() -> Self {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let lounge = ChannelSummary {
            room: "lounge".to_owned(),
            lines: lines(&[
                "m1 · 3 h ago · you: I liked that",
                "m2 · 12 min ago · Alice: [vc] who saw the foxes?",
            ]),
            handles: Vec::new(),
            messages_last_hour: 1,
            people_last_hour: 1,
            last_human: "12 min ago".to_owned(),
            last_own: "3 h ago".to_owned(),
            before: String::new(),
        };
        let games = ChannelSummary {
            room: "games".to_owned(),
            ..ChannelSummary::default()
        };
        Self {
            channels: vec![lounge, games],
            feed: vec![item("Foxes move into town", "They like it there.")],
            sources: vec![(
                source(),
                SourceTally {
                    shown: 12,
                    shared: 2,
                    reactions: 5,
                    replies: 1,
                },
                false,
            )],
            words: [
                lines(&["elden ring", "foxes"]),
                lines(&["(2025-10-01) Alice feeds foxes."]),
                lines(&["(2025-09-01) Bob wants no links before noon."]),
                lines(&["(2025-09-02) Jokes about Mondays fall flat."]),
            ],
            held: Some(("Foxes have better manners than me".to_owned(), 7)),
            tools: vec![ToolSpec {
                name: "web_search".to_owned(),
                description: "Searches the web. Use it for what is new.".to_owned(),
                parameters: serde_json::json!({"type": "object"}),
            }],
            media: vec![MediaKind::Image, MediaKind::Gif],
            ..Self::empty()
        }
    }

    pub(super) fn brief(&self) -> AmbientBrief<'_> {
        let [interests, memory, guidance, behaviour] = &self.words;
        AmbientBrief {
            settings: &self.settings,
            now: NOW,
            held: self.held.as_ref().map(|(text, messages_since)| HeldBrief {
                text,
                channel: "lounge",
                media: Some(&self.wish),
                reason: "nobody is here",
                held_for: Span::minutes(12),
                expires_in: Span::minutes(100),
                revisions: 2,
                messages_since: *messages_since,
            }),
            channels: &self.channels,
            feed: &self.feed,
            sources: &self.sources,
            interests,
            memory,
            guidance,
            behaviour,
            media: &self.media,
            posts_left_today: 2,
            frame: None,
            tools: self.tools.clone(),
            tool_turns: &self.turns,
            prompt_tokens: self.settings.llm.context_tokens,
            budget_divisor: 1,
        }
    }

    pub(super) fn request(&self) -> ModelRequest {
        ambient_request(&self.brief())
    }
}

pub(super) fn source() -> FeedSource {
    FeedSource {
        family: FeedFamily::Reddit,
        name: "foxes".to_owned(),
    }
}

pub(super) fn item(title: &str, summary: &str) -> Candidate {
    Candidate {
        item: FeedItem {
            source: source(),
            url: "https://foxes.example/1".to_owned(),
            title: title.to_owned(),
            summary: summary.to_owned(),
            author: None,
            published_at: Some(WallTime(NOW.0 - 5 * 3_600_000)),
            points: Some(120),
            comments: None,
            popularity: 0.5,
            nsfw: false,
        },
        score: 0.5,
        source: 0.5,
        topic: 0.5,
        freshness: 0.5,
        popularity: 0.5,
        chance: 0.0,
    }
}

pub(super) fn looked_up() -> Vec<ChatTurn> {
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "web_search".to_owned(),
        arguments: serde_json::json!({"query": "foxes"}),
    };
    let result = ToolResult {
        call_id: "c1".to_owned(),
        name: "web_search".to_owned(),
        text: "foxes are red".to_owned(),
        failed: false,
    };
    vec![
        ChatTurn {
            role: ChatRole::Assistant,
            parts: vec![ContentPart::ToolCall(call)],
        },
        ChatTurn {
            role: ChatRole::Tool,
            parts: vec![ContentPart::ToolResult(result)],
        },
    ]
}

pub(super) fn with_tokens(tokens: u64) -> Settings {
    let mut document = Document::default();
    document.set("llm.contextTokens", tokens.into());
    Settings::read(&document).expect("valid")
}

pub(super) fn section<'a>(request: &'a ModelRequest, name: &str) -> &'a SectionReport {
    let found = request.sections.iter().find(|section| section.name == name);
    found.expect("a section of this prompt")
}

/// The headings of a request in the order they stand, each on a line of its own.
pub(super) fn headings(request: &ModelRequest) -> Vec<String> {
    let text = rendered(request);
    let lines = text.lines().filter(|line| line.trim_start().starts_with("==="));
    lines.map(str::to_owned).collect()
}
