//! Sources and items in words for a person.

use std::fmt::Write;

use vocabulary::text::counted;
use vocabulary::{SourceReport, rfc3339};

use super::{Preview, ReadSource};

pub fn sources(sources: &[ReadSource]) -> String {
    if sources.is_empty() {
        return "it reads nothing: name sources in initiative.discovery, and switch their families on\n"
            .to_owned();
    }
    let mut told = String::new();
    for read in sources {
        let whose = match read.own {
            true => format!("its own: {}", read.reason),
            false => "yours".to_owned(),
        };
        let _ = writeln!(told, "{}  ({whose})", read.source);
        let _ = writeln!(
            told,
            "    shown {}, shared {}; {} reactions and {} replies came back",
            read.shown, read.shared, read.reactions, read.replies
        );
        let last = match (&read.last_report, read.last_read_at) {
            (Some(report), Some(at)) => format!("read {}: {}", rfc3339::format(at), came_of(report)),
            (Some(report), None) => came_of(report),
            (None, _) => "never read".to_owned(),
        };
        let _ = writeln!(told, "    {last}");
    }
    told
}

pub fn preview(preview: &Preview) -> String {
    let mut told = String::new();
    for (place, candidate) in preview.candidates.iter().enumerate() {
        let item = &candidate.item;
        let _ = writeln!(told, "{:>3}. {}", place + 1, item.title);
        let _ = writeln!(told, "     {}", item.url);
        let _ = writeln!(
            told,
            "     {}  score {:.2}: source {:.2}, topic {:.2}, freshness {:.2}, popularity {:.2}",
            item.source,
            candidate.score,
            candidate.source,
            candidate.topic,
            candidate.freshness,
            candidate.popularity
        );
    }
    if preview.candidates.is_empty() {
        told.push_str("nothing that is new and may be shown\n");
    }
    told.push('\n');
    for report in &preview.reports {
        let _ = writeln!(told, "{}: {}", report.source, came_of(report));
    }
    if preview.reports.is_empty() {
        told.push_str(
            "no source was read: name some in initiative.discovery, and switch their families on\n",
        );
    }
    told
}

fn came_of(report: &SourceReport) -> String {
    match &report.failure {
        Some(failure) => format!("could not be read: {failure}"),
        None => format!(
            "{}, {} of them new enough",
            counted(report.items, "item"),
            report.fresh
        ),
    }
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
