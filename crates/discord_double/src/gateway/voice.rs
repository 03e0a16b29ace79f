//! Who is in which voice channel, and where the sound itself is to be had.

use serde_json::{Value, json};

use super::emit::{self, Audience, emit};
use crate::ids::{Id, id_of};
use crate::world::guild::VoiceState;
use crate::world::{World, access, render};

/// Op 4: a client goes into a voice channel, to another or out. What it may not is not answered, as Discord does.
pub fn wish(world: &mut World, session: &str, user: Id, data: &Value) {
    let Some(guild) = id_of(&data["guild_id"]) else {
        return;
    };
    let Some(channel) = id_of(&data["channel_id"]) else {
        leave(world, guild, user);
        return;
    };
    let allowed = access::channel(world, channel, user, access::CONNECT);
    if !allowed.is_ok_and(|found| found.is_voice() && found.guild == Some(guild)) {
        return;
    }
    let is = |key: &str| data[key].as_bool().unwrap_or(false);
    let state = VoiceState {
        channel,
        session: session.to_owned(),
        self_mute: is("self_mute"),
        self_deaf: is("self_deaf"),
        self_video: is("self_video"),
        streaming: false,
    };
    let before = enter(world, guild, user, state);
    if before != Some(channel) {
        serve(world, guild, user, session);
    }
}

/// Tells where the voice server is; null while there is none.
fn serve(world: &mut World, guild: Id, user: Id, session: &str) {
    let endpoint = world.hub.voice_endpoint.clone();
    let token = format!("voice-{guild}-{user}");
    let told = json!({"token": token, "guild_id": guild.to_string(), "endpoint": endpoint});
    emit::tell(world, session, "VOICE_SERVER_UPDATE", told);
}

/// Puts somebody into a channel; gives the one they were in.
pub fn enter(world: &mut World, guild: Id, user: Id, state: VoiceState) -> Option<Id> {
    let told = render::voice_state(world, guild, user, Some(&state));
    let channel = state.channel;
    let before = world.guilds.get_mut(&guild)?.voice.insert(user, state);
    if before.as_ref().is_some_and(|before| before.channel != channel) {
        world.calls.left(guild, user, Some(4014));
    }
    emit(world, Audience::Guild(guild), "VOICE_STATE_UPDATE", told);
    before.map(|before| before.channel)
}

pub fn leave(world: &mut World, guild: Id, user: Id) {
    let there = world
        .guilds
        .get_mut(&guild)
        .and_then(|found| found.voice.remove(&user));
    world.calls.left(guild, user, Some(4014));
    if there.is_some() {
        let told = render::voice_state(world, guild, user, None);
        emit(world, Audience::Guild(guild), "VOICE_STATE_UPDATE", told);
    }
}

/// The voice server has moved, as happens: everybody in voice hears where to.
pub fn move_server(world: &mut World, endpoint: Option<String>) {
    world.hub.voice_endpoint = endpoint;
    let states = world
        .guilds
        .values()
        .flat_map(|guild| guild.voice.iter().map(move |it| (guild.id, it)));
    let there: Vec<(Id, Id, String)> = states
        .map(|(guild, (user, it))| (guild, *user, it.session.clone()))
        .collect();
    for (guild, user, session) in there {
        serve(world, guild, user, &session);
    }
}
