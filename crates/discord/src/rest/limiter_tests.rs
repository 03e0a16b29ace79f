use super::*;

const DAY: Moment = Moment(86_400_000);

fn route(name: &'static str, major: &str) -> RouteKey {
    RouteKey {
        name,
        major: major.to_owned(),
        by_bot: !name.contains("interactions"),
    }
}

fn asked(ticket: u64, name: &'static str, major: &str) -> LimiterInput {
    LimiterInput::Asked {
        ticket: Ticket(ticket),
        route: route(name, major),
        deadline: DAY,
    }
}

fn landed(ticket: u64, remaining: Option<u32>, landing: Landing) -> LimiterInput {
    LimiterInput::Landed {
        ticket: Ticket(ticket),
        headers: remaining.map(|remaining| BucketHeaders {
            bucket: "abc".to_owned(),
            limit: 3,
            remaining,
            reset_after: Span(5_000),
        }),
        landing,
    }
}

fn went(limiter: &mut RequestLimiter, at: u64, input: LimiterInput) -> Vec<u64> {
    let (verdicts, _) = limiter.step(Moment(at), input);
    let went = verdicts.into_iter().filter_map(|verdict| match verdict {
        RequestVerdict::Go(ticket) => Some(ticket.0),
        RequestVerdict::No(..) => None,
    });
    went.collect()
}

const SEND: &str = "POST /channels/{}/messages";
const EDIT: &str = "PATCH /channels/{}/messages/{}";

#[test]
fn one_request_finds_out_and_a_full_bucket_waits_for_its_window() {
    let mut limiter = RequestLimiter::default();
    assert_eq!(went(&mut limiter, 0, asked(1, SEND, "a")), [1]);
    for ticket in 2..=6 {
        assert_eq!(went(&mut limiter, 0, asked(ticket, SEND, "a")), [0; 0]);
    }
    // Another channel does not wait.
    assert_eq!(went(&mut limiter, 0, asked(7, SEND, "b")), [7]);
    assert_eq!(
        went(&mut limiter, 100, landed(1, Some(2), Landing::Answered)),
        [2, 3]
    );
    let (verdicts, wake) = limiter.step(Moment(200), landed(2, Some(1), Landing::Answered));
    assert_eq!(verdicts, []);
    let wake = wake.unwrap();
    assert!(wake >= Moment(5_100), "{wake:?}");
    assert_eq!(
        went(&mut limiter, 300, landed(3, Some(0), Landing::Answered)),
        [0; 0]
    );
    assert_eq!(went(&mut limiter, 5_000, LimiterInput::Tick), [0; 0]);
    let (_, wake) = limiter.step(Moment(5_100), LimiterInput::Tick);
    assert_eq!(went(&mut limiter, wake.unwrap().0, LimiterInput::Tick), [4, 5, 6]);
}

#[test]
fn routes_of_one_bucket_share_it() {
    let mut limiter = RequestLimiter::default();
    assert_eq!(went(&mut limiter, 0, asked(1, SEND, "a")), [1]);
    went(&mut limiter, 0, landed(1, Some(2), Landing::Answered));
    assert_eq!(went(&mut limiter, 0, asked(2, EDIT, "a")), [2]);
    // Nobody knows yet that the edit counts for the same bucket, and it might.
    assert_eq!(went(&mut limiter, 0, asked(3, SEND, "a")), [3]);
    assert_eq!(went(&mut limiter, 0, asked(4, SEND, "a")), [0; 0]);
    went(&mut limiter, 0, landed(2, Some(1), Landing::Answered));
    went(&mut limiter, 0, landed(3, Some(0), Landing::Answered));
    assert_eq!(went(&mut limiter, 0, asked(5, EDIT, "a")), [0; 0]);
    assert_eq!(went(&mut limiter, 0, asked(6, EDIT, "b")), [6]);
}

#[test]
fn a_429_waits_and_goes_again_before_what_came_later() {
    for (scope, others_go) in [
        (LimitScope::User, true),
        (LimitScope::Shared, true),
        (LimitScope::Global, false),
    ] {
        let mut limiter = RequestLimiter::default();
        went(&mut limiter, 0, asked(1, SEND, "a"));
        let wait = Span(3_000);
        went(
            &mut limiter,
            10,
            landed(1, None, Landing::Limited { scope, wait }),
        );
        assert_eq!(went(&mut limiter, 20, asked(2, SEND, "a")), [0; 0], "{scope:?}");
        let others: &[u64] = if others_go { &[3] } else { &[] };
        assert_eq!(went(&mut limiter, 20, asked(3, SEND, "b")), others, "{scope:?}");
        // What an interaction's token carries is in no limit of the bot's.
        let callback = asked(4, "POST /interactions/{}/{}/callback", "9/t");
        assert_eq!(went(&mut limiter, 20, callback), [4], "{scope:?}");
        assert_eq!(went(&mut limiter, 2_900, LimiterInput::Tick), [0; 0], "{scope:?}");
        assert_eq!(went(&mut limiter, 3_100, LimiterInput::Tick)[0], 1, "{scope:?}");
    }
}

#[test]
fn a_fault_is_tried_again_some_times_where_that_does_no_harm() {
    let mut limiter = RequestLimiter::default();
    went(&mut limiter, 0, asked(1, SEND, "a"));
    assert_eq!(
        went(&mut limiter, 0, landed(1, None, Landing::Fault { again: false })),
        [0; 0]
    );
    assert_eq!(limiter.load(), (0, 0));

    went(&mut limiter, 0, asked(2, SEND, "a"));
    let mut now = 0;
    for tries in 1..=FAULTS_MAX {
        let (verdicts, wake) = limiter.step(Moment(now), landed(2, None, Landing::Fault { again: true }));
        if tries == FAULTS_MAX {
            assert_eq!(
                verdicts,
                [RequestVerdict::No(Ticket(2), RequestRefusal::TriedEnough)]
            );
            break;
        }
        assert_eq!(verdicts, []);
        assert_eq!(went(&mut limiter, now, LimiterInput::Tick), [0; 0]);
        now = wake.unwrap().0;
        assert_eq!(went(&mut limiter, now, LimiterInput::Tick), [2], "try {tries}");
    }
    assert_eq!(limiter.load(), (0, 0));
}

#[test]
fn what_cannot_go_in_time_is_refused_at_once_with_how_long_it_would_be() {
    let mut limiter = RequestLimiter::default();
    went(&mut limiter, 0, asked(1, SEND, "a"));
    let limited = Landing::Limited {
        scope: LimitScope::User,
        wait: Span(60_000),
    };
    went(&mut limiter, 0, landed(1, None, limited));
    let hurried = LimiterInput::Asked {
        ticket: Ticket(2),
        route: route(EDIT, "a"),
        deadline: Moment(10_000),
    };
    assert_eq!(went(&mut limiter, 0, hurried), [2]);
    let (verdicts, _) = limiter.step(Moment(0), landed(2, None, limited));
    assert!(
        matches!(verdicts[..], [RequestVerdict::No(Ticket(2), RequestRefusal::Overdue { wait })] if wait >= Span(60_000)),
        "{verdicts:?}"
    );
    // And what stands behind others is told when its time is up.
    let behind = LimiterInput::Asked {
        ticket: Ticket(3),
        route: route(SEND, "a"),
        deadline: Moment(500),
    };
    let (_, wake) = limiter.step(Moment(0), behind);
    assert_eq!(wake, Some(Moment(500)));
    let (verdicts, _) = limiter.step(Moment(500), LimiterInput::Tick);
    assert_eq!(
        verdicts,
        [RequestVerdict::No(
            Ticket(3),
            RequestRefusal::Overdue { wait: Span::ZERO }
        )]
    );
}

#[test]
fn a_refused_token_ends_everything_that_needs_it() {
    let mut limiter = RequestLimiter::default();
    went(&mut limiter, 0, asked(1, SEND, "a"));
    went(&mut limiter, 0, asked(2, SEND, "a"));
    let (verdicts, _) = limiter.step(Moment(0), landed(1, None, Landing::TokenRefused));
    assert_eq!(
        verdicts,
        [RequestVerdict::No(Ticket(2), RequestRefusal::TokenRefused)]
    );
    let callback = asked(3, "POST /interactions/{}/{}/callback", "9/t");
    assert_eq!(went(&mut limiter, 0, callback), [3]);
}

#[test]
fn refused_requests_end_before_discord_bars_the_address_and_go_on_later() {
    let mut limiter = RequestLimiter::new(1_000_000, 100);
    let mut sent = 0;
    for ticket in 0..150 {
        // Two are under way at any time.
        sent += went(
            &mut limiter,
            ticket * 100,
            asked(ticket, SEND, &ticket.to_string()),
        )
        .len();
        if ticket >= 2 {
            went(
                &mut limiter,
                ticket * 100,
                landed(ticket - 2, None, Landing::Refused),
            );
        }
    }
    assert_eq!(sent, 100);
    let (verdicts, _) = limiter.step(Moment(20_000), asked(500, SEND, "x"));
    let [RequestVerdict::No(Ticket(500), RequestRefusal::TooManyRefused { wait })] = verdicts[..] else {
        panic!("{verdicts:?}");
    };
    assert_eq!(went(&mut limiter, 20_000 + wait.0, asked(501, SEND, "x")), [501]);
}

#[test]
fn quiet_channels_are_forgotten() {
    let mut limiter = RequestLimiter::new(1_000_000, REFUSED_MAX);
    for ticket in 0..5_000_u64 {
        let now = ticket * 100;
        assert_eq!(
            went(&mut limiter, now, asked(ticket, SEND, &ticket.to_string())),
            [ticket]
        );
        went(&mut limiter, now, landed(ticket, Some(2), Landing::Answered));
    }
    assert!(limiter.buckets() <= BUCKETS_KEPT, "{}", limiter.buckets());
}

#[test]
fn somebody_who_left_makes_room() {
    let mut limiter = RequestLimiter::default();
    went(&mut limiter, 0, asked(1, SEND, "a"));
    went(&mut limiter, 0, asked(2, SEND, "a"));
    went(&mut limiter, 0, asked(3, SEND, "a"));
    went(&mut limiter, 0, LimiterInput::Dropped(Ticket(2)));
    assert_eq!(went(&mut limiter, 0, LimiterInput::Dropped(Ticket(1))), [3]);
    assert_eq!(limiter.load(), (0, 1));
}

#[test]
fn an_answer_that_was_overtaken_does_not_end_a_window_early() {
    let mut limiter = RequestLimiter::default();
    let answer = |ticket, remaining, reset_after| LimiterInput::Landed {
        ticket: Ticket(ticket),
        headers: Some(BucketHeaders {
            bucket: "abc".to_owned(),
            limit: 2,
            remaining,
            reset_after: Span(reset_after),
        }),
        landing: Landing::Answered,
    };
    went(&mut limiter, 0, asked(1, SEND, "a"));
    went(&mut limiter, 0, answer(1, 1, 1_000));
    // One of the first window takes long; its window ends, and another is full before it is back.
    assert_eq!(went(&mut limiter, 900, asked(2, SEND, "a")), [2]);
    assert_eq!(went(&mut limiter, 2_000, asked(3, SEND, "a")), [3]);
    went(&mut limiter, 2_100, answer(3, 1, 1_000));
    went(&mut limiter, 2_200, answer(2, 0, 100));
    assert_eq!(went(&mut limiter, 2_500, asked(4, SEND, "a")), [0; 0]);
    assert_eq!(went(&mut limiter, 3_000, LimiterInput::Tick), [0; 0]);
    assert_eq!(went(&mut limiter, 3_200, LimiterInput::Tick), [4]);
}

#[test]
fn an_interaction_that_was_put_off_waits_as_it_was_told() {
    let mut limiter = RequestLimiter::default();
    let callback = asked(1, "POST /interactions/{}/{}/callback", "9/t");
    assert_eq!(went(&mut limiter, 0, callback), [1]);
    let limited = Landing::Limited {
        scope: LimitScope::Global,
        wait: Span(1_000),
    };
    assert_eq!(went(&mut limiter, 0, landed(1, None, limited)), [0; 0]);
    assert_eq!(went(&mut limiter, 900, LimiterInput::Tick), [0; 0]);
    assert_eq!(went(&mut limiter, 1_000, LimiterInput::Tick), [1]);
}
