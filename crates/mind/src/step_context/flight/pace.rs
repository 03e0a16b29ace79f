//! How long a model takes for what it is asked: one that is slow is waited for, by what it took before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{AskPurpose, Span};

/// It may take so many times as long as before: its machine may have other work by now.
const SPREAD: u64 = 2;
/// One in the house of which nothing is known is taken to need so many times what is usual.
const UNKNOWN: u64 = 2;

/// What is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pace(Option<Span>);

impl Pace {
    pub fn is_unknown(&self) -> bool {
        self.0.is_none()
    }

    pub fn known(self) -> Option<Span> {
        self.0
    }

    /// It was given up after so long: it may take twice that.
    pub fn given_up_after(&mut self, span: Span) {
        self.took(Span(2 * span.0));
    }

    /// It took so long. One quick answer does not make it quick.
    pub fn took(&mut self, span: Span) {
        self.0 = Some(match self.0 {
            Some(known) if known > span => Span((known.0 + span.0) / 2),
            _ => span,
        });
    }
}

/// What models take for each purpose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Paces(BTreeMap<AskPurpose, Pace>);

impl Paces {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn of(&mut self, purpose: AskPurpose) -> &mut Pace {
        self.0.entry(purpose).or_default()
    }

    /// How long a model in the house has for such a question: what is usual where it is quick, and at most so much.
    pub fn patience(&self, purpose: AskPurpose, usual: Span, most: Span) -> Span {
        let known = self.0.get(&purpose).and_then(|pace| pace.known());
        let expected = known.unwrap_or(Span(UNKNOWN * usual.0));
        Span(SPREAD * expected.0).min(most).max(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_the_house_has_the_usual_time_if_it_is_quick_and_more_if_it_is_slow() {
        let mut paces = Paces::default();
        let (usual, most) = (Span::seconds(3), Span::seconds(20));
        let asked = AskPurpose::VoiceReplyDecision;
        let seconds = |paces: &Paces| paces.patience(asked, usual, most).0 / 1_000;
        assert_eq!(seconds(&paces), 12);
        paces.of(asked).took(Span(400));
        assert_eq!(seconds(&paces), 3);
        // What another question took says nothing of this one.
        paces.of(AskPurpose::ContextCompaction).took(Span::seconds(40));
        assert_eq!(seconds(&paces), 3);
        paces.of(asked).given_up_after(usual);
        assert_eq!(seconds(&paces), 12);
        paces.of(asked).took(Span::seconds(8));
        assert_eq!(seconds(&paces), 16);
        paces.of(asked).given_up_after(Span::seconds(16));
        assert_eq!(seconds(&paces), 20);
    }
}
