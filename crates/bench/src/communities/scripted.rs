//! A model that says who it is, and keeps what it was asked; and rooms that take everything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use mind::Delivery;
use runtime::ports::{Delta, Language, LanguageStatus, Prepared, RawResponse, Rooms, SendFailure};
use runtime::{DenizenName, Platform, Quarters};
use settings::Settings;
use stand_ins::models;
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskOutcome, AskPurpose, AttachmentId, CommunityId, Message, ModelRequest, PersonId, RoomId,
};

pub const ROOM: &str = "lounge";
pub const DENIZEN: &str = "denizen";

/// A request as it went out: which model the settings chose, and everything that was said to it.
#[derive(Clone, Debug)]
pub struct Asked {
    pub model: String,
    pub said: String,
}

/// One model for everybody: the name it goes by is that of the settings it is asked with.
#[derive(Debug, Default)]
pub struct Scripted(Mutex<Vec<Asked>>);

impl Scripted {
    pub fn requests(&self) -> Vec<Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Language for Scripted {
    fn prepare(
        &self,
        request: &ModelRequest,
        _: &BTreeMap<AttachmentId, Bytes>,
        settings: &Settings,
    ) -> Result<Prepared, AskFailure> {
        let body = serde_json::to_vec(request).unwrap_or_default();
        Ok(models::prepared(&settings.llm.model, body))
    }

    async fn send(
        &self,
        request: &ModelRequest,
        prepared: &Prepared,
        deltas: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome {
        let asked = Asked {
            model: prepared.model.clone(),
            said: String::from_utf8_lossy(&prepared.body).into_owned(),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        let text = match request.purpose {
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => format!("I am {}.", prepared.model),
            _ => String::new(),
        };
        raw.push(text.as_bytes());
        // Nobody may be listening any more.
        let _ = deltas.send(Delta(text.clone())).await;
        models::answered(&prepared.model, text)
    }

    async fn configure(&self, _: &Settings) {}

    fn status(&self, settings: &Settings) -> LanguageStatus {
        models::shown_as(&settings.llm.model)
    }
}

/// Gives every community the same rooms and the same Denizen.
#[derive(Debug)]
pub struct SameEverywhere;

impl Platform for SameEverywhere {
    fn quarters(&self, _: &CommunityId, name: DenizenName) -> Quarters {
        Quarters {
            denizen: PersonId::new(DENIZEN),
            rooms: vec![RoomId::new(ROOM)],
            adapter: Arc::new(OpenRoom(name)),
            voice: None,
        }
    }
}

struct OpenRoom(DenizenName);

#[async_trait]
impl Rooms for OpenRoom {
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure> {
        Ok(delivery.as_message(PersonId::new(DENIZEN), &(self.0)(), runtime::wall()))
    }
}
