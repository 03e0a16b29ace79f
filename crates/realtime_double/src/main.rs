//! The double by itself, for the vendors' own clients: `denizen-realtime-double [--xai]`. Prints its address; each line that
//! it is given is a fault to come, `hears WORDS`, `always hears WORDS`, `answers WORDS`, `always answers WORDS`,
//! `calls TOOL ARGUMENTS`, or `received`, which prints what it was sent.

use std::io::{BufRead as _, Write as _};

use realtime_double::{Mischief, Reply, ServiceDouble, Vendor};
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
            "go on after cancel" => double.fault(Mischief::GoOnAfterCancel),
            "cut" => double.cut(),
            other => said(&double, other),
        }
        let _ = std::io::stdout().flush();
    }
}

/// What it hears and answers from now on.
fn said(double: &ServiceDouble, wish: &str) {
    if let Some(words) = wish.strip_prefix("hears ") {
        double.hears(words);
    } else if let Some(words) = wish.strip_prefix("always hears ") {
        double.hears_always(words);
    } else if let Some(words) = wish.strip_prefix("answers ") {
        double.replies(Reply::Words(words.to_owned()));
    } else if let Some(words) = wish.strip_prefix("always answers ") {
        double.replies_always(words);
    } else if let Some((name, arguments)) = wish.strip_prefix("calls ").and_then(|call| call.split_once(' '))
    {
        double.replies(Reply::Call {
            name: name.to_owned(),
            arguments: serde_json::from_str(arguments).unwrap_or_default(),
        });
    } else {
        eprintln!("unknown: {wish}");
    }
}
