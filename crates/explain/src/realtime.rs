//! What a realtime service did for Denizen in a voice session, in words.

use mind::journal::JournalEvent;

use crate::voice::turn_reason;
use crate::words::with_detail;

pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::VoiceServiceChanged {
            service,
            works,
            detail,
            ..
        } => match works {
            true => format!(
                "The realtime service {service} hears and speaks for it; what to say it thinks of itself."
            ),
            false if service.is_empty() => {
                "Its own ears and voice hear and speak from now on: no realtime service is chosen any more."
                    .to_owned()
            }
            false => with_detail(
                &format!(
                    "The realtime service {service} does not answer; its own ears and voice go on until it does."
                ),
                detail,
            ),
        },
        JournalEvent::RealtimeReplyRequested { service, event, .. } => {
            format!("The realtime service {service} is asked to say the answer, word for word ({event}).")
        }
        JournalEvent::RealtimeReplySkipped { reason, detail } => with_detail(
            &format!(
                "The realtime service is given nothing to say: {}.",
                turn_reason(*reason)
            ),
            detail,
        ),
        _ => return None,
    })
}
