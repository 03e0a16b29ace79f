//! `denizen memory stats`.

use std::path::Path;
use std::process::ExitCode;

use runtime::ports::WhoseTurns;
use serde_json::{Value, json};
use vocabulary::text::counted;

use super::Whose;
use super::access::StoreAccess;
use super::telling::bytes;

pub async fn run(data: &Path, whose: &Whose, as_json: bool) -> anyhow::Result<ExitCode> {
    let status = match StoreAccess::open(data, whose).await? {
        StoreAccess::Remote(client) => client.get("/api/memory/status").await?,
        StoreAccess::Local(here) => {
            let community = here.community.clone();
            let counted = community.map_or(WhoseTurns::All, WhoseTurns::Of);
            let mut status = json!(here.service.status(&counted).await);
            status["enabled"] = json!(here.settings.memory.enabled);
            status["extractor"] = json!(here.settings.memory.extractor);
            status
        }
    };
    if as_json {
        println!("{}", serde_json::to_string_pretty(&status)?);
    } else {
        print(&status);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(status: &Value) {
    let number = |pointer: &str| {
        let number = status.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let text = |name: &str| status[name].as_str().unwrap_or("nowhere");
    let size = |pointer: &str| status.pointer(pointer).and_then(Value::as_u64).map(bytes);
    let embedder = match status["embedder"]["name"].as_str() {
        Some(name) => format!("{name}, {} dimensions", status["embedder"]["dimensions"]),
        None => "none: everything is found by its words alone".to_owned(),
    };
    let kept = [
        size("/stats/diskBytes").map(|size| format!("{size} on disk")),
        size("/stats/memoryBytes").map(|size| format!("{size} of memory")),
    ];
    let kept: Vec<String> = kept.into_iter().flatten().collect();
    let mut waiting = format!(
        "{} nobody has taken on, {} in hand",
        counted(number("/waiting/waiting"), "turn"),
        number("/waiting/held")
    );
    if number("/waiting/keptBack") > 0 {
        waiting.push_str(&format!(
            ", {} kept back until the shared buffer answers",
            number("/waiting/keptBack")
        ));
    }
    let mut lines = vec![
        (
            "switched",
            if status["enabled"] == true {
                "on".to_owned()
            } else {
                "off (memory.enabled)".to_owned()
            },
        ),
        (
            "gems",
            format!(
                "{}, {} of them replaced",
                number("/stats/gems"),
                number("/stats/superseded")
            ),
        ),
        ("turns", number("/stats/turns").to_string()),
        ("waiting", waiting),
        ("kept in", text("store").to_owned()),
        ("wait in", text("buffer").to_owned()),
        ("embedder", embedder),
        ("size", kept.join(", ")),
        ("gems by", text("extractor").to_owned()),
    ];
    if !status["reembedding"].is_null() {
        let far = format!(
            "{} of {} vectors made anew",
            number("/reembedding/done"),
            number("/reembedding/total")
        );
        lines.push(("embedding", far));
    }
    if let Some(trouble) = status["trouble"].as_str() {
        lines.push(("trouble", trouble.to_owned()));
    }
    for (name, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        println!("{name:<10} {line}");
    }
}
