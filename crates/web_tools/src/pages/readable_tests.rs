use super::*;

fn url() -> Url {
    Url::parse("https://paper.example/news/1").expect("an address")
}

fn told(html: &str) -> String {
    let page = page_of_html(html, &url());
    format!("{}\n{}", page.header, page.text)
}

#[test]
fn an_article_is_told_without_what_stands_around_it() {
    let paragraph = "The river has risen by two metres since Monday, and the old bridge is closed to everybody. \
        Those who live on the other bank take the ferry, which runs every hour until the water falls again. ";
    let html = format!(
        "<html lang=en><head><title>The bridge is closed</title>\
         <meta property='article:published_time' content='2026-11-14T08:00:00Z'></head>\
         <body><nav><a href=/>Home</a> <a href=/sport>Sport</a></nav><article><h1>The bridge is closed</h1>\
         <p>{paragraph}</p><h2>What comes next</h2><p>{paragraph}</p><ul><li>ferry</li><li>detour</li></ul>\
         <p>{paragraph}<a href='/more'>More</a></p></article><script>evil()</script><footer>Imprint</footer></body></html>"
    );
    let told = told(&html);
    assert!(
        told.starts_with("The bridge is closed | https://paper.example/news/1 | language en | published 2026-11-14T08:00:00Z\n"),
        "{told}"
    );
    assert!(told.contains("## What comes next"), "{told}");
    assert!(told.contains("- ferry") || told.contains("* ferry"), "{told}");
    for other in ["Sport", "evil", "Imprint"] {
        assert!(!told.contains(other), "{told}");
    }
}

#[test]
fn a_page_without_an_article_shows_its_title_and_what_is_to_be_seen() {
    let told = told(
        "<html lang='de'><title>Fahrplan</title><body><script>var a = 1;</script><style>p{}</style>\
         <table><tr><td>Zug 1</td><td>08:15</td></tr><tr><td>Zug 2</td><td>09:30</td></tr></table>\
         <p hidden>secret</p></body></html>",
    );
    assert!(
        told.starts_with("Fahrplan | https://paper.example/news/1 | language de\n"),
        "{told}"
    );
    assert!(told.contains("Zug 1 08:15\nZug 2 09:30"), "{told:?}");
    assert!(!told.contains("var a") && !told.contains("secret"), "{told}");
}

#[test]
fn a_page_that_scripts_would_fill_says_who_can_show_it() {
    let told = told("<html><title>App</title><body><div id=root></div><script>go()</script></body></html>");
    assert!(told.contains("browser_browse"), "{told}");
}

#[test]
fn pages_made_to_break_their_readers_are_read_all_the_same() {
    let deep = |open: &str, close: &str, levels: usize| {
        format!(
            "<body>{}found at the bottom{}",
            open.repeat(levels),
            close.repeat(levels)
        )
    };
    let pages = [
        deep("<div>", "", 50_000),
        deep("<ul><li>", "</li></ul>", 20_000),
        deep("<blockquote>", "</blockquote>", 290),
        deep("<ul><li>", "</li></ul>", 290),
        deep("<b><i><a href=x>", "", 20_000),
        deep("<table><tr><td>", "", 20_000),
        format!("<body>found at the bottom{}", "<p>x</p>".repeat(20_000)),
        format!("<body>found at the bottom{}", "<p>x</p>".repeat(990)),
        format!(
            "<body>found at the bottom{}",
            format!("<div>{}</div>", "<p>so it is, and so on</p>".repeat(1_450)).repeat(10)
        ),
        format!(
            "<body><p>found at the bottom{}",
            "&amp; ".repeat(2_900) + &"word, ".repeat(120_000)
        ),
        format!(
            "<body>found at the bottom{}",
            "<div><p>so it is, and so on</p></div>".repeat(7_000)
        ),
        format!(
            "<body>found at the bottom{}",
            "<p><b a=1><b a=2><b><i><u><em><strong>".repeat(1_800)
        ),
        format!("<body>found at the bottom{}", "<".repeat(200_000)),
        format!("<body>found at the bottom<p>{}", "&nbsp;\u{202e}".repeat(100_000)),
    ];
    for (number, page) in pages.iter().enumerate() {
        // As small a stack as a thread of the pool has.
        let page = page.clone();
        let reading = std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(move || told(&page));
        let told = reading.expect("a thread").join().expect("it ends well");
        assert!(
            told.contains("found at the bottom"),
            "page {number}: {}",
            &told[..told.len().min(300)]
        );
    }
}

mod hostile_pages {
    use proptest::prelude::*;

    use super::{TEXT_CHARS_MAX, page_of_html, url};

    const SAMPLES: [&str; 3] = [
        "<html lang=en><head><title>The bridge &amp; the river</title><meta property='article:published_time' \
         content='2026-11-14'></head><body><nav><a href=/>Home</a></nav><article><h1>It is closed</h1><p>The river has \
         risen by two metres since Monday, and the old bridge is closed to everybody who would cross it.</p><ul><li>a\
         <li>b</ul><pre><code>x &lt; y</code></pre></article><script>evil('</p>')</script></body></html>",
        "<table><tr><td>1<td>2<tr><td colspan=2>3</table><!-- a -- b --><![CDATA[x]]><p style='display:none'>&#x1F600;&#0;\
         &notit;&amp;amp</p><svg><title>t</title></svg><textarea></p></textarea>",
        "<!doctype html><body><div><div><div><span hidden>a</span><img src=x alt='b'><br/><a href='javascript:1'>c</a>",
    ];

    proptest! {
        #![proptest_config(hostile::cases(120))]

        #[test]
        fn a_wounded_page_is_told_in_bounds(html in hostile::wounded_text(&SAMPLES)) {
            let page = page_of_html(&html, &url());
            prop_assert!(page.text.chars().count() <= TEXT_CHARS_MAX);
        }
    }
}
