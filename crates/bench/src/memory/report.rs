//! What the benchmark found, for people and for programs.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::Options;
use super::conversation::Counts;
use super::measure::{Scoreboard, Tally};

/// What the benchmark found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub options: Options,
    pub conversations: usize,
    pub turns: usize,
    pub gems: usize,
    pub counts: Counts,
    pub ours: Scoreboard,
    pub plain_words: Scoreboard,
    pub plain_meaning: Scoreboard,
    /// Turns found from a conversation they are no part of.
    pub leaks: usize,
    pub building: Duration,
    pub index_bytes: usize,
}

impl Report {
    pub fn json(&self) -> Value {
        let board = |board: &Scoreboard| {
            let categories = board.by_category.iter();
            json!({
                "all": board.all.figures(),
                "categories": categories.map(|(category, tally)| (category.to_string(), tally.figures()))
                    .collect::<std::collections::BTreeMap<_, _>>(),
                "meanMs": board.mean_ms(),
                "p95Ms": board.p95_ms(),
            })
        };
        json!({
            "conversations": self.conversations,
            "turns": self.turns,
            "gems": self.gems,
            "counts": self.counts,
            "denizen": board(&self.ours),
            "plainBm25": board(&self.plain_words),
            "plainCosine": board(&self.plain_meaning),
            "scopeLeaks": self.leaks,
            "indexMs": self.building.as_secs_f64() * 1e3,
            "indexBytes": self.index_bytes,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = if self.options.global {
            "one index for all"
        } else {
            "an index each"
        };
        writeln!(
            f,
            "{} conversations, {layout}: {} turns, {} gems as keys; {} questions asked, {} skipped; evidence: {} repaired, {} skipped",
            self.conversations,
            self.turns,
            self.gems,
            self.counts.questions_asked,
            self.counts.questions_skipped,
            self.counts.evidence_repaired,
            self.counts.evidence_skipped
        )?;
        writeln!(
            f,
            "{:<22} {:>9} {:>6} {:>6} {:>6} {:>6} {:>8} {:>9} {:>8}",
            "", "questions", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "mean ms", "p95 ms"
        )?;
        for (name, board) in [
            ("denizen", &self.ours),
            ("plain BM25", &self.plain_words),
            ("plain cosine", &self.plain_meaning),
        ] {
            line(f, name, &board.all)?;
            writeln!(f, " {:>9.3} {:>8.3}", board.mean_ms(), board.p95_ms())?;
        }
        for (category, tally) in &self.ours.by_category {
            line(f, &format!("  {category} {}", category_name(*category)), tally)?;
            writeln!(f)?;
        }
        let recall = |tally: &Tally| tally.figures().recall_at_10;
        writeln!(
            f,
            "recall@10 is {:.2}× that of plain BM25 and {:.2}× that of plain cosine",
            recall(&self.ours.all) / recall(&self.plain_words.all).max(f64::EPSILON),
            recall(&self.ours.all) / recall(&self.plain_meaning.all).max(f64::EPSILON),
        )?;
        writeln!(
            f,
            "index: {:.0} ms to build (embedding included), {:.0} kB",
            self.building.as_secs_f64() * 1e3,
            self.index_bytes as f64 / 1e3
        )?;
        writeln!(f, "scope leaks: {}", self.leaks)
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, tally: &Tally) -> fmt::Result {
    let figures = tally.figures();
    write!(
        f,
        "{name:<22} {:>9} {:>6.1} {:>6.1} {:>6.1} {:>6.3} {:>8.3}",
        figures.questions,
        figures.recall_at_5 * 100.0,
        figures.recall_at_10 * 100.0,
        figures.recall_at_20 * 100.0,
        figures.mrr,
        figures.ndcg_at_10
    )
}

fn category_name(category: u64) -> &'static str {
    match category {
        1 => "multi-hop",
        2 => "temporal",
        3 => "open-domain",
        4 => "single-hop",
        5 => "adversarial",
        _ => "other",
    }
}
