//! Whatever a model reads, the question for gems fits it or is not asked.

use settings::Settings;
use vocabulary::{CapturedTurn, ContentPart, ModelRequest, OutputShape, WallTime};

use super::{fitted, tokens};
use crate::memory::prompt::{Extent, ExtractionBrief};
use crate::memory::test_gems::{gem, turn};

const NOON: WallTime = WallTime(1_771_848_000_000);

fn question(batch: &[CapturedTurn], reads: Option<u64>) -> Option<(ModelRequest, usize)> {
    let settings = Settings::default();
    let known = [gem(
        "1f0c33aa-0000-0000-0000-000000000000",
        "Alice lives in Oslo.",
    )];
    let brief = ExtractionBrief {
        batch,
        settings: &settings,
        now: NOON,
        known: &known,
        summary: "They talked about Oslo.",
        extent: Extent::whole(&settings),
    };
    fitted(&brief, reads)
}

fn words(request: &ModelRequest) -> String {
    format!("{:?}", request.turns)
}

fn has_history(request: &ModelRequest) -> bool {
    let mut parts = request.turns[0].parts.iter();
    parts.any(|part| matches!(part, ContentPart::History { .. }))
}

fn lines(count: u64, text: &str) -> Vec<CapturedTurn> {
    (2..count + 2).map(|number| turn(number, "Alice", text)).collect()
}

#[test]
fn a_question_fits_whatever_is_read_or_is_not_asked() {
    let texts = [
        "I moved to Bergen.",
        &"tide ".repeat(700),
        &"潮汐正在上涨".repeat(60),
        "",
    ];
    for text in texts {
        for count in [1, 5, 20] {
            let batch = lines(count, text);
            for reads in [256, 1_000, 1_024, 1_500, 2_048, 4_096, 8_192, 32_768] {
                let asked = question(&batch, Some(reads));
                let Some((request, turns)) = asked else {
                    assert!(
                        reads < 2_048,
                        "{reads} tokens are enough for one turn of {text:.10}"
                    );
                    continue;
                };
                assert!((1..=batch.len()).contains(&turns));
                assert!(tokens(&request) <= reads, "{reads}: {}", tokens(&request));
                let OutputShape::Json { schema, .. } = &request.output else {
                    panic!("gems are typed");
                };
                let gems = schema["properties"]["gems"]["maxItems"]
                    .as_u64()
                    .expect("a limit");
                let is_short = request.max_output_tokens < 2_048;
                assert!(
                    !is_short || gems * 100 <= u64::from(request.max_output_tokens),
                    "{gems} gems are more than {} tokens",
                    request.max_output_tokens
                );
            }
        }
    }
}

#[test]
fn less_is_read_around_the_turns_before_there_are_fewer_of_them() {
    let batch = lines(
        5,
        "I moved to Bergen yesterday, and the flat has a view of the harbour.",
    );
    let (whole, turns) = question(&batch, None).expect("nobody says how much is read");
    assert_eq!((turns, whole.max_output_tokens), (5, 2_048));
    assert!(has_history(&whole));
    assert_eq!(question(&batch, Some(100_000)), Some((whole, 5)));
    let (request, turns) = question(&batch, Some(4_096)).expect("it fits");
    assert_eq!(turns, 5);
    assert!(has_history(&request) && words(&request).contains("Oslo"));
    let (request, turns) = question(&batch, Some(2_048)).expect("it fits");
    assert_eq!(turns, 5, "short ones");
    assert!(request.max_output_tokens >= 500);
    let long = lines(5, &"The flat has a view of the harbour. ".repeat(20));
    let (request, turns) = question(&long, Some(2_048)).expect("it fits");
    assert!((1..5).contains(&turns), "{turns} of them");
    assert!(!has_history(&request) && !words(&request).contains("Oslo"));
    assert_eq!(question(&long, Some(1_000)), None);
}
