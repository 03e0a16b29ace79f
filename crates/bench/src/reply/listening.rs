//! A page that listens to a room: when a question stood in it, when the first words of the answer, and when all of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

/// An answer that has not come by then does not come.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// How long it took from the question until something stood in the room.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub draft: Duration,
    pub sent: Duration,
}

/// A stream of events.
pub struct Stream {
    response: reqwest::Response,
    text: String,
    /// Events that are whole, and when they were.
    events: VecDeque<(Instant, Value)>,
}

impl Stream {
    pub async fn open(address: &str, token: &str) -> anyhow::Result<Self> {
        let response = reqwest::Client::new()
            .get(address)
            .bearer_auth(token)
            .send()
            .await?;
        let mut stream = Self {
            response: response.error_for_status()?,
            text: String::new(),
            events: VecDeque::new(),
        };
        // The greeting: from here on nothing is missed.
        stream.read().await?;
        Ok(stream)
    }

    /// Waits for a question, its first draft and its answer.
    pub async fn reply(&mut self) -> anyhow::Result<Seen> {
        tokio::time::timeout(ANSWERED_WITHIN, self.wait_for_reply())
            .await
            .context("no answer came")?
    }

    async fn wait_for_reply(&mut self) -> anyhow::Result<Seen> {
        let (mut asked, mut draft) = (None, None);
        loop {
            let (at, event) = self.next().await?;
            let is_denizens = event["message"]["author"]["kind"] == "denizen";
            match event["type"].as_str() {
                Some("message") if !is_denizens => asked = asked.or(Some(at)),
                Some("draft") => draft = draft.or(Some(at)),
                Some("message") => {
                    let asked = asked.context("an answer came before its question")?;
                    return Ok(Seen {
                        draft: draft.unwrap_or(at).saturating_duration_since(asked),
                        sent: at.saturating_duration_since(asked),
                    });
                }
                Some("reset") => bail!("the page fell behind"),
                _ => {}
            }
        }
    }

    async fn next(&mut self) -> anyhow::Result<(Instant, Value)> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            self.read().await?;
        }
    }

    async fn read(&mut self) -> anyhow::Result<()> {
        let piece = self.response.chunk().await?.context("the stream ended")?;
        let at = Instant::now();
        self.text.push_str(&String::from_utf8_lossy(&piece));
        while let Some((event, rest)) = self.text.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(event) = data.and_then(|data| serde_json::from_str(data).ok()) {
                self.events.push_back((at, event));
            }
            self.text = rest.to_owned();
        }
        Ok(())
    }
}
