//! Who is in the voice of a room, and what Denizen hears and speaks with.

use axum::Json;
use axum::extract::{Extension, State};
use mind::voice::view::VoiceServiceView;
use runtime::VoiceLook;
use runtime::ports::{SpeechOutlook, SpeechStanding};
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::{PersonId, WallTime};

use super::{LOOK_DEADLINE, look, why_none};
use crate::access::{Caller, Role};
use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// The voice of a room.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoomVoiceAnswer {
    enabled: bool,
    /// Why there is none, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Denizen is in.
    in_room: bool,
    people: Vec<VoiceParticipant>,
    ears: SpeechEngineAnswer,
    mouth: SpeechEngineAnswer,
    /// When Denizen came in.
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<WallTime>,
    /// When it leaves again (`voice.maxSessionMinutes`).
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<WallTime>,
    /// The realtime service that hears and speaks, and who thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<VoiceServiceView>,
}

/// Somebody in the voice of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoiceParticipant {
    pub(super) id: PersonId,
    pub(super) name: String,
    pub(super) speaking: bool,
    pub(super) muted: bool,
    /// False: they do not want to be listened to, and what they say is not written down.
    pub(super) listened: bool,
    /// The name is the caller's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_you: bool,
}

/// What hears or speaks, and whether it works.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SpeechEngineAnswer {
    /// Empty where there is none.
    engine: String,
    works: bool,
    /// It is being made ready, and works in a moment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    loading: bool,
    /// What it was last given came to nothing: for ears, what was said last is not understood.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failing: bool,
    /// What to do where it does not, or where better can be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// What hears, or what speaks.
#[derive(Clone, Copy)]
enum Part {
    Ears,
    Mouth,
}

impl SpeechEngineAnswer {
    /// For administrators with what is wrong and where; others are told what it means for them.
    fn of(part: Part, standing: SpeechStanding, role: Role) -> Self {
        let lacks =
            || Some(standing.detail.clone()).filter(|_| !standing.works && !standing.detail.is_empty());
        let remedy = match standing.remedy.clone().or_else(lacks) {
            Some(_) if role != Role::Administrator && !standing.loading => {
                Some(plain(part, &standing).to_owned())
            }
            remedy => remedy,
        };
        Self {
            engine: standing.engine,
            works: standing.works,
            loading: standing.loading,
            failing: standing.failing && standing.works,
            remedy,
        }
    }
}

/// What somebody is told who cannot do anything about it: addresses and folders are the operator's.
fn plain(part: Part, standing: &SpeechStanding) -> &'static str {
    match (part, standing.works) {
        (Part::Ears, false) => "Whoever runs this Denizen can give it ears: `denizen doctor` tells how.",
        (Part::Ears, true) if standing.failing => "Whoever runs this Denizen can see why.",
        (Part::Ears, true) => {
            "Others stand in for what was chosen to hear with. Whoever runs this Denizen can see why."
        }
        (Part::Mouth, false) => "Whoever runs this Denizen can give it a voice: `denizen doctor` tells how.",
        (Part::Mouth, true) => {
            "Another voice stands in for the chosen one. Whoever runs this Denizen can see why."
        }
    }
}

/// Look into the voice of a room.
///
/// Who is there, who is speaking, whether Denizen is in, and what it hears and speaks with.
#[utoipa::path(
    get, path = "/api/rooms/{room}/voice", tag = "voice",
    params(("room" = String, Path, description = "The room", example = "lounge")),
    responses(
        (status = 200, description = "The voice of the room as it is now", body = ref(answer::<RoomVoiceAnswer>()), example = json!({
            "enabled": true, "inRoom": true,
            "people": [{"id": "local:alice", "name": "Alice", "speaking": true, "muted": false, "listened": true, "isYou": true}],
            "ears": {"engine": "moonshine-tiny", "works": true}, "mouth": {"engine": "builtin", "works": true,
                "remedy": "`denizen models install voice` gets a better voice."},
            "startedAt": 1763000000000_u64, "endsAt": 1763001800000_u64
        })),
        (status = 404, description = "`unknown_room`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_room", "message": "There is no room “attic” here. The rooms are: lounge."}})),
        (status = 503, description = "`stopping` or `busy`", body = ref(refusal()),
            example = json!({"error": {"code": "stopping", "message": "This community is shutting down; try again when it is back."}})),
    )
)]
pub(crate) async fn voice(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
    InPath(room): InPath<String>,
) -> Result<Json<RoomVoiceAnswer>, Refusal> {
    let room = shared.room(&room)?.clone();
    let why = why_none(&shared);
    let seen = look(&shared, &room).await?;
    let settings = shared.handle().in_force().settings;
    let looking = shared.handle().speech().standing(&settings);
    // A disk that hangs hangs no page.
    let SpeechOutlook { ears, mouth } = tokio::time::timeout(LOOK_DEADLINE, looking)
        .await
        .unwrap_or_default();
    let service = seen.as_ref().and_then(|seen| seen.view.service.clone());
    let started_at = seen.as_ref().and_then(started);
    let doors = shared.community.doors.as_ref();
    Ok(Json(RoomVoiceAnswer {
        service,
        enabled: why.is_none(),
        why,
        in_room: doors.is_some_and(|doors| doors.presence(&room).denizen),
        people: participants(&shared, &caller, &room, seen.as_ref()),
        ears: SpeechEngineAnswer::of(Part::Ears, ears, caller.role),
        mouth: SpeechEngineAnswer::of(Part::Mouth, mouth, caller.role),
        started_at,
        ends_at: started_at.map(|started| {
            let most = settings.voice.max_session_minutes as i64 * 60_000;
            WallTime(started.0.saturating_add(most))
        }),
    }))
}

/// Everybody in the voice of a room: the doors know who is there, and the mind whom it listens to.
pub(super) fn participants(
    shared: &Shared,
    caller: &Caller,
    room: &vocabulary::RoomId,
    seen: Option<&VoiceLook>,
) -> Vec<VoiceParticipant> {
    let Some(doors) = &shared.community.doors else {
        return Vec::new();
    };
    let known = seen.map_or(&[][..], |seen| seen.view.people.as_slice());
    let participant = |present: runtime::ports::PersonInVoice| {
        let known = known.iter().find(|known| known.id == present.author.id);
        VoiceParticipant {
            speaking: present.sounding || known.is_some_and(|known| known.speaking),
            muted: present.muted,
            listened: known.is_none_or(|known| known.listened_to),
            is_you: shared.site.access.owns(caller, &present.author.id),
            id: present.author.id,
            name: present.author.name,
        }
    };
    let people = doors.presence(room).people.into_iter();
    people.map(participant).collect()
}

/// When Denizen came in, by the clock of people.
fn started(seen: &VoiceLook) -> Option<WallTime> {
    let since = seen.view.since?;
    let ago = seen.at.moment.0.saturating_sub(since.0);
    Some(WallTime(seen.at.wall.0.saturating_sub_unsigned(ago)))
}
