//! What has to be known to go on with a session after its connection was lost.

use serde_json::Value;

use crate::wire::Fields;

/// Connections that came to nothing before the address that a session was given for going on is no longer tried.
const TRIES: u32 = 2;
/// More events than this are not lost on the way.
const JUMP_MAX: u64 = 100_000;

#[derive(Debug)]
pub(super) struct SessionMemory {
    /// Where sessions begin.
    url: String,
    id: Option<String>,
    /// Where this one goes on.
    resume_url: Option<String>,
    sequence: Option<u64>,
}

impl SessionMemory {
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            id: None,
            resume_url: None,
            sequence: None,
        }
    }

    /// Where to connect, after so many connections that came to nothing.
    pub fn url(&self, failures: u32) -> String {
        let resume = self.resume_url.as_ref().filter(|_| failures <= TRIES);
        resume.unwrap_or(&self.url).clone()
    }

    pub fn sequence(&self) -> Option<u64> {
        self.sequence
    }

    pub fn resumable(&self) -> Option<(&str, u64)> {
        Some((self.id.as_deref()?, self.sequence?))
    }

    pub fn forget(&mut self) {
        self.id = None;
        self.resume_url = None;
        self.sequence = None;
    }

    /// The sequence number of something that came; whether it is new. What has none is taken for new.
    pub fn take(&mut self, sequence: Option<u64>) -> bool {
        let Some(sequence) = sequence else { return true };
        if let Some(last) = self.sequence {
            if sequence <= last {
                return false;
            }
            // Numbers go up one by one. One that is far off would make everything after it look old.
            if sequence - last > JUMP_MAX {
                return true;
            }
        }
        self.sequence = Some(sequence);
        true
    }

    /// What a session says of itself at its beginning.
    pub fn begun(&mut self, ready: &Value) {
        let Some(fields) = Fields::of(ready) else { return };
        self.id = fields.words("session_id").map(str::to_owned);
        // The token is sent there, too: never by a worse way than to where sessions begin.
        let is_safe = |url: &&str| {
            url.starts_with("wss://") || (self.url.starts_with("ws://") && url.starts_with("ws://"))
        };
        self.resume_url = fields
            .words("resume_gateway_url")
            .filter(is_safe)
            .map(str::to_owned);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_session_goes_on_where_it_was_told_to_and_never_unencrypted() {
        let mut session = SessionMemory::new("wss://gateway");
        assert_eq!(session.resumable(), None);
        session.take(Some(1));
        session.begun(&json!({"session_id": "a", "resume_gateway_url": "wss://here"}));
        assert_eq!(session.resumable(), Some(("a", 1)));
        assert_eq!(
            (session.url(0).as_str(), session.url(3).as_str()),
            ("wss://here", "wss://gateway")
        );
        session.begun(&json!({"session_id": "a", "resume_gateway_url": "ws://here"}));
        assert_eq!(session.url(0), "wss://gateway");
        session.begun(&json!([]));
        session.forget();
        assert_eq!((session.resumable(), session.sequence()), (None, None));
    }

    #[test]
    fn what_came_before_is_not_new() {
        let mut session = SessionMemory::new("wss://gateway");
        assert!(session.take(Some(3)) && session.take(None) && session.take(Some(5)));
        assert!(!session.take(Some(5)) && !session.take(Some(4)));
        assert_eq!(session.sequence(), Some(5));
        assert!(session.take(Some(u64::MAX)));
        assert_eq!(session.sequence(), Some(5), "a damaged number is not kept");
    }
}
