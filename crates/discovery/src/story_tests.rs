use super::{Draft, says_nsfw};

fn draft<'a>(url: &'a str, title: &'a str, summary: &'a str) -> Draft<'a> {
    Draft {
        url,
        title,
        summary,
        ..Draft::default()
    }
}

#[test]
fn a_story_has_a_canonical_address_and_plain_texts_of_limited_length() {
    let long = "word ".repeat(200);
    let story = draft(
        "HTTPS://Example.org:443/a?utm_source=x&b=1#c",
        "<b>A</b> &amp; B",
        &long,
    );
    let story = story.finished().expect("a story");
    assert_eq!(story.url, "https://example.org/a?b=1");
    assert_eq!(story.title, "A & B");
    assert!(
        story.summary.chars().count() <= 400 && story.summary.ends_with("word…"),
        "{}",
        story.summary
    );
    assert_eq!(story.author, None);
    let story = draft("https://example.org/", &long, "")
        .finished()
        .expect("a story");
    assert!(story.title.chars().count() <= 200);
}

#[test]
fn a_message_without_a_title_is_called_by_its_beginning_and_one_without_words_is_none() {
    let story = draft("https://example.org/1", " ", "<p>Only this</p>")
        .finished()
        .expect("a story");
    assert_eq!((story.title.as_str(), story.summary.as_str()), ("Only this", ""));
    assert_eq!(draft("https://example.org/1", "<img src=x>", "").finished(), None);
}

#[test]
fn what_is_no_page_is_no_story() {
    for url in [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org/",
        "",
        "mailto:a@example.org",
        "https://u:p@example.org/",
    ] {
        assert_eq!(draft(url, "Title", "").finished(), None, "{url}");
    }
}

#[test]
fn a_title_may_mark_itself_as_not_safe_for_work() {
    assert!(says_nsfw("[NSFW] a title") && says_nsfw("nsfw"));
    assert!(!says_nsfw("SFW") && !says_nsfw("nsfwish"));
    assert!(
        draft("https://example.org/", "Look (nsfw)", "")
            .finished()
            .expect("a story")
            .nsfw
    );
}
