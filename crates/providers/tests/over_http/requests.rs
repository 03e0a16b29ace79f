//! Requests to ask, and the asking.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use providers::{Keys, Models, Options};
use runtime::ports::{Delta, Language, Patience, Prepared, RawResponse};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskOutcome, AskPurpose, AttachmentId, ChatRole, ChatTurn, ContentPart, ModelAnswer,
    ModelChoice, ModelRequest, OutputShape, Span, ToolCall, ToolResult, ToolSpec,
};

pub const KEY: &str = "test-key-3f9a7c21";

/// Models that know one provider, which lives at `address`.
pub fn models_at(provider: &str, address: &str) -> Models {
    let upper = provider.to_uppercase();
    let path = if provider == "openai" || provider == "compatible" {
        "/v1"
    } else {
        ""
    };
    let base_url = format!("{address}{path}");
    let env = move |name: &str| {
        if name == format!("{upper}_API_KEY") {
            Some(KEY.to_owned())
        } else if name == format!("{upper}_BASE_URL") {
            Some(base_url.clone())
        } else {
            None
        }
    };
    models_with(env, &[])
}

/// Models with any environment, looking at these ports.
pub fn models_with(env: impl Fn(&str) -> Option<String>, ports: &[u16]) -> Models {
    let keys = Keys::from_env_and_file(env, Path::new("/nonexistent/keys.toml")).expect("keys");
    let options = Options {
        loopback_ports: ports.to_vec(),
        probe_patience: Duration::from_secs(5),
    };
    Models::with_options(keys, options)
}

pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    let mut document = Document::default();
    for (key, value) in pairs {
        document.set(*key, json!(value));
    }
    Settings::read(&document).expect("settings")
}

pub fn text_turn(role: ChatRole, text: &str) -> ChatTurn {
    ChatTurn {
        role,
        parts: vec![ContentPart::Text(text.to_owned())],
    }
}

/// A short question for plain text.
pub fn simple(provider: &str, model: &str) -> ModelRequest {
    ModelRequest {
        purpose: AskPurpose::TextReply,
        choice: ModelChoice {
            provider: provider.to_owned(),
            model: model.to_owned(),
        },
        system: "You are Denizen.".to_owned(),
        turns: vec![text_turn(ChatRole::User, "[12:03] Alice: hello?")],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 600,
        temperature: 0.8,
        deadline: Span::seconds(20),
        sections: Vec::new(),
    }
}

/// The same question for a typed answer.
pub fn typed(provider: &str, model: &str) -> ModelRequest {
    ModelRequest {
        output: OutputShape::Json {
            name: "reply".to_owned(),
            words: None,
            schema: json!({
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": ["reply", "skip"]},
                    "text": {"type": "string", "maxLength": 2000},
                    "reason": {"type": "string"}
                },
                "required": ["action", "text", "reason"],
                "additionalProperties": false
            }),
        },
        ..simple(provider, model)
    }
}

/// Pictures, an earlier round of tools, tools on offer, and a typed answer.
pub fn rich(provider: &str, model: &str) -> ModelRequest {
    let call = |id: &str, words: &str| {
        ContentPart::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "search_messages".to_owned(),
            arguments: json!({"words": words, "limit": 3}),
        })
    };
    let result = |id: &str, text: &str, failed: bool| {
        ContentPart::ToolResult(ToolResult {
            call_id: id.to_owned(),
            name: "search_messages".to_owned(),
            text: text.to_owned(),
            failed,
        })
    };
    let picture = |id: &str| ContentPart::Image {
        id: AttachmentId::from(id),
        mime: "image/png".to_owned(),
    };
    ModelRequest {
        turns: vec![
            text_turn(ChatRole::Assistant, "Good morning."),
            ChatTurn {
                role: ChatRole::User,
                parts: vec![
                    // Nobody put it in, so there is nothing to send.
                    ContentPart::History {
                        session: "lounge-1".into(),
                        before: 4,
                        max_chars: 100,
                    },
                    ContentPart::Text("[12:03] Alice: what was in \"this\" picture?".to_owned()),
                    picture("kept"),
                    picture("lost"),
                ],
            },
            ChatTurn {
                role: ChatRole::Assistant,
                parts: vec![
                    ContentPart::Text("Let me look.".to_owned()),
                    call("call_a", "picture"),
                    call("call_b", "cat"),
                ],
            },
            ChatTurn {
                role: ChatRole::Tool,
                parts: vec![result("call_a", "Bob: a cat", false)],
            },
            ChatTurn {
                role: ChatRole::Tool,
                parts: vec![result("call_b", "no time left", true)],
            },
            text_turn(ChatRole::User, "Reply required: yes"),
        ],
        tools: vec![ToolSpec {
            name: "search_messages".to_owned(),
            description: "Looks for older messages.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"words": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
                "required": ["words"],
                "additionalProperties": false
            }),
        }],
        ..typed(provider, model)
    }
}

pub fn pictures() -> BTreeMap<AttachmentId, Bytes> {
    BTreeMap::from([(
        AttachmentId::from("kept"),
        Bytes::from_static(b"\x89PNG not really"),
    )])
}

/// What came of an ask, with all that was passed on meanwhile.
#[derive(Debug)]
pub struct Asked {
    pub outcome: AskOutcome,
    pub deltas: Vec<String>,
    pub raw: String,
    /// The body that was sent last.
    pub body: String,
    /// Where it went.
    pub url: String,
}

impl Asked {
    #[track_caller]
    pub fn answer(self) -> ModelAnswer {
        match self.outcome {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Failed(failure) => panic!("no answer came: {failure}"),
        }
    }

    #[track_caller]
    pub fn failure(self) -> AskFailure {
        match self.outcome {
            AskOutcome::Answered(answer) => panic!("an answer came: {answer:?}"),
            AskOutcome::Failed(failure) => failure,
        }
    }
}

pub async fn ask(models: &Models, request: &ModelRequest) -> Asked {
    ask_under(models, request, &Settings::default()).await
}

/// Asks with other patience than a setting can have: for the first byte and for the next piece, in milliseconds.
pub async fn ask_within(models: &Models, request: &ModelRequest, within: (u64, u64)) -> Asked {
    ask_patiently(models, request, within, false).await
}

/// The same; and whoever still shows themselves then is waited for on.
pub async fn ask_while_it_works(models: &Models, request: &ModelRequest, within: (u64, u64)) -> Asked {
    ask_patiently(models, request, within, true).await
}

async fn ask_patiently(
    models: &Models,
    request: &ModelRequest,
    (first, next): (u64, u64),
    while_it_works: bool,
) -> Asked {
    let prepared = models.prepare(request, &pictures(), &Settings::default());
    let patience = Patience {
        first_byte: Duration::from_millis(first),
        stall: Duration::from_millis(next),
        while_it_works,
    };
    let prepared = prepared.expect("it can be made ready");
    send(models, request, Prepared { patience, ..prepared }).await
}

/// Asks as a community with those settings does.
pub async fn ask_under(models: &Models, request: &ModelRequest, settings: &Settings) -> Asked {
    match models.prepare(request, &pictures(), settings) {
        Ok(prepared) => send(models, request, prepared).await,
        Err(failure) => Asked {
            outcome: AskOutcome::Failed(failure),
            deltas: Vec::new(),
            raw: String::new(),
            body: String::new(),
            url: String::new(),
        },
    }
}

async fn send(models: &Models, request: &ModelRequest, prepared: Prepared) -> Asked {
    let (sender, mut receiver) = mpsc::channel::<Delta>(4);
    let listening = tokio::spawn(async move {
        let mut deltas = Vec::new();
        while let Some(Delta(text)) = receiver.recv().await {
            deltas.push(text);
        }
        deltas
    });
    let raw = RawResponse::default();
    let outcome = models.send(request, &prepared, sender, raw.clone()).await;
    let (url, body) = match raw.sent_instead() {
        Some(sent) => (sent.url, sent.body),
        None => (prepared.url, prepared.body),
    };
    Asked {
        outcome,
        deltas: listening.await.expect("the listener ends"),
        raw: String::from_utf8_lossy(&raw.bytes()).into_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
        url,
    }
}
