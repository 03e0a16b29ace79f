//! Models that hear, speak or paint and that end soon, or have ended.

use providers::{Finding, announced_end};
use settings::{MediaProvider, RealtimeProvider, Settings, VoiceMode};

use super::{bad, noted};

/// What is to be told of who hears and who speaks, by the names of their engines.
pub(super) fn of_speech(ears: &str, mouth: &str, settings: &Settings) -> Vec<Finding> {
    let (hears, speaks) = match settings.voice.mode == VoiceMode::Realtime {
        true => match settings.voice.realtime_provider {
            RealtimeProvider::OpenAi if settings.openai_realtime.base_url.trim().is_empty() => (
                "voice.openaiRealtime.transcriptionModel",
                "voice.openaiRealtime.model",
            ),
            RealtimeProvider::Gemini if settings.gemini_realtime.base_url.trim().is_empty() => {
                ("voice.geminiRealtime.model", "voice.geminiRealtime.model")
            }
            // What a server of somebody else calls its models is its own affair.
            _ => return Vec::new(),
        },
        false => (
            "voice.sttPipeline.transcriptionModel",
            "voice.sttPipeline.ttsModel",
        ),
    };
    let mut findings = Vec::new();
    findings.extend(told("ears", ears, hears));
    if ears != mouth {
        findings.extend(told("voice", mouth, speaks));
    }
    findings
}

/// What is to be told of who makes pictures.
pub(super) fn of_pictures(settings: &Settings) -> Vec<Finding> {
    let is_openai = settings.media.image_provider == MediaProvider::OpenAi;
    if !is_openai || !settings.media.image_url.trim().is_empty() {
        return Vec::new();
    }
    let setting = "initiative.discovery.allowedImageModels";
    let models = settings.discovery.allowed_image_models.iter();
    models
        .filter_map(|model| told("image", &format!("openai:{model}"), setting))
        .collect()
}

fn told(what: &str, engine: &str, setting: &str) -> Option<Finding> {
    let (maker, model) = engine.split_once(':')?;
    let end = announced_end(maker, model, setting)?;
    Some(match end.is_over {
        true => bad(what, end.detail, &end.remedy),
        false => noted(what, end.detail, &end.remedy),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use settings::Document;

    use super::*;

    fn settings(pairs: &[(&str, serde_json::Value)]) -> Settings {
        let mut document = Document::default();
        for (key, value) in pairs {
            document.set(*key, value.clone());
        }
        Settings::read(&document).expect("settings")
    }

    #[test]
    fn what_has_ended_is_a_problem_and_a_server_of_ones_own_has_what_it_likes() {
        let gemini = [
            ("voice.mode", json!("realtime")),
            ("voice.realtimeProvider", json!("gemini")),
        ];
        let gone = "gemini:gemini-3.1-flash-live-preview";
        let findings = of_speech(gone, gone, &settings(&gemini));
        let [finding] = &findings[..] else {
            panic!("once, though it does both: {findings:?}");
        };
        let remedy = finding.remedy.as_deref().expect("what to do");
        assert!(
            !finding.ok && remedy.contains("voice.geminiRealtime.model"),
            "{finding:?}"
        );
        assert!(remedy.contains("gemini-3.8-live"), "{remedy}");
        let own = [
            &gemini[..],
            &[("voice.geminiRealtime.baseUrl", json!("http://127.0.0.1:9"))],
        ]
        .concat();
        assert!(of_speech(gone, gone, &settings(&own)).is_empty());
        assert!(of_speech("moonshine-tiny", "piper", &settings(&[])).is_empty());
    }
}
