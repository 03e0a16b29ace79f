use std::time::Duration;

use audio::Decibels;
use tokio::time::Instant;

use super::*;
use crate::trouble::Trouble;

fn evidence(spoken: u64, voiced: u64, level: f32) -> Evidence {
    Evidence {
        spoken: Duration::from_millis(spoken),
        voiced: Duration::from_millis(voiced),
        peak: Decibels(level + 6.0),
        level: Decibels(level),
        noise: Decibels(-60.0),
    }
}

fn judged(evidence: Evidence, result: Result<Transcript, Trouble>) -> HeardSpeech {
    let now = Instant::now();
    let facts = ClipFacts {
        evidence,
        silence: Span(700),
        whole_at: now,
    };
    let understood = Understood {
        result,
        at: now + Duration::from_millis(120),
    };
    judge(&facts, understood, "test")
}

fn outcome(text: &str, evidence: Evidence) -> Result<String, UnheardReason> {
    let transcript = Transcript {
        text: text.to_owned(),
        ..Transcript::default()
    };
    match judged(evidence, Ok(transcript)) {
        HeardSpeech::Utterance(utterance) => Ok(utterance.text),
        HeardSpeech::Missed { reason, .. } => Err(reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_phantom_is_dropped_only_with_little_voice() {
    let clear = evidence(1_500, 1_200, -25.0);
    let faint = evidence(1_500, 1_200, -55.0);
    let brief = evidence(400, 300, -25.0);
    let sparse = evidence(3_000, 900, -25.0);
    for phantom in [
        "Thank you for watching!",
        "Thanks for watching.",
        "Vielen Dank fürs Zuschauen!",
        "Merci d'avoir regardé cette vidéo.",
        "Gracias por ver el video.",
        "ご視聴ありがとうございました",
        "Untertitel im Auftrag des ZDF",
    ] {
        assert!(outcome(phantom, clear).is_ok(), "somebody did say {phantom}");
        for weak in [faint, brief, sparse] {
            if phantom.chars().count() > 15 || weak != brief {
                assert_eq!(
                    outcome(phantom, weak),
                    Err(UnheardReason::Hallucinated),
                    "{phantom}"
                );
            }
        }
    }
    assert_eq!(
        outcome("What do you think?", faint),
        Ok("What do you think?".to_owned()),
        "no phantom"
    );
    assert_eq!(
        outcome("Thank you.", evidence(600, 500, -25.0)),
        Ok("Thank you.".to_owned())
    );
    assert_eq!(
        outcome("Thank you, that was great", faint),
        Ok("Thank you, that was great".to_owned())
    );
}

#[test]
fn an_engine_that_doubts_itself_is_not_believed_about_phantoms() {
    let doubted = Transcript {
        text: "Thank you.".to_owned(),
        no_speech: Some(0.8),
        cost_micro_dollars: Some(300),
    };
    let heard = judged(evidence(1_500, 1_200, -25.0), Ok(doubted));
    assert!(
        matches!(
            heard,
            HeardSpeech::Missed {
                reason: UnheardReason::Hallucinated,
                cost_micro_dollars: Some(300),
                ..
            }
        ),
        "{heard:?}"
    );
}

#[test]
fn more_words_than_a_voice_can_say_and_loops_are_made_up() {
    let brief = evidence(300, 250, -25.0);
    let long = "And that is why, ladies and gentlemen, we are all gathered here today.";
    assert_eq!(outcome(long, brief), Err(UnheardReason::Hallucinated));
    assert_eq!(
        outcome(&"no, ".repeat(20), evidence(5_000, 4_000, -20.0)),
        Err(UnheardReason::Hallucinated)
    );
    assert!(outcome("no, no, no, no!", evidence(1_000, 900, -20.0)).is_ok());
}

#[test]
fn what_engines_write_about_sounds_is_not_words() {
    let clear = evidence(1_500, 1_200, -25.0);
    for nothing in [
        "",
        "  ",
        "[BLANK_AUDIO]",
        "(wind blowing)",
        "♪ ♪",
        "...",
        "*coughs*",
        "[Music] (applause)",
    ] {
        assert_eq!(outcome(nothing, clear), Err(UnheardReason::Empty), "{nothing:?}");
    }
    assert_eq!(
        outcome(" [laughs] Hello\nthere\u{200b} ", clear),
        Ok("Hello there".to_owned())
    );
}

#[test]
fn an_utterance_says_how_long_everything_took() {
    let transcript = Transcript {
        text: "Hello.".to_owned(),
        no_speech: None,
        cost_micro_dollars: Some(100),
    };
    let wanted = Utterance {
        text: "Hello.".to_owned(),
        spoken: Span(1_500),
        silence: Span(700),
        took: Span(120),
        engine: "test".to_owned(),
        cost_micro_dollars: Some(100),
    };
    assert_eq!(
        judged(evidence(1_500, 1_200, -25.0), Ok(transcript)),
        HeardSpeech::Utterance(wanted)
    );
}

#[test]
fn trouble_keeps_its_reason() {
    let late = judged(
        evidence(1_500, 1_200, -25.0),
        Err(Trouble::late("test", Duration::from_secs(9))),
    );
    assert!(
        matches!(&late, HeardSpeech::Missed { reason: UnheardReason::TimedOut, detail, .. } if detail.contains("longer than 9 s")),
        "{late:?}"
    );
}

mod hostile_transcripts {
    use proptest::prelude::*;

    use super::*;

    const TRANSCRIPTS: [&str; 3] = [
        "[BLANK_AUDIO] Hello (music) *coughs* there ♪",
        "no no no no no no no",
        "ご視聴ありがとうございました",
    ];

    proptest! {
        #![proptest_config(hostile::cases(256))]

        #[test]
        fn whatever_an_engine_writes_becomes_plain_words_or_a_reason(text in hostile::wounded_text(&TRANSCRIPTS)) {
            if let Ok(words) = outcome(&text, evidence(3_000, 2_500, -20.0)) {
                prop_assert!(!words.is_empty() && words.trim() == words);
                prop_assert!(words.chars().all(vocabulary::text::is_plain), "{:?}", words);
            }
        }
    }
}
