//! What the mind really asks: every kind of question that occurs in the scenarios, each once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mind::Effect;
use simulator::read_scenarios;
use vocabulary::{ContentPart, ModelRequest, OutputShape};

/// A question of the mind, and where it was asked.
#[derive(Debug)]
pub struct Question {
    /// The page and the title of the scenario.
    pub of: String,
    pub request: ModelRequest,
}

/// Plays the pages of a folder and keeps one question of each kind: purpose, form of the answer, tools, and which
/// parts stand in which turns.
pub fn questions(folder: &Path) -> Vec<Question> {
    let mut found = BTreeMap::new();
    for page in pages(folder) {
        let text = fs::read_to_string(&page).expect("a page of scenarios can be read");
        let name = page
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // A page that is being written is no matter here; its own test tells.
        for scenario in read_scenarios(&name, &text).unwrap_or_default() {
            let Ok(trace) = scenario.run() else { continue };
            let effects = trace.steps.iter().flat_map(|step| &step.effects);
            for effect in effects {
                if let Effect::Ask(asking) = effect {
                    found.entry(kind(&asking.request)).or_insert_with(|| Question {
                        of: format!("{name}: {}", scenario.title),
                        request: asking.request.clone(),
                    });
                }
            }
        }
    }
    found.into_values().collect()
}

/// Two questions of one kind are written with the same keys.
fn kind(request: &ModelRequest) -> String {
    let mut tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    tools.sort_unstable();
    let form = match &request.output {
        OutputShape::Text => "text",
        OutputShape::Json { name, .. } => name,
    };
    let mut turns: Vec<String> = Vec::new();
    for turn in &request.turns {
        let mut parts: Vec<String> = turn.parts.iter().map(part).collect();
        parts.dedup();
        let said = format!("{:?} {}", turn.role, parts.join("+"));
        if turns.last() != Some(&said) {
            turns.push(said);
        }
    }
    // A long conversation that goes back and forth is one kind.
    turns.truncate(6);
    format!(
        "{} {form} [{}] {}",
        request.purpose.name(),
        tools.join(" "),
        turns.join(", ")
    )
}

/// The name of a part, as it is written down.
fn part(part: &ContentPart) -> String {
    let written = serde_json::to_value(part).expect("plain data is always JSON");
    let name = written.as_object().and_then(|object| object.keys().next());
    name.cloned().unwrap_or_default()
}

fn pages(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("there is a folder of scenarios");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut pages: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .collect();
    pages.sort();
    pages
}
