//! The voice of rooms: who is there, how browsers and programs come in, and asking Denizen in or out.

pub(crate) mod asking;
mod connection;
pub(crate) mod seats;
pub(crate) mod sessions;
pub(crate) mod socket;
mod talking;
pub(crate) mod view;
mod words;

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use mind::{Input, RoomEvent};
use runtime::live::LiveEvent;
use runtime::ports::{DoorRefusal, VoiceDoors, VoiceSession};
use runtime::{NotAccepted, VoiceLook};
use tokio::sync::broadcast::error::RecvError;
use vocabulary::{Author, PersonId, RoomId};

use self::seats::Seat;
use crate::access::{Caller, until_not_theirs};
use crate::refusal::Refusal;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up, by its storage for one.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);

/// The doors of this community's voice rooms, or why there are none.
fn doors(shared: &Shared) -> Result<Arc<dyn VoiceDoors>, Refusal> {
    if let Some(why) = why_none(shared) {
        return Err(Refusal::new(StatusCode::CONFLICT, "voice_disabled", why));
    }
    shared.community.doors.clone().ok_or_else(|| no_voice(shared))
}

/// Why there is no voice here, if that is so.
fn why_none(shared: &Shared) -> Option<String> {
    if shared.community.doors.is_none() {
        return Some(format!(
            "The rooms of {} have no voice. Write instead.",
            shared.community.name
        ));
    }
    (!shared.handle().in_force().settings.voice.enabled).then(|| {
        "Voice is switched off: voice.enabled is false. Whoever runs this Denizen can switch it on."
            .to_owned()
    })
}

fn no_voice(shared: &Shared) -> Refusal {
    let why = why_none(shared).unwrap_or_default();
    Refusal::new(StatusCode::CONFLICT, "voice_disabled", why)
}

/// Resolves once nobody may be in the voice of a room any more that came in with this: it was taken back or is over, the
/// name is another's, the community goes, or voice is switched off. With a sentence for them.
fn until_shown_out(
    shared: &Shared,
    caller: &Caller,
    author: &Author,
) -> impl Future<Output = &'static str> + Send + use<> {
    let access = &shared.site.access;
    let (revoked, renamed) = (
        access.until_over(caller),
        until_not_theirs(access, caller, author),
    );
    let stopped = shared.handle().until_stopped();
    let (_, mut events) = shared.handle().live().subscribe(None);
    let shared = shared.clone();
    let disabled = async move {
        while why_none(&shared).is_none() {
            match events.recv().await {
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    };
    async move {
        tokio::select! {
            () = revoked => "What you came in with is not valid any more. Ask for another link or token.",
            () = renamed => "The name under which you came in is not yours any more.",
            () = stopped => "This community is gone, or shutting down.",
            () = disabled => "Voice was switched off: voice.enabled is false.",
        }
    }
}

/// Somebody has come in: they have one voice in a room, under whatever names.
fn seated(
    shared: &Shared,
    caller: &Caller,
    doors: &Arc<dyn VoiceDoors>,
    room: &RoomId,
    session: &VoiceSession,
) {
    let seat = Seat {
        owner: caller.owner().to_owned(),
        doors: doors.clone(),
        community: shared.community.id().clone(),
        room: room.clone(),
        session: session.clone(),
    };
    shared.seats.take(caller, seat);
}

/// The voice of a room as the mind has it; none where nobody was ever there.
async fn look(shared: &Shared, room: &RoomId) -> Result<Option<VoiceLook>, Refusal> {
    let looking = tokio::time::timeout(LOOK_DEADLINE, shared.handle().voice(room.clone()));
    looking.await.map_err(|_| NotAccepted::Busy.into())
}

/// A microphone was turned off or on: every page of the room looks again.
async fn mute_told(shared: &Shared, room: &RoomId) {
    if let Ok(Some(VoiceLook { view, .. })) = look(shared, room).await {
        shared.handle().live().publish_passing(LiveEvent::VoicePeople {
            room: room.clone(),
            presence: view.presence,
            people: view.people,
        });
    }
}

/// Somebody chooses whether what they say is listened to.
async fn choose_listening(
    shared: &Shared,
    room: &RoomId,
    person: PersonId,
    listen: bool,
) -> Result<(), Refusal> {
    let chosen = RoomEvent::ListeningChosen { person, listen };
    shared.handle().accept(Input::Room(room.clone(), chosen)).await?;
    Ok(())
}

impl From<DoorRefusal> for Refusal {
    fn from(refusal: DoorRefusal) -> Self {
        let (status, code) = match &refusal {
            DoorRefusal::BadOffer(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_offer"),
            DoorRefusal::Full(_) => (StatusCode::SERVICE_UNAVAILABLE, "voice_full"),
            DoorRefusal::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "voice_unavailable"),
        };
        Refusal::new(status, code, refusal.to_string())
    }
}
