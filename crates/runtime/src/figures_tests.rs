use mind::reasons::TurnOutcome;
use mind::{JournalEntry, JournalEvent, Scope};
use vocabulary::{AskFailureKind, AskId, JournalSeq, MessageId, RoomId, WallTime};

use super::*;

fn line(community: &str, turn: u64, moment: u64, event: JournalEvent) -> JournalEntry {
    JournalEntry {
        seq: JournalSeq(1),
        moment: Moment(moment),
        wall: WallTime(0),
        community: CommunityId::from(community),
        scope: Scope::room(&RoomId::from("room")).turn(TurnId(turn)),
        event,
    }
}

fn opened(waited: u64) -> JournalEvent {
    JournalEvent::TurnOpened {
        author: "alice".into(),
        trigger_message_ids: vec![MessageId::from("m1")],
        forced: false,
        waited: Span(waited),
    }
}

fn started() -> JournalEvent {
    JournalEvent::AskStarted {
        ask: AskId(1),
        purpose: AskPurpose::TextReply,
        provider: "test".into(),
        model: "large".into(),
        attempt: 1,
        prompt_characters: 10,
        sections_trimmed: Vec::new(),
        sections_dropped: Vec::new(),
    }
}

fn completed(model: &str) -> JournalEvent {
    JournalEvent::AskCompleted {
        ask: AskId(1),
        purpose: AskPurpose::TextReply,
        provider: "test".into(),
        model: model.into(),
        took: Span(900),
        first_text: Some(Span(300)),
        input_tokens: 100,
        cached_tokens: Some(40),
        output_tokens: 7,
        cost_micro_dollars: Some(55),
        cut_at: None,
    }
}

fn sent(part: usize) -> JournalEvent {
    JournalEvent::SentMessage {
        message: "m2".into(),
        trigger_message_ids: Vec::new(),
        characters: 5,
        part,
        parts: 2,
    }
}

#[test]
fn each_phase_of_an_answer_is_counted_once_from_when_the_message_came() {
    let figures = TownFigures::default();
    let turns = [("here", 1), ("there", 1)];
    for (community, turn) in turns {
        let told = [
            (2_000, opened(1_000)),
            (2_100, started()),
            // A second try of the same turn.
            (2_500, started()),
            (3_400, completed("large")),
            (3_500, sent(1)),
            (3_600, sent(2)),
        ];
        for (moment, event) in told {
            figures.note(&line(community, turn, moment, event));
        }
        let ended = JournalEvent::TurnEnded {
            outcome: TurnOutcome::Sent,
            took: Span(1_600),
            llm1_ms: None,
            followup_ms: None,
        };
        figures.note(&line(community, turn, 3_600, ended));
    }
    let seen = figures.seen();
    let sums: Vec<(&str, u64, u64)> = seen
        .written
        .iter()
        .map(|(phase, spans)| (phase.name(), spans.count(), spans.sum_ms()))
        .collect();
    // The message came at 1,000; both communities count.
    assert_eq!(
        sums,
        [
            ("decided", 2, 2_000),
            ("asked", 2, 2_200),
            ("first_piece", 2, 3_600),
            ("sent", 2, 5_000),
        ]
    );
    assert_eq!(seen.turns["sent"], 2);
    assert_eq!(seen.lines["sent_message"], 4);
    let totals = seen.models.values().next().expect("a model");
    assert_eq!(
        (totals.answers, totals.input_tokens, totals.cached_tokens),
        (2, 200, 80)
    );
    assert_eq!((totals.output_tokens, totals.cost_micro_dollars), (14, 110));
    assert!(figures.lock().under_way.is_empty(), "ended turns are let go");
}

#[test]
fn however_many_models_settings_name_the_figures_stay_few() {
    let figures = TownFigures::default();
    for number in 0..5_000 {
        let model = format!("model-{number}");
        figures.note(&line("here", number, 1, completed(&model)));
        figures.note(&line("here", number, 1, opened(1)));
    }
    let seen = figures.seen();
    assert_eq!(seen.models.len(), MODELS_MAX + 1);
    let others = seen.models.iter().find(|(using, _)| using.model == OTHERS);
    assert_eq!(others.expect("the rest").1.answers, 5_000 - MODELS_MAX as u64);
    assert!(figures.lock().under_way.len() <= TURNS_MAX);
}

#[test]
fn what_was_not_answered_is_counted_by_kind() {
    let figures = TownFigures::default();
    let failed = JournalEvent::AskFailed {
        ask: AskId(1),
        purpose: AskPurpose::TextReply,
        kind: AskFailureKind::RateLimited,
        detail: "words of a provider".into(),
        retry_in: None,
        input_tokens: None,
        output_tokens: None,
        cost_micro_dollars: Some(3),
    };
    figures.note(&line("here", 1, 1, failed));
    let seen = figures.seen();
    assert_eq!(seen.failures[&("text_reply", "rate_limited")], 1);
    assert_eq!(seen.failed_micro_dollars, 3);
    assert!(!format!("{seen:?}").contains("words of a provider"));
}
