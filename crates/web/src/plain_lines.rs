//! Lines of the journal as those see them who do not run Denizen: what happened, without the operator's addresses and folders.

use mind::{JournalEntry, JournalEvent};
use vocabulary::UnheardReason;

use crate::access::Role;

/// A line for somebody of a role. What a service, a file or a program said about its failing is for administrators.
pub(crate) fn as_seen_by(role: Role, mut entry: JournalEntry) -> JournalEntry {
    if role == Role::Administrator {
        return entry;
    }
    match &mut entry.event {
        JournalEvent::UtteranceMissed { reason, detail, .. } => {
            // Of what was not loud or long enough, whoever spoke is told what to do.
            let is_the_operators = matches!(
                reason,
                UnheardReason::Failed | UnheardReason::TimedOut | UnheardReason::NoEars
            );
            if is_the_operators {
                detail.clear();
            }
        }
        JournalEvent::VoiceSessionEnded { detail, .. }
        | JournalEvent::VoiceEarsChanged { detail, .. }
        | JournalEvent::VoiceServiceChanged { detail, .. }
        | JournalEvent::VoiceSoundFailed { detail, .. }
        | JournalEvent::VoiceTurnEnded { detail, .. }
        | JournalEvent::VoiceSpeechFailed { detail, .. } => detail.clear(),
        _ => {}
    }
    entry
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn line(name: &str, data: &Value) -> JournalEntry {
        let entry = json!({"seq": 1, "moment": 0, "wall": 0, "community": "local", "room": "lounge", "name": name, "data": data});
        serde_json::from_value(entry).expect("a line")
    }

    #[test]
    fn addresses_and_folders_are_for_administrators_and_what_to_do_oneself_is_for_all() {
        let detail = "the server at http://10.0.0.7:8000 answered with 401";
        let missed = |reason: &str| {
            let data = json!({"person": "local:ann", "reason": reason, "detail": detail, "spoken": 900});
            line("voice_utterance_missed", &data)
        };
        let sound = line(
            "voice_session_sound_failed",
            &json!({"sound": "gong", "detail": detail}),
        );
        let ears = line(
            "voice_session_ears_changed",
            &json!({"failing": true, "detail": detail}),
        );
        let speech = line(
            "voice_speech_failed",
            &json!({"delivery": "d1", "detail": detail}),
        );
        for entry in [
            missed("failed"),
            missed("timed_out"),
            missed("no_ears"),
            sound,
            ears,
            speech,
        ] {
            let sees = |role| explain::sentence(&as_seen_by(role, entry.clone()));
            assert!(sees(Role::Administrator).contains("10.0.0.7"));
            for role in [Role::Reader, Role::Participant] {
                assert!(!sees(role).contains("10.0.0.7"), "{}", sees(role));
            }
        }
        let quiet = explain::sentence(&as_seen_by(Role::Participant, missed("no_voice")));
        assert!(
            quiet.contains("401"),
            "what one's own microphone lacks is told: {quiet}"
        );
    }
}
