//! Browsers come in by WebRTC: an offer is answered, and from then on one Opus voice goes each way, by UDP.
//!
//! Each stay has a socket and a task. Signalling is the offer and its answer alone: all candidates are in the answer.

mod loudspeaker;
mod microphone;
mod negotiation;
mod session;

use runtime::ports::{DoorRefusal, VoiceAnswer};
use vocabulary::{Author, RoomId};

use crate::Halls;
use crate::hall::Door;

/// No honest offer is longer.
const OFFER_BYTES_MAX: usize = 64_000;

/// Answers an offer; whoever made it is in the room from then on, until either side ends it.
pub(crate) async fn offer(
    halls: &Halls,
    room: &RoomId,
    author: Author,
    sdp: &str,
    muted: bool,
) -> Result<VoiceAnswer, DoorRefusal> {
    if sdp.len() > OFFER_BYTES_MAX {
        let why = format!(
            "The offer is longer than {OFFER_BYTES_MAX} bytes. Offer one audio track and nothing else."
        );
        return Err(DoorRefusal::BadOffer(why));
    }
    let Some(reach) = halls.lobby().reach() else {
        let why = "Browsers cannot reach the voice of this process, which listens on no address. Use the WebSocket.";
        return Err(DoorRefusal::Unavailable(why.to_owned()));
    };
    // Making keys is work, and somebody may ask for it a thousand times at once.
    let _turn = halls.lobby().answering().await;
    let doorstep = reach.open().await.map_err(|error| {
        let why = format!(
            "No socket could be opened for the voice: {error}. Whoever runs this Denizen can name more ports with {}.",
            reach::ADDRESS_VARIABLE
        );
        DoorRefusal::Unavailable(why)
    })?;
    let negotiated = negotiation::answer(sdp.to_owned(), doorstep.addresses.clone()).await?;
    let (microphone, loudspeaker) = session::devices()?;
    // Only now: an offer that cannot be answered does not end the stay that somebody has.
    let stay = halls.come_by(Door::Browser, room, author, muted)?;
    let session = stay.session().clone();
    let sdp = negotiated.answer;
    tokio::spawn(session::run(
        negotiated.rtc,
        doorstep,
        stay,
        microphone,
        loudspeaker,
        halls.lobby().silence_max(),
    ));
    Ok(VoiceAnswer { session, sdp })
}
