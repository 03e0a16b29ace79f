//! Gems, turns and scores in words for a person.

use std::fmt::Write;

use vocabulary::{CapturedTurn, Found, Gem, Record, Scores, rfc3339};

/// Longest text in a list; `show` prints it whole.
const TEXT_CHARS: usize = 240;

/// One match with its reasons, on a few lines.
pub fn found(number: usize, found: &Found, threshold: f64) -> String {
    let mut told = format!("{number:>3}. ");
    let indent = " ".repeat(5);
    match &found.record {
        Record::Gem(gem) => {
            let _ = writeln!(told, "{}", cut(&gem.content));
            let _ = writeln!(told, "{indent}gem {}  {}", gem.gem_id, about_gem(gem));
        }
        Record::Turn(turn) => {
            let _ = writeln!(told, "{}: “{}”", turn.speaker.name, cut(&turn.text));
            let _ = writeln!(told, "{indent}turn {}  {}", turn.id, about_turn(turn));
        }
    }
    let _ = write!(told, "{indent}{}", reasons(&found.scores));
    if !found.matched.is_empty() {
        let _ = write!(told, "; words: {}", found.matched.join(", "));
    }
    if !found.through.is_empty() {
        let ids: Vec<&str> = found.through.iter().map(vocabulary::GemId::as_str).collect();
        let _ = write!(told, "; found through gem {}", ids.join(", "));
    }
    if found.scores.confidence < threshold {
        let _ = write!(
            told,
            "\n{indent}too unsure to be brought up in a room ({:.2} is below {threshold:.2}, memory.minConfidence)",
            found.scores.confidence
        );
    }
    told
}

/// How a score came about: what was added up, what it was multiplied with, and what came out.
pub fn reasons(scores: &Scores) -> String {
    let parts = [
        ("words", scores.lexical),
        ("meaning", scores.dense),
        ("surroundings", scores.surroundings),
        ("gems", scores.keys),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(_, part)| *part > 0.0)
        .map(|(name, part)| format!("{name} {part:.2}"))
        .collect();
    let mut told = if parts.is_empty() {
        "nothing in particular".to_owned()
    } else {
        parts.join(", ")
    };
    for (name, factor) in [("age", scores.recency), ("importance", scores.importance)] {
        if factor > 0.0 && (factor - 1.0).abs() > 0.005 {
            let _ = write!(told, ", × {factor:.2} for {name}");
        }
    }
    let _ = write!(told, " → {:.2} (sure {:.2})", scores.total, scores.confidence);
    told
}

pub fn about_gem(gem: &Gem) -> String {
    let mut about = vec![rfc3339::date(gem.valid_from)];
    if let Some(person) = &gem.person {
        let name = if gem.person_name.is_empty() {
            person.as_str()
        } else {
            &gem.person_name
        };
        about.push(format!("about {name}"));
    }
    about.push(format!("{}/{}", gem.place.community, gem.place.room));
    let tags: Vec<&str> = gem.tags.iter().map(|tag| tag.name()).collect();
    about.push(tags.join(" "));
    about.push(format!("importance {:.2}", gem.importance));
    if gem.strength > 1 {
        about.push(format!("said {} times", gem.strength));
    }
    for (is, mark) in [
        (gem.place.private, "private"),
        (gem.pinned, "pinned"),
        (gem.standing, "standing"),
        (gem.claim, "a claim, not guidance"),
    ] {
        if is {
            about.push(mark.to_owned());
        }
    }
    if let Some(until) = gem.valid_until {
        about.push(format!("held until {}", rfc3339::date(until)));
    }
    about.join(" · ")
}

pub fn about_turn(turn: &CapturedTurn) -> String {
    let private = if turn.place.private { " · private" } else { "" };
    format!(
        "{} · {}/{} · turn {} of {}{private}",
        rfc3339::format(turn.at),
        turn.place.community,
        turn.place.room,
        turn.number,
        turn.session
    )
}

pub fn bytes(number: u64) -> String {
    match number {
        0..1_024 => format!("{number} bytes"),
        1_024..1_048_576 => format!("{:.1} kB", number as f64 / 1_024.0),
        _ => format!("{:.1} MB", number as f64 / 1_048_576.0),
    }
}

fn cut(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= TEXT_CHARS {
        return one_line;
    }
    let kept: String = one_line.chars().take(TEXT_CHARS).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
