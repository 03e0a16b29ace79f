use axum::http::{HeaderMap, HeaderValue, header};

use super::attachments::{Wanted, wanted};

fn asked(range: &str) -> Wanted {
    let mut headers = HeaderMap::new();
    headers.insert(header::RANGE, HeaderValue::from_str(range).unwrap());
    wanted(&headers, 100)
}

#[test]
fn one_range_of_bytes_is_a_part() {
    for (range, part) in [
        ("bytes=0-", 0..100),
        ("bytes=0-0", 0..1),
        ("bytes=10-19", 10..20),
        ("bytes=90-999", 90..100),
        ("bytes=-5", 95..100),
        ("bytes=-500", 0..100),
    ] {
        assert_eq!(asked(range), Wanted::Part(part), "{range}");
    }
}

#[test]
fn what_is_beyond_the_end_is_not_there() {
    for range in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
        assert_eq!(asked(range), Wanted::Nothing, "{range}");
    }
}

#[test]
fn anything_else_asks_for_the_whole() {
    assert_eq!(wanted(&HeaderMap::new(), 100), Wanted::Whole);
    for range in [
        "bytes=",
        "bytes=-",
        "bytes=5-3",
        "bytes=0-1,5-6",
        "lines=0-1",
        "bytes=a-b",
        "bytes=99999999999999999999-",
    ] {
        assert_eq!(asked(range), Wanted::Whole, "{range}");
    }
}
