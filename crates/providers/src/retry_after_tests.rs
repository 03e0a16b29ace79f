use super::*;

fn read(name: &'static str, value: &str) -> Option<Span> {
    read_all(429, &[(name, value)])
}

fn read_all(status: u16, given: &[(&'static str, &str)]) -> Option<Span> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        headers.insert(*name, value.parse().expect("a header value"));
    }
    let now = "2026-11-15T12:00:00Z".parse().expect("a time");
    from_headers(status, &headers, now)
}

#[test]
fn seconds_milliseconds_and_dates_are_understood() {
    assert_eq!(read("retry-after", "7"), Some(Span::seconds(7)));
    assert_eq!(read("retry-after", "0.5"), Some(Span(500)));
    assert_eq!(read("retry-after-ms", "250"), Some(Span(250)));
    assert_eq!(
        read("retry-after", "Sun, 15 Nov 2026 12:00:30 GMT"),
        Some(Span::seconds(30))
    );
}

#[test]
fn a_date_gone_by_means_now_and_nonsense_means_nothing() {
    assert_eq!(
        read("retry-after", "Sun, 15 Nov 2026 11:00:00 GMT"),
        Some(Span::ZERO)
    );
    assert_eq!(read("retry-after", "soon"), None);
    assert_eq!(read("retry-after", "inf"), None);
}

#[test]
fn googles_lengths_are_understood() {
    assert_eq!(from_duration_text("34s"), Some(Span::seconds(34)));
    assert_eq!(from_duration_text("1.5s"), Some(Span(1500)));
    assert_eq!(from_duration_text("34"), None);
}

#[test]
fn a_limit_that_is_used_up_is_waited_for_where_nobody_says_how_long() {
    let day = [
        ("x-ratelimit-remaining-requests", "0"),
        ("x-ratelimit-reset-requests", "1d2h"),
        ("x-ratelimit-remaining-tokens", "9000"),
        ("x-ratelimit-reset-tokens", "6m0s"),
    ];
    assert_eq!(read_all(429, &day), Some(Span::hours(26)));
    assert_eq!(read_all(500, &day), None, "that is not why");
    let told = [&day[..], &[("retry-after", "20")]].concat();
    assert_eq!(read_all(429, &told), Some(Span::seconds(20)), "it says so itself");
    assert_eq!(read("x-ratelimit-reset-tokens", "120ms"), Some(Span(120)));
    assert_eq!(
        read("x-ratelimit-reset-tokens", "1h30m0.5s"),
        Some(Span(5_400_500))
    );
    assert_eq!(read("x-ratelimit-reset-requests", "59.7"), Some(Span(59_700)));
    for nonsense in ["soon", "", "s", "4x", "-3s", "1e999s"] {
        assert_eq!(read("x-ratelimit-reset-requests", nonsense), None, "{nonsense}");
    }
}

#[test]
fn anthropics_times_are_understood() {
    let left = |requests, tokens| {
        read_all(
            429,
            &[
                ("anthropic-ratelimit-requests-remaining", requests),
                ("anthropic-ratelimit-requests-reset", "2026-11-15T12:00:30Z"),
                ("anthropic-ratelimit-input-tokens-remaining", tokens),
                ("anthropic-ratelimit-input-tokens-reset", "2026-11-15T15:00:00Z"),
            ],
        )
    };
    assert_eq!(left("0", "500"), Some(Span::seconds(30)));
    assert_eq!(
        left("0", "0"),
        Some(Span::hours(3)),
        "both have to be there again"
    );
    assert_eq!(left("7", "500"), None);
    assert_eq!(
        read("anthropic-ratelimit-requests-reset", "2026-11-15T11:00:00Z"),
        Some(Span::ZERO)
    );
}

#[test]
fn a_time_since_1970_is_told_from_a_length() {
    for (reset, wait) in [
        ("1794744030000", Span::seconds(30)),
        ("1794744030", Span::seconds(30)),
        ("2026-11-15T12:00:30Z", Span::seconds(30)),
        ("1794740000000", Span::ZERO),
        ("30", Span::seconds(30)),
        ("2.5", Span(2_500)),
        // Servers that reckon with floating point give a part of a second, and all digits that it has.
        ("1794744030.5", Span(30_500)),
        ("1794744030.123456", Span(30_123)),
        ("1.79474403e9", Span::seconds(30)),
        ("1794744030000.7", Span(30_001)),
        ("1794740000.25", Span::ZERO),
        ("86400.5", Span(86_400_500)),
    ] {
        assert_eq!(read("x-ratelimit-reset", reset), Some(wait), "{reset}");
    }
    assert_eq!(read("retry-after", "1794744030.5"), Some(Span(30_500)));
    for nonsense in ["1e300", "inf", "nan", "-5.5"] {
        assert_eq!(read("x-ratelimit-reset", nonsense), None, "{nonsense}");
    }
    let left = [
        ("x-ratelimit-remaining", "3"),
        ("x-ratelimit-reset", "1794744030000"),
    ];
    assert_eq!(read_all(429, &left), None, "that limit is not why");
}

#[test]
fn a_gateway_passes_on_when_the_limit_is_lifted() {
    let now = "2026-11-15T12:00:00Z".parse().expect("a time");
    let headers = serde_json::json!({
        "X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1794744030000", "no header": 1
    });
    assert_eq!(from_passed_on(&headers, now), Some(Span::seconds(30)));
    assert_eq!(from_passed_on(&serde_json::json!("x"), now), None);
}
