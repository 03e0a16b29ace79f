//! What was asked of the double, for tests to look at.

use std::collections::VecDeque;

use serde_json::Value;

const KEPT: usize = 20_000;

/// Requests and gateway payloads, each numbered from 1 and oldest first.
#[derive(Debug, Default)]
pub struct Log {
    requests: Kept,
    payloads: Kept,
}

#[derive(Debug, Default)]
struct Kept {
    entries: VecDeque<Value>,
    count: u64,
}

impl Kept {
    fn add(&mut self, mut entry: Value) {
        self.count += 1;
        entry["number"] = self.count.into();
        self.entries.push_back(entry);
        if self.entries.len() > KEPT {
            self.entries.pop_front();
        }
    }

    fn since(&self, number: u64) -> Vec<Value> {
        let newer = |entry: &&Value| entry["number"].as_u64() > Some(number);
        self.entries.iter().filter(newer).cloned().collect()
    }
}

impl Log {
    pub fn request(&mut self, entry: Value) {
        self.requests.add(entry);
    }

    pub fn gateway(&mut self, entry: Value) {
        self.payloads.add(entry);
    }

    pub fn requests_since(&self, number: u64) -> Vec<Value> {
        self.requests.since(number)
    }

    pub fn payloads_since(&self, number: u64) -> Vec<Value> {
        self.payloads.since(number)
    }
}
