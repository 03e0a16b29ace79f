//! What every message of the gateway is wrapped in.

use serde_json::Value;

use super::Fields;

/// One message of the gateway.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    pub op: Op,
    /// Of a dispatched event; what a resume goes on from.
    pub sequence: Option<u64>,
    /// What a dispatched event is called.
    pub name: String,
    pub data: Value,
}

/// What a server wants with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Dispatch,
    /// A heartbeat is wanted now.
    Heartbeat,
    Reconnect,
    InvalidSession,
    Hello,
    HeartbeatAck,
    Other(u64),
}

impl Payload {
    /// None: no JSON, nested too deep, or without a number of what it is.
    pub fn read(text: &str) -> Option<Self> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        let fields = Fields::of(&value)?;
        let op = match fields.number("op")? {
            0 => Op::Dispatch,
            1 => Op::Heartbeat,
            7 => Op::Reconnect,
            9 => Op::InvalidSession,
            10 => Op::Hello,
            11 => Op::HeartbeatAck,
            other => Op::Other(other),
        };
        let sequence = fields.number("s");
        let name = fields.text("t").unwrap_or_default().to_owned();
        let data = value.get_mut("d").map(Value::take).unwrap_or_default();
        Some(Self {
            op,
            sequence,
            name,
            data,
        })
    }
}
