//! Talks with a realtime service once, as Denizen does: `talk PROVIDER BASE_URL`. One clip is heard, one text is said, and one
//! is stopped in the midst.

use std::sync::Arc;
use std::time::Duration;

use realtime::{Realtime, RealtimeKeys};
use runtime::ports::RealtimeServices as _;
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use tokio::time::Instant;

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
}
