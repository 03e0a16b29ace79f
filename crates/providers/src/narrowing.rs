//! A question that is refused without a word of why: what it can do without is left out piece by piece, then all of it at
//! once, until it is taken. What helped is left out for a while, and for good once the same comes of it again.

use vocabulary::AskFailure;

use crate::exchange::{Exchange, TRIES_MAX};
use crate::refused::{Parameter, STREAM};
use crate::sight::is_about_a_picture;
use crate::suspects::Suspects;
use crate::trouble::{Feature, Trouble};
use crate::writing::{Writing, Written};

/// Something that a question can do without, beside its pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Feature(Feature),
    Parameter(Parameter),
}

impl Piece {
    fn parameter(name: &str) -> Self {
        Self::Parameter(Parameter::at(name).expect("it is a plain name"))
    }

    /// For people.
    fn name(&self) -> &str {
        match self {
            Self::Feature(feature) => feature.name(),
            Self::Parameter(parameter) => parameter.name(),
        }
    }

    /// What is left out together, one after the other: first what an answer is least worse without. Tools and a schema are
    /// often refused only together, and the schema is missed less; where it goes along only without tools, it may be
    /// refused as well.
    fn all() -> [Vec<Self>; 7] {
        let (schema, tools) = (Feature::StructuredOutput, Feature::Tools);
        [
            vec![Self::Feature(schema)],
            vec![Self::Feature(tools)],
            vec![Self::Feature(tools), Self::Feature(schema)],
            vec![Self::parameter("stream_options")],
            vec![Self::Feature(Feature::Temperature)],
            vec![
                Self::Feature(Feature::Effort),
                Self::Feature(Feature::ThinkingSwitch),
            ],
            vec![Self::parameter(STREAM)],
        ]
    }
}

/// What is still to be tried.
#[derive(Debug)]
pub(crate) struct Narrowing {
    /// What is left out next, from the back; the first of them is everything, the pictures too.
    plans: Vec<Vec<Piece>>,
    /// All that was ever left out, for people.
    names: Vec<String>,
}

impl Narrowing {
    /// Of a question, in so many more requests at most. None where it has nothing to leave out.
    fn of(writing: &Writing<'_>, may_be_unseen: bool, tries: usize) -> Option<Self> {
        let model = (writing.base_url, writing.model);
        let quirks = writing.around.quirks;
        let mut everything: Vec<Piece> = Vec::new();
        let mut one_by_one: Vec<Vec<Piece>> = Vec::new();
        for pieces in Piece::all() {
            // Each of them must count beside the others of its own.
            let counts = |at: usize| writing.sparing(&pieces[..at]).gives(&pieces[at]);
            let is_new = match pieces.as_slice() {
                [Piece::Feature(Feature::Tools), _] => counts(1) && !everything.contains(&pieces[1]),
                pieces => (0..pieces.len()).any(counts),
            };
            if is_new {
                let new = pieces.iter().filter(|piece| !everything.contains(piece));
                everything.extend(new.cloned().collect::<Vec<_>>());
                one_by_one.push(pieces);
            }
        }
        let names = everything.iter().map(|piece| piece.name().to_owned()).collect();
        let helped = |piece: &&Piece| quirks.was_doubted(model, writing.request, piece);
        let helped: Vec<Piece> = everything.iter().filter(helped).cloned().collect();
        if !helped.is_empty() {
            one_by_one.retain(|pieces| *pieces != helped);
            one_by_one.insert(0, helped);
        }
        let shows = may_be_unseen && writing.given().pictures;
        let is_whole = !shows && one_by_one.contains(&everything);
        let most = tries.saturating_sub(usize::from(!is_whole));
        one_by_one.truncate(most);
        if !is_whole && !everything.is_empty() {
            one_by_one.push(everything);
        }
        one_by_one.reverse();
        (!one_by_one.is_empty()).then_some(Self {
            plans: one_by_one,
            names,
        })
    }
}

impl Exchange<'_> {
    /// Whether the question makes no sense without its picture.
    pub(crate) fn is_the_point(&self) -> bool {
        is_about_a_picture(self.request.purpose)
    }

    /// The question without the next thing that it can do without; none where that was all tried, now or before.
    pub(crate) fn with_less(&mut self, tries: u32) -> Option<Written> {
        if self.narrowing.is_none() {
            let Writing { base_url, model, .. } = self.writing;
            let quirks = self.writing.around.quirks;
            if quirks.was_in_vain(base_url, model, self.request.purpose) {
                return None;
            }
            let left = TRIES_MAX.saturating_sub(tries) as usize;
            self.writing.left_out.clear();
            self.narrowing = Narrowing::of(&self.writing, !self.is_the_point(), left);
        }
        let narrowing = self.narrowing.as_mut()?;
        self.writing.spared = narrowing.plans.pop()?;
        // Alone they were left out before.
        if narrowing.plans.is_empty() && !self.is_the_point() {
            let mut suspects = Suspects::together(self.readable());
            self.writing.left_out = suspects.leave_out().unwrap_or_default();
            self.suspects = Some(suspects);
        }
        Some(self.writing.write())
    }

    /// What is told where a question was refused without a word, and nothing helped.
    pub(crate) fn unexplained(&self, trouble: Trouble) -> AskFailure {
        let mut failure = trouble.failure;
        if !trouble.is_wordless {
            return failure;
        }
        let Writing { base_url, model, .. } = self.writing;
        let quirks = self.writing.around.quirks;
        if let Some(narrowing) = &self.narrowing {
            quirks.note_in_vain(base_url, model, self.request.purpose);
            let names = narrowing.names.join(", ");
            failure.detail = format!(
                "{}. It gives no reason, and takes the question no better without {names}",
                failure.detail
            );
        } else if quirks.was_in_vain(base_url, model, self.request.purpose) {
            failure.detail = format!(
                "{}. It gives no reason, and took such a question no better when what can be left out of it was",
                failure.detail
            );
        }
        failure
    }

    /// It answered: what was left out for that is held against it, and what was not is no longer.
    pub(crate) fn note_pieces(&self) {
        let Writing { base_url, model, .. } = self.writing;
        let quirks = self.writing.around.quirks;
        quirks.forget_in_vain(base_url, model, self.request.purpose);
        for piece in &self.writing.spared {
            quirks.note_doubtful_piece((base_url, model), self.request, piece);
        }
        let doubted = Piece::all().concat().into_iter();
        let doubted = doubted.filter(|piece| quirks.was_doubted((base_url, model), self.request, piece));
        for piece in doubted.filter(|piece| self.writing.gives(piece)) {
            quirks.forget_doubtful_piece((base_url, model), self.request, &piece);
        }
    }
}
