//! Talks with a realtime service once, as Denizen does: `talk PROVIDER BASE_URL`. One clip is heard, one text is said, and one
//! is stopped in the midst. Then the service thinks: it hears two people, calls a tool, answers, is stopped and told otherwise.

use std::sync::Arc;
use std::time::Duration;

use realtime::{Realtime, RealtimeKeys};
use runtime::ports::{
    NativeClip, NativeConversation, NativeInstructions, NativePiece, RealtimeServices as _,
};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::{Span, ToolCall, ToolResult, ToolSpec};

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(provider), Some(url)) = (arguments.next(), arguments.next()) else {
        eprintln!("talk PROVIDER BASE_URL");
        std::process::exit(2);
    };
    let knob = match provider.as_str() {
        "elevenlabs" => "voice.elevenLabsRealtime.baseUrl".to_owned(),
        other => format!("voice.{other}Realtime.baseUrl"),
    };
    let mut document = Document::default();
    document.set("voice.realtimeProvider", json!(provider));
    document.set(knob, json!(url));
    document.set("voice.elevenLabsRealtime.agentId", json!("agent_1"));
    document.set("voice.sttPipeline.transcriptionLanguage", json!("en"));
    let settings = Settings::read(&document).expect("settings");
    let keys = RealtimeKeys::from_env(|name| std::env::var(name).ok());
    let service = Realtime::new(keys).chosen(&settings).expect("a service");
    let clip: Arc<[i16]> = vec![200; 16_000].into();
    let deadline = Instant::now() + Duration::from_secs(20);
    println!("heard {:?}", service.understand(clip, deadline).await);
    let (sound, mut pieces) = mpsc::channel(10_000);
    let said = service
        .say("It is half past three, and the kettle is on.", sound)
        .await;
    let mut samples = 0;
    while let Ok(piece) = pieces.try_recv() {
        samples += piece.samples.len();
    }
    println!("said {said:?}, {samples} samples");
    let (sound, mut pieces) = mpsc::channel(10_000);
    let stopped = service.clone();
    let long = "This is a long text, of which little will be heard. ".repeat(8);
    let task = tokio::spawn(async move { stopped.say(&long, sound).await });
    println!(
        "stopped after {:?} samples",
        pieces.recv().await.map(|piece| piece.samples.len())
    );
    task.abort();
    drop(pieces);
    // What stops it goes out after this.
    tokio::time::sleep(Duration::from_millis(500)).await;
    match service.converse() {
        Some(conversation) => converse(conversation).await,
        None => println!("it does not think"),
    }
}

fn instructions(text: &str) -> NativeInstructions {
    NativeInstructions {
        text: text.to_owned(),
        tools: vec![ToolSpec {
            name: "look_up".to_owned(),
            description: "Looks something up.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"what": {"type": "string", "description": "What to look up."}},
                "required": ["what"],
            }),
        }],
    }
}

async fn converse(conversation: Arc<dyn NativeConversation>) {
    conversation.instruct(instructions("You are Denizen."));
    conversation.tell("Ada and Bob are here.".to_owned());
    for who in ["Ada", "Bob"] {
        let clip = NativeClip {
            speakers: vec![who.to_owned()],
            samples: vec![200; 16_000].into(),
            wants_words: true,
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        println!(
            "heard {who}: {:?}",
            conversation.hear(clip, deadline).await.is_ok()
        );
    }
    // It may call a tool first.
    let mut calls = answered(&conversation, "Be brief.").await;
    while let Some(call) = calls.pop() {
        conversation.give_results(vec![ToolResult {
            call_id: call.id,
            name: call.name,
            text: "Tea is a drink.".to_owned(),
            failed: false,
        }]);
        calls = answered(&conversation, "").await;
    }
    conversation.instruct(instructions("You are Denizen, and brief."));
    let mut pieces = conversation.answer(String::new());
    while let Some(piece) = pieces.recv().await {
        if matches!(piece, NativePiece::Sound(_)) {
            break;
        }
    }
    conversation.stop(Span(100));
    println!("thought Ok");
    tokio::time::sleep(Duration::from_millis(500)).await;
}

async fn answered(conversation: &Arc<dyn NativeConversation>, hint: &str) -> Vec<ToolCall> {
    let mut pieces = conversation.answer(hint.to_owned());
    let mut calls = Vec::new();
    while let Some(piece) = pieces.recv().await {
        match piece {
            NativePiece::Call(call) => calls.push(call),
            NativePiece::Spent(_) => {}
            NativePiece::Over(over) => println!("answered {over:?}"),
            NativePiece::Sound(_) | NativePiece::Words(_) => {}
        }
    }
    calls
}
