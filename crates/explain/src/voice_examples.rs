//! One example of every line about the voice of a room, for the test that every line has its words.

use serde_json::{Value, json};

/// Name and data, in the order of the manual.
pub(super) fn voice_examples() -> Vec<(&'static str, Value)> {
    vec![
        (
            "voice_session_requested",
            json!({"because": "with_people", "by": "alice"}),
        ),
        (
            "voice_session_declined",
            json!({"because": "page", "by": "alice", "reason": "not_in_this_room"}),
        ),
        (
            "voice_session_started",
            json!({"because": "with_people", "people": 2}),
        ),
        ("voice_session_warned", json!({"left": 120_000})),
        (
            "voice_session_ended",
            json!({"because": "inactive", "lasted": 600_000, "heard": 12, "spoken": 4, "detail": ""}),
        ),
        ("voice_session_hearing_changed", json!({"hears": false})),
        (
            "voice_session_ears_changed",
            json!({"failing": true, "detail": "the server is gone"}),
        ),
        (
            "voice_session_service_changed",
            json!({"service": "openai:gpt-realtime-1.5", "event": "response.create", "works": false, "mode": "stt_pipeline", "detail": "the connection to OpenAI was lost"}),
        ),
        (
            "voice_session_person_joined",
            json!({"person": "alice", "personName": "Alice", "people": 2}),
        ),
        (
            "voice_session_person_left",
            json!({"person": "alice", "personName": "Alice", "people": 1}),
        ),
        (
            "voice_session_listening_chosen",
            json!({"person": "bob", "listen": false}),
        ),
        (
            "voice_session_sound_played",
            json!({"person": null, "sound": "drumroll"}),
        ),
        (
            "voice_session_sound_failed",
            json!({"sound": "gong", "detail": "gong.wav is no WAV file"}),
        ),
        (
            "voice_utterance_heard",
            json!({
                "author": "alice", "authorName": "Alice", "characters": 31, "spoken": 1900, "silence": 700, "took": 140
            }),
        ),
        (
            "voice_utterance_missed",
            json!({"person": "bob", "reason": "hallucinated", "detail": "\"thank you for watching\"", "spoken": 300}),
        ),
        ("voice_utterance_ignored", json!({"reason": "not_listened_to"})),
        (
            "voice_turn_addressing",
            json!({
                "allow": false, "reason": "llm_no", "directAddressed": false, "nearName": true,
                "namesSomebodyElse": false, "focusedSpeaker": false, "sinceOwnWords": 41_000, "silence": 2400,
                "participants": 3, "eagerness": 50, "retryAfter": null, "llmResponse": "NO", "provider": "openai",
                "model": "small"
            }),
        ),
        (
            "voice_turn_opened",
            json!({"speakers": ["alice", "bob"], "triggerMessageIds": ["u1", "u2"], "required": true, "waited": 120}),
        ),
        (
            "voice_answer_heard",
            json!({"delivery": "d1", "decided": 20, "asked": 25, "firstSentence": 610, "heard": 700}),
        ),
        (
            "voice_turn_ended",
            json!({"outcome": "spoken", "reason": "said", "detail": "", "took": 4200}),
        ),
        (
            "realtime_reply_requested",
            json!({"delivery": "voice:local:3", "ask": 7, "service": "openai:gpt-realtime-1.5", "event": "response.create"}),
        ),
        (
            "realtime_reply_skipped",
            json!({"reason": "llm_skip", "detail": ""}),
        ),
        (
            "realtime_reply_truncated",
            json!({"delivery": "voice:local:3", "service": "openai:gpt-realtime-1.5", "event": "conversation.item.truncate", "heardCharacters": 21}),
        ),
        (
            "realtime_reply_marked",
            json!({
                "delivery": "voice:local:3", "service": "openai:gpt-realtime-1.5",
                "event": "response.output_audio_transcript.delta", "heardCharacters": 27, "keptCharacters": 20
            }),
        ),
        (
            "realtime_instructions_sent",
            json!({
                "service": "openai:gpt-realtime-1.5", "event": "session.update", "characters": 2140,
                "changed": ["participants", "session_summary"], "sectionsTrimmed": [], "sectionsDropped": [],
                "tools": ["memory_search"], "anew": false
            }),
        ),
        (
            "realtime_conversation_begun",
            json!({"service": "gemini:gemini-3.8-live", "begun": 2, "folds": true}),
        ),
        (
            "realtime_speakers_overlapped",
            json!({"people": ["alice", "bob"], "mixed": false, "event": "input_audio_buffer.commit"}),
        ),
        (
            "stt_pipeline_reply_spoken",
            json!({
                "delivery": "d1", "ask": 9, "writtenCharacters": 120, "heardCharacters": 48, "cut": true,
                "sentences": 3, "took": 3100
            }),
        ),
        (
            "voice_speech_failed",
            json!({"delivery": "d1", "detail": "the speech server did not answer"}),
        ),
        (
            "voice_speech_paid",
            json!({"engine": "openai:gpt-4o-mini-tts", "costMicroDollars": 1500}),
        ),
        (
            "voice_barge_in_decided",
            json!({"person": "bob", "stop": true, "reason": "spoken_over", "spoken": 700}),
        ),
        ("voice_session_greeting_started", json!({"attempt": 2})),
        (
            "voice_thought_started",
            json!({"silence": 21_000, "reconsiders": false}),
        ),
        (
            "voice_thought_ended",
            json!({"outcome": "held", "detail": "", "ask": 9, "took": 900}),
        ),
        (
            "voice_thought_stopped",
            json!({"gate": "eagerness", "silence": 20_000, "roll": 71, "below": 50}),
        ),
        (
            "voice_thought_invalidated",
            json!({"change": "joined", "heldFor": 45_000}),
        ),
        (
            "voice_thought_let_go",
            json!({"reason": "restarted", "heldFor": 45_000, "looks": 2}),
        ),
    ]
}
