//! All calls: who is in them, what they are told, and what goes wrong on demand.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::group::{CallGroup, CallMember, Word, Words};
use super::sealing::{MODES, Seal};
use super::talker::Talker;
use crate::gateway::hub::Wire;
use crate::ids::{Id, Millis, now};

/// How long a lost connection may take to come back.
const RESUMABLE: Millis = 15_000;

/// A call: the port of the voice server that it is at, and the channel.
pub type CallSite = (u16, Id);

#[derive(Debug, Default)]
pub struct Calls {
    /// Where voice is to be had; the first is the one that clients are told, until the region changes.
    pub endpoints: Vec<String>,
    pub udp: Option<SocketAddr>,
    pub connections: u64,
    pub talkers: BTreeMap<u32, Talker>,
    pub groups: BTreeMap<CallSite, CallGroup>,
    ssrcs: u32,
    /// How many of a hundred packets get lost on the way.
    pub loss: u64,
    /// So many more packets are damaged within what is encrypted from end to end.
    pub garbled: u64,
    relayed: u64,
}

impl Calls {
    fn in_call(&self, place: CallSite) -> Vec<CallMember> {
        let there = self
            .talkers
            .values()
            .filter(|it| it.place() == place && it.seal.is_some());
        there.map(Talker::member).collect()
    }

    fn perform(&mut self, words: Words) {
        for (member, word) in words {
            if let Some(talker) = self.talkers.get_mut(&member.ssrc) {
                talker.tell(word);
            }
        }
    }

    fn tell_others(&mut self, ssrc: u32, word: &Word) {
        let Some(place) = self.talkers.get(&ssrc).map(Talker::place) else {
            return;
        };
        for talker in self.talkers.values_mut() {
            if talker.place() == place && talker.ssrc != ssrc && talker.seal.is_some() {
                talker.tell(word.clone());
            }
        }
    }

    fn group(&mut self, place: CallSite) -> &mut CallGroup {
        self.groups
            .entry(place)
            .or_insert_with(|| CallGroup::new(place.1))
    }

    /// What a group does about something.
    fn in_group(&mut self, place: CallSite, does: impl FnOnce(&mut CallGroup) -> Words) {
        let words = does(self.group(place));
        self.perform(words);
    }

    /// Op 0, of somebody whose right to be there was checked.
    pub fn identify(
        &mut self,
        server: u16,
        who: (Id, Id, Id),
        session: &str,
        wire: (u64, UnboundedSender<Wire>),
    ) -> u32 {
        self.left(who.0, who.2, None);
        self.ssrcs += 1;
        let ssrc = self.ssrcs;
        let mut talker = Talker::new(ssrc, server, who, session.to_owned());
        talker.wire = Some(wire);
        let udp = self.udp.map(|udp| (udp.ip().to_string(), udp.port()));
        let (ip, port) = udp.unwrap_or_default();
        talker.tell(Word::Text(
            2,
            json!({"ssrc": ssrc, "ip": ip, "port": port, "modes": MODES, "experiments": []}),
        ));
        self.talkers.insert(ssrc, talker);
        ssrc
    }

    /// Op 1: it chooses how packets are sealed, and is in the call then.
    pub fn select(&mut self, ssrc: u32, data: &Value) -> Result<(), (u16, &'static str)> {
        let wanted = data["data"]["mode"].as_str().unwrap_or_default();
        let mode = MODES.into_iter().find(|mode| *mode == wanted);
        let mode = mode.ok_or((4016, "Unknown encryption mode."))?;
        let Some(place) = self.talkers.get(&ssrc).map(Talker::place) else {
            return Err((4003, "Not authenticated."));
        };
        let others: Vec<String> = self.in_call(place).iter().map(|it| it.user.to_string()).collect();
        let group = self.group(place);
        let (version, sender) = (group.version, group.sender());
        let known: Vec<Value> = self
            .talkers
            .values()
            .filter(|it| it.place() == place && it.named)
            .map(spoken)
            .collect();
        let Some(talker) = self.talkers.get_mut(&ssrc) else {
            return Ok(());
        };
        let seal = Seal::new(mode);
        talker.tell(Word::Text(
            4,
            json!({"mode": mode, "secret_key": seal.key, "dave_protocol_version": version,
                "audio_codec": "opus", "video_codec": "H264", "media_session_id": "double"}),
        ));
        talker.seal = Some(seal);
        if !others.is_empty() {
            talker.tell(Word::Text(11, json!({"user_ids": others})));
        }
        for speaking in known {
            talker.tell(Word::Text(5, speaking));
        }
        talker.tell(Word::Binary(25, sender));
        let user = talker.user.to_string();
        self.tell_others(ssrc, &Word::Text(11, json!({"user_ids": [user]})));
        Ok(())
    }

    /// Everything else that a client says in text.
    pub fn take(&mut self, ssrc: u32, op: u64, data: &Value) {
        let Some(talker) = self.talkers.get_mut(&ssrc) else {
            return;
        };
        let (member, place) = (talker.member(), talker.place());
        let transition = data["transition_id"]
            .as_u64()
            .and_then(|it| u16::try_from(it).ok())
            .unwrap_or(0);
        match op {
            5 => {
                talker.speaking = data["speaking"].clone();
                talker.named = true;
                let word = Word::Text(5, spoken(talker));
                self.tell_others(ssrc, &word);
            }
            23 => self.in_group(place, |group| group.ready(member, transition)),
            31 => self.in_group(place, |group| group.invalid(member)),
            _ => {}
        }
    }

    /// What a client says in bytes.
    pub fn take_binary(&mut self, ssrc: u32, bytes: &[u8]) {
        let Some((member, place)) = self.talkers.get(&ssrc).map(|it| (it.member(), it.place())) else {
            return;
        };
        match bytes.split_first() {
            Some((26, package)) => self.in_group(place, |group| group.package(member, package)),
            Some((28, commit)) => self.in_group(place, |group| group.commit(member, commit)),
            _ => {}
        }
    }

    /// Op 7: whose session it is, if it is still there, at this server.
    pub fn resume(
        &mut self,
        server: u16,
        data: &Value,
        guild: Id,
        wire: (u64, UnboundedSender<Wire>),
    ) -> Option<u32> {
        let session = data["session_id"].as_str()?;
        let is_here = |it: &Talker| it.server == server && it.guild == guild && it.seal.is_some();
        let fits = |it: &&mut Talker| it.session == session && is_here(it);
        let talker = self.talkers.values_mut().find(fits)?;
        talker.resume(wire, data["seq_ack"].as_i64().unwrap_or(-1));
        Some(talker.ssrc)
    }

    /// Somebody is out of their call, and hears why where there is a code.
    pub fn left(&mut self, guild: Id, user: Id, code: Option<u16>) {
        let of = |it: &&Talker| it.guild == guild && it.user == user;
        let gone: Vec<u32> = self.talkers.values().filter(of).map(|it| it.ssrc).collect();
        for ssrc in gone {
            self.tell_others(ssrc, &Word::Text(13, json!({"user_id": user.to_string()})));
            let Some(talker) = self.talkers.remove(&ssrc) else {
                continue;
            };
            talker.send(match code {
                Some(code) => Wire::Close(code, "Disconnected.".to_owned()),
                None => Wire::Drop,
            });
            let place = talker.place();
            self.in_group(place, |group| group.left(talker.member()));
            if self.in_call(place).is_empty() {
                self.groups.remove(&place);
            }
        }
    }

    /// What time brings.
    pub fn tick(&mut self) {
        let is_gone = |it: &&Talker| it.lost.is_some_and(|lost| now() >= lost + RESUMABLE);
        let gone: Vec<(Id, Id)> = self
            .talkers
            .values()
            .filter(is_gone)
            .map(|it| (it.guild, it.user))
            .collect();
        for (guild, user) in gone {
            self.left(guild, user, None);
        }
        let places: Vec<CallSite> = self.groups.keys().copied().collect();
        for place in places {
            self.in_group(place, CallGroup::tick);
        }
    }

    /// New keys for everybody in every call (`private`), or none at all from now on.
    pub fn regroup(&mut self, private: bool) {
        let places: Vec<CallSite> = self.groups.keys().copied().collect();
        for place in places {
            let everybody = self.in_call(place);
            self.in_group(place, |group| match private {
                true => group.regroup(&everybody, 1),
                false => group.downgrade(&everybody),
            });
        }
    }

    /// A packet from somewhere: what is to be sent where.
    pub fn packet(&mut self, from: SocketAddr, packet: &[u8]) -> Vec<(SocketAddr, Vec<u8>)> {
        if packet.len() == 74 && packet[..2] == [0, 1] {
            let ssrc = u32::from_be_bytes([packet[4], packet[5], packet[6], packet[7]]);
            let mut answer = packet.to_vec();
            answer[1] = 2;
            let ip = from.ip().to_string();
            answer[8..8 + ip.len()].copy_from_slice(ip.as_bytes());
            answer[72..].copy_from_slice(&from.port().to_be_bytes());
            if let Some(talker) = self.talkers.get_mut(&ssrc) {
                talker.address = Some(from);
            }
            return vec![(from, answer)];
        }
        if packet.len() == 8 {
            return vec![(from, packet.to_vec())];
        }
        self.relay(from, packet).unwrap_or_default()
    }

    fn relay(&mut self, from: SocketAddr, packet: &[u8]) -> Option<Vec<(SocketAddr, Vec<u8>)>> {
        let length = super::sealing::header_length(packet)?;
        let ssrc = u32::from_be_bytes([packet[8], packet[9], packet[10], packet[11]]);
        let speaker = self
            .talkers
            .get_mut(&ssrc)
            .filter(|it| it.address == Some(from))?;
        speaker.packets.0 += 1;
        let Some(mut sound) = speaker.seal.as_ref()?.open(packet) else {
            speaker.unopened += 1;
            return None;
        };
        let place = speaker.place();
        if self.garbled > 0 && sound.len() > 3 {
            self.garbled -= 1;
            sound[0] ^= 0x55;
        }
        let mut sent = Vec::new();
        for talker in self.talkers.values_mut() {
            if talker.place() != place || talker.ssrc == ssrc {
                continue;
            }
            self.relayed += 1;
            // Spread evenly, and the same each time.
            if self.relayed * 37 % 100 < self.loss {
                continue;
            }
            if let (Some(address), Some(seal)) = (talker.address, &mut talker.seal)
                && let Some(sealed) = seal.close(&packet[..length], &sound)
            {
                talker.packets.1 += 1;
                sent.push((address, sealed));
            }
        }
        Some(sent)
    }
}

/// What the others hear of somebody's speaking.
fn spoken(talker: &Talker) -> Value {
    json!({"speaking": talker.speaking, "ssrc": talker.ssrc, "user_id": talker.user.to_string()})
}
