//! What an extracting model finds in a batch: now and then a gem, now and then one that will not do.

use mind::Asking;
use serde_json::json;
use vocabulary::ContentPart;

use crate::chance::Chance;

/// An answer about the numbered turns of the question.
pub(crate) fn found(asking: &Asking, chance: &mut Chance) -> String {
    let parts = asking.request.turns.iter().flat_map(|turn| &turn.parts);
    let texts = parts.filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let mut gems = Vec::new();
    for line in texts.flat_map(str::lines) {
        // `[2] (2025-01-06 12:00) Alice: words`
        let numbered = line.strip_prefix('[').and_then(|rest| rest.split_once("] ("));
        let Some((number, (_, said))) =
            numbered.and_then(|(number, rest)| Some((number, rest.split_once(") ")?)))
        else {
            continue;
        };
        let (Ok(number), Some((speaker, words))) = (number.parse::<u64>(), said.split_once(": ")) else {
            continue;
        };
        if !chance.percent(60) {
            continue;
        }
        // One in ten cites a turn that is not there.
        let cited = if chance.percent(10) { number + 90 } else { number };
        gems.push(json!({
            "content": format!("{speaker} said {words}"), "summary": words, "topics": [], "importance": 0.5,
            "tags": ["fact"], "turns": [cited], "speaker": speaker, "about": "", "attribute": "", "standing": false,
            "replaces": "", "repeats": ""
        }));
    }
    json!({ "gems": gems }).to_string()
}
