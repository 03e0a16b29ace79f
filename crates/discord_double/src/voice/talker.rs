//! One client in a call.

use std::collections::VecDeque;
use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::calls::CallSite;
use super::group::{CallMember, Word};
use super::sealing::Seal;
use crate::gateway::hub::Wire;
use crate::ids::{Id, Millis, now};

/// How many messages can be sent again.
const REPLAYABLE: usize = 500;

#[derive(Debug)]
pub struct Talker {
    pub ssrc: u32,
    /// The port of the voice server that it is at.
    pub server: u16,
    pub user: Id,
    pub guild: Id,
    pub channel: Id,
    pub session: String,
    /// The connection it has, by number, and the way to it.
    pub wire: Option<(u64, UnboundedSender<Wire>)>,
    /// Since when it has none.
    pub lost: Option<Millis>,
    sequence: u16,
    sent: VecDeque<(u16, Wire)>,
    /// Once it has chosen how.
    pub seal: Option<Seal>,
    pub address: Option<SocketAddr>,
    pub speaking: Value,
    /// Its number is known to the others, for it has said something about speaking.
    pub named: bool,
    /// Packets from it and to it.
    pub packets: (u64, u64),
    /// Packets of it that could not be opened.
    pub unopened: u64,
}

impl Talker {
    pub fn new(ssrc: u32, server: u16, (guild, channel, user): (Id, Id, Id), session: String) -> Self {
        Self {
            ssrc,
            server,
            user,
            guild,
            channel,
            session,
            wire: None,
            lost: None,
            sequence: 0,
            sent: VecDeque::new(),
            seal: None,
            address: None,
            speaking: json!(0),
            named: false,
            packets: (0, 0),
            unopened: 0,
        }
    }

    pub fn place(&self) -> CallSite {
        (self.server, self.channel)
    }

    pub fn member(&self) -> CallMember {
        CallMember {
            ssrc: self.ssrc,
            user: self.user,
        }
    }

    pub fn tell(&mut self, word: Word) {
        self.sequence = self.sequence.wrapping_add(1);
        let wire = match word {
            Word::Text(op, data) => {
                Wire::Text(json!({"op": op, "seq": self.sequence, "d": data}).to_string())
            }
            Word::Binary(op, bytes) => {
                Wire::Binary([&self.sequence.to_be_bytes()[..], &[op], &bytes].concat())
            }
        };
        self.sent.push_back((self.sequence, wire.clone()));
        while self.sent.len() > REPLAYABLE {
            self.sent.pop_front();
        }
        self.send(wire);
    }

    /// Without a number: it is not sent again.
    pub fn send(&self, wire: Wire) {
        if let Some((_, to)) = &self.wire {
            // A connection that is gone resumes or not.
            let _ = to.send(wire);
        }
    }

    /// It is back, having heard everything up to this number.
    pub fn resume(&mut self, wire: (u64, UnboundedSender<Wire>), heard: i64) {
        if let Some((_, old)) = self.wire.replace(wire) {
            let _ = old.send(Wire::Drop);
        }
        self.lost = None;
        self.send(Wire::Text(json!({"op": 9, "d": null}).to_string()));
        let missed = self
            .sent
            .iter()
            .skip_while(|(number, _)| i64::from(*number) <= heard);
        for (_, wire) in missed {
            self.send(wire.clone());
        }
    }

    /// The connection is gone; the session waits for another.
    pub fn let_go(&mut self, number: u64) {
        if self.wire.take_if(|(it, _)| *it == number).is_some() {
            self.lost = Some(now());
        }
    }

    pub fn told(&self, name: &str) -> Value {
        json!({"user": name, "channel": self.channel.to_string(), "ssrc": self.ssrc,
            "mode": self.seal.as_ref().map(|seal| seal.mode), "connected": self.wire.is_some(),
            "received": self.packets.0, "relayed": self.packets.1, "unopened": self.unopened})
    }
}
