//! Pictures and clips in the book: paid for before they are made, as dear as the last of their kind was. GIFs are free.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{MediaId, MediaKind};

use super::book::{SpendingBook, Used};
use super::limits::allowed;
use crate::reasons::{SpendingLimit, SpendingPurpose, SpendingRefusal, SpendingScope};

/// What is reserved for something in the making.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReservedMedia {
    pub media: MediaId,
    pub purpose: SpendingPurpose,
    pub micro_dollars: u64,
}

impl ReservedMedia {
    pub fn used(&self) -> Used {
        Used {
            micro_dollars: self.micro_dollars,
            ..Used::default()
        }
    }
}

impl SpendingBook {
    /// Why something is not made: nothing is left for it today. The first refusal of a purpose today says so.
    pub fn media_refused(
        &mut self,
        purpose: SpendingPurpose,
        kind: MediaKind,
        settings: &Settings,
    ) -> Option<(SpendingRefusal, bool)> {
        let wanted = match kind {
            MediaKind::Gif => return None,
            // Where no price was told, there must be something left all the same.
            MediaKind::Image | MediaKind::Video => self.media_price(kind).max(1),
        };
        let refusal = SpendingScope::ALL.into_iter().find_map(|scope| {
            let share = allowed(purpose, scope, settings)?.micro_dollars;
            let used = self.used(purpose, scope, settings).micro_dollars;
            (used.saturating_add(wanted) > share).then_some(SpendingRefusal {
                purpose,
                limit: SpendingLimit::Dollars,
                scope,
                used,
                allowed: share,
                wanted,
            })
        })?;
        Some((refusal, self.count_refused(purpose)))
    }

    /// Pays for something that is made now.
    pub fn reserve_media(&mut self, media: MediaId, purpose: SpendingPurpose, kind: MediaKind) {
        let micro_dollars = self.media_price(kind);
        self.open_media.push(ReservedMedia {
            media,
            purpose,
            micro_dollars,
        });
    }

    /// It is there, and cost so much where that is known.
    pub fn media_paid(&mut self, media: MediaId, kind: MediaKind, cost: Option<u64>) {
        match cost {
            Some(cost) => drop(self.media_prices.insert(kind, cost)),
            None => drop(self.media_prices.remove(&kind)),
        }
        if let Some(reserved) = self.close_media(media) {
            self.paid(reserved.purpose, cost.unwrap_or_default());
        }
    }

    /// Nothing was made, and nothing is paid.
    pub fn media_unused(&mut self, media: MediaId) {
        self.close_media(media);
    }

    /// Nobody waits for it any more: it may have been made.
    pub fn media_given_up(&mut self, media: MediaId) {
        if let Some(reserved) = self.close_media(media) {
            self.paid(reserved.purpose, reserved.micro_dollars);
        }
    }

    fn close_media(&mut self, media: MediaId) -> Option<ReservedMedia> {
        let place = self
            .open_media
            .iter()
            .position(|reserved| reserved.media == media)?;
        Some(self.open_media.swap_remove(place))
    }

    /// What the last one of a kind cost; nothing where no price was told.
    fn media_price(&self, kind: MediaKind) -> u64 {
        self.media_prices.get(&kind).copied().unwrap_or_default()
    }
}
