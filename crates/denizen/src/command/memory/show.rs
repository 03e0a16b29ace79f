//! `denizen memory show`.

use std::path::Path;
use std::process::ExitCode;

use vocabulary::{Gem, rfc3339};

use super::Whose;
use super::access::StoreAccess;
use super::telling::about_gem;

pub async fn run(data: &Path, whose: &Whose, id: &str, json: bool) -> anyhow::Result<ExitCode> {
    let story = StoreAccess::open(data, whose).await?.story(id).await?;
    if json {
        println!("{}", serde_json::to_string_pretty(&story)?);
        return Ok(ExitCode::SUCCESS);
    }
    let gem = &story.gem;
    println!("{}\n", gem.content);
    let source = if gem.source.turn_range.is_empty() {
        gem.source.session_id.to_string()
    } else {
        format!("{}, turns {}", gem.source.session_id, gem.source.turn_range)
    };
    let mut lines = vec![
        ("gem", gem.gem_id.to_string()),
        ("about", about_gem(gem)),
        ("summary", gem.summary.clone()),
        ("topics", gem.topics.join(", ")),
        ("made by", gem.made_by.clone()),
        ("made at", rfc3339::format(gem.created_at)),
        ("said last", rfc3339::format(gem.last_seen_at)),
        ("from", source),
    ];
    lines.retain(|(_, text)| !text.is_empty());
    for (name, text) in lines {
        println!("{name:<10} {text}");
    }
    for turn in &story.turns {
        println!(
            "  {:>5}  {}  {}: {}",
            turn.number,
            rfc3339::format(turn.at),
            turn.speaker.name,
            turn.text
        );
    }
    for older in &story.supersedes {
        println!("replaced   {}", one_line(older));
    }
    if let Some(newer) = &story.superseded_by {
        println!("replaced by {}", one_line(newer));
    }
    Ok(ExitCode::SUCCESS)
}

fn one_line(gem: &Gem) -> String {
    format!(
        "{} ({}, gem {})",
        gem.content,
        rfc3339::date(gem.valid_from),
        gem.gem_id
    )
}
