use super::decode;
use encoding_rs::{SHIFT_JIS, WINDOWS_1251};

fn cyrillic() -> Vec<u8> {
    WINDOWS_1251.encode("Привет, мир").0.into_owned()
}

#[test]
fn a_byte_order_mark_is_believed_first() {
    assert_eq!(decode(b"\xef\xbb\xbfcaf\xc3\xa9", Some("iso-8859-1")), "café");
    assert_eq!(decode(b"\xff\xfeh\0i\0", None), "hi");
    assert_eq!(decode(b"\xfe\xff\0h\0i", Some("utf-8")), "hi");
}

#[test]
fn the_server_is_believed_before_the_document() {
    let mut page = b"<meta charset=iso-8859-1>".to_vec();
    page.extend(cyrillic());
    assert!(decode(&page, Some("windows-1251")).ends_with("Привет, мир"));
}

#[test]
fn the_document_is_believed_where_the_server_says_nothing_or_what_cannot_be() {
    for beginning in [
        "<meta charset=\"windows-1251\">",
        "<html><meta name=x><META http-equiv='Content-Type' content='text/html; charset=windows-1251'>",
        "<?xml version='1.0' encoding='windows-1251'?>",
        "  <?xml version=\"1.0\" encoding = \"WINDOWS-1251\" ?>",
    ] {
        let mut page = beginning.as_bytes().to_vec();
        page.extend(cyrillic());
        assert!(decode(&page, None).ends_with("Привет, мир"), "{beginning}");
        assert!(
            decode(&page, Some("utf-8")).ends_with("Привет, мир"),
            "{beginning}"
        );
        assert!(
            decode(&page, Some("no-such-charset")).ends_with("Привет, мир"),
            "{beginning}"
        );
    }
}

#[test]
fn good_utf8_is_utf8_though_it_is_called_latin() {
    assert_eq!(
        decode("naïve café ☕".as_bytes(), Some("iso-8859-1")),
        "naïve café ☕"
    );
    let page = "<?xml version='1.0' encoding='windows-1251'?><a>Привет</a>";
    assert!(decode(page.as_bytes(), None).contains("Привет"));
}

#[test]
fn without_a_word_it_is_utf8_or_else_western() {
    assert_eq!(decode("日本".as_bytes(), None), "日本");
    assert_eq!(decode(b"caf\xe9 \x93quoted\x94", None), "café “quoted”");
    assert_eq!(decode(b"", Some("utf-8")), "");
}

#[test]
fn a_charset_of_several_bytes_is_decoded_and_what_is_broken_in_it_is_marked() {
    let text = SHIFT_JIS.encode("日本語").0.into_owned();
    assert_eq!(decode(&text, Some("shift_jis")), "日本語");
    assert!(decode(b"good \xff\xff bad", Some("utf-8")).contains('\u{fffd}'));
    assert_eq!(
        decode(b"<meta charset=utf-16>plain", None),
        "<meta charset=utf-16>plain"
    );
}
