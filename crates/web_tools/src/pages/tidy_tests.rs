use super::*;

fn html(page: &str) -> String {
    tidy(page).html
}

#[test]
fn pages_stay_what_they_are_without_what_is_for_machines() {
    let page = tidy(
        "<!DOCTYPE html><HTML lang=en><head><title>A < B</title><style>p{}</style></head><body onload=x()>\
         <p class='a b' data-x=1>One<br/>two<p>three &amp; four<script>if (1 < 2) {}</script></body></HTML>",
    );
    assert_eq!(
        page.html,
        "<html lang=\"en\"><head><title>A &lt; B</title></head><body>\
         <p class=\"a b\">One<br>two</p><p>three &amp; four</p></body></html>"
    );
    assert_eq!(
        (page.title.as_str(), page.language.as_deref()),
        ("A < B", Some("en"))
    );
    assert_eq!(page.text.trim(), "One\ntwo\nthree & four");
    assert_eq!(html("1 < 2 > 0 <3"), "1 &lt; 2 &gt; 0 &lt;3");
    assert_eq!(
        html("<script type='application/ld+json'>{\"a\":1}</script><script type=module>x</script>"),
        "<script type=\"application/ld+json\">{\"a\":1}</script>"
    );
}

#[test]
fn what_is_not_closed_is_closed_and_what_was_not_opened_is_not() {
    assert_eq!(html("<div><b>x</div></i>y"), "<div><b>x</b></div>y");
    assert_eq!(html("<ul><li>a<li>b</ul>"), "<ul><li>a</li><li>b</li></ul>");
    assert_eq!(
        html("<a href=\"/x?a=1&b=2\" href=y>z"),
        "<a href=\"/x?a=1&b=2\">z</a>"
    );
    assert_eq!(html("a<!-- b <p> -->c<![CDATA[d]]>e"), "ace");
}

#[test]
fn hidden_parts_are_no_text_and_what_follows_them_is() {
    let text = |page: &str| tidy(page).text;
    assert_eq!(
        text("a<div hidden>b<p>c</p></div>d<p style='display: none'>e<p>f").trim(),
        "a\n\nd\n\nf"
    );
    assert_eq!(text("<pre>a\n  b</pre>").trim(), "a\n  b");
    assert_eq!(text("<table><tr><td>a<td>b<tr><td>c").trim(), "a b\nc");
}

#[test]
fn tags_that_end_nowhere_and_odd_letters_do_no_harm() {
    for page in [
        "<",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a ü=ö é>x",
        "</",
        "</a",
        "<!--",
        "<!",
        "<a =>x",
        "<a = =é>",
        "<é>",
        "<script>",
        "<title>x",
        "<a\u{2003}b>",
        "<p/é/>",
        "&",
        "&#",
        "<p>&é",
    ] {
        let tidied = html(page);
        assert_eq!(html(&tidied), tidied, "{page}");
    }
}

#[test]
fn levels_end_somewhere_and_the_text_below_them_stays() {
    let tidied = html(&format!("{}deep down", "<div>".repeat(10_000)));
    assert_eq!(tidied.matches("<div>").count(), LEVELS_MAX);
    assert_eq!(tidied.matches("</div>").count(), LEVELS_MAX);
    assert!(tidied.contains("deep down"));
    // Closing tags in a comment close nothing.
    let hidden = html(&"<div><!--</div>-->".repeat(1_000));
    assert_eq!(hidden.matches("<div>").count(), LEVELS_MAX);
}
