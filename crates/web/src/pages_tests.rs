use axum::http::{HeaderMap, HeaderValue, header};

use super::{Encoding, caching, content_type};

#[test]
fn files_with_a_hash_in_their_name_are_kept_for_good_and_others_asked_for_again() {
    assert_eq!(
        caching("assets/index-B1a2c3.js"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(caching("index.html"), "no-cache");
    assert_eq!(caching("favicon.svg"), "no-cache");
}

#[test]
fn files_are_served_under_their_own_type() {
    for (path, expected) in [
        ("index.html", "text/html; charset=utf-8"),
        ("assets/a.js", "text/javascript; charset=utf-8"),
        ("assets/a.css", "text/css; charset=utf-8"),
        ("favicon.svg", "image/svg+xml"),
        ("assets/font.woff2", "font/woff2"),
        ("unknown.xyzzy", "application/octet-stream"),
    ] {
        assert_eq!(content_type(path), expected);
    }
}

#[test]
fn a_smaller_form_is_for_those_who_can_read_it() {
    for (accepted, expected) in [
        ("gzip, deflate, br, zstd", [true, true]),
        ("GZIP", [false, true]),
        ("br;q=0, gzip;q=0.5", [false, true]),
        ("br; q=0.0", [false, false]),
        ("identity", [false, false]),
        ("brotli, xgzip", [false, false]),
        ("", [false, false]),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        assert_eq!(
            Encoding::ALL.map(|encoding| encoding.is_accepted(&headers)),
            expected,
            "{accepted}"
        );
    }
    assert_eq!(
        Encoding::ALL.map(|encoding| encoding.is_accepted(&HeaderMap::new())),
        [false, false]
    );
}
