//! The knobs of voice: when it is in the voice of a room, when it speaks there, and with whose ears, words and voice.

use crate::choice::{
    EndOfTurn, ProviderOrInherit, RealtimeOverlap, RealtimeProvider, RealtimeReplyStrategy, SpeechProvider,
    TranscriptionProvider, VoiceJoinPolicy, VoiceMode,
};
use crate::knob::Limits;
use crate::section::{choice_of, settings_section};

settings_section! {
    /// Listening and speaking in the voice of a room. What is changed here holds at once; for other ears, another voice or another `endOfSpeechMs` it comes in anew.
    VoiceSettings at "voice" {
        /// Listen and speak at all.
        enabled: bool = true, Limits::Switch;
        /// How what is said becomes an answer: `stt_pipeline` has it written down, asks a model, and speaks what that writes; with `realtime` the service of `realtimeProvider` hears and speaks, and where it cannot be used, what `voice.sttPipeline` has.
        mode: VoiceMode = VoiceMode::SttPipeline, choice_of!(VoiceMode), acts Before;
        /// Who thinks where a realtime service hears and speaks: `brain` is the model of `voice.generationLlm`; with `native` the service thinks for itself, and Denizen only decides whether it answers: it is quicker, cannot stay silent once it is asked, and what it knows cannot be seen.
        realtime_reply_strategy: RealtimeReplyStrategy = RealtimeReplyStrategy::Brain, choice_of!(RealtimeReplyStrategy), acts Before;
        /// What the service hears of people who speak at once, where `realtimeReplyStrategy` is `native`: `serialised` one after the other, `mixed` both at once. Each is written down by themselves either way.
        realtime_overlap: RealtimeOverlap = RealtimeOverlap::Serialised, choice_of!(RealtimeOverlap), acts Before;
        /// Whose realtime service hears and speaks; it wants a key: OPENAI_API_KEY, XAI_API_KEY, GEMINI_API_KEY or ELEVENLABS_API_KEY.
        realtime_provider: RealtimeProvider = RealtimeProvider::OpenAi, choice_of!(RealtimeProvider), acts Before;
        /// When it joins: `with_people` comes with the first person and leaves with the last, `on_request` comes by `/join` or when asked on the page.
        join_policy: VoiceJoinPolicy = VoiceJoinPolicy::WithPeople, choice_of!(VoiceJoinPolicy);
        /// How eager it is to answer what was not said to it; 0 never does.
        reply_eagerness: u64 = 50, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// Take what somebody says who is alone with it for meant for it, without asking a model whether it is.
        relax_gate_when_alone: bool = true, Limits::Switch;
        /// How long, in milliseconds, somebody must speak over it before it falls silent.
        barge_in_ms: u64 = 700, Limits::Whole { min: 200, max: 3000 };
        /// How long, in milliseconds, somebody must be silent before what they said counts as finished.
        end_of_speech_ms: u64 = 700, Limits::Whole { min: 200, max: 3000 }, acts Before;
        /// It leaves when nobody has spoken for so long.
        inactivity_seconds: u64 = 300, Limits::Whole { min: 30, max: 3600 }, unit Seconds;
        /// It leaves after so long, and says so before.
        max_session_minutes: u64 = 30, Limits::Whole { min: 1, max: 720 }, unit Minutes;
        /// For so long after it has joined it may greet whoever is there; 0: it does not.
        join_greeting_seconds: u64 = 25, Limits::Whole { min: 0, max: 120 }, unit Seconds;
        /// How its ears write its name, where that is not how it is written: in what is said aloud each counts as the name, unless somebody there is called so. `denizen learn-name` finds them.
        name_spellings: Vec<String> = Vec::<String>::new(), Limits::List { max: 20 };
        /// Folder of short sounds (WAV files of at most 10 seconds) that it may play by name; empty: none.
        sounds_path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}

settings_section! {
    /// The model that writes what it says aloud. Everybody hears how long it takes.
    VoiceGenerationSettings at "voice.generationLlm" {
        /// Provider; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
    }
}

settings_section! {
    /// A small model that is asked whether Denizen should answer something that rules cannot decide: yes or no.
    VoiceDecisionSettings at "voice.replyDecisionLlm" {
        /// Ask it at all. Off: what was not said to it is not answered.
        enabled: bool = true, Limits::Switch;
        /// Provider; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Model; empty takes the provider's small default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// How often it is asked when it fails or answers neither yes nor no.
        attempts: u64 = 1, Limits::Whole { min: 1, max: 3 };
        /// What else it is told, in your own words.
        prompt: String = "", Limits::Text { min: 0, max: 2000 },
            formerly ["voice.replyDecisionLlm.prompts"], acts Answering;
    }
}

settings_section! {
    /// Ears and voice. A change holds at once: it comes in anew with it.
    SttPipelineSettings at "voice.sttPipeline" {
        /// Who writes down what is said: `local` the models in `transcriptionPath`, `compatible` any server with OpenAI's transcription, `auto` the first that there is.
        transcription_provider: TranscriptionProvider = TranscriptionProvider::Auto, choice_of!(TranscriptionProvider), acts Before;
        /// Transcription model; empty takes the provider's usual one.
        transcription_model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Address of the transcription server, such as `http://127.0.0.1:8000/v1`.
        transcription_url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Folder with a speech model in ONNX format, for `local`.
        transcription_path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Language that is spoken, such as `en` or `de`; empty lets the model find out.
        transcription_language: String = "", Limits::Text { min: 0, max: 20 }, acts Before;
        /// What tells that somebody has finished: `silence` waits for `voice.endOfSpeechMs`; with `model` a model hears it in a pause, and where it is sure they are answered sooner, or may pause for twice as long; `auto` takes the model where one is installed.
        end_of_turn: EndOfTurn = EndOfTurn::Auto, choice_of!(EndOfTurn), acts Before;
        /// The Smart Turn model in ONNX format, or the folder it is in; empty takes the installed one.
        end_of_turn_path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Whose voice it has: `builtin` needs nothing, `espeak`, `piper` and `kokoro` a program or a voice, `compatible` any server with OpenAI's speech, `auto` the best that there is.
        tts_provider: SpeechProvider = SpeechProvider::Auto, choice_of!(SpeechProvider), acts After;
        /// Speech model; empty takes the provider's usual one.
        tts_model: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Voice of that model; empty takes the usual one.
        tts_voice: String = "", Limits::Text { min: 0, max: 200 }, acts After;
        /// Address of the speech server.
        tts_url: String = "", Limits::Text { min: 0, max: 500 }, acts After;
        /// Folder or file of a voice, for `piper` and `kokoro`, or the program for `espeak`.
        tts_path: String = "", Limits::Text { min: 0, max: 500 }, acts After;
        /// How fast it speaks; 1 is usual.
        tts_speed: f64 = 1.0, Limits::Fraction { min: 0.5, max: 2.0 }, acts After;
    }
}

settings_section! {
    /// Thoughts of its own in the voice of a room, into a silence. They are paid for like other thoughts.
    VoiceThoughtSettings at "voice.thoughts" {
        /// Have any.
        enabled: bool = true, Limits::Switch;
        /// How long everybody must have been silent before it thinks of something to say.
        silence_seconds: u64 = 20, Limits::Whole { min: 8, max: 300 }, unit Seconds;
        /// Shortest time between two times that it thinks of something.
        min_seconds_between: u64 = 60, Limits::Whole { min: 8, max: 3600 }, unit Seconds;
        /// How likely it is to think of something once everybody has been silent for long enough; 0: never.
        eagerness: u64 = 50, Limits::Whole { min: 0, max: 100 }, unit Percent;
        /// How many of them it says in one session, at most.
        max_per_session: u64 = 6, Limits::Whole { min: 0, max: 100 };
    }
}
