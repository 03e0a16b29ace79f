//! Every file of a folder in one table, with how sure each figure is, and whether the ranking is ever below one of the ways it is made of.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::conversation::Conversation;
use super::measure::Scoreboard;
use super::silence::Share;
use super::{Asked, Options, Report, conversation, measured};

/// Measures every file of a folder that ends in `.json`; what is asked in one is strange to the others.
pub fn run_all(folder: &Path, options: &Options) -> Result<String> {
    let files = files(folder)?;
    let who = Asked::open(options)?;
    let read = files.iter().map(|file| conversation::read(file));
    let read: Vec<Vec<Conversation>> = read.collect::<Result<_>>()?;
    let mut table = format!(
        "meaning by {}\n{:<24} {:<14} {:>9} {:>6} {:>12} {:>6} {:>12}\n",
        who.meanings.name(),
        "",
        "",
        "questions",
        "R@10",
        "95 %",
        "MRR",
        "95 %"
    );
    let mut shares = String::new();
    let mut is_ahead = true;
    for (place, file) in files.iter().enumerate() {
        let others = read.iter().enumerate().filter(|(other, _)| *other != place);
        let others = others.flat_map(|(_, conversations)| conversations);
        let others = others.flat_map(|conversation| &conversation.questions);
        let others: Vec<String> = others.map(|question| question.text.clone()).collect();
        let report = measured(&read[place], &others, &who, options)?;
        ensure!(
            report.leaks == 0,
            "{} turns were found from a conversation they are no part of",
            report.leaks
        );
        let name = file
            .file_stem()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        table += &rows(&name, &report);
        is_ahead &= below(&name, &report, &mut table);
        shares += &format!(
            "{name:<24} {} of {} questions that are answered there, {} of {} about something else\n",
            told(&report.silence.false_silence()),
            report.silence.false_silence().of,
            told(&report.silence.false_injection()),
            report.silence.false_injection().of,
        );
        if let Some(judging) = report.told_judging() {
            shares += &format!("{name:<24} {judging}\n");
        }
    }
    writeln!(
        table,
        "at least the better of plain BM25 and plain cosine everywhere: {}",
        if is_ahead { "yes" } else { "no" }
    )?;
    writeln!(
        table,
        "met with silence, and something brought up all the same:\n{shares}intervals are of conversations drawn again, of questions where there is one conversation"
    )?;
    Ok(table)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}: check the path", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    ensure!(
        !files.is_empty(),
        "{} holds no file of conversations: their names end in .json",
        folder.display()
    );
    Ok(files)
}

fn rows(name: &str, report: &Report) -> String {
    let mut rows = String::new();
    for (place, (way, board)) in report.boards().into_iter().enumerate() {
        let figures = board.all.figures();
        let (recall, reciprocal) = board.intervals();
        rows += &format!(
            "{:<24} {way:<14} {:>9} {:>6.1} {:>12} {:>6.3} {:>12}\n",
            if place == 0 { name } else { "" },
            figures.questions,
            figures.recall_at_10 * 100.0,
            format!("{recall:.1}"),
            figures.mrr,
            format!("{reciprocal:.3}"),
        );
    }
    rows
}

/// Says where the ranking is below one of the plain ways; whether it is nowhere.
fn below(name: &str, report: &Report, table: &mut String) -> bool {
    let value = |board: &Scoreboard| {
        let figures = board.all.figures();
        [figures.recall_at_10, figures.mrr]
    };
    let ours = value(&report.ours);
    let mut is_ahead = true;
    for (way, board) in report.boards().into_iter().skip(1) {
        let theirs = value(board);
        for (measure, (ours, theirs)) in ["R@10", "MRR"].into_iter().zip(ours.into_iter().zip(theirs)) {
            if ours < theirs {
                *table += &format!("{name}: below {way} in {measure}, {ours:.3} and {theirs:.3}\n");
                is_ahead &= !way.starts_with("plain");
            }
        }
    }
    is_ahead
}

fn told(share: &Share) -> String {
    let percent = super::intervals::Interval {
        low: share.interval.low * 100.0,
        high: share.interval.high * 100.0,
    };
    format!("{:.1} % ({percent:.1})", share.share * 100.0)
}
