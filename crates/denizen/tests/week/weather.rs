//! What goes wrong, by chance: lines that break, connections that are dead, sessions that are gone, outages, and requests that
//! fail, are refused as too many, come late or break off.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Numbers that are the same each time.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most.max(1)
    }

    pub fn index(&mut self, many: usize) -> usize {
        usize::try_from(self.below(many as u64)).unwrap_or(0)
    }
}

const WRITING: &str = "POST /channels/*/messages";
const READING: &str = "GET /channels/*/messages";

#[derive(Debug, Default)]
pub struct Weather {
    pub struck: BTreeMap<&'static str, usize>,
    pub restarts: usize,
    /// The last of them, for whoever looks for a reason.
    pub told: Vec<String>,
}

impl Weather {
    pub fn strike(&mut self, chance: &mut Chance, control: impl Fn(&str, Value) -> Value) {
        let route = [WRITING, READING, "*"][chance.index(3)];
        let times = 1 + chance.below(4);
        let code = [4000, 4008, 4009, 4007][chance.index(4)];
        let status = [500, 502, 503][chance.index(3)];
        let scope = ["user", "shared", "global"][chance.index(3)];
        let malformed = [
            "unknown_event",
            "null_data",
            "wrong_types",
            "missing_author",
            "not_json",
        ];
        let which = malformed[chance.index(malformed.len())];
        let (name, wish) = match chance.below(14) {
            0 => ("drop", json!({})),
            1 => ("zombie", json!({})),
            2 => ("reconnect", json!({})),
            3 => ("invalid_session", json!({"resumable": true})),
            4 => ("invalid_session", json!({"resumable": false})),
            5 => ("close", json!({"code": code})),
            6 => ("hush", json!({})),
            7 => ("malformed", json!({"which": which})),
            8 | 9 => (
                "status",
                json!({"status": status, "route": route, "times": times,
                    "carried_out": chance.below(2) == 0}),
            ),
            10 => (
                "rate_limit",
                json!({"retry_after": 1 + chance.below(40), "route": route, "times": times,
                    "scope": scope}),
            ),
            11 => (
                "slow",
                json!({"ms": 500 + chance.below(40_000), "route": route, "times": times}),
            ),
            12 => ("cut", json!({"route": route, "times": times})),
            _ => ("down", json!({"ms": 1_000 + chance.below(2_700_000)})),
        };
        let mut fault = wish.clone();
        fault["kind"] = json!(name);
        control("fault", fault);
        // What was forgotten is only missed once the line is lost, too.
        if name == "hush" {
            control("fault", json!({"kind": "drop"}));
        }
        *self.struck.entry(name).or_default() += 1;
        self.told.push(format!("{name} {wish}"));
        let old = self.told.len().saturating_sub(40);
        self.told.drain(..old);
    }

    /// Every kind of trouble was there.
    pub fn has_been_bad(&self, days: u32) -> bool {
        self.struck.len() == 12
            && self.struck.values().sum::<usize>() > 60 * days as usize
            && self.restarts > 0
    }
}
