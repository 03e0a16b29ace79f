//! `/denizen quiet`: it says nothing in a channel for a while, or may speak again.

use discord::wire::Snowflake;
use mind::{Input, RoomEvent};
use serde_json::json;
use vocabulary::{QuietWish, RoomId, Span, WallTime};

use super::Used;
use super::place;
use super::settings::BLOCKED;
use crate::names;
use crate::wording::Phrase;

/// What can be chosen, and what it means.
pub(super) const CHOICES: [(&str, QuietWish); 5] = [
    ("15m", QuietWish::For(Span::minutes(15))),
    ("1h", QuietWish::For(Span::hours(1))),
    ("8h", QuietWish::For(Span::hours(8))),
    ("good", QuietWish::ForGood),
    ("off", QuietWish::Over),
];
/// Where nothing was chosen.
const USUALLY: QuietWish = QuietWish::For(Span::hours(1));

/// Somebody wants a channel quiet, or asks whether it is.
pub(super) struct QuietAsker<'a>(pub &'a Used);

impl QuietAsker<'_> {
    /// Has nothing said in a channel, and in the threads of it.
    pub async fn quiet(&self) -> String {
        let Some(channel) = self.0.channel() else {
            return self.0.say(Phrase::NoChannel);
        };
        if !self.0.may_look() {
            return self.0.say(Phrase::NotPermitted);
        }
        let chosen = self.0.text("for").unwrap_or_default();
        let chosen = CHOICES.iter().find(|(value, _)| *value == chosen);
        let wish = chosen.map_or(USUALLY, |(_, wish)| *wish);
        let room = names::room(channel);
        if let Err(why) = place::enter(self.0, channel).await {
            return why;
        }
        if wish == QuietWish::Over
            && self.is_blocked(&room)
            && let Err(refused) = self.unblock(&room).await
        {
            return refused;
        }
        let person = Some(names::person(self.0.interaction.user.id));
        let event = RoomEvent::QuietChosen { person, wish };
        if let Err(error) = self.0.handle.accept(Input::Room(room, event)).await {
            return self.0.tell(Phrase::NotNow, &[("error", &error.to_string())]);
        }
        match self.here(channel).await {
            Some(quiet) => quiet,
            None => self.0.say(Phrase::QuietOver),
        }
    }

    /// That nothing is said in a channel, and until when; none where it may speak.
    pub async fn here(&self, channel: Snowflake) -> Option<String> {
        let room = names::room(channel);
        match self.0.handle.quiet_until(room.clone()).await {
            Some(Some(until)) => Some(self.0.tell(Phrase::QuietUntil, &[("until", &shown_time(until))])),
            Some(None) => Some(self.0.say(Phrase::QuietForGood)),
            None => self.is_blocked(&room).then(|| self.0.say(Phrase::BlockedHere)),
        }
    }

    fn is_blocked(&self, room: &RoomId) -> bool {
        let settings = self.0.handle.in_force().settings;
        let mut blocked = settings.replies.blocked_channel_ids.iter();
        blocked.any(|id| id == room.as_str())
    }

    /// A channel may have been quiet by the settings of the server.
    async fn unblock(&self, room: &RoomId) -> Result<(), String> {
        let settings = self.0.handle.in_force().settings;
        let mut blocked = settings.replies.blocked_channel_ids.clone();
        blocked.retain(|id| id != room.as_str());
        self.0.change(BLOCKED, Some(json!(blocked))).await.map(drop)
    }
}

/// A time as Discord shows it to everybody by their own clock.
pub(super) fn shown_time(at: WallTime) -> String {
    format!("<t:{}:f>", at.0.div_euclid(1_000))
}
