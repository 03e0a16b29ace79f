//! Which pieces are kept: greedily, the most telling for their length first, until no more fit.
//!
//! A word that is already said is worth little a second time, so each choice lowers what its echoes are worth.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::draft::{Draft, Item, Piece};
use super::read_back::{PICTURE_MARK, QUESTION_MARK, YEAR_MARK};
use super::sentence::Manner;
use super::telegram::Word;
use crate::lexicon::{DateYear, WEAK};

/// The oldest statement of a speaker is worth this share less than the newest.
const FORGETTING: f64 = 0.15;
/// What a word is worth that the same speaker has said already.
const SAID_BY_SAME: f64 = 0.15;
/// What a word is worth that stands under another name already: to whoever said it first nearly as much, or it would stand
/// under the wrong name alone; to others it is an echo.
const OWN_SAID_BY_OTHER: f64 = 0.9;
const SAID_BY_OTHER: f64 = 0.4;
/// What a date is worth that has been told already: of something else it is told again.
const DATED_BY_SAME: f64 = 0.4;
const DATED_BY_OTHER: f64 = 0.8;
/// Words that stood together mean more together: the gain a further word, up to `COMPANY_MAX` of them.
const COMPANY: f64 = 0.25;
const COMPANY_MAX: usize = 3;
/// What a piece costs beside its words.
const PIECE_OVERHEAD_CHARS: f64 = 5.0;
/// The signs between two pieces, between two items and between two groups, each with its space.
const SEPARATOR_CHARS: usize = 2;
/// Most that the screen notes of one run may take.
const NOTE_CHARS_MAX: usize = 400;

/// How much of a piece is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub first: usize,
    pub end: usize,
}

impl Kept {
    pub fn words(self, piece: &Piece) -> &[Word] {
        &piece.words[self.first..self.end]
    }
}

/// For each piece of the draft, what is kept of it so that the whole fits `limit_chars`.
pub fn select(draft: &Draft, limit_chars: usize) -> Vec<Option<Kept>> {
    let mut choice = Choice::new(draft, limit_chars);
    let mut queue: BinaryHeap<Candidate> = (0..draft.pieces.len())
        .map(|piece| choice.candidate(piece, false))
        .collect();
    while let Some(candidate) = queue.pop() {
        let current = choice.candidate(candidate.piece, candidate.is_rest);
        if current.value <= 0.0 {
            continue;
        }
        // What was chosen since may have said it: then others come first.
        if queue.peek().is_some_and(|next| current < *next) {
            queue.push(current);
            continue;
        }
        let is_taken = choice.take(current);
        if is_taken && !current.is_rest && choice.cores[current.piece] != choice.whole(current.piece) {
            queue.push(choice.candidate(current.piece, true));
        }
    }
    choice.kept
}

/// A piece's core, or the rest of a piece whose core is kept.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    value: f64,
    piece: usize,
    is_rest: bool,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equals, the newer one.
        self.value
            .total_cmp(&other.value)
            .then(self.piece.cmp(&other.piece))
            .then(self.is_rest.cmp(&other.is_rest))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

struct Choice<'a> {
    draft: &'a Draft,
    /// By piece: what its manner and its age leave of its value.
    factors: Vec<f64>,
    /// By piece: what of it is kept first.
    cores: Vec<Kept>,
    /// By piece and word: the number of its stem.
    stems: Vec<Vec<usize>>,
    /// By number of a stem: the groups whose word it is, and those under which it is kept.
    owners: Vec<Vec<usize>>,
    said: Vec<Vec<usize>>,
    kept: Vec<Option<Kept>>,
    group_is_open: Vec<bool>,
    item_is_open: Vec<bool>,
    /// The years that each group tells.
    years: BTreeSet<(usize, i16)>,
    left_chars: usize,
    left_note_chars: usize,
}

impl<'a> Choice<'a> {
    fn new(draft: &'a Draft, limit_chars: usize) -> Self {
        let stems = numbered(draft);
        let count = stems.iter().flatten().max().map_or(0, |last| last + 1);
        Choice {
            draft,
            owners: owners(draft, &stems, count),
            stems,
            said: vec![Vec::new(); count],
            factors: factors(draft),
            cores: draft.pieces.iter().map(|piece| core(draft, piece)).collect(),
            kept: vec![None; draft.pieces.len()],
            group_is_open: vec![false; draft.groups.len()],
            item_is_open: vec![false; draft.items.len()],
            years: BTreeSet::new(),
            // Each group is counted with a space after it; the last has none.
            left_chars: limit_chars.saturating_add(1),
            left_note_chars: NOTE_CHARS_MAX,
        }
    }

    fn whole(&self, piece: usize) -> Kept {
        Kept {
            first: 0,
            end: self.draft.pieces[piece].words.len(),
        }
    }

    fn candidate(&self, piece: usize, is_rest: bool) -> Candidate {
        let words = &self.draft.pieces[piece].words;
        let core = self.cores[piece];
        let is_inside = |at: &usize| (core.first..core.end).contains(at);
        let counted = (0..words.len()).filter(|at| is_inside(at) != is_rest);
        let (mut worth, mut chars) = (0.0, if is_rest { 0.0 } else { PIECE_OVERHEAD_CHARS });
        for at in counted {
            worth += words[at].weight * self.novelty(piece, at);
            chars += (words[at].chars + 1) as f64;
        }
        let company = if is_rest {
            words.len()
        } else {
            core.end - core.first
        }
        .saturating_sub(1)
        .min(COMPANY_MAX);
        let value = worth * self.factors[piece] * (1.0 + COMPANY * company as f64) / chars.max(1.0);
        Candidate {
            value,
            piece,
            is_rest,
        }
    }

    /// What is left of the weight of a word of a piece, by who has said it already.
    fn novelty(&self, piece: usize, at: usize) -> f64 {
        let Piece { group, words, .. } = &self.draft.pieces[piece];
        let (stem, is_when) = (self.stems[piece][at], words[at].is_when);
        match self.said[stem].as_slice() {
            [] => 1.0,
            groups if groups.contains(group) && is_when => DATED_BY_SAME,
            groups if groups.contains(group) => SAID_BY_SAME,
            _ if is_when => DATED_BY_OTHER,
            _ if self.owners[stem].contains(group) => OWN_SAID_BY_OTHER,
            _ => SAID_BY_OTHER,
        }
    }

    /// Keeps a candidate if there is room for it.
    fn take(&mut self, candidate: Candidate) -> bool {
        let piece = &self.draft.pieces[candidate.piece];
        let kept = if candidate.is_rest {
            self.whole(candidate.piece)
        } else {
            self.cores[candidate.piece]
        };
        let before = self.kept[candidate.piece].map_or(0, |kept| written_chars(kept.words(piece)));
        let mut chars = written_chars(kept.words(piece)) - before;
        let Item { manner, year, .. } = &self.draft.items[piece.item];
        let manner = *manner;
        let year = year.map(|year| (piece.group, year)).filter(|year| {
            let lacks_year = |word: &Word| word.year == DateYear::OfTheTalk;
            kept.words(piece).iter().any(lacks_year) && !self.years.contains(year)
        });
        if let Some((_, year)) = year {
            chars += YEAR_MARK.len() + year.to_string().len() + SEPARATOR_CHARS;
        }
        if before == 0 {
            chars += self.opening_chars(piece, manner);
        }
        let is_note = manner == Manner::Note;
        if chars > self.left_chars || (is_note && chars > self.left_note_chars) {
            return false;
        }
        self.left_chars -= chars;
        if is_note {
            self.left_note_chars -= chars;
        }
        self.years.extend(year);
        self.group_is_open[piece.group] = true;
        self.item_is_open[piece.item] = true;
        self.kept[candidate.piece] = Some(kept);
        for stem in &self.stems[candidate.piece][kept.first..kept.end] {
            let groups = &mut self.said[*stem];
            if !groups.contains(&piece.group) {
                groups.push(piece.group);
            }
        }
        true
    }

    /// What the first words of a piece bring with them: heading, marks, separators.
    fn opening_chars(&self, piece: &Piece, manner: Manner) -> usize {
        let heading = match self.draft.groups[piece.group].chars().count() {
            _ if self.group_is_open[piece.group] => 0,
            0 => 0,
            name => name + SEPARATOR_CHARS,
        };
        let mark = match manner {
            _ if self.item_is_open[piece.item] => 0,
            Manner::Picture => PICTURE_MARK.len(),
            Manner::Question | Manner::RememberedQuestion => QUESTION_MARK.len(),
            _ => 0,
        };
        heading + mark + SEPARATOR_CHARS
    }
}

/// By piece: the stems of its words, each by its number.
fn numbered(draft: &Draft) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut number = |word| {
        let next = numbers.len();
        *numbers.entry(word).or_insert(next)
    };
    let pieces = draft.pieces.iter();
    pieces
        .map(|piece| {
            piece
                .words
                .iter()
                .map(|word| number(word.stem.as_str()))
                .collect()
        })
        .collect()
}

/// By number of a stem: whose word it is. Of what is new it is whoever said it first; of what is remembered, everybody
/// under whose name it stands.
fn owners(draft: &Draft, stems: &[Vec<usize>], count: usize) -> Vec<Vec<usize>> {
    let mut owners: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (piece, stems) in draft.pieces.iter().zip(stems) {
        let manner = draft.items[piece.item].manner;
        let is_remembered = matches!(manner, Manner::Remembered | Manner::RememberedQuestion);
        for stem in stems {
            let owners = &mut owners[*stem];
            if (owners.is_empty() || is_remembered) && !owners.contains(&piece.group) {
                owners.push(piece.group);
            }
        }
    }
    owners
}

/// The words without weak ones at the edges; one weak word at the end stays, as in `pottery class`.
fn core(draft: &Draft, piece: &Piece) -> Kept {
    let words = &piece.words;
    let whole = Kept {
        first: 0,
        end: words.len(),
    };
    let Item { manner, prose, .. } = &draft.items[piece.item];
    // What somebody worded to stand alone needs its verb.
    if prose.is_some() || *manner == Manner::Note {
        return whole;
    }
    let is_strong = |word: &Word| word.weight > WEAK;
    let (Some(first), Some(last)) = (
        words.iter().position(is_strong),
        words.iter().rposition(is_strong),
    ) else {
        return whole;
    };
    // A negation may not be parted from what it denies.
    let is_negation = |word: &Word| word.weight == 0.0;
    let negation = words[..first].iter().position(is_negation);
    let companion = words.get(last + 1).is_some_and(|word| !is_negation(word));
    Kept {
        first: negation.unwrap_or(first),
        end: last + 1 + usize::from(companion),
    }
}

/// The manner of each piece's item and its age among the pieces of its group, as one factor.
fn factors(draft: &Draft) -> Vec<f64> {
    let mut sizes = vec![0_usize; draft.groups.len()];
    for piece in &draft.pieces {
        sizes[piece.group] += 1;
    }
    let mut seen = vec![0_usize; draft.groups.len()];
    let factor = |piece: &Piece| {
        seen[piece.group] += 1;
        let newness = seen[piece.group] as f64 / sizes[piece.group] as f64;
        draft.items[piece.item].manner.factor() * (1.0 - FORGETTING * (1.0 - newness))
    };
    draft.pieces.iter().map(factor).collect()
}

fn written_chars(words: &[Word]) -> usize {
    let letters: usize = words.iter().map(|word| word.chars).sum();
    letters + words.len().saturating_sub(1)
}
