//! `/denizen join` and `/denizen leave`: into the voice channel of whoever asks, and out of it.

use discord::wire::Snowflake;
use mind::{Input, RoomEvent};

use super::Used;
use crate::names;

const NOWHERE: &str = "There are no voice channels here. Ask me in a server.";

/// Somebody asks it into voice, or out of it.
pub(super) struct VoiceAsker<'a>(pub &'a Used);

impl VoiceAsker<'_> {
    pub async fn join(&self) -> String {
        let Some(guild) = self.0.interaction.guild else {
            return NOWHERE.to_owned();
        };
        let Some(channel) = self.voice_of_asker(guild) else {
            return "Go into a voice channel first, and use `/denizen join` again: I come to you.".to_owned();
        };
        if !self.0.handle.in_force().settings.voice.enabled {
            return "My voice is switched off here (`voice.enabled`). Whoever runs me can switch it on."
                .to_owned();
        }
        if let Some(obstacle) = self.0.inside.keeps_out(guild, channel) {
            return format!("I cannot come into <#{channel}>: {obstacle}.");
        }
        match self.0.inside.calls.channel_in(guild) {
            Some(there) if there == channel => return format!("I am in <#{channel}> already."),
            Some(there) if !self.0.may_look() => {
                return format!(
                    "I am in <#{there}>, and I can be in one voice channel only. Somebody there can send me away with \
                     `/denizen leave`, and people who may manage messages can have me come to you."
                );
            }
            Some(there) => {
                if let Err(refused) = self.asked(there, false).await {
                    return refused;
                }
            }
            None => {}
        }
        match self.asked(channel, true).await {
            Ok(()) => format!(
                "I am coming into <#{channel}>. What I understand there I keep as I keep what is typed; `/listen off` typed \
                 there keeps me from listening to you, and `/denizen leave` sends me away."
            ),
            Err(refused) => refused,
        }
    }

    pub async fn leave(&self) -> String {
        let Some(guild) = self.0.interaction.guild else {
            return NOWHERE.to_owned();
        };
        let Some(there) = self.0.inside.calls.channel_in(guild) else {
            return "I am in no voice channel here.".to_owned();
        };
        if self.voice_of_asker(guild) != Some(there) && !self.0.may_look() {
            return format!("I am in <#{there}>. Whoever is there can send me away.");
        }
        match self.asked(there, false).await {
            Ok(()) => format!("I leave <#{there}>."),
            Err(refused) => refused,
        }
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
        accepted.map_err(|error| format!("It does not work at the moment: {error}"))
    }
}
