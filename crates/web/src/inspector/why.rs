//! Why a message was answered, or was not: the chain of causes in plain words.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, State};
use explain::{Outcome, PeopleNames, Verdict};
use mind::{JournalEntry, JournalEvent};
use runtime::ports::{AskFilter, AskSummary, StoredMessage};
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::{AskPurpose, MessageId, TurnId};

use crate::access::{Caller, Role};
use crate::events::is_of_the_room;
use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::plain_lines::as_seen_by;
use crate::refusal::Refusal;
use crate::rooms::unknown_message;
use crate::site::Shared;

/// A message is part of one turn, seldom of a few.
const TURNS_MAX: usize = 8;
const ASKS_A_TURN_MAX: usize = 50;
/// Whoever asks why does not wait long for the mind.
const LOOK_DEADLINE: Duration = Duration::from_secs(1);

#[derive(Serialize, JsonSchema)]
pub(crate) struct Why {
    message: StoredMessage,
    verdict: Verdict,
    /// Every line about the message and its turns, in order; without those of model calls and memory for whoever is no
    /// administrator.
    chain: Vec<ChainLink>,
    /// The model calls of its turns; none for whoever is no administrator.
    asks: Vec<AskSummary>,
    /// The ids of the messages that answered it.
    replies: Vec<MessageId>,
}

/// A journal line, and what it means.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ChainLink {
    /// The line in plain words.
    sentence: String,
    entry: JournalEntry,
}

impl ChainLink {
    /// Lines of one story: whoever is named in one is called so in all.
    pub(crate) fn all(chain: Vec<JournalEntry>) -> Vec<Self> {
        let names = PeopleNames::of(&chain);
        let links = chain.into_iter().map(|entry| Self {
            sentence: names.sentence(&entry),
            entry,
        });
        links.collect()
    }
}

/// Ask why a message was answered, or was not.
#[utoipa::path(
    get, path = "/api/why/{message}", tag = "inspector",
    params(("message" = String, Path, description = "The message, a person's or Denizen's own", example = "alice-000017")),
    responses(
        (status = 200, description = "The verdict, and every line that led to it", body = ref(answer::<Why>()), example = json!({
            "message": {"seq": 13, "id": "alice-000017", "room": "lounge", "author": {"id": "local:alice", "name": "Alice", "kind": "person"},
                "text": "nice weather", "at": 1763000000000_u64},
            "verdict": {"outcome": "silent", "sentence": "Not addressed to Denizen, and Denizen had said nothing in the last few messages, so no model was asked."},
            "chain": [{"sentence": "Alice wrote 12 characters.", "entry": {"seq": 5, "moment": 1000, "wall": 1763000000000_u64, "community": "local",
                "room": "lounge", "messages": ["alice-000017"], "name": "text_message_received",
                "data": {"author": "local:alice", "authorName": "Alice", "characters": 12, "images": 0}}}],
            "asks": [], "replies": []
        })),
        (status = 404, description = "`unknown_message`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_message", "message": "There is no message x here; it may have been taken back. Load the room again."}})),
    )
)]
pub(crate) async fn why(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(id): InPath<String>,
) -> Result<Json<Why>, Refusal> {
    let sees_all = caller.role == Role::Administrator;
    let handle = shared.handle();
    let id = MessageId::new(id);
    let message = handle
        .store()
        .message(handle.community(), &id)
        .await?
        .ok_or_else(|| unknown_message(&id))?;
    let chain = handle.store().why(handle.community(), &id).await?;
    let turns: BTreeSet<TurnId> = match sees_all {
        true => chain.iter().filter_map(|entry| entry.scope.turn).collect(),
        // Model calls are the administrators', wherever they are asked for.
        false => BTreeSet::new(),
    };
    let mut asks = Vec::new();
    for turn in turns.into_iter().take(TURNS_MAX) {
        let filter = AskFilter {
            turn: Some(turn),
            limit: ASKS_A_TURN_MAX,
            ..AskFilter::default()
        };
        let of_turn = handle.store().asks(handle.community(), filter).await?;
        asks.extend(
            of_turn
                .into_iter()
                .filter(|ask| is_about_the_message(&ask.purpose)),
        );
    }
    asks.sort_by_key(|ask| ask.ask);
    let chain: Vec<JournalEntry> = chain
        .into_iter()
        .map(|entry| as_seen_by(caller.role, entry))
        .collect();
    let mut verdict = explain::verdict(&chain, &id);
    if verdict.outcome == Outcome::Waiting {
        // A mind that is held up says nothing of itself, and the journal says enough.
        let looking = handle.ask_under_way(message.message.room.clone(), id.clone());
        if let Ok(Some(ask)) = tokio::time::timeout(LOOK_DEADLINE, looking).await {
            verdict.sentence = explain::waits_for(&ask);
        }
    }
    Ok(Json(Why {
        verdict,
        replies: replies(&chain, &id),
        chain: ChainLink::all(
            chain
                .into_iter()
                .filter(|entry| sees_all || is_of_the_room(entry.event.name()))
                .collect(),
        ),
        message,
        asks,
    }))
}

/// Whether a model was given the message to answer or judge it, or to say what is asked about: summaries, notes and
/// memories are made besides.
fn is_about_the_message(purpose: &str) -> bool {
    let besides = [
        AskPurpose::ContextCompaction,
        AskPurpose::GemExtraction,
        AskPurpose::ScreenNote,
    ];
    besides.iter().all(|besides| besides.name() != purpose)
}

fn replies(chain: &[JournalEntry], id: &MessageId) -> Vec<MessageId> {
    let sent = chain.iter().filter_map(|entry| match &entry.event {
        JournalEvent::SentReply {
            message,
            trigger_message_ids,
            reply_to,
            ..
        } => (trigger_message_ids.contains(id) || reply_to == id).then_some(message),
        JournalEvent::SentMessage {
            message,
            trigger_message_ids,
            ..
        } => trigger_message_ids.contains(id).then_some(message),
        _ => None,
    });
    sent.cloned().collect()
}
