//! Which service the operator chose, where it is, and with which key: plain data, from the settings.

use fetching::service::{base_address, origin};
use runtime::ports::{RealtimeFault, SpeechFault};
use secrecy::{ExposeSecret, SecretString};
use settings::{RealtimeProvider, Settings};

use crate::event::{FaultKind, ServiceFault};
use crate::keys::RealtimeKeys;
use crate::session::Lost;
use crate::usual::{GoneModels, Usual};
use crate::wire::{Dialect, Part, SessionBrief};

/// What each is asked for where nothing is named: the first that it has.
const OPENAI_MODELS: Usual = &["gpt-realtime-1.5", "gpt-realtime-2.1", "gpt-realtime-2"];
const OPENAI_EARS: &str = "gpt-transcribe";
const XAI_MODELS: Usual = &["grok-voice-latest", "grok-voice-think-fast-2.0"];
const GEMINI_MODELS: Usual = &["gemini-3.8-live", "gemini-3.8-live-extended-thinking"];
const ELEVENLABS_MODELS: Usual = &["eleven_flash_v2_5", "eleven_v4_turbo"];
const ELEVENLABS_EARS: &str = "scribe_v2_realtime";
const ELEVENLABS_VOICE: &str = "JBFqnCBsd6RMkjVDRZzb";

/// A service that can be used.
#[derive(Clone, Debug)]
pub(crate) struct ServiceChoice {
    pub(crate) provider: RealtimeProvider,
    /// For a message: `OpenAI`, or `the server at http://127.0.0.1:8000`.
    pub(crate) who: String,
    /// Without a slash at its end.
    pub(crate) base: String,
    pub(crate) key: Option<SecretString>,
    /// The variable the key is in.
    pub(crate) variable: &'static str,
    /// Where its model, its voice and its address are set.
    pub(crate) section: &'static str,
    /// It is its makers' own: their prices count.
    pub(crate) is_makers: bool,
    pub(crate) ears: SessionBrief,
    pub(crate) mouth: SessionBrief,
    /// How a conversation is to be that it keeps; none where it can keep none.
    pub(crate) mind: Option<SessionBrief>,
    /// What may take the place of its model.
    pub(crate) usual: Usual,
    pub(crate) gone: GoneModels,
}

impl PartialEq for ServiceChoice {
    fn eq(&self, other: &Self) -> bool {
        let key = |choice: &Self| {
            choice
                .key
                .as_ref()
                .map(|key| ExposeSecret::expose_secret(key).to_owned())
        };
        self.provider == other.provider
            && self.base == other.base
            && self.ears == other.ears
            && self.mouth == other.mouth
            && self.mind == other.mind
            && key(self) == key(other)
    }
}

/// What is particular to a service.
struct Maker {
    called: &'static str,
    own: &'static str,
    path: &'static str,
    variable: &'static str,
    knob: &'static str,
}

fn maker(provider: RealtimeProvider) -> Maker {
    match provider {
        RealtimeProvider::OpenAi => Maker {
            called: "OpenAI",
            own: "https://api.openai.com/v1",
            path: "/v1",
            variable: "OPENAI_API_KEY",
            knob: "voice.openaiRealtime.baseUrl",
        },
        RealtimeProvider::Xai => Maker {
            called: "xAI",
            own: "https://api.x.ai/v1",
            path: "/v1",
            variable: "XAI_API_KEY",
            knob: "voice.xaiRealtime.baseUrl",
        },
        RealtimeProvider::Gemini => Maker {
            called: "Google",
            own: "https://generativelanguage.googleapis.com",
            path: "",
            variable: "GEMINI_API_KEY",
            knob: "voice.geminiRealtime.baseUrl",
        },
        RealtimeProvider::ElevenLabs => Maker {
            called: "ElevenLabs",
            own: "https://api.elevenlabs.io",
            path: "",
            variable: "ELEVENLABS_API_KEY",
            knob: "voice.elevenLabsRealtime.baseUrl",
        },
    }
}

impl ServiceChoice {
    /// As the settings have it; for a person, why it cannot be.
    pub(crate) fn of(settings: &Settings, keys: &RealtimeKeys, gone: &GoneModels) -> Result<Self, String> {
        let provider = settings.voice.realtime_provider;
        let maker = maker(provider);
        let url = match provider {
            RealtimeProvider::OpenAi => &settings.openai_realtime.base_url,
            RealtimeProvider::Xai => &settings.xai_realtime.base_url,
            RealtimeProvider::Gemini => &settings.gemini_realtime.base_url,
            RealtimeProvider::ElevenLabs => &settings.elevenlabs_realtime.base_url,
        };
        let base = match url.trim() {
            "" => maker.own.to_owned(),
            url => {
                base_address(&as_http(url), maker.path).map_err(|why| format!("{} is {why}", maker.knob))?
            }
        };
        let is_makers = base == maker.own;
        // A maker's key is for the maker: a server of somebody else gets only a key that was meant for it.
        let (key, variable) = match (is_makers, provider) {
            (false, _) => (&keys.own, "REALTIME_API_KEY"),
            (true, RealtimeProvider::OpenAi) => (&keys.openai, maker.variable),
            (true, RealtimeProvider::Xai) => (&keys.xai, maker.variable),
            (true, RealtimeProvider::Gemini) => (&keys.gemini, maker.variable),
            (true, RealtimeProvider::ElevenLabs) => (&keys.elevenlabs, maker.variable),
        };
        if is_makers && key.is_none() {
            return Err(format!(
                "voice.mode is realtime, and {} wants a key: set {} and start Denizen again",
                maker.called, maker.variable
            ));
        }
        let usual = usual(settings);
        // What is chosen stays the same when a model is gone: it is replaced where it is asked for.
        let (ears, mouth) = briefs(settings, usual.first().copied().unwrap_or_default());
        Ok(Self {
            provider,
            who: match is_makers {
                true => maker.called.to_owned(),
                false => format!("the server at {}", origin(&base)),
            },
            base,
            key: key.clone(),
            variable,
            section: maker.knob.trim_end_matches(".baseUrl"),
            is_makers,
            mind: mind(settings, &mouth),
            ears,
            mouth,
            usual,
            gone: gone.clone(),
        })
    }

    /// The name under which what a model did is written down.
    pub(crate) fn engine(&self, model: &str) -> String {
        format!("{}:{}", self.provider.name(), self.asked(model))
    }

    /// The model that is asked where this one is wanted: another, where the service does not have it any more.
    pub(crate) fn asked<'a>(&self, model: &'a str) -> &'a str {
        self.gone.asked(model, self.usual)
    }

    /// Why nothing came of something, as the house knows it.
    pub(crate) fn fault(&self, lost: Lost) -> RealtimeFault {
        let retryable = !lost.fault.is_lasting();
        let who = &self.who;
        let detail = match lost.fault.detail.contains(who.as_str()) {
            true => lost.fault.detail,
            false => format!("{who}: {}", lost.fault.detail),
        };
        RealtimeFault {
            fault: SpeechFault { detail, retryable },
            is_late: lost.is_late,
        }
    }

    /// What a person can do about something.
    pub(crate) fn remedy(&self, fault: &ServiceFault, brief: &SessionBrief) -> String {
        let Self {
            who,
            variable,
            section,
            ..
        } = self;
        match fault.kind {
            FaultKind::Key if self.key.is_none() => {
                format!("{who} wants a key: set {variable} and start Denizen again")
            }
            FaultKind::Key => format!("check the key in {variable}, and that it may use this service"),
            FaultKind::Quota => format!("{who} has nothing left to pay with: look at the account's billing"),
            FaultKind::Busy => "too much was asked for in a short time: try again in a minute".to_owned(),
            FaultKind::Model => {
                let knob = match brief.lacks_its_model(fault) {
                    true => "model",
                    false => "transcriptionModel",
                };
                format!("name a model that {who} has in {section}.{knob}, or leave it empty")
            }
            FaultKind::Refused => format!("check {section}.model, {section}.voice and {section}.baseUrl"),
            _ if self.is_makers => "check the network, and the service's own status page".to_owned(),
            _ => format!(
                "start the server at {}, or correct {section}.baseUrl",
                origin(&self.base)
            ),
        }
    }

    pub(crate) fn given_up(&self) -> RealtimeFault {
        self.fault(Lost::of(ServiceFault::new(
            FaultKind::Passing,
            "the line was given up",
        )))
    }

    pub(crate) fn description(&self) -> String {
        match &self.key {
            Some(_) => format!(
                "the realtime service of {}, with the key from {}",
                self.who, self.variable
            ),
            None => format!("the realtime service of {}, without a key", self.who),
        }
    }
}

/// A conversation is kept by what speaks, where that thinks, too; at ElevenLabs by an agent of the operator's.
fn mind(settings: &Settings, mouth: &SessionBrief) -> Option<SessionBrief> {
    let agent = settings.elevenlabs_realtime.agent_id.trim();
    let (dialect, model, voice) = match settings.voice.realtime_provider {
        RealtimeProvider::ElevenLabs if agent.is_empty() => return None,
        // An agent has a voice of its own, unless another was named.
        RealtimeProvider::ElevenLabs => (
            Dialect::ElevenLabsAgent,
            agent,
            settings.elevenlabs_realtime.voice.trim(),
        ),
        _ => (mouth.dialect, mouth.model.as_str(), mouth.voice.as_str()),
    };
    Some(SessionBrief {
        dialect,
        part: Part::Mind,
        model: model.to_owned(),
        voice: voice.to_owned(),
        ..mouth.clone()
    })
}

/// Addresses of sockets are those of HTTP, under another name.
fn as_http(url: &str) -> String {
    match url.strip_prefix("ws") {
        Some(rest) if rest.starts_with(':') || rest.starts_with("s:") => format!("http{rest}"),
        _ => url.to_owned(),
    }
}

/// What may be asked, where the operator has named nothing.
fn usual(settings: &Settings) -> Usual {
    let (named, usual) = match settings.voice.realtime_provider {
        RealtimeProvider::OpenAi => (&settings.openai_realtime.model, OPENAI_MODELS),
        RealtimeProvider::Xai => (&settings.xai_realtime.model, XAI_MODELS),
        RealtimeProvider::Gemini => (&settings.gemini_realtime.model, GEMINI_MODELS),
        RealtimeProvider::ElevenLabs => (&settings.elevenlabs_realtime.model, ELEVENLABS_MODELS),
    };
    match named.trim() {
        "" => usual,
        _ => &[],
    }
}

/// How the sessions for hearing and for speaking are to be; where they are the same, one connection does both.
fn briefs(settings: &Settings, usual: &str) -> (SessionBrief, SessionBrief) {
    let or = |named: &str, usual: &str| match named.trim() {
        "" => usual.to_owned(),
        named => named.to_owned(),
    };
    let mut hints = settings.identity.names();
    hints.retain(|hint| !hint.trim().is_empty());
    let brief = |dialect, part, model: &str, transcription_model: &str, voice: &str| SessionBrief {
        dialect,
        part,
        model: model.to_owned(),
        transcription_model: transcription_model.to_owned(),
        voice: voice.trim().to_owned(),
        language: settings.stt_pipeline.transcription_language.trim().to_owned(),
        hints: hints.clone(),
    };
    match settings.voice.realtime_provider {
        RealtimeProvider::OpenAi => {
            let own = &settings.openai_realtime;
            let ears = or(&own.transcription_model, OPENAI_EARS);
            let both = brief(
                Dialect::OpenAi,
                Part::Both,
                &or(&own.model, usual),
                &ears,
                &own.voice,
            );
            (both.clone(), both)
        }
        RealtimeProvider::Xai => {
            let own = &settings.xai_realtime;
            let model = or(&own.model, usual);
            let both = brief(Dialect::Xai, Part::Both, &model, &model, &own.voice);
            (both.clone(), both)
        }
        RealtimeProvider::Gemini => {
            let own = &settings.gemini_realtime;
            let model = or(&own.model, usual);
            (
                brief(Dialect::Gemini, Part::Ears, &model, &model, &own.voice),
                brief(Dialect::Gemini, Part::Mouth, &model, &model, &own.voice),
            )
        }
        RealtimeProvider::ElevenLabs => {
            let own = &settings.elevenlabs_realtime;
            let ears = or(&own.transcription_model, ELEVENLABS_EARS);
            let (model, voice) = (or(&own.model, usual), or(&own.voice, ELEVENLABS_VOICE));
            (
                brief(Dialect::ElevenLabsEars, Part::Ears, &model, &ears, &voice),
                brief(Dialect::ElevenLabsMouth, Part::Mouth, &model, &ears, &voice),
            )
        }
    }
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
