//! Live events as a stream (SSE): what was missed first, then whatever happens, until one side leaves.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, Stream, stream};
use runtime::live::{LiveEvent, LiveFeed, Missed, Numbered};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use utoipa::IntoParams;
use vocabulary::CommunityId;

use crate::access::{Caller, Role};
use crate::listeners::{LISTENERS_MAX, LISTENERS_PER_CREDENTIAL_MAX, NoPlace, Place};
use crate::openapi::{answer, refusal};
use crate::parameters::InQuery;
use crate::plain_lines::as_seen_by;
use crate::refusal::Refusal;
use crate::site::Shared;

const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// The number of the last event seen, for clients that cannot send `Last-Event-ID`.
    #[param(example = 1_763_000_000_000_000_u64)]
    after: Option<u64>,
}

/// Listen to what happens, live.
///
/// A stream of server-sent events, each with `id`, `event` (its type) and `data` (JSON). `hello` comes first; then
/// what was missed since `Last-Event-ID`, then events as they happen. `reset` says that more was missed than is
/// kept: load everything anew. The stream ends when the token or session it was opened with does. `ask`, `settings` and most of `journal` are for administrators. A comment keeps the connection alive every 15 seconds.
#[utoipa::path(
    get, path = "/api/events", tag = "live",
    params(EventsQuery, ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event seen; browsers send it when they reconnect")),
    responses((
        status = 200, description = "Events: hello, reset, message, message_edited, message_deleted, reactions, typing, draft, draft_dropped, journal, ask, frame, settings, model",
        content_type = "text/event-stream", body = ref(answer::<TownEvent<'_>>()),
        example = "id: 17\nevent: typing\ndata: {\"community\":\"local\",\"type\":\"typing\",\"room\":\"lounge\",\"person\":\"local:alice\",\"name\":\"Alice\",\"typing\":true}\n\n"
    ), (
        status = 503, description = "`too_many_streams`: too many pages are listening", body = ref(refusal()),
        example = json!({"error": {"code": "too_many_streams", "message": "200 pages are listening already. Close some, then load this one again."}})
    ))
)]
pub(crate) async fn events(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InQuery(query): InQuery<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let place = shared.listeners.take(&caller).map_err(too_many_streams)?;
    let last_seen = match headers.get("last-event-id") {
        None => query.after.map(Seen::Until),
        // A number that is none of ours may stand for anything missed.
        Some(id) => Some(
            id.to_str()
                .ok()
                .and_then(|id| id.trim().parse().ok())
                .map_or(Seen::Unknown, Seen::Until),
        ),
    };
    let reader = Reader::open(shared, caller, last_seen, place);
    let stream =
        Sse::new(reader.into_stream()).keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive"));
    let unbuffered = [
        (header::CACHE_CONTROL, "no-store"),
        // Proxies that gather output would hold events back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((unbuffered, stream).into_response())
}

fn too_many_streams(problem: NoPlace) -> Refusal {
    let who = match problem {
        NoPlace::Full => {
            format!("{LISTENERS_MAX} pages are listening already, or all but those kept for administrators.")
        }
        NoPlace::TooManyOfOne => {
            format!(
                "{LISTENERS_PER_CREDENTIAL_MAX} pages are listening already with the token or session of yours."
            )
        }
    };
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "too_many_streams",
        format!("{who} Close some, then load this one again."),
    )
    .with_header(header::RETRY_AFTER, header::HeaderValue::from_static("5"))
}

/// What a client that comes back has seen.
#[derive(Clone, Copy)]
enum Seen {
    Until(u64),
    Unknown,
}

/// An event, and where it happened.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TownEvent<'a> {
    community: &'a CommunityId,
    #[serde(flatten)]
    event: &'a LiveEvent,
}

/// One page that listens.
struct Reader {
    shared: Shared,
    caller: Caller,
    waiting: VecDeque<StreamItem>,
    receiver: Receiver<Arc<Numbered>>,
    /// Resolves once what it was opened with is taken back, or over, or the community is removed.
    over: BoxFuture<'static, ()>,
    _place: Place,
}

enum StreamItem {
    Hello { last_id: u64 },
    Reset { last_id: u64 },
    Live(Arc<Numbered>),
}

impl Reader {
    fn open(shared: Shared, caller: Caller, last_seen: Option<Seen>, place: Place) -> Self {
        let feed = shared.handle().live();
        let resumed = match last_seen {
            Some(Seen::Until(id)) if id < feed.next_id() => match feed.subscribe(Some(id)) {
                (Missed::Events(missed), receiver) => Some((id, missed, receiver)),
                (Missed::TooMany, _) => None,
            },
            _ => None,
        };
        let lost = last_seen.is_some() && resumed.is_none();
        let (last_id, missed, receiver) = resumed.unwrap_or_else(|| from_now_on(feed));
        // The greeting carries a number too: a page that sees nothing else can resume from it.
        let mut waiting = VecDeque::from([StreamItem::Hello { last_id }]);
        if lost {
            waiting.push_back(StreamItem::Reset { last_id });
        }
        waiting.extend(missed.into_iter().map(StreamItem::Live));
        let (revoked, stopped) = (
            shared.site.access.until_over(&caller),
            shared.handle().until_stopped(),
        );
        let over = async move {
            tokio::select! {
                () = revoked => {}
                () = stopped => {}
            }
        };
        let over = over.boxed();
        Self {
            shared,
            caller,
            waiting,
            receiver,
            over,
            _place: place,
        }
    }

    fn into_stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(self, |mut reader| async move {
            let line = reader.next().await?;
            let event = reader.event(line);
            Some((Ok(event), reader))
        })
    }

    async fn next(&mut self) -> Option<StreamItem> {
        loop {
            match self.heard().await? {
                StreamItem::Live(numbered) if !is_for(self.caller.role, &numbered.event) => {}
                item => return Some(item),
            }
        }
    }

    async fn heard(&mut self) -> Option<StreamItem> {
        let stopping = self.shared.stopping.clone();
        tokio::select! {
            biased;
            () = stopping.cancelled() => None,
            () = &mut self.over => None,
            Some(line) = std::future::ready(self.waiting.pop_front()) => Some(line),
            received = self.receiver.recv() => match received {
                Ok(numbered) => Some(StreamItem::Live(numbered)),
                Err(RecvError::Lagged(_)) => Some(self.start_anew()),
                Err(RecvError::Closed) => None,
            },
        }
    }

    /// For a reader that fell too far behind.
    fn start_anew(&mut self) -> StreamItem {
        let (last_id, missed, receiver) = from_now_on(self.shared.handle().live());
        self.receiver = receiver;
        self.waiting = missed.into_iter().map(StreamItem::Live).collect();
        StreamItem::Reset { last_id }
    }

    fn event(&self, line: StreamItem) -> Event {
        match line {
            StreamItem::Hello { last_id } => {
                let hello = json!({"type": "hello", "community": self.shared.community.id(), "version": self.shared.site.version, "next": last_id + 1});
                Event::default()
                    .id(last_id.to_string())
                    .event("hello")
                    .data(hello.to_string())
            }
            StreamItem::Reset { last_id } => Event::default()
                .id(last_id.to_string())
                .event("reset")
                .data(json!({"type": "reset"}).to_string()),
            StreamItem::Live(numbered) => {
                let plain = match &numbered.event {
                    LiveEvent::Journal { entry } if self.caller.role != Role::Administrator => {
                        let entry = as_seen_by(self.caller.role, entry.clone());
                        Some(LiveEvent::Journal { entry })
                    }
                    _ => None,
                };
                let told = TownEvent {
                    community: &numbered.community,
                    event: plain.as_ref().unwrap_or(&numbered.event),
                };
                let data = serde_json::to_string(&told).expect("live events have text keys only");
                Event::default()
                    .id(numbered.id.to_string())
                    .event(kind(&numbered.event))
                    .data(data)
            }
        }
    }
}

/// Subscribes so that no event falls between the number and the first event received.
fn from_now_on(feed: &LiveFeed) -> (u64, Vec<Arc<Numbered>>, Receiver<Arc<Numbered>>) {
    loop {
        let last_id = feed.next_id().saturating_sub(1);
        if let (Missed::Events(missed), receiver) = feed.subscribe(Some(last_id)) {
            return (last_id, missed, receiver);
        }
    }
}

/// Lines about what is said in a room are for those in it; the rest of the journal, model calls and settings are not.
fn is_for(role: Role, event: &LiveEvent) -> bool {
    match event {
        LiveEvent::Journal { entry } => role == Role::Administrator || is_of_the_room(entry.event.name()),
        LiveEvent::Ask { .. } | LiveEvent::Settings { .. } => role == Role::Administrator,
        _ => true,
    }
}

/// Whether a line tells of what is said in a room.
pub(crate) fn is_of_the_room(name: &str) -> bool {
    const AREAS: [&str; 14] = [
        "text_",
        "reply_",
        "sent_",
        "voice_session_",
        "voice_utterance_",
        "voice_turn_",
        "voice_answer_",
        "voice_barge_in_",
        "voice_speech_failed",
        "stt_pipeline_reply_",
        "realtime_reply_",
        "realtime_instructions_",
        "realtime_conversation_",
        "realtime_speakers_",
    ];
    AREAS.iter().any(|area| name.starts_with(area))
}

fn kind(event: &LiveEvent) -> &'static str {
    match event {
        LiveEvent::Message { .. } => "message",
        LiveEvent::MessageEdited { .. } => "message_edited",
        LiveEvent::MessageDeleted { .. } => "message_deleted",
        LiveEvent::Reactions { .. } => "reactions",
        LiveEvent::Typing { .. } => "typing",
        LiveEvent::Draft { .. } => "draft",
        LiveEvent::DraftDropped { .. } => "draft_dropped",
        LiveEvent::Journal { .. } => "journal",
        LiveEvent::Ask { .. } => "ask",
        LiveEvent::Frame { .. } => "frame",
        LiveEvent::Settings { .. } => "settings",
        LiveEvent::Model { .. } => "model",
        LiveEvent::VoicePeople { .. } => "voice_people",
        LiveEvent::VoiceSpeaking { .. } => "voice_speaking",
        LiveEvent::VoiceTranscript { .. } => "voice_transcript",
        LiveEvent::VoiceSaying { .. } => "voice_saying",
        LiveEvent::Reset {} => "reset",
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_the_room;

    #[test]
    fn lines_about_what_is_said_aloud_are_for_those_in_the_room_and_lines_about_models_are_not() {
        for name in [
            "voice_turn_addressing",
            "voice_utterance_missed",
            "voice_answer_heard",
        ] {
            assert!(is_of_the_room(name), "{name}");
        }
        for name in [
            "voice_context_compaction_started",
            "voice_speech_paid",
            "ask_started",
        ] {
            assert!(!is_of_the_room(name), "{name}");
        }
    }
}
