//! Messages of the voice gateway: read leniently, written as Discord has them.

use std::net::{IpAddr, SocketAddr};

use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::io::CallPlace;
use crate::privacy::{GroupMessage, NEWEST};
use crate::transport::{KEY, TransportMode};

/// A message that came, as far as it is of use.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Heard {
    Hello {
        interval: Option<u64>,
    },
    Ready {
        ssrc: u32,
        address: SocketAddr,
        mode: Option<TransportMode>,
    },
    Session {
        mode: TransportMode,
        key: [u8; KEY],
        version: u16,
    },
    HeartbeatAnswered,
    Resumed,
    Speaking {
        user: u64,
        ssrc: u32,
        /// None: only the number was told.
        is_speaking: Option<bool>,
    },
    Joined(Vec<u64>),
    Left(u64),
    PrepareTransition {
        transition: u16,
        version: u16,
    },
    ExecuteTransition(u16),
    PrepareEpoch {
        epoch: u64,
        version: u16,
    },
    /// Nobody here needs it.
    Other,
}

/// What was read of a text, and its sequence number.
pub(crate) fn read(text: &str) -> Option<(Heard, Option<u16>)> {
    let value: Value = serde_json::from_str(text).ok()?;
    let sequence = number(&value["seq"]).and_then(|number| u16::try_from(number).ok());
    let op = number(&value["op"])?;
    Some((heard(op, &value["d"])?, sequence))
}

fn heard(op: u64, data: &Value) -> Option<Heard> {
    Some(match op {
        2 => Heard::Ready {
            ssrc: u32::try_from(number(&data["ssrc"])?).ok()?,
            address: address(data)?,
            mode: TransportMode::choose(data["modes"].as_array()?.iter().filter_map(Value::as_str)),
        },
        4 => Heard::Session {
            mode: TransportMode::named(data["mode"].as_str()?)?,
            key: key(&data["secret_key"])?,
            version: small(&data["dave_protocol_version"]).unwrap_or(0),
        },
        5 => Heard::Speaking {
            user: number(&data["user_id"])?,
            ssrc: u32::try_from(number(&data["ssrc"])?).ok()?,
            is_speaking: Some(
                data["speaking"]
                    .as_bool()
                    .unwrap_or_else(|| number(&data["speaking"]) != Some(0)),
            ),
        },
        6 => Heard::HeartbeatAnswered,
        8 => Heard::Hello {
            interval: milliseconds(&data["heartbeat_interval"]),
        },
        9 => Heard::Resumed,
        11 => Heard::Joined(data["user_ids"].as_array()?.iter().filter_map(number).collect()),
        // Of somebody's camera; their sound's number is told with it.
        12 => match number(&data["audio_ssrc"]).and_then(|ssrc| u32::try_from(ssrc).ok()) {
            Some(ssrc) if ssrc != 0 => Heard::Speaking {
                user: number(&data["user_id"])?,
                ssrc,
                is_speaking: None,
            },
            _ => Heard::Other,
        },
        13 => Heard::Left(number(&data["user_id"])?),
        21 => Heard::PrepareTransition {
            transition: small(&data["transition_id"])?,
            version: small(&data["protocol_version"])?,
        },
        22 => Heard::ExecuteTransition(small(&data["transition_id"])?),
        24 => Heard::PrepareEpoch {
            epoch: number(&data["epoch"])?,
            version: small(&data["protocol_version"])?,
        },
        _ => Heard::Other,
    })
}

/// Ids are texts, mostly.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    }
}

fn small(value: &Value) -> Option<u16> {
    number(value).and_then(|number| u16::try_from(number).ok())
}

/// Some servers write it with a fraction.
fn milliseconds(value: &Value) -> Option<u64> {
    let fraction = || {
        value
            .as_f64()
            .filter(|it| *it >= 0.0)
            .map(|it| it.min(1e9) as u64)
    };
    number(value).or_else(fraction)
}

fn address(data: &Value) -> Option<SocketAddr> {
    let ip: IpAddr = data["ip"].as_str()?.parse().ok()?;
    let port = small(&data["port"]).filter(|port| *port != 0)?;
    Some(SocketAddr::new(ip, port))
}

fn key(value: &Value) -> Option<[u8; KEY]> {
    let bytes = value
        .as_array()?
        .iter()
        .map(|byte| u8::try_from(byte.as_u64()?).ok());
    bytes.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// A message that came as bytes, with its sequence number: about the group, or none that is known.
pub(crate) fn read_binary(bytes: &[u8]) -> Option<(Option<GroupMessage<'_>>, u16)> {
    let (sequence, rest) = bytes.split_first_chunk::<2>()?;
    let (op, rest) = rest.split_first()?;
    let numbered = |rest: &'_ [u8]| {
        rest.split_first_chunk::<2>()
            .map(|(number, _)| u16::from_be_bytes(*number))
    };
    let message = match op {
        25 => Some(GroupMessage::ExternalSender(rest)),
        27 => {
            let (kind, proposals) = rest.split_first()?;
            Some(GroupMessage::Proposals {
                is_revoked: *kind == 1,
                proposals,
            })
        }
        29 => Some(GroupMessage::Commit {
            transition: numbered(rest)?,
            commit: &rest[2..],
        }),
        30 => Some(GroupMessage::Welcome {
            transition: numbered(rest)?,
            welcome: &rest[2..],
        }),
        _ => None,
    };
    Some((message, u16::from_be_bytes(*sequence)))
}

pub(crate) fn identify(place: &CallPlace) -> Value {
    json!({"op": 0, "d": {
        "server_id": place.guild.to_string(),
        "user_id": place.user.to_string(),
        "session_id": place.session.expose_secret(),
        "token": place.token.expose_secret(),
        "max_dave_protocol_version": NEWEST,
    }})
}

pub(crate) fn resume(place: &CallPlace, sequence: Option<u16>) -> Value {
    json!({"op": 7, "d": {
        "server_id": place.guild.to_string(),
        "session_id": place.session.expose_secret(),
        "token": place.token.expose_secret(),
        "seq_ack": acknowledged(sequence),
    }})
}

pub(crate) fn heartbeat(nonce: u64, sequence: Option<u16>) -> Value {
    json!({"op": 3, "d": {"t": nonce, "seq_ack": acknowledged(sequence)}})
}

/// The last that came; −1 before any.
fn acknowledged(sequence: Option<u16>) -> i32 {
    sequence.map_or(-1, i32::from)
}

pub(crate) fn select(address: IpAddr, port: u16, mode: TransportMode) -> Value {
    let data = json!({"address": address.to_string(), "port": port, "mode": mode.name()});
    json!({"op": 1, "d": {"protocol": "udp", "data": data}})
}

pub(crate) fn speaking(is_speaking: bool, ssrc: u32) -> Value {
    json!({"op": 5, "d": {"speaking": u8::from(is_speaking), "delay": 0, "ssrc": ssrc}})
}

pub(crate) fn ready_for(transition: u16) -> Value {
    json!({"op": 23, "d": {"transition_id": transition}})
}

pub(crate) fn invalid(transition: u16) -> Value {
    json!({"op": 31, "d": {"transition_id": transition}})
}

/// What the group has to say in bytes: its kind first.
pub(crate) fn binary(op: u8, bytes: &[u8]) -> Vec<u8> {
    [&[op], bytes].concat()
}
pub(crate) const KEY_PACKAGE: u8 = 26;
pub(crate) const COMMIT_WELCOME: u8 = 28;

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
