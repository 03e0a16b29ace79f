//! Model calls: kept as they start, completed as they end, listed newest first.

use runtime::ports::{AskEnding, AskFilter, AskTotals, KeptInstead, Store};
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, Finish, ModelAnswer, RoomId, Span, TurnId,
    Usage,
};

use crate::given::{ask, community, count, home};

fn answered() -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: "offline".to_owned(),
        model: "echo".to_owned(),
        text: "Hi.".to_owned(),
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage {
            input_tokens: 11,
            cached_input_tokens: 0,
            cache_written_tokens: 0,
            output_tokens: 3,
            cost_micro_dollars: Some(42),
            cost_assumed: false,
            cache_saved_micro_dollars: 0,
        },
        first_text: Some(Span(5)),
        took: Span(17),
        tries: 1,
    })
}

/// Whether the size that is kept of a call is what it takes.
const SIZE_FITS: &str = "SELECT size = octet_length(request) + octet_length(raw_request) + ifnull(octet_length(packed), 0)
    + octet_length(raw_response) + ifnull(octet_length(outcome), 0) + ifnull(octet_length(packed_answer), 0) FROM asks";

#[tokio::test]
async fn an_ask_comes_back_with_the_exact_bodies() {
    let home = home();
    let started = ask(7);
    home.store.start_ask(started.clone()).await.unwrap();
    let under_way = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert_eq!(format!("{under_way:?}"), format!("{started:?}"));
    home.store
        .finish_ask(&community(), AskId(7), answered(), None, "data: é\n\n".to_owned())
        .await
        .unwrap();
    let finished = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert_eq!(finished.outcome, Some(answered()));
    assert_eq!(
        (finished.raw_request.as_str(), finished.raw_response.as_str()),
        ("{\"the\":\"body\"}", "data: é\n\n")
    );
    assert!(home.store.ask(&community(), AskId(8)).await.unwrap().is_none());
    assert_eq!(count(&home.look().await, SIZE_FITS), 1);
}

#[tokio::test]
async fn what_went_out_instead_takes_the_place_of_the_first() {
    let home = home();
    home.store.start_ask(ask(7)).await.unwrap();
    let plain = "{\"the\":\"body, and plainer\"}".to_owned();
    home.store
        .finish_ask(
            &community(),
            AskId(7),
            answered(),
            Some(KeptInstead {
                url: "https://llm.example/v1/responses".to_owned(),
                raw_request: plain.clone(),
            }),
            String::new(),
        )
        .await
        .unwrap();
    let finished = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert_eq!(finished.raw_request, plain);
    assert_eq!(
        finished.url, "https://llm.example/v1/responses",
        "and where it went"
    );
    assert_eq!(
        count(&home.look().await, SIZE_FITS),
        1,
        "and is what the kept size counts"
    );
}

#[tokio::test]
async fn long_bodies_are_packed_and_come_back_to_the_byte() {
    let home = home();
    let mut long = ask(7);
    long.request.system = "Be kind, and say é as it is said. ".repeat(1_000);
    long.raw_request = format!("{{\"system\":\"{}\"}}", long.request.system);
    let whole = 2 * long.request.system.len();
    home.store.start_ask(long.clone()).await.unwrap();
    let kept = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert_eq!(format!("{kept:?}"), format!("{long:?}"));
    let size = usize::try_from(count(&home.look().await, "SELECT size FROM asks")).unwrap();
    assert!(size * 20 < whole, "{whole} bytes took {size}");
    let instead = format!("{{\"instead\":\"{}\"}}", long.request.system);
    let sent = KeptInstead {
        url: long.url.clone(),
        raw_request: instead.clone(),
    };
    home.store
        .finish_ask(&community(), AskId(7), answered(), Some(sent), String::new())
        .await
        .unwrap();
    let finished = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert_eq!((finished.request, finished.raw_request), (long.request, instead));
    assert_eq!(count(&home.look().await, SIZE_FITS), 1);
}

#[tokio::test]
async fn what_a_crash_interrupted_is_not_under_way_any_more() {
    let home = home();
    home.store.start_ask(ask(7)).await.unwrap();
    home.store.start_ask(ask(8)).await.unwrap();
    home.store
        .finish_ask(&community(), AskId(8), answered(), None, String::new())
        .await
        .unwrap();
    home.store.interrupt_asks(&community()).await.unwrap();
    let all = AskFilter {
        limit: 10,
        ..AskFilter::default()
    };
    let list = home.store.asks(&community(), all).await.unwrap();
    let states: Vec<&str> = list.iter().map(|summary| summary.state.as_str()).collect();
    assert_eq!(states, ["answered", "interrupted"]);
    let kept = home.store.ask(&community(), AskId(7)).await.unwrap().unwrap();
    assert!(matches!(
        kept.outcome,
        Some(AskOutcome::Failed(failure)) if failure.kind == AskFailureKind::Interrupted
    ));
}

#[tokio::test]
async fn the_list_says_what_became_of_each() {
    let home = home();
    for number in 1..=3 {
        home.store.start_ask(ask(number)).await.unwrap();
    }
    let failed = AskOutcome::Failed(AskFailure {
        kind: AskFailureKind::RateLimited,
        detail: "wait".to_owned(),
        retry_after: None,
        usage: None,
        tries: 1,
    });
    home.store
        .finish_ask(&community(), AskId(1), answered(), None, String::new())
        .await
        .unwrap();
    home.store
        .finish_ask(&community(), AskId(2), failed, None, String::new())
        .await
        .unwrap();
    let all = AskFilter {
        limit: 10,
        ..AskFilter::default()
    };
    let list = home.store.asks(&community(), all).await.unwrap();
    let shown: Vec<_> = list
        .iter()
        .map(|ask| {
            (
                ask.ask.0,
                ask.state.as_str(),
                ask.took_ms,
                ask.output_tokens,
                ask.cost_micro_dollars,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (3, "under_way", None, 0, None),
            (2, "rate_limited", None, 0, None),
            (1, "answered", Some(17), 3, Some(42))
        ]
    );
    assert_eq!(list[0].purpose, "text_reply");
}

#[tokio::test]
async fn the_list_can_be_of_one_turn_or_room() {
    let home = home();
    for number in 1..=6 {
        let mut record = ask(number);
        record.room = RoomId::new(if number == 6 { "attic" } else { "lobby" });
        home.store.start_ask(record).await.unwrap();
    }
    let numbers = async |filter: AskFilter| -> Vec<u64> {
        let list = home.store.asks(&community(), filter).await.unwrap();
        list.iter().map(|ask| ask.ask.0).collect()
    };
    let attic = AskFilter {
        room: Some(RoomId::new("attic")),
        limit: 10,
        ..AskFilter::default()
    };
    let second_turn = AskFilter {
        turn: Some(TurnId(2)),
        limit: 10,
        ..AskFilter::default()
    };
    let newest_two = AskFilter {
        limit: 2,
        ..AskFilter::default()
    };
    assert_eq!(numbers(attic).await, [6]);
    assert_eq!(numbers(second_turn).await, [5, 4]);
    assert_eq!(numbers(newest_two).await, [6, 5]);
}

#[tokio::test]
async fn the_list_and_its_totals_can_be_of_one_purpose_or_ending() {
    let home = home();
    for number in 1..=6 {
        let mut record = ask(number);
        record.request.purpose = match number {
            4.. => AskPurpose::GemExtraction,
            _ => AskPurpose::TextReply,
        };
        home.store.start_ask(record).await.unwrap();
    }
    let finish = async |number: u64, outcome: AskOutcome| {
        home.store
            .finish_ask(&community(), AskId(number), outcome, None, String::new())
            .await
            .unwrap();
    };
    for number in [1, 2, 4] {
        finish(number, answered()).await;
    }
    finish(
        5,
        AskOutcome::Failed(AskFailure {
            kind: AskFailureKind::Unreachable,
            detail: String::new(),
            retry_after: None,
            usage: None,
            tries: 1,
        }),
    )
    .await;
    let listed =
        async |purpose: Option<AskPurpose>, ending: Option<AskEnding>, before: Option<u64>| -> Vec<u64> {
            let filter = AskFilter {
                purpose: purpose.map(|purpose| purpose.name().to_owned()),
                ending,
                before: before.map(AskId),
                limit: 10,
                ..AskFilter::default()
            };
            let list = home.store.asks(&community(), filter).await.unwrap();
            list.iter().map(|ask| ask.ask.0).collect()
        };
    assert_eq!(listed(Some(AskPurpose::TextReply), None, None).await, [3, 2, 1]);
    assert_eq!(listed(None, Some(AskEnding::Answered), None).await, [4, 2, 1]);
    assert_eq!(listed(None, Some(AskEnding::Failed), None).await, [5]);
    assert_eq!(listed(None, Some(AskEnding::UnderWay), None).await, [6, 3]);
    assert_eq!(
        listed(Some(AskPurpose::TextReply), Some(AskEnding::Answered), Some(2)).await,
        [1]
    );

    let totals = home
        .store
        .ask_totals(&community(), AskFilter::default())
        .await
        .unwrap();
    let figures = |totals: &AskTotals| {
        (
            totals.purpose.clone(),
            [totals.calls, totals.failed, totals.under_way],
            [
                totals.input_tokens,
                totals.output_tokens,
                totals.cost_micro_dollars,
            ],
        )
    };
    assert_eq!(
        totals.iter().map(figures).collect::<Vec<_>>(),
        [
            ("gem_extraction".to_owned(), [3, 1, 1], [11, 3, 42]),
            ("text_reply".to_owned(), [3, 0, 1], [22, 6, 84]),
        ]
    );
    let one = AskFilter {
        purpose: Some("text_reply".to_owned()),
        ending: Some(AskEnding::Answered),
        ..AskFilter::default()
    };
    let one = home.store.ask_totals(&community(), one).await.unwrap();
    assert_eq!((one.len(), one[0].calls), (1, 2));
}

#[tokio::test]
async fn what_the_built_in_model_cannot_do_has_not_failed() {
    let home = home();
    for (number, provider) in [(1, "offline"), (2, "openai")] {
        let mut record = ask(number);
        record.provider = provider.to_owned();
        home.store.start_ask(record).await.unwrap();
        let outcome = AskOutcome::Failed(AskFailure {
            kind: AskFailureKind::Unavailable,
            detail: String::new(),
            retry_after: None,
            usage: None,
            tries: 1,
        });
        home.store
            .finish_ask(&community(), AskId(number), outcome, None, String::new())
            .await
            .unwrap();
    }
    let totals = home
        .store
        .ask_totals(&community(), AskFilter::default())
        .await
        .unwrap();
    assert_eq!((totals[0].calls, totals[0].failed), (2, 1));
}

#[tokio::test]
async fn an_ask_that_was_never_started_cannot_end_and_holds_no_other_up() {
    let home = home();
    let (store, here) = (&home.store, community());
    for number in [9, 12] {
        if number == 12 {
            store.start_ask(ask(12)).await.unwrap();
        }
        let finished = store.finish_ask(&here, AskId(number), answered(), None, String::new());
        finished.await.unwrap();
    }
    assert!(store.ask(&community(), AskId(9)).await.unwrap().is_none());
    let kept = store.ask(&community(), AskId(12)).await.unwrap();
    assert!(kept.unwrap().outcome.is_some());
}
