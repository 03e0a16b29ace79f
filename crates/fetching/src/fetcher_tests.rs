use super::{MOST_RETRY_SECONDS, retry_after};
use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use std::time::Duration;

fn told(value: &'static str) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
    let now: Timestamp = "2030-01-02T03:04:05Z".parse().expect("a time");
    retry_after(&headers, now)
}

#[test]
fn a_server_says_in_seconds_or_by_a_date_how_long_it_wants_to_be_left_alone() {
    assert_eq!(told("120"), Some(Duration::from_secs(120)));
    assert_eq!(
        told("Wed, 02 Jan 2030 03:05:05 GMT"),
        Some(Duration::from_secs(60))
    );
    assert_eq!(told("Wed, 02 Jan 2030 03:00:00 GMT"), Some(Duration::ZERO));
    assert_eq!(told("999999999"), Some(Duration::from_secs(MOST_RETRY_SECONDS)));
    assert_eq!(told("soon"), None);
    assert_eq!(told("-5"), None);
}
