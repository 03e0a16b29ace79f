use vocabulary::Span;

use super::{VoiceAdmissionReason as Reason, VoiceQuestion, decide, read_decision};
use crate::admission::is_low_signal;

/// Somebody among three says something long enough, a while after Denizen spoke to somebody else.
fn question(transcript: &str) -> VoiceQuestion<'_> {
    VoiceQuestion {
        transcript,
        spoken: Span(1_800),
        permitted: true,
        bot_turn_open: false,
        since_own_words: Some(Span::seconds(120)),
        direct: false,
        bare_name: false,
        names_somebody_else: false,
        goes_elsewhere: false,
        focused_speaker: false,
        last_answered: false,
        answers_own_question: false,
        participants: 3,
        relax_when_alone: true,
        eagerness: 50,
        silence: Span(3_000),
        classifier: true,
    }
}

const TALK: &str = "we could go to the lake tomorrow";

#[test]
fn the_gate_looks_in_its_order_and_names_every_answer() {
    let base = question(TALK);
    let scrap = VoiceQuestion {
        spoken: Span(400),
        ..question("uh yeah")
    };
    let table: Vec<(&str, VoiceQuestion<'_>, bool, Reason, Option<u64>)> = vec![
        (
            "no words",
            question(" … "),
            false,
            Reason::MissingTranscript,
            None,
        ),
        (
            "not to them",
            VoiceQuestion {
                permitted: false,
                direct: true,
                ..base.clone()
            },
            false,
            Reason::NotPermitted,
            None,
        ),
        (
            "while it speaks, even by name",
            VoiceQuestion {
                bot_turn_open: true,
                direct: true,
                ..base.clone()
            },
            false,
            Reason::BotTurnOpen,
            Some(1_400),
        ),
        ("a scrap", scrap.clone(), false, Reason::LowSignalFragment, None),
        (
            "a scrap right after its words",
            VoiceQuestion {
                since_own_words: Some(Span(600)),
                ..scrap.clone()
            },
            false,
            Reason::LowSignalRecentReplyClip,
            None,
        ),
        (
            "a longer one right after its words",
            VoiceQuestion {
                since_own_words: Some(Span(600)),
                spoken: Span(1_200),
                ..scrap.clone()
            },
            false,
            Reason::LowSignalFragment,
            None,
        ),
        (
            "its bare name",
            VoiceQuestion {
                direct: true,
                bare_name: true,
                ..question("Denizen")
            },
            true,
            Reason::DirectAddressWakePing,
            None,
        ),
        (
            "by name",
            VoiceQuestion {
                direct: true,
                eagerness: 0,
                ..base.clone()
            },
            true,
            Reason::DirectAddressFastPath,
            None,
        ),
        (
            "an answer to its question may be short",
            VoiceQuestion {
                answers_own_question: true,
                focused_speaker: true,
                ..scrap.clone()
            },
            true,
            Reason::FocusedSpeakerFollowup,
            None,
        ),
        (
            "whoever it talks with",
            VoiceQuestion {
                focused_speaker: true,
                ..base.clone()
            },
            true,
            Reason::FocusedSpeakerFollowup,
            None,
        ),
        (
            "whoever it answered last, soon",
            VoiceQuestion {
                last_answered: true,
                since_own_words: Some(Span(35_000)),
                ..base.clone()
            },
            true,
            Reason::BotRecentReplyFollowup,
            None,
        ),
        (
            "whoever it answered last, later",
            VoiceQuestion {
                last_answered: true,
                since_own_words: Some(Span(35_001)),
                ..base.clone()
            },
            true,
            Reason::AskClassifier,
            None,
        ),
        (
            "whoever it talks with turns to somebody else",
            VoiceQuestion {
                focused_speaker: true,
                last_answered: true,
                names_somebody_else: true,
                goes_elsewhere: true,
                since_own_words: Some(Span(1_000)),
                ..base.clone()
            },
            true,
            Reason::AskClassifier,
            None,
        ),
        (
            "never unasked",
            VoiceQuestion {
                eagerness: 0,
                ..base.clone()
            },
            false,
            Reason::EagernessDisabledWithoutDirectAddress,
            None,
        ),
        (
            "alone",
            VoiceQuestion {
                participants: 1,
                silence: Span::ZERO,
                ..base.clone()
            },
            true,
            Reason::AloneWithDenizen,
            None,
        ),
        (
            "alone, and not relaxed: no window either",
            VoiceQuestion {
                participants: 1,
                silence: Span::ZERO,
                relax_when_alone: false,
                ..base.clone()
            },
            true,
            Reason::AskClassifier,
            None,
        ),
        (
            "people may go on",
            VoiceQuestion {
                silence: Span(700),
                ..base.clone()
            },
            false,
            Reason::AwaitingNonDirectSilenceWindow,
            Some(1_600),
        ),
        (
            "never looked at again at once",
            VoiceQuestion {
                silence: Span(2_290),
                ..base.clone()
            },
            false,
            Reason::AwaitingNonDirectSilenceWindow,
            Some(60),
        ),
        (
            "nobody to ask",
            VoiceQuestion {
                classifier: false,
                ..base.clone()
            },
            false,
            Reason::ClassifierDisabled,
            None,
        ),
    ];
    for (what, question, allow, reason, retry) in table {
        let admission = decide(&question);
        assert_eq!(
            (
                admission.allow,
                admission.reason,
                admission.retry_after.map(|after| after.0)
            ),
            (allow, reason, retry),
            "{what}"
        );
    }
}

#[test]
fn only_a_call_by_name_obliges() {
    let called = VoiceQuestion {
        direct: true,
        ..question(TALK)
    };
    let focused = VoiceQuestion {
        focused_speaker: true,
        ..question(TALK)
    };
    assert!(decide(&called).required);
    assert!(!decide(&focused).required);
}

#[test]
fn scraps_are_told_from_words_in_any_script() {
    let scraps = [
        "uh", "yeah ok", "mhm", "oui", "да", "はい", "うん", "ok", "so", "ja ja", "嗯",
    ];
    let says = [
        "so?",
        "really？",
        "لماذا؟",
        "what now",
        "wie bitte",
        "we could go",
        "let us go home",
        "совсем другое",
        "明日行きましょう",
        "我们去吧",
        "ไปเที่ยวกันเถอะ",
        "absolutely fantastic",
    ];
    for scrap in scraps {
        assert!(is_low_signal(scrap), "{scrap}");
    }
    for words in says {
        assert!(!is_low_signal(words), "{words}");
    }
}

#[test]
fn a_classifier_says_yes_or_no_or_breaks_its_word() {
    let table = [
        ("YES", Reason::LlmYes),
        ("yes.", Reason::LlmYes),
        ("**No**, they talk among themselves.", Reason::LlmNo),
        ("NO", Reason::LlmNo),
        ("Maybe", Reason::LlmContractViolation),
        ("", Reason::LlmContractViolation),
        ("I would say yes", Reason::LlmContractViolation),
    ];
    for (answer, reason) in table {
        assert_eq!(read_decision(answer), reason, "{answer}");
    }
}
