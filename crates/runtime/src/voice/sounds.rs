//! Plays one of the operator's short sounds.

use std::sync::Arc;

use mind::RoomEvent;
use tokio::sync::mpsc;
use vocabulary::{DeliveryId, RoomId};

use super::Means;
use super::mouth::RoomMouth;

/// Plays it when nothing else is heard, and tells what came of it.
pub(super) async fn play(means: Arc<Means>, room: RoomId, mouth: Option<Arc<RoomMouth>>, name: String) {
    let played = match &mouth {
        None => Err("Denizen is not in the voice of this room".to_owned()),
        Some(mouth) => sound(&means, mouth, &name).await,
    };
    let event = match played {
        Ok(()) => RoomEvent::SoundPlayed { person: None, name },
        Err(detail) => RoomEvent::SoundFailed { name, detail },
    };
    means.telling.happened(&room, event).await;
}

async fn sound(means: &Means, mouth: &RoomMouth, name: &str) -> Result<(), String> {
    let settings = means.telling.settings();
    let frames = means.speech.sound(&settings, name).await?;
    let (sender, playing) = mpsc::channel(frames.len().max(1));
    for frame in frames {
        // There is room for all of them.
        let _ = sender.try_send(frame);
    }
    drop(sender);
    let delivery = DeliveryId::new(format!("sound:{name}"));
    mouth
        .play(&delivery, playing)
        .await
        .map_err(|fault| fault.to_string())
}
