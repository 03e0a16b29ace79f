//! The knobs of realtime services: which models of theirs hear and speak, with which voice, and where they are.

use crate::knob::Limits;
use crate::section::settings_section;

settings_section! {
    /// OpenAI's Realtime API, where `voice.realtimeProvider` is `openai`.
    OpenAiRealtimeSettings at "voice.openaiRealtime" {
        /// Model that speaks; empty takes the usual one.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Its voice, such as `marin` or `cedar`; empty takes the usual one.
        voice: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Model that writes down what is said; empty takes the usual one.
        transcription_model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Address of a server with the same API, such as `http://127.0.0.1:8000/v1`; it is given REALTIME_API_KEY, where that is set. Empty: OpenAI's own.
        base_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}

settings_section! {
    /// xAI's Voice Agent API, where `voice.realtimeProvider` is `xai`.
    XaiRealtimeSettings at "voice.xaiRealtime" {
        /// Model; empty takes the usual one.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Its voice, such as `ara` or `rex`; empty takes the usual one.
        voice: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Address of a server with the same API; it is given REALTIME_API_KEY, where that is set. Empty: xAI's own.
        base_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}

settings_section! {
    /// Google's Gemini Live API, where `voice.realtimeProvider` is `gemini`.
    GeminiRealtimeSettings at "voice.geminiRealtime" {
        /// Model; empty takes the usual one.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Its voice, such as `Kore` or `Puck`; empty takes the usual one.
        voice: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Address of a server with the same API; it is given REALTIME_API_KEY, where that is set. Empty: Google's own.
        base_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}

settings_section! {
    /// ElevenLabs' sockets for hearing and speaking, where `voice.realtimeProvider` is `elevenlabs`.
    ElevenLabsRealtimeSettings at "voice.elevenLabsRealtime" {
        /// Model that speaks; empty takes the usual one.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// The id of its voice; empty takes the usual one.
        voice: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Model that writes down what is said; empty takes the usual one.
        transcription_model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// The id of an agent of yours there, which thinks where `voice.realtimeReplyStrategy` is `native`; empty: there is none, and Denizen thinks itself.
        agent_id: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Address of a server with the same API; it is given REALTIME_API_KEY, where that is set. Empty: ElevenLabs' own.
        base_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}
