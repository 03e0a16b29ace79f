//! What the benchmark found, for people and for programs.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::Options;
use super::conversation::Counts;
use super::measure::{Scoreboard, Tally, percentile};
use super::silence::Silence;

/// What the benchmark found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub options: Options,
    pub conversations: usize,
    pub turns: usize,
    pub gems: usize,
    pub counts: Counts,
    pub ours: Scoreboard,
    /// The same by words alone, and by meaning alone.
    pub words: Scoreboard,
    pub meaning: Scoreboard,
    pub plain_words: Scoreboard,
    pub plain_meaning: Scoreboard,
    /// Turns found from a conversation they are no part of.
    pub leaks: usize,
    pub silence: Silence,
    pub embedder: String,
    /// Who judged what was found, and how long each search waited for that.
    pub judge: Option<String>,
    pub judging: Vec<Duration>,
    pub embedding: Duration,
    pub building: Duration,
    pub index_bytes: usize,
}

impl Report {
    /// All ways of ranking, ours first.
    pub fn boards(&self) -> [(&'static str, &Scoreboard); 5] {
        [
            ("denizen", &self.ours),
            ("words alone", &self.words),
            ("meaning alone", &self.meaning),
            ("plain BM25", &self.plain_words),
            ("plain cosine", &self.plain_meaning),
        ]
    }

    pub fn boards_mut(&mut self) -> [&mut Scoreboard; 5] {
        [
            &mut self.ours,
            &mut self.words,
            &mut self.meaning,
            &mut self.plain_words,
            &mut self.plain_meaning,
        ]
    }

    /// What judging costs a search, where somebody judged.
    pub fn told_judging(&self) -> Option<String> {
        let judge = self.judge.as_ref()?;
        let mean = self.judging.iter().sum::<Duration>().as_secs_f64() * 1e3;
        Some(format!(
            "judged by {judge}: {:.1} ms a search, p95 {:.1} ms",
            mean / self.judging.len().max(1) as f64,
            percentile(&self.judging, 95).as_secs_f64() * 1e3
        ))
    }

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
            "wordsAlone": board(&self.words),
            "meaningAlone": board(&self.meaning),
            "falseSilence": self.silence.false_silence().share,
            "falseInjection": self.silence.false_injection().share,
            "embedder": self.embedder,
            "judge": self.judge,
            "judgingMs": self.judging.iter().sum::<Duration>().as_secs_f64() * 1e3,
            "embeddingMs": self.embedding.as_secs_f64() * 1e3,
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
        for (name, board) in self.boards() {
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
            "index: {:.0} ms to embed by {}, {:.0} ms to build, {:.0} kB",
            self.embedding.as_secs_f64() * 1e3,
            self.embedder,
            self.building.as_secs_f64() * 1e3,
            self.index_bytes as f64 / 1e3
        )?;
        let (silence, injection) = (self.silence.false_silence(), self.silence.false_injection());
        writeln!(
            f,
            "met with silence: {:.1} % of what is answered there; brought up all the same: {:.1} % of {} questions about something else",
            silence.share * 100.0,
            injection.share * 100.0,
            injection.of
        )?;
        if let Some(judging) = self.told_judging() {
            writeln!(f, "{judging}")?;
        }
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
