//! What a realtime service did for Denizen in a voice session, in words.

use mind::journal::JournalEvent;

use crate::voice::turn_reason;
use crate::words::with_detail;

pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::VoiceServiceChanged {
            service,
            works,
            strategy,
            detail,
            ..
        } => match works {
            true if strategy.as_deref() == Some("native") => format!(
                "The realtime service {service} hears, thinks and speaks; Denizen only decides whether it answers."
            ),
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
        JournalEvent::RealtimeReplyRequested {
            service,
            event,
            knows: Some(knows),
            ..
        } => format!(
            "The realtime service {service} is asked to answer by itself ({event}). It goes by what it keeps, which cannot be seen; {knows}."
        ),
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
        JournalEvent::RealtimeReplyTruncated {
            service,
            event,
            heard_characters,
            ..
        } => {
            let told = match event.as_str() {
                "" => "cannot be told how much of it that was".to_owned(),
                event => format!("is told that no more was heard ({event})"),
            };
            format!(
                "{heard_characters} characters of its answer were heard; the realtime service {service} {told}."
            )
        }
        JournalEvent::RealtimeReplyMarked {
            service,
            event,
            heard_characters,
            kept_characters,
            ..
        } => {
            let kept = match kept_characters {
                0 => "none of them is a word, and nothing of it stands in the room".to_owned(),
                kept => format!("{kept} of them are words and stand in the room"),
            };
            format!(
                "{heard_characters} characters of what the realtime service {service} said were heard, as it wrote them ({event}); {kept}."
            )
        }
        JournalEvent::RealtimeInstructed {
            service,
            event,
            characters,
            changed,
            anew,
            ..
        } => {
            let what = match changed.is_empty() {
                true => String::new(),
                false => format!(" New in it: {}.", changed.join(", ")),
            };
            let anew = match anew {
                true => " It begins anew: what it had heard before is gone with what was forgotten.",
                false => "",
            };
            format!(
                "The realtime service {service} is told in {characters} characters who it is ({event}).{what}{anew}"
            )
        }
        JournalEvent::RealtimeConversationBegun { service, folds, .. } => {
            let folds = match folds {
                true => " It lets go of what is old by itself.",
                false => "",
            };
            format!(
                "The realtime service {service} begins to listen: of what was before it knows what it is told.{folds}"
            )
        }
        JournalEvent::RealtimeSpeakersOverlapped { people, mixed, .. } => {
            let who: Vec<&str> = people.iter().map(|person| person.as_str()).collect();
            let how = match mixed {
                true => "at once, mixed into one (voice.realtimeOverlap)",
                false => "one after the other (voice.realtimeOverlap)",
            };
            format!(
                "{} spoke at once; the realtime service hears them {how}.",
                who.join(" and ")
            )
        }
        _ => return None,
    })
}
