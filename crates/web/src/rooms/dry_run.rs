//! What it would do with a message: played on a copy of the room, with no model asked and nothing kept.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use explain::PromptAccount;
use mind::addressing::AddressReason;
use mind::admission::{AdmissionReason, Gate};
use mind::{JournalEvent, Rehearsal, WouldDo};
use runtime::NotAccepted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{AskPurpose, Message, MessageId, ModelChoice, SectionReport, Span};

use super::post::mentioned;
use super::text;
use crate::body::SmallJson;
use crate::inspector::why::ChainLink;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(10);
/// What the message is called in the lines.
const MESSAGE: &str = "dry-run";

/// A message that nobody writes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ImaginedMessage {
    /// Who would write it: 1 to 40 characters, and not Denizen's own name.
    #[schemars(length(min = 1, max = 40), example = &"Alice")]
    author: String,
    #[schemars(length(min = 1, max = 8000))]
    text: String,
}

/// What it would do with a message.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DryRun {
    outcome: WouldDo,
    /// The same in words, and why.
    sentence: String,
    /// What the gate says; none where it is not asked.
    admission: Option<GateSays>,
    /// The journal lines it would leave.
    chain: Vec<ChainLink>,
    /// What the model would be given; none where no model would be asked.
    prompt: Option<ImaginedPrompt>,
    /// From the message to the question, in milliseconds; what look-ups take is not in it.
    after: Span,
}

/// The gate's answer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GateSays {
    allow: bool,
    reason: AdmissionReason,
    /// How the message is addressed.
    address: AddressReason,
    /// Which rule of addressing spoke.
    rule: String,
    confidence: f64,
    /// Whether a reply would be owed.
    forced: bool,
}

/// A prompt that is not sent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImaginedPrompt {
    purpose: AskPurpose,
    choice: ModelChoice,
    account: PromptAccount,
    sections: Vec<SectionReport>,
}

/// See what it would do with a message.
///
/// A what-if on a copy of the room as it is now: whether a reply would be attempted and why, and what the model would be
/// given. No model is asked, nobody sees the message, and nothing of it is kept. Memories are looked for by their words
/// alone, since their meaning may be a model's to find.
#[utoipa::path(
    post, path = "/api/rooms/{room}/dry-run", tag = "rooms",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    request_body(content = ref(question::<ImaginedMessage>()), example = json!({"author": "Alice", "text": "Denizen, what did we decide?"})),
    responses(
        (status = 200, description = "What it would do", body = ref(answer::<DryRun>()), example = json!({
            "outcome": "ask_for_reply", "sentence": "A model would be asked for a reply, 1.5 s after the message. Denizen was called by name, so a reply is owed.",
            "admission": {"allow": true, "reason": "forced", "address": "name_exact", "rule": "called", "confidence": 0.98, "forced": true},
            "chain": [],
            "prompt": {"purpose": "text_reply", "choice": {"provider": "auto", "model": ""},
                "account": {"parts": [{"kind": "rules", "name": "rules", "fate": null, "tokens": 310, "wantedTokens": 310, "capTokens": null,
                    "remark": "what stands in every prompt of this kind"}], "tokens": 310, "windowTokens": 8000, "answerTokens": 800},
                "sections": []},
            "after": 1500
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 413, description = "`text_too_long` or `body_too_large`", body = ref(refusal()),
            example = json!({"error": {"code": "text_too_long", "message": "A message has at most 8000 characters; this one has 9000. Send it in parts."}})),
        (status = 422, description = "`invalid_author`, `empty_message`, `invalid_text`, `unknown_field` or `invalid_field`",
            body = ref(refusal()), example = json!({"error": {"code": "empty_message", "message": "A message needs words or a picture. Write something, or add one."}})),
    )
)]
pub(crate) async fn dry_run(
    State(shared): State<Shared>,
    InPath(room): InPath<String>,
    SmallJson(imagined): SmallJson<ImaginedMessage>,
) -> Result<Json<DryRun>, Refusal> {
    let room = shared.readable(&room).await?;
    text::check(&imagined.text)?;
    if imagined.text.trim().is_empty() {
        return Err(text::empty_message());
    }
    let message = Message {
        id: MessageId::from(MESSAGE),
        room,
        author: shared.author(&imagined.author)?,
        text: imagined.text,
        at: runtime::wall(),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    };
    let message = Message {
        mentions: mentioned(&shared, &message).await?,
        ..message
    };
    let handle = shared.handle();
    let rehearsal = tokio::time::timeout(LOOK_DEADLINE, handle.rehearse(message))
        .await
        .map_err(|_| NotAccepted::Busy)?
        .ok_or(NotAccepted::Stopping)?;
    let window = handle.in_force().settings.llm.context_tokens;
    Ok(Json(shown(&rehearsal, window)))
}

fn shown(rehearsal: &Rehearsal, window_tokens: u64) -> DryRun {
    DryRun {
        outcome: rehearsal.outcome(),
        sentence: explain::would(rehearsal),
        admission: gate(rehearsal),
        chain: ChainLink::all(rehearsal.lines().to_vec()),
        prompt: rehearsal.request().map(|request| ImaginedPrompt {
            purpose: request.purpose,
            choice: request.choice.clone(),
            account: PromptAccount::of(request, window_tokens),
            sections: request.sections.clone(),
        }),
        after: rehearsal.after(),
    }
}

/// What the gate said as the message came, or last where that is all there is.
fn gate(rehearsal: &Rehearsal) -> Option<GateSays> {
    rehearsal.lines().iter().find_map(|line| match &line.event {
        JournalEvent::AdmissionDecided {
            gate: Gate::BeforeQueueing,
            allow,
            reason,
            address,
            rule,
            confidence,
            forced,
            ..
        } => Some(GateSays {
            allow: *allow,
            reason: *reason,
            address: *address,
            rule: rule.clone(),
            confidence: *confidence,
            forced: *forced,
        }),
        _ => None,
    })
}
