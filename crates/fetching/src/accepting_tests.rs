use super::{ContentType, accept_header, untyped_will_do, will_do};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

fn list(accept: &[&str]) -> Vec<String> {
    accept.iter().map(|entry| (*entry).to_owned()).collect()
}

fn said(value: &'static str) -> ContentType {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
    ContentType::of(&headers)
}

#[test]
fn a_type_is_read_without_its_parameters() {
    let html = said("Text/HTML; boundary=x; Charset=\"Windows-1251\"");
    assert_eq!(
        (html.mime.as_str(), html.charset.as_deref()),
        ("text/html", Some("windows-1251"))
    );
    assert_eq!(said("image/png").charset, None);
    assert_eq!(said("text/html;charset=").charset, None);
    assert_eq!(ContentType::of(&HeaderMap::new()), ContentType::default());
}

#[test]
fn wildcards_take_a_family_and_nothing_beside_it() {
    let wanted = list(&["text/html", "Image/*; q=0.5"]);
    for mime in ["text/html", "image/png", "image/svg+xml"] {
        assert!(will_do(mime, &wanted), "{mime}");
    }
    for mime in ["text/plain", "images/png", "application/octet-stream", "image"] {
        assert!(!will_do(mime, &wanted), "{mime}");
    }
    assert!(will_do("anything/at-all", &[]));
    assert!(will_do("anything/at-all", &list(&["*/*"])));
}

#[test]
fn a_body_without_a_type_will_do_where_text_is_wanted_and_it_looks_like_text() {
    assert!(untyped_will_do(&list(&["text/html"]), b"<p>hello"));
    assert!(untyped_will_do(
        &list(&["application/rss+xml"]),
        "<rss>é".as_bytes()
    ));
    assert!(untyped_will_do(&[], b"\0\x01"));
    assert!(!untyped_will_do(
        &list(&["text/html"]),
        b"\x89PNG\r\n\x1a\n\0\0\0"
    ));
    assert!(!untyped_will_do(&list(&["image/*"]), b"hello"));
}

#[test]
fn the_server_is_told_what_is_wanted() {
    assert_eq!(accept_header(&[]), "*/*");
    assert_eq!(
        accept_header(&list(&["text/html", "image/*"])),
        "text/html, image/*"
    );
    assert_eq!(accept_header(&list(&["bad\nvalue"])), "*/*");
}
