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
        may_cost: true,
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
        text: "Thank you for watching.".to_owned(),
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
        outcome(&"no, ".repeat(20), evidence(2_000, 1_500, -20.0)),
        Err(UnheardReason::Hallucinated),
        "nobody says that in a second and a half"
    );
    assert!(outcome("no, no, no, no!", evidence(1_000, 900, -20.0)).is_ok());
}

#[test]
fn whoever_insists_is_heard_three_times() {
    let clear = evidence(3_500, 3_000, -25.0);
    let table = [
        ("Stop stop stop stop stop stop!", "Stop stop stop"),
        ("no, no, no, no, no, no, no", "no, no, no,"),
        ("ha ha ha ha ha ha ha", "ha ha ha"),
        ("go on go on go on go on go on go on", "go on go on go on"),
    ];
    for (said, wanted) in table {
        assert_eq!(outcome(said, clear).as_deref(), Ok(wanted));
        let faint = evidence(3_500, 3_000, -55.0);
        assert_eq!(outcome(said, faint), Err(UnheardReason::Hallucinated));
    }
    let other = "stop stop stop stop stop stop Denizen";
    assert_eq!(outcome(other, clear).as_deref(), Ok(other), "nothing is lost");
}

#[test]
fn people_thank_and_say_goodbye_beside_a_fan_and_to_an_engine_that_doubts() {
    let beside_a_fan = evidence(700, 600, -52.0);
    for said in ["Thank you.", "Bye!", "Merci.", "Спасибо."] {
        assert_eq!(outcome(said, beside_a_fan).as_deref(), Ok(said));
        assert_eq!(
            outcome(said, evidence(700, 100, -58.0)),
            Err(UnheardReason::Hallucinated),
            "{said}"
        );
    }
    let doubted = Transcript {
        text: "Thank you.".to_owned(),
        no_speech: Some(0.8),
        ..Transcript::default()
    };
    let heard = judged(evidence(700, 600, -25.0), Ok(doubted));
    assert!(matches!(heard, HeardSpeech::Utterance(_)), "{heard:?}");
}

#[test]
fn the_usual_phantoms_of_many_languages_are_known() {
    let sparse = evidence(3_000, 900, -25.0);
    for phantom in [
        "Субтитры сделал DimaTorzok",
        "谢谢观看",
        "MBC 뉴스 이덕영입니다.",
        "Altyazı M.K.",
        "ترجمة نانسي قنقر",
    ] {
        assert_eq!(
            outcome(phantom, sparse),
            Err(UnheardReason::Hallucinated),
            "{phantom}"
        );
    }
}

#[test]
fn what_engines_write_about_sounds_is_not_words() {
    let clear = evidence(1_500, 1_200, -25.0);
    for nothing in ["", "  ", "[BLANK_AUDIO]", "..."] {
        assert_eq!(outcome(nothing, clear), Err(UnheardReason::Empty), "{nothing:?}");
    }
    assert_eq!(
        outcome("What the f*** is this, Denizen?", clear).as_deref(),
        Ok("What the f*** is this, Denizen?")
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
