//! What Denizen itself said of something forgotten: an answer repeats what it answers, so it goes along.

use std::collections::BTreeSet;

use gist::gems::scrub::{ScrubBrief, quotes, scrub_summary};
use vocabulary::{AuthorKind, CapturedTurn, SessionId, TurnKind};

use super::forgetting::{Forgotten, MemoryForgetting};
use super::wanted::Wanted;
use crate::ports::{Listing, MemoryFault};

const PAGE: usize = 200;
/// Turns that are looked at, newest conversations first.
const LOOKED_AT_MAX: usize = 20_000;

/// What must not be told any more.
pub(super) fn brief(forgotten: &Forgotten) -> ScrubBrief<'_> {
    ScrubBrief {
        names: &forgotten.names,
        texts: &forgotten.texts,
    }
}

/// Whether it is Denizen who says some of it again. An answer to what is forgotten retells it by speaking of the same; one
/// to somebody else only by naming the person or saying their words.
pub(super) fn retells(turn: &CapturedTurn, brief: &ScrubBrief<'_>, answers_it: bool) -> bool {
    let is_own = turn.speaker.kind == AuthorKind::Denizen && turn.kind != TurnKind::Summary;
    is_own
        && match answers_it {
            true => scrub_summary(&turn.text, brief).is_some(),
            false => quotes(&turn.text, brief),
        }
}

impl MemoryForgetting {
    /// Goes through the conversations it was part of: answers that retell it go, summaries lose the sentences that do.
    pub(super) async fn find_retellings(
        &self,
        sessions: &BTreeSet<SessionId>,
        wanted: &mut Wanted,
    ) -> Result<(), MemoryFault> {
        let mut looked_at = 0;
        let mut answers_it = false;
        for session in sessions.iter().rev() {
            let mut listing = Listing {
                session: Some(session.clone()),
                limit: PAGE,
                ..Listing::default()
            };
            while looked_at < LOOKED_AT_MAX {
                let page = self.records().turns(&listing).await?;
                looked_at += page.items.len();
                for turn in page.items {
                    if turn.speaker.kind != AuthorKind::Denizen {
                        answers_it = wanted.holds(&turn.id);
                    }
                    wanted.look_at(turn, answers_it);
                }
                listing.after = page.next;
                if listing.after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }
}
