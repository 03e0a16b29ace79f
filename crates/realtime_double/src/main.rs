//! The double by itself, for the vendors' own clients: `denizen-realtime-double [--xai]`. Prints its address; each line that
//! it is given is a fault to come, or `hears WORDS`, or `received`, which prints what it was sent.

use std::io::{BufRead as _, Write as _};

use realtime_double::{Mischief, ServiceDouble, Vendor};
use serde_json::json;

#[tokio::main]
async fn main() {
    let vendor = match std::env::args().any(|argument| argument == "--xai") {
        true => Vendor::Xai,
        false => Vendor::OpenAi,
    };
    let double = ServiceDouble::start(vendor).await;
    println!("{}", double.address());
    let (lines, mut wishes) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    while let Some(wish) = wishes.recv().await {
        match wish.as_str() {
            "received" => {
                for received in double.received() {
                    println!(
                        "{}",
                        json!({"path": received.path, "key": received.key, "frame": received.frame})
                    );
                }
                println!("end");
            }
            "drop in speech" => double.fault(Mischief::DropInSpeech),
            "refuse key" => double.fault(Mischief::RefuseKey),
            "go away" => double.fault(Mischief::GoAway),
            "fail transcript" => double.fault(Mischief::FailTranscript),
            other => match other.strip_prefix("hears ") {
                Some(words) => double.hears(words),
                None => eprintln!("unknown: {other}"),
            },
        }
        let _ = std::io::stdout().flush();
    }
}
