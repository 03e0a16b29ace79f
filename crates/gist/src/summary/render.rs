//! Writes what was kept as one paragraph: prose first, then `Name: statement; statement, more of it.`

use std::collections::BTreeSet;

use super::draft::Draft;
use super::read_back::{PICTURE_MARK, QUESTION_MARK, YEAR_MARK};
use super::select::Kept;
use super::sentence::Manner;
use crate::lexicon::DateYear;

/// The summary; prose sentences are written out again where that fits `limit_chars`, newest first.
pub fn render(draft: &Draft, kept: &[Option<Kept>], limit_chars: usize) -> String {
    let mut is_written_out = vec![false; draft.items.len()];
    let mut summary = write(draft, kept, &is_written_out);
    for item in (0..draft.items.len()).rev() {
        if draft.items[item].prose.is_none() {
            continue;
        }
        is_written_out[item] = true;
        let longer = write(draft, kept, &is_written_out);
        if longer.chars().count() <= limit_chars {
            summary = longer;
        } else {
            is_written_out[item] = false;
        }
    }
    summary
}

fn write(draft: &Draft, kept: &[Option<Kept>], is_written_out: &[bool]) -> String {
    let prose = draft
        .items
        .iter()
        .zip(is_written_out)
        .filter(|(_, written_out)| **written_out);
    let mut parts: Vec<String> = prose.filter_map(|(item, _)| item.prose.clone()).collect();
    for (group, heading) in draft.groups.iter().enumerate() {
        let statements = statements(draft, kept, is_written_out, group);
        if statements.is_empty() {
            continue;
        }
        if heading.is_empty() {
            // Each is read back as a sentence of its own.
            parts.extend(statements.into_iter().map(closed));
        } else {
            parts.push(closed(format!("{heading}: {}", statements.join("; "))));
        }
    }
    parts.join(" ")
}

/// With a full stop, unless it ends in a question.
fn closed(mut sentence: String) -> String {
    if !sentence.ends_with(QUESTION_MARK) {
        sentence.push('.');
    }
    sentence
}

fn statements(draft: &Draft, kept: &[Option<Kept>], is_written_out: &[bool], group: usize) -> Vec<String> {
    let mut statements: Vec<(usize, String)> = Vec::new();
    let mut lacking: BTreeSet<usize> = BTreeSet::new();
    let mut open: BTreeSet<usize> = BTreeSet::new();
    for (piece, kept) in draft.pieces.iter().zip(kept) {
        let Some(kept) = kept.filter(|_| piece.group == group && !is_written_out[piece.item]) else {
            continue;
        };
        for word in kept.words(piece) {
            match word.year {
                DateYear::Told => false,
                DateYear::OfTheTalk => lacking.insert(piece.item),
                DateYear::Open => open.insert(piece.item),
            };
        }
        let words: Vec<&str> = kept.words(piece).iter().map(|word| word.text.as_str()).collect();
        match statements.last_mut() {
            Some((item, statement)) if *item == piece.item => {
                statement.push_str(", ");
                statement.push_str(&words.join(" "));
            }
            _ => statements.push((piece.item, words.join(" "))),
        }
    }
    if !lacking.is_empty() {
        // What stands after a year is of that year.
        statements.sort_by_key(|(item, _)| !open.contains(item));
    }
    let mut told = None;
    let marked = |(item, statement): (usize, String)| {
        let statement = match draft.items[item].manner {
            Manner::Picture => format!("{PICTURE_MARK}{statement}"),
            Manner::Question | Manner::RememberedQuestion => format!("{statement}{QUESTION_MARK}"),
            _ => statement,
        };
        match draft.items[item].year {
            Some(year)
                if lacking.contains(&item) && told != Some(year) && !draft.groups[group].is_empty() =>
            {
                told = Some(year);
                format!("{YEAR_MARK}{year}: {statement}")
            }
            _ => statement,
        }
    };
    statements.into_iter().map(marked).collect()
}
