//! Who comes into the voice of rooms and leaves it, as the mind is told.

use mind::RoomEvent;
use tokio::sync::mpsc;

use super::speaking::Evidence;
use super::telling::Telling;
use crate::ports::VoiceComing;

/// Tells the mind until nobody can come any more.
pub(super) async fn follow(mut coming: mpsc::Receiver<VoiceComing>, telling: Telling) {
    while let Some(news) = coming.recv().await {
        match news {
            VoiceComing::Joined { room, author } => {
                telling.happened(&room, RoomEvent::PersonJoined(author)).await;
            }
            VoiceComing::Left { room, person } => {
                telling.speaks(&room, &person, Evidence::Sound, false);
                telling.happened(&room, RoomEvent::PersonLeft { person }).await;
            }
            // Pages see that there is sound of somebody, whether or not anybody understands it.
            VoiceComing::Sounding {
                room,
                person,
                sounding,
            } => telling.speaks(&room, &person, Evidence::Sound, sounding),
        }
    }
}
