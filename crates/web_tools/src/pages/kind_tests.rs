use super::*;

#[test]
fn what_has_text_is_told_from_what_has_none() {
    assert_eq!(Kind::of("text/html", b""), Kind::Html);
    assert_eq!(Kind::of("", b"\n <!DOCTYPE html><p>"), Kind::Html);
    assert_eq!(Kind::of("application/octet-stream", b"<html>"), Kind::Html);
    for mime in [
        "text/plain",
        "application/json",
        "application/ld+json",
        "application/rss+xml",
        "",
    ] {
        assert_eq!(Kind::of(mime, b"{}"), Kind::Text, "{mime}");
    }
    for (mime, bytes) in [
        ("application/pdf", &b""[..]),
        ("text/plain", b"%PDF-1.7"),
        ("image/png", b""),
        ("application/zip", b"PK"),
        ("", b"\0\0"),
    ] {
        assert!(matches!(Kind::of(mime, bytes), Kind::Other(_)), "{mime}");
    }
}
