//! What becomes of pictures, clips and GIFs.

use vocabulary::{Attachment, AttachmentId, MediaKind, MediaOrder, MediaOutcome};

use crate::chance::Chance;

/// It is made, for a price or for nothing.
pub(crate) fn made(order: &MediaOrder, chance: &mut Chance) -> MediaOutcome {
    let (mime, name) = match order.wish.kind {
        MediaKind::Image => ("image/png", "picture.png"),
        MediaKind::Video => ("video/mp4", "clip.mp4"),
        MediaKind::Gif => ("image/gif", "found.gif"),
    };
    MediaOutcome::Made {
        attachment: Attachment {
            id: AttachmentId::new(format!("made-{}", order.media.0)),
            mime: mime.to_owned(),
            name: name.to_owned(),
            bytes: 30_000,
            description: String::new(),
        },
        provider: "simulated".to_owned(),
        cost_micro_dollars: chance.percent(60).then(|| chance.between(1, 60_000)),
    }
}
