//! Language models: first a request is made ready, byte for byte, then it is sent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde::Serialize;
use settings::{Effort, ModelKeys, Settings, StructuredOutput};
use tokio::sync::{mpsc, watch};
use vocabulary::{
    AskAllowance, AskFailure, AskOutcome, AskPurpose, AttachmentId, CommunityId, ModelChoice, ModelRequest,
    ReplyModel,
};

use super::sight::TextReader;
use crate::unkept::UnkeptPictures;

/// A piece of answer text, in order, reasoning left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta(pub String);

/// A request translated to a provider's wire format, ready to be sent: what the inspector shows is `body`.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The provider and model this goes to, after `auto` and defaults are resolved.
    pub provider: String,
    pub model: String,
    pub url: String,
    /// Exactly the bytes that will be sent first. Never holds a key: keys travel in headers.
    pub body: Bytes,
    /// For the adapter that made it: which wire format the answer comes in.
    pub wire: Wire,
    /// Where the server lives: another request to it may go elsewhere than the first.
    pub base_url: String,
    /// Whether a typed answer is asked for, whatever a server is known to refuse.
    pub typed: StructuredOutput,
    /// How much is to be thought about it.
    pub effort: Effort,
    /// The pictures of the request, to write it anew without what a server refuses, or to look at.
    pub pictures: BTreeMap<AttachmentId, Bytes>,
    /// Who reads the text of those pictures, where somebody does.
    pub reader: Option<ChosenReader>,
    /// How long its answer is waited for.
    pub patience: Patience,
    /// The settings that chose it, for advice where it fails.
    pub keys: ModelKeys,
    /// Who asks, where that is known: what an adapter keeps between asks, it keeps for each apart.
    pub community: Option<CommunityId>,
}

/// How long an answer may take to begin, and to go on; the whole of it has the deadline of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From sending to the first byte of an answer.
    pub first_byte: Duration,
    /// From one piece of an answer to the next.
    pub stall: Duration,
    /// A server in the house is waited for longer than that, while it shows that it is there.
    pub while_it_works: bool,
}

/// Whoever reads the text of screens under some settings.
#[derive(Clone)]
pub struct ChosenReader(pub Arc<dyn TextReader>);

impl std::fmt::Debug for ChosenReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ChosenReader").field(&self.0.name()).finish()
    }
}

/// The wire formats spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    AnthropicMessages,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
    Offline,
}

/// Which model is in use, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LanguageStatus {
    pub provider: String,
    pub model: String,
    pub base_url: String,
    /// The built-in model without a network: good for seeing the pipeline, not for wisdom.
    pub offline: bool,
    /// How it was chosen: "ANTHROPIC_API_KEY is in the environment", "a server answers on port 11434"…
    pub because: String,
    /// What to do to use another one.
    pub how_to_change: String,
    /// What it was found not to take, so that it is left out, and what it was found to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<ModelLack>,
    /// Who does what nobody reads: notes, summaries, gems. Empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub small_model: String,
    /// What is wrong with the models in use or soon will be, and what to do; the worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ModelWarning>,
    /// Every model that is in use, what for, and what it can do as far as that is known; the one of replies first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_use: Vec<ModelInUse>,
}

/// One model, and what is known of it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelInUse {
    pub provider: String,
    pub model: String,
    /// What it is asked for: "replies", "summaries"…
    pub used_for: Vec<String>,
    /// What it takes: "tools", "pictures"…; what it was found to refuse is not among it.
    pub abilities: Vec<String>,
    /// Tokens that it reads at once, where somebody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_tokens: Option<u64>,
    /// Nobody says so: it is what such a server usually gives a model, or what is tried since a longer prompt was refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads_guessed: bool,
    /// What it was found not to take, and what it was found to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<ModelLack>,
}

/// Something that a model was found not to take, or to do whatever it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelLack {
    /// In words: "tools", "pictures"; of a habit "it thinks before it answers".
    pub what: String,
    /// It does that, rather than not take it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub habit: bool,
    /// When it was found; after a week, or when the settings are saved, it is tried again.
    pub since: String,
}

/// Something about a model in use that an operator should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct ModelWarning {
    /// Which setting, which model, and what to do.
    pub text: String,
    /// It does not work now; otherwise it soon will not.
    pub broken: bool,
}

/// A default model was replaced by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelMove {
    pub provider: String,
    /// `main` or `small`.
    pub role: String,
    pub from: String,
    pub to: String,
    pub because: String,
}

/// A catalogue of models was read anew while Denizen runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueNews {
    pub path: String,
    /// Of when it is, where it says so.
    pub date: Option<String>,
    /// Why it is not taken; none: it counts from now on.
    pub problem: Option<String>,
}

/// Whoever can answer a [`ModelRequest`]. Communities share it: what each of them chose comes with every call.
#[async_trait]
pub trait Language: Send + Sync {
    /// Translates a request as the settings want it; `images` holds the bytes of every picture in it that could be found.
    fn prepare(
        &self,
        request: &ModelRequest,
        images: &BTreeMap<AttachmentId, Bytes>,
        settings: &Settings,
    ) -> Result<Prepared, AskFailure>;

    /// Sends it once and streams the answer; dropping it cancels. Another request goes out only where a server refuses
    /// something that can be left out: to try again is the mind's business.
    /// The raw bytes of the response (all tries) are appended to `raw` as they come, and a body that goes out
    /// instead of the prepared one is noted there.
    async fn send(
        &self,
        request: &ModelRequest,
        prepared: &Prepared,
        deltas: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome;

    /// Works out anew what `auto` means under these settings.
    async fn configure(&self, settings: &Settings);

    /// The same, with nothing taken for known: an operator has changed something out there.
    async fn detect(&self, settings: &Settings) {
        self.configure(settings).await;
    }

    /// Before a question: where there was no model for it, looks again now and then whether there is one by now. Says
    /// whether there is.
    async fn look_for(&self, _choice: &ModelChoice, _purpose: AskPurpose, _settings: &Settings) -> bool {
        false
    }

    /// The same, unless it is known what they mean.
    async fn get_ready(&self, settings: &Settings) {
        self.configure(settings).await;
    }

    /// Looks once a day which models there are.
    async fn keep_up(&self) {}

    /// After a failure: whether another model is chosen now, because the one that was asked is not there, so that the
    /// same request can be prepared again.
    async fn moved_on(&self, _request: &ModelRequest, _prepared: &Prepared, _outcome: &AskOutcome) -> bool {
        false
    }

    /// Says when a default model was replaced; none where that cannot happen.
    fn moved(&self) -> Option<watch::Receiver<u64>> {
        None
    }

    /// Of the moves after the first so many, those that concern these settings, and how many there are in all.
    fn moves_since(&self, seen: u64, _settings: &Settings) -> (u64, Vec<ModelMove>) {
        (seen, Vec::new())
    }

    /// What became of catalogues that were read anew after the first so many, and how many there are in all.
    fn catalogue_since(&self, seen: u64) -> (u64, Vec<CatalogueNews>) {
        (seen, Vec::new())
    }

    /// How often something was learnt or forgotten of what models take: another number, and `status` may be another one.
    fn lessons(&self) -> u64 {
        0
    }

    /// What answers replies under these settings.
    fn status(&self, settings: &Settings) -> LanguageStatus;

    /// Whom a purpose is asked of under these settings, after `auto` and defaults are resolved; none where nobody can be.
    fn asked_of(&self, _purpose: AskPurpose, _settings: &Settings) -> Option<ModelChoice> {
        None
    }

    /// Providers that were asked for their list of models with a key, and whether they accepted it when they were last.
    fn keys_heard_of(&self, _settings: &Settings) -> BTreeMap<String, bool> {
        BTreeMap::new()
    }

    /// By which way it is asked then; none where nobody can be.
    fn asked_by(&self, _purpose: AskPurpose, _settings: &Settings) -> Option<AskedBy> {
        None
    }

    /// What is known of that model which tells how it is best asked; none where it is one that can be asked for anything.
    fn reply_model(&self, _settings: &Settings) -> Option<ReplyModel> {
        None
    }

    /// What questions may take on top of their words and the longest answer, by what they are for; where nothing is said,
    /// nothing.
    fn allowances(&self, _settings: &Settings) -> BTreeMap<AskPurpose, AskAllowance> {
        BTreeMap::new()
    }
}

/// The way to a model, for telling whether two processes go the same one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedBy {
    pub base_url: String,
    /// A mark of the key and the headers, out of which neither can be had; empty where there are none.
    pub key_mark: String,
}

/// What really went over the wire for one ask: the bytes of the response in a shared, bounded buffer, and the body
/// that was sent last where that is not the prepared one.
#[derive(Clone, Default)]
pub struct RawResponse(Arc<Mutex<Exchanged>>);

/// What went out in place of what was prepared, and where to: a server may have refused the one, or the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentInstead {
    pub url: String,
    pub body: Bytes,
}

#[derive(Default)]
struct Exchanged {
    response: Vec<u8>,
    sent_instead: Option<SentInstead>,
    /// Secrets that must not be read again from here.
    hidden: Vec<Vec<u8>>,
    pictures: UnkeptPictures,
}

impl std::fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawResponse").finish_non_exhaustive()
    }
}

/// More of a response than this is not kept.
pub const RAW_RESPONSE_BYTES_MAX: usize = 1 << 20;

impl RawResponse {
    /// Keeps more of the response, up to the bound.
    pub fn push(&self, bytes: &[u8]) {
        let kept = &mut self.exchanged().response;
        let room = RAW_RESPONSE_BYTES_MAX.saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// What has been kept so far.
    pub fn bytes(&self) -> Vec<u8> {
        let exchanged = self.exchanged();
        // Only here, because a secret may come in two pieces.
        let hidden = exchanged.hidden.iter();
        hidden.fold(exchanged.response.clone(), |kept, secret| without(&kept, secret))
    }

    /// Keeps a secret out of what is read later: some servers repeat what they were sent.
    pub fn hide(&self, secret: &str) {
        if !secret.is_empty() {
            self.exchanged().hidden.push(secret.as_bytes().to_vec());
        }
    }

    /// Notes that something else than what was prepared goes out now.
    pub fn send_instead(&self, sent: SentInstead) {
        self.exchanged().sent_instead = Some(sent);
    }

    /// What was sent last, where it is not what was prepared.
    pub fn sent_instead(&self) -> Option<SentInstead> {
        self.exchanged().sent_instead.clone()
    }

    /// Keeps pictures out of what is written down of it.
    pub(crate) fn leave_out(&self, pictures: UnkeptPictures) {
        self.exchanged().pictures = pictures;
    }

    /// Something that was sent or answered, as it may be written down.
    pub(crate) fn to_be_kept(&self, bytes: &[u8]) -> String {
        let pictures = self.exchanged().pictures.clone();
        pictures.left_out_of(String::from_utf8_lossy(bytes).into_owned())
    }

    fn exchanged(&self) -> MutexGuard<'_, Exchanged> {
        self.0.lock().expect("no holder of this lock can panic")
    }
}

fn without(bytes: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(secret.len()).position(|window| window == secret) {
        kept.extend_from_slice(&rest[..at]);
        kept.extend_from_slice(b"[key]");
        rest = &rest[at + secret.len()..];
    }
    kept.extend_from_slice(rest);
    kept
}
