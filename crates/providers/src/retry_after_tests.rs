use super::*;

fn read(name: &'static str, value: &str) -> Option<Span> {
    let mut headers = HeaderMap::new();
    headers.insert(name, value.parse().expect("a header value"));
    let now = "2026-11-15T12:00:00Z".parse().expect("a time");
    from_headers(&headers, now)
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
