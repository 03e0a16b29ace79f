//! The knobs of memory: what is remembered, who tells what it means, and where it is kept.

use vocabulary::Reach;

use crate::choice::{
    BufferKind, EmbeddingProvider, GemStoreKind, ModelOrOffline, ProviderOrInherit, REACHES,
};
use crate::knob::Limits;
use crate::section::{choice_of, settings_section};

settings_section! {
    /// What it remembers across sessions, and how much of that a reply is based on.
    MemorySettings at "memory" {
        /// Newest messages of the room that the model sees, where nothing is folded into a summary.
        max_recent_messages: u64 = 35, Limits::Whole { min: 4, max: 200 }, unit Messages, acts Answering;
        /// Remember at all. Off: nothing is captured and nothing is recalled; what is stored stays until it is forgotten.
        enabled: bool = true, Limits::Switch;
        /// Turns after which gems are made of them. Talk is not cut up: it is read once it pauses, or after 20 turns.
        batch_size: u64 = 5, Limits::Whole { min: 1, max: 50 };
        /// Without a new turn for so long, gems are made of what there is.
        idle_timeout_minutes: u64 = 15, Limits::Whole { min: 1, max: 1440 }, unit Minutes;
        /// Once a conversation fills this part of its model's window, gems are made before it is folded away.
        context_threshold: f64 = 0.5, Limits::Fraction { min: 0.05, max: 1.0 };
        /// What the extracting model is shown of the conversation right before the turns at hand, at most; it sees the running summary beside that. A large number shows it the whole conversation each time, and is dear.
        extraction_context_tokens: u64 = 1500, Limits::Whole { min: 0, max: 1000000 }, unit Tokens, acts Answering;
        /// Who makes gems: `model` asks one, `offline` goes by patterns, `auto` asks a model and falls back.
        extractor: ModelOrOffline = ModelOrOffline::Auto, choice_of!(ModelOrOffline);
        /// How long a model may take over a batch. Replies never wait for it.
        extraction_timeout_seconds: u64 = 120, Limits::Whole { min: 5, max: 1800 }, unit Seconds;
        /// Provider of the extracting model; `inherit` takes `llm.provider`.
        provider: ProviderOrInherit = ProviderOrInherit::Inherit, choice_of!(ProviderOrInherit), acts Answering;
        /// Extracting model; empty takes the provider's small default, or `llm.model` when the provider is inherited.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Answering;
        /// Facts about the people at hand in a text prompt, at most.
        max_user_facts: u64 = 10, Limits::Whole { min: 0, max: 50 }, acts Answering;
        /// Other facts that fit in a text prompt, at most.
        max_relevant_facts: u64 = 10, Limits::Whole { min: 0, max: 50 }, acts Answering;
        /// Facts in a prompt for what is said aloud, about the people there and otherwise, at most.
        max_voice_facts: u64 = 24, Limits::Whole { min: 0, max: 50 }, acts Answering;
        /// How sure a match must be before it is brought up; 0 brings up whatever is nearest.
        min_confidence: f64 = 0.4, Limits::Fraction { min: 0.0, max: 1.0 };
        /// How far memories of open rooms travel: `room`, `community`, or `everywhere` (what is known of a person follows them).
        reach: Reach = Reach::Community, Limits::Choice { options: REACHES };
        /// Rooms whose memories never leave them.
        private_room_ids: Vec<String> = Vec::<String>::new(), Limits::List { max: 500 };
    }
}

settings_section! {
    /// Who tells what texts mean. Takes effect at the next start.
    EmbeddingSettings at "memory.embedding" {
        /// `builtin` needs nothing; `onnx` a model folder; `openai` any server with its embeddings API; `ollama` an Ollama.
        provider: EmbeddingProvider = EmbeddingProvider::Builtin, choice_of!(EmbeddingProvider), acts Before;
        /// Model name for `openai` and `ollama`; empty takes the provider's usual one.
        model: String = "", Limits::Text { min: 0, max: 200 }, acts Before;
        /// Address of the server; empty takes the provider's own.
        url: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Folder with model.onnx and tokenizer.json, for `onnx`.
        path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
        /// Length of the vectors where the model can be told; 0 takes its own.
        dimensions: u64 = 0, Limits::Whole { min: 0, max: 4096 }, acts Before;
    }
}

settings_section! {
    /// Who judges how well what was found answers what was looked for. Takes effect at the next start.
    RerankerSettings at "memory.reranker" {
        /// Folder with model.onnx and tokenizer.json of a cross-encoder: it decides how sure a match is. Empty: words and meaning alone do.
        path: String = "", Limits::Text { min: 0, max: 500 }, acts Before;
    }
}

settings_section! {
    /// Where memory is kept. Takes effect at the next start; `denizen memory migrate` takes what is there along.
    MemoryStoreSettings at "memory.store" {
        /// Gems and turns: `embedded` (in the data folder) or `qdrant`.
        gems: GemStoreKind = GemStoreKind::Embedded, choice_of!(GemStoreKind), acts Before;
        /// Captured turns that wait: `embedded` or `redis`.
        buffer: BufferKind = BufferKind::Embedded, choice_of!(BufferKind), acts Before;
        /// Address of Qdrant's REST port. A key goes into QDRANT_API_KEY.
        qdrant_url: String = "http://127.0.0.1:6333", Limits::Text { min: 1, max: 500 }, acts Before;
        /// Collection in Qdrant.
        qdrant_collection: String = "neuralstream", Limits::Text { min: 1, max: 100 }, acts Before;
        /// Address of Redis. One with a password goes into DENIZEN_REDIS_URL instead, which wins.
        redis_url: String = "redis://127.0.0.1:6379", Limits::Text { min: 1, max: 500 }, acts Before;
        /// List in Redis that turns wait in.
        redis_key: String = "neuralstream:buffer", Limits::Text { min: 1, max: 200 }, acts Before;
    }
}
