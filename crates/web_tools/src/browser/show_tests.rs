use serde_json::json;

use super::*;
use crate::arguments;

fn seen(text: &str, links: usize) -> Seen {
    Seen {
        title: "Shop".to_owned(),
        url: "https://shop.example/".to_owned(),
        language: "en".to_owned(),
        status: 200,
        text: text.to_owned(),
        links: (0..links)
            .map(|number| {
                (
                    format!("Thing {number}"),
                    format!("https://shop.example/{number}"),
                )
            })
            .collect(),
        ..Seen::default()
    }
}

fn tell(seen: &Seen, arguments: serde_json::Value) -> String {
    show(seen).tell(&arguments::browse(&arguments).expect("an errand"))
}

#[test]
fn a_short_page_is_told_with_its_links() {
    let told = tell(
        &seen("We sell things.\u{202e}", 2),
        json!({ "url": "https://shop.example" }),
    );
    assert_eq!(
        told,
        "Shop | https://shop.example/ | language en\n\nWe sell things.\n\nLinks:\n\
         - Thing 0: https://shop.example/0\n- Thing 1: https://shop.example/1"
    );
}

#[test]
fn a_long_page_with_many_links_stays_within_what_fits() {
    let text = "A line about something or other.\n".repeat(1_000);
    let told = tell(&seen(&text, 60), json!({ "url": "https://shop.example" }));
    assert!(
        told.chars().count() <= RESULT_CHARS_MAX,
        "{}",
        told.chars().count()
    );
    assert!(told.contains("[cut: "), "{told}");
    let links = told.matches("\n- Thing").count();
    assert!((10..=LINKS_MAX).contains(&links), "{links}");
}

#[test]
fn a_question_brings_up_the_part_that_answers_it() {
    let mut text = "A line about something or other.\n".repeat(1_000);
    text.push_str("Opening hours: nine to five\n");
    let asked = json!({ "url": "https://shop.example", "question": "what are the opening hours" });
    let told = tell(&seen(&text, 60), asked);
    assert!(told.contains("Opening hours: nine to five"), "{told}");
    assert!(
        told.chars().count() <= RESULT_CHARS_MAX,
        "{}",
        told.chars().count()
    );
}

#[test]
fn errors_and_remarks_stand_in_the_header() {
    let mut page = seen("", 0);
    page.status = 404;
    page.remarks.push("the page was not finished".to_owned());
    let told = tell(&page, json!({ "url": "https://shop.example" }));
    assert!(
        told.contains("the page was not finished | the site answered with the error 404"),
        "{told}"
    );
    assert!(told.contains("(the page shows no text)"), "{told}");
}
