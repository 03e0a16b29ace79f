//! Models that hear, speak or paint and whose makers have said when they end. No conversation is held with them, so they are
//! in no preferences; what is known of the others stands in the catalogue.

use jiff::civil::{Date, date};

use crate::catalogue::{is_version_of, today};

/// It is told from so many days before on.
const TOLD_DAYS_BEFORE: i32 = 60;

/// Whose it is, its name, the day from which on it answers nobody, and what to take instead: a model, or else another way.
const ENDS: [(&str, &str, Date, Instead); 13] = [
    ("openai", "gpt-image-1-mini", date(2026, 12, 1), PAINTER),
    ("openai", "gpt-image-1.5", date(2026, 12, 1), PAINTER),
    ("openai", "chatgpt-image-latest", date(2026, 12, 1), PAINTER),
    ("openai", "tts-1", date(2027, 1, 6), VOICE),
    ("openai", "tts-1-hd", date(2027, 1, 6), VOICE),
    ("openai", "gpt-4o-mini-tts", date(2027, 1, 6), VOICE),
    (
        "openai",
        "gpt-realtime",
        date(2027, 1, 20),
        Instead::Model("gpt-realtime-2.1"),
    ),
    (
        "openai",
        "gpt-realtime-mini",
        date(2027, 1, 20),
        Instead::Model("gpt-realtime-2.1-mini"),
    ),
    ("openai", "whisper-1", date(2027, 2, 26), EARS),
    ("openai", "gpt-4o-transcribe", date(2027, 2, 26), EARS),
    ("openai", "gpt-4o-mini-transcribe", date(2027, 2, 26), EARS),
    ("openai", "gpt-4o-transcribe-diarize", date(2027, 2, 26), EARS),
    (
        "gemini",
        "gemini-3.1-flash-live-preview",
        date(2026, 11, 17),
        Instead::Model("gemini-3.8-live"),
    ),
];
const PAINTER: Instead = Instead::Model("gpt-image-2.5-flare");
const EARS: Instead = Instead::Model("gpt-transcribe");
const VOICE: Instead = Instead::Way(
    "OpenAI names no other model for its speech: choose another voice.sttPipeline.ttsProvider, or voice.mode realtime",
);

#[derive(Clone, Copy, Debug)]
enum Instead {
    Model(&'static str),
    Way(&'static str),
}

/// That a model ends, or has ended, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncedEnd {
    pub detail: String,
    pub remedy: String,
    pub is_over: bool,
}

/// What is to be told today of a model of a maker's, which is named in that setting.
pub fn announced_end(maker: &str, model: &str, setting: &str) -> Option<AnnouncedEnd> {
    announced_end_on(maker, model, setting, today())
}

fn announced_end_on(maker: &str, model: &str, setting: &str, today: Date) -> Option<AnnouncedEnd> {
    let is_it = |(of, name, ..): &&(&str, &str, Date, Instead)| *of == maker && is_version_of(model, name);
    let (_, _, on, instead) = ENDS.iter().find(is_it)?;
    let is_over = *on <= today;
    let is_near = (*on - today).get_days() <= TOLD_DAYS_BEFORE;
    (is_over || is_near).then(|| AnnouncedEnd {
        detail: match is_over {
            true => format!("{model} was shut down on {on}"),
            false => format!("{model} ends on {on}"),
        },
        remedy: match instead {
            Instead::Model(other) => format!("put {other} into {setting}"),
            Instead::Way(way) => (*way).to_owned(),
        },
        is_over,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(model: &str, today: Date) -> Option<(String, String, bool)> {
        let end = announced_end_on("openai", model, "a.setting", today)?;
        Some((end.detail, end.remedy, end.is_over))
    }

    #[test]
    fn an_end_is_told_weeks_before_with_what_to_do_and_not_of_siblings() {
        let november = date(2026, 11, 22);
        let mini = told("gpt-realtime-mini-2025-12-15", november).expect("it ends");
        assert_eq!(mini.0, "gpt-realtime-mini-2025-12-15 ends on 2027-01-20");
        assert_eq!(mini.1, "put gpt-realtime-2.1-mini into a.setting");
        assert!(!mini.2);
        assert_eq!(told("whisper-1", november), None, "that is months away");
        let (detail, _, is_over) = told("gpt-image-1.5", date(2026, 12, 2)).expect("it is over");
        assert!(
            is_over && detail.contains("was shut down on 2026-12-01"),
            "{detail}"
        );
        for alive in [
            "gpt-realtime-1.5",
            "gpt-realtime-2.1-mini",
            "gpt-transcribe",
            "gpt-image-2.5-flare",
        ] {
            assert_eq!(told(alive, date(2027, 6, 1)), None, "{alive}");
        }
        let (_, remedy, _) = told("gpt-4o-mini-tts", november).expect("it ends");
        assert!(remedy.contains("voice.sttPipeline.ttsProvider"), "{remedy}");
        assert_eq!(
            announced_end_on("compatible", "whisper-1", "a.setting", date(2027, 6, 1)),
            None
        );
    }
}
