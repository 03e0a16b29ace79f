use super::{plain, shortened};

fn whole(html: &str) -> String {
    plain(html, 1000)
}

#[test]
fn markup_goes_and_words_stay_apart() {
    assert_eq!(
        whole("<p>One</p><p>two<br>three <b>fo</b>ur</p>"),
        "One two three four"
    );
    assert_eq!(
        whole("a <a href='x'>link</a>, and <img src=\"y\" alt='z'/>more"),
        "a link, and more"
    );
    assert_eq!(
        whole("<style>p { color: red }</style>Text<SCRIPT>alert('x</p>')</script > end"),
        "Text end"
    );
    assert_eq!(whole("<!-- <b>hidden</b> -->seen<![CDATA[ too]]>"), "seen too]]>");
    assert_eq!(whole("  many \n\t spaces\u{a0}here "), "many spaces here");
}

#[test]
fn signs_that_are_no_markup_are_kept() {
    assert_eq!(whole("a < b and c > d"), "a < b and c > d");
    assert_eq!(whole("3<4"), "3<4");
    assert_eq!(whole("AT&T & co; &unknown; &"), "AT&T & co; &unknown; &");
    assert_eq!(whole("<never closed"), "<never closed");
    assert_eq!(whole("<script>never closed"), "");
}

#[test]
fn entities_are_what_they_stand_for() {
    assert_eq!(
        whole("&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#x27; &hellip;&nbsp;&eacute;"),
        "<b> &amp; \"x\" 'y' … é"
    );
    assert_eq!(whole("&#0;&#x1F600;&#xD800;&#99999999;"), "😀&#xD800;&#99999999;");
}

#[test]
fn nothing_can_be_hidden_from_people() {
    assert_eq!(whole("a\u{0}b\u{7}c\u{1b}[31m"), "abc[31m");
    assert_eq!(
        whole("safe\u{202e}txet\u{202c}\u{200b}\u{feff}\u{e0041}\u{2066}x"),
        "safetxetx"
    );
    assert_eq!(whole("&#x202e;&#8203;x"), "x");
    // Emoji that are joined stay joined.
    assert_eq!(whole("👩\u{200d}💻"), "👩\u{200d}💻");
}

#[test]
fn long_texts_are_cut_between_words_within_the_limit() {
    assert_eq!(plain("one two three four", 18), "one two three four");
    assert_eq!(plain("one two three four", 17), "one two three…");
    assert_eq!(plain(&"x".repeat(50), 10), format!("{}…", "x".repeat(9)));
    assert_eq!(shortened("日本語のとても長い文章", 5), "日本語の…");
    for limit in 1..30 {
        assert!(
            plain("some words, and more of them <b>here</b>", limit)
                .chars()
                .count()
                <= limit,
            "{limit}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn whatever_comes_is_one_line_within_the_limit(pieces in proptest::collection::vec(piece(), 0..40), limit in 1usize..60) {
        let text = plain(&pieces.concat(), limit);
        assert!(text.chars().count() <= limit);
        assert!(!text.chars().any(|character| character.is_control() || character == '\u{202e}'));
        assert_eq!(text.trim(), text);
    }
}

/// Pieces that markup and entities are made of, rightly and wrongly put together.
fn piece() -> impl proptest::strategy::Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "<",
            ">",
            "</",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<script",
            "</script",
            "<style>",
            "<b>",
            "&",
            "&amp;",
            "&#",
            "&#x",
            "&#8238;",
            ";",
            "é",
            "日",
            "\u{202e}",
            "\0",
            "\n",
            " ",
            "word",
            "\"",
            "'",
            "=",
            "/",
            "x",
            "&nbsp;",
            "<é",
            "&é;",
        ][..],
    )
}
