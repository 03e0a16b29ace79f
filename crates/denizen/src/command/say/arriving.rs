//! Until Denizen is in the voice of the room with ears that are ready: what is said before that is lost.

use std::time::Duration;

use anyhow::bail;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::super::progress::Busy;
use crate::client::Client;

/// How long Denizen may take to come in.
const COMES_WITHIN: Duration = Duration::from_secs(30);
/// How long its ears may take to be loaded.
const LOADS_WITHIN: Duration = Duration::from_secs(180);
/// Where it does not come by itself it is asked, and again: ears that took long to load keep it out once.
const ASKS_AFTER: Duration = Duration::from_secs(2);
const ASKS_EVERY: Duration = Duration::from_secs(15);
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What is known of the ears and the mouth of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    pub hears: bool,
    pub speaks: bool,
    /// Something is being loaded.
    pub loading: bool,
}

impl Readiness {
    pub fn of(view: &Value) -> Self {
        let is = |part: &str, what: &str| view[part][what] == true;
        Self {
            hears: is("ears", "works"),
            speaks: is("mouth", "works"),
            loading: is("ears", "loading") || is("mouth", "loading"),
        }
    }

    /// What is missing, for a person; nothing while it is being loaded.
    pub fn lacks(self, view: &Value) -> Vec<String> {
        let parts = [
            (self.hears, "ears", "understands speech"),
            (self.speaks, "mouth", "speaks"),
        ];
        let missing = parts.into_iter().filter(|(there, ..)| !there && !self.loading);
        missing
            .map(|(_, part, what)| {
                let remedy = view[part]["remedy"].as_str().unwrap_or_default();
                format!("nobody here {what}. {remedy}")
            })
            .collect()
    }
}

/// Waits until Denizen is in and hears, and asks it in where it does not come by itself. Whether it was not in before.
pub async fn come_in(client: &Client, path: &str, is_in: impl Fn() -> bool) -> anyhow::Result<bool> {
    let was_in = is_in();
    let began = Instant::now();
    let mut asks_at = began + ASKS_AFTER;
    let busy = Busy::with("waiting until Denizen is in");
    let mut was_loading = false;
    loop {
        let view: Value = client.get(path).await?;
        let ready = Readiness::of(&view);
        if is_in() && !ready.loading {
            drop(busy);
            for missing in ready.lacks(&view) {
                eprintln!("{missing}");
            }
            return Ok(!was_in);
        }
        if ready.loading && !was_loading {
            busy.now("its ears and voice are being loaded; what is said waits for them");
        }
        was_loading |= ready.loading;
        let patience = if was_loading { LOADS_WITHIN } else { COMES_WITHIN };
        if began.elapsed() > patience {
            let seconds = patience.as_secs();
            let (what, why) = match ready.loading {
                true => (
                    "was not ready to hear",
                    "it still loads its ears; try again in a while",
                ),
                false => (
                    "did not come into the voice of the room",
                    "`denizen doctor` and its log say more",
                ),
            };
            bail!("Denizen {what} within {seconds} s: {why}");
        }
        if !is_in() && Instant::now() >= asks_at {
            asks_at = Instant::now() + ASKS_EVERY;
            let _: Value = client.post(&format!("{path}/join"), &Value::Null).await?;
        }
        sleep(LOOK_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Readiness;

    #[test]
    fn what_is_being_loaded_is_waited_for_and_not_missing() {
        let engine =
            |works: bool, loading: bool| json!({"works": works, "loading": loading, "remedy": "Do this."});
        for (ears, mouth, loading, missing) in [
            (engine(true, false), engine(true, false), false, vec![]),
            (engine(false, true), engine(true, false), true, vec![]),
            (engine(true, false), engine(false, true), true, vec![]),
            (
                engine(false, false),
                engine(true, false),
                false,
                vec!["nobody here understands speech. Do this."],
            ),
        ] {
            let view = json!({"ears": ears, "mouth": mouth});
            let ready = Readiness::of(&view);
            assert_eq!(
                (ready.loading, ready.lacks(&view)),
                (loading, missing.into_iter().map(str::to_owned).collect())
            );
        }
    }
}
