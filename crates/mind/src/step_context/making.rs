//! A picture, clip or GIF in the making: ordered if it may be had and paid for, waited for until its deadline, and its end
//! told. One machine for thoughts and replies.

use serde::{Deserialize, Serialize};
use vocabulary::text::plain_line;
use vocabulary::{
    Attachment, JournalSeq, MediaId, MediaKind, MediaOrder, MediaOutcome, MediaWish, Moment, Span,
};

use super::StepContext;
use super::flight::{DEADLINE_GRACE, LookUp, Owner};
use crate::effect::Effect;
use crate::journal::{JournalEvent, Scope};
use crate::media::{MediaUse, model, not_set_up};

/// Longest description of what is to be seen.
const DESCRIPTION_CHARS_MAX: usize = 300;

/// Something to be made, and for whom.
#[derive(Debug)]
pub(crate) struct Commission {
    pub wish: MediaWish,
    pub goes_with: MediaUse,
    pub owner: Owner,
    /// How long it may take.
    pub patience: Span,
    /// What its line is about, and which led to it.
    pub scope: Scope,
}

/// Something that is being made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Making {
    pub media: MediaId,
    pub kind: MediaKind,
    pub started: Moment,
    /// What is to be seen.
    pub prompt: String,
}

impl StepContext<'_> {
    /// The kinds that can be had for this use, as far as nothing is used up.
    pub fn media_set_up(&self, goes_with: MediaUse) -> impl Iterator<Item = MediaKind> {
        let (settings, makers) = (self.settings, &self.outside.media);
        let can = move |kind: &MediaKind| not_set_up(*kind, goes_with, settings, makers).is_none();
        MediaKind::ALL.into_iter().filter(can)
    }

    /// Why a kind cannot be had now: it is not set up, or as many were had as may be.
    pub fn media_refused(&self, kind: MediaKind, goes_with: MediaUse) -> Option<String> {
        not_set_up(kind, goes_with, self.settings, &self.outside.media)
            .or_else(|| self.media.used_up(kind, self.moment(), self.settings))
    }

    /// The same for one that is about to be ordered: its price must be there, too. The first time today that it is not
    /// has a line.
    pub fn media_unaffordable(
        &mut self,
        kind: MediaKind,
        goes_with: MediaUse,
        scope: &Scope,
    ) -> Option<String> {
        if let Some(why) = self.media_refused(kind, goes_with) {
            return Some(why);
        }
        let refused = self
            .spending
            .media_refused(goes_with.purpose(), kind, self.settings);
        let (refusal, is_first) = refused?;
        self.note_refused(&refusal, is_first, scope.clone());
        Some(refusal.words())
    }

    /// Has it made, paid for in advance. Whether it can be was asked before.
    pub fn order_media(&mut self, commission: Commission) -> (Making, JournalSeq) {
        let Commission {
            wish,
            goes_with,
            owner,
            patience: deadline,
            scope,
        } = commission;
        let (kind, now) = (wish.kind, self.moment());
        let media = self.counters.media.take_next();
        let model = model(kind, self.settings).unwrap_or_default().to_owned();
        self.media.wanted(kind, now);
        self.spending.reserve_media(media, goes_with.purpose(), kind);
        self.flights
            .expect(LookUp::Media(media), owner, waited_for(now, deadline));
        let wanted = model.clone();
        let line = match goes_with {
            MediaUse::Thought => JournalEvent::AmbientMediaWanted {
                media,
                kind,
                model: wanted,
            },
            MediaUse::Reply => JournalEvent::ReplyMediaWanted {
                media,
                kind,
                model: wanted,
            },
        };
        let cause = self.ledger.write(scope, line);
        let prompt = wish.prompt.clone();
        self.ledger.want(Effect::MakeMedia(MediaOrder {
            media,
            wish,
            model,
            deadline,
        }));
        let making = Making {
            media,
            kind,
            started: now,
            prompt,
        };
        (making, cause)
    }
}

/// Until when something is waited for that may take so long.
pub(crate) fn waited_for(now: Moment, patience: Span) -> Moment {
    now + patience + DEADLINE_GRACE
}

impl Making {
    /// It is over: what was made, or why there is nothing; and the line that says so.
    pub fn ended(
        &self,
        outcome: MediaOutcome,
        goes_with: MediaUse,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> (Result<Made, String>, JournalSeq) {
        let (mut attachment, provider, cost_micro_dollars) = match outcome {
            MediaOutcome::Made {
                attachment,
                provider,
                cost_micro_dollars,
            } => (attachment, provider, cost_micro_dollars),
            MediaOutcome::Failed { detail, refused } => {
                step.spending.media_unused(self.media);
                let cause = failed(self.kind, &detail, refused, goes_with, scope, step);
                return (Err(detail), cause);
            }
        };
        step.spending
            .media_paid(self.media, self.kind, cost_micro_dollars);
        let (media, kind, bytes) = (self.media, self.kind, attachment.bytes);
        let took = step.took(self.started);
        let line = match goes_with {
            MediaUse::Thought => JournalEvent::AmbientMediaMade {
                media,
                kind,
                provider,
                bytes,
                cost_micro_dollars,
                took,
            },
            MediaUse::Reply => JournalEvent::ReplyMediaMade {
                media,
                kind,
                provider,
                bytes,
                cost_micro_dollars,
                took,
            },
        };
        attachment.description = plain_line(&self.prompt, DESCRIPTION_CHARS_MAX);
        let made = Made {
            attachment,
            cost_micro_dollars,
        };
        (Ok(made), step.ledger.write(scope, line))
    }

    /// Nobody waits for it any more. It may be made all the same, so what was reserved for it is paid.
    pub fn given_up(
        &self,
        why: &str,
        goes_with: MediaUse,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> JournalSeq {
        step.flights.found(LookUp::Media(self.media));
        step.spending.media_given_up(self.media);
        failed(self.kind, why, false, goes_with, scope, step)
    }
}

/// What was made, and what it cost where that is known.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub attachment: Attachment,
    pub cost_micro_dollars: Option<u64>,
}

/// Says that there is none, and why.
pub(crate) fn failed(
    kind: MediaKind,
    detail: &str,
    refused: bool,
    goes_with: MediaUse,
    scope: Scope,
    step: &mut StepContext<'_>,
) -> JournalSeq {
    let detail = detail.to_owned();
    let line = match goes_with {
        MediaUse::Thought => JournalEvent::AmbientMediaFailed {
            kind,
            detail,
            refused,
        },
        MediaUse::Reply => JournalEvent::ReplyMediaFailed {
            kind,
            detail,
            refused,
        },
    };
    step.ledger.write(scope, line)
}
