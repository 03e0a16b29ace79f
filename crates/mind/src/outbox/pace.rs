//! How often Denizen writes in a room: spacing and the hourly cap.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use settings::ActivitySettings;
use vocabulary::{Moment, Span};

/// The largest hourly cap there is (`activity.maxMessagesPerHour`).
const SENT_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Pace {
    /// When its messages of the last hour were sent.
    sent: VecDeque<Moment>,
}

impl Pace {
    pub fn sent(&mut self, at: Moment) {
        self.sent.push_back(at);
        while self.sent.len() > SENT_MAX
            || self
                .sent
                .front()
                .is_some_and(|&first| at.since(first) >= Span::hours(1))
        {
            self.sent.pop_front();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// How many there were in the hour before now.
    pub fn within_the_hour(&self, now: Moment) -> usize {
        let recent = self.sent.iter().filter(|&&at| now.since(at) < Span::hours(1));
        recent.count()
    }

    /// The soonest moment for the next message.
    pub fn next_allowed(&self, activity: &ActivitySettings) -> Moment {
        let spacing = Span::seconds(activity.min_seconds_between_messages);
        self.sent.back().map_or(Moment::default(), |&last| last + spacing)
    }

    /// When a full hour has room again; none where there never is.
    pub fn hour_full_until(&self, activity: &ActivitySettings) -> Option<Moment> {
        let max = usize::try_from(activity.max_messages_per_hour).unwrap_or(SENT_MAX);
        let last_to_go = self.sent.len().checked_sub(max)?;
        self.sent.get(last_to_go).map(|&sent| sent + Span::hours(1))
    }

    pub fn hour_is_full(&self, now: Moment, activity: &ActivitySettings) -> bool {
        self.within_the_hour(now) as u64 >= activity.max_messages_per_hour
    }
}
