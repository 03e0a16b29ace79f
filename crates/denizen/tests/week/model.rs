//! A model that answers the newest question, after a while.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{Delta, Language, LanguageStatus, Prepared, RawResponse};
use serde_json::json;
use settings::Settings;
use stand_ins::models;
use tokio::sync::mpsc;
use vocabulary::{AskFailure, AskOutcome, AskPurpose, AttachmentId, ModelRequest};

const MODEL: &str = "of-the-week";
/// What it posts of its own accord.
pub const THOUGHT: &str = "Somebody built a lighthouse of glass.";

#[derive(Debug)]
pub struct Answerer;

#[async_trait]
impl Language for Answerer {
    fn prepare(
        &self,
        request: &ModelRequest,
        _: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        let body = serde_json::to_vec(request).expect("plain data");
        Ok(models::prepared(MODEL, body))
    }

    async fn send(
        &self,
        request: &ModelRequest,
        prepared: &Prepared,
        _: mpsc::Sender<Delta>,
        _: RawResponse,
    ) -> AskOutcome {
        if request.purpose == AskPurpose::AmbientThought {
            let post =
                json!({"action": "post_now", "text": THOUGHT, "channel": "general", "reason": "it is new"});
            return models::answered(MODEL, post.to_string());
        }
        let asked = String::from_utf8_lossy(&prepared.body).into_owned();
        let number = asked.rsplit("question ").next().unwrap_or_default();
        let number: String = number.chars().take_while(char::is_ascii_digit).collect();
        let wait = number.parse::<u64>().unwrap_or(0) % 5_000;
        tokio::time::sleep(Duration::from_millis(500 + wait)).await;
        models::answered(MODEL, format!("Answer {number}."))
    }

    async fn configure(&self, _: &Settings) {}

    fn status(&self, _: &Settings) -> LanguageStatus {
        models::shown_as(MODEL)
    }
}
