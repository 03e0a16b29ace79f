//! `/denizen join` and `/denizen leave`: into the voice channel of whoever asks, and out of it.

use discord::wire::Snowflake;
use mind::{Input, RoomEvent};

use super::Used;
use crate::names;
use crate::wording::Phrase;

/// Somebody asks it into voice, or out of it.
pub(super) struct VoiceAsker<'a>(pub &'a Used);

impl VoiceAsker<'_> {
    pub async fn join(&self) -> String {
        let Some(guild) = self.0.interaction.guild else {
            return self.0.say(Phrase::NoVoiceHere);
        };
        let Some(channel) = self.voice_of_asker(guild) else {
            return self.0.say(Phrase::GoIntoVoice);
        };
        if !self.0.handle.in_force().settings.voice.enabled {
            return self.0.say(Phrase::VoiceIsOff);
        }
        if let Some(obstacle) = self.0.inside.keeps_out(guild, channel) {
            let channel = format!("<#{channel}>");
            return self.0.tell(
                Phrase::CannotCome,
                &[("channel", &channel), ("obstacle", obstacle)],
            );
        }
        match self.0.inside.calls.channel_in(guild) {
            Some(there) if there == channel => return self.of(Phrase::ThereAlready, channel),
            Some(there) if !self.0.may_look() => {
                return self.of(Phrase::SomewhereElse, there);
            }
            Some(there) => {
                if let Err(refused) = self.asked(there, false).await {
                    return refused;
                }
            }
            None => {}
        }
        match self.asked(channel, true).await {
            Ok(()) => self.of(Phrase::Coming, channel),
            Err(refused) => refused,
        }
    }

    pub async fn leave(&self) -> String {
        let Some(guild) = self.0.interaction.guild else {
            return self.0.say(Phrase::NoVoiceHere);
        };
        let Some(there) = self.0.inside.calls.channel_in(guild) else {
            return self.0.say(Phrase::InNoVoice);
        };
        if self.voice_of_asker(guild) != Some(there) && !self.0.may_look() {
            return self.of(Phrase::ForThoseThere, there);
        }
        match self.asked(there, false).await {
            Ok(()) => self.of(Phrase::Leaving, there),
            Err(refused) => refused,
        }
    }

    /// A phrase about a channel.
    fn of(&self, phrase: Phrase, channel: Snowflake) -> String {
        self.0.tell(phrase, &[("channel", &format!("<#{channel}>"))])
    }

    /// The voice channel in which whoever asks is.
    fn voice_of_asker(&self, guild: Snowflake) -> Option<Snowflake> {
        let world = self.0.inside.world();
        let mut states = world.voices_of(guild);
        states
            .find(|state| state.user == self.0.interaction.user.id)?
            .channel
    }

    async fn asked(&self, channel: Snowflake, come: bool) -> Result<(), String> {
        let person = Some(names::person(self.0.interaction.user.id));
        let asked = Input::Room(names::room(channel), RoomEvent::VoiceAsked { person, come });
        let accepted = self.0.handle.accept(asked).await;
        accepted.map_err(|error| self.0.tell(Phrase::NotNow, &[("error", &error.to_string())]))
    }
}
