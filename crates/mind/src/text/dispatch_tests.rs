//! Routes, splits and inert mentions.

use proptest::prelude::*;
use vocabulary::{Author, AuthorKind, Message, WallTime};

use super::dispatch::{PARTS_MAX, Route, Routing, inert_mentions, route, split};

#[test]
fn only_addressed_turns_in_initiative_channels_leave_the_route_to_chance() {
    let routed = |addressed, initiative_channel| {
        route(Routing {
            addressed,
            initiative_channel,
        })
    };
    assert_eq!(routed(false, false), Some(Route::ChannelMessage));
    assert_eq!(routed(false, true), Some(Route::ChannelMessage));
    assert_eq!(routed(true, false), Some(Route::Reply));
    assert_eq!(routed(true, true), None);
}

#[test]
fn a_short_text_is_one_piece() {
    assert_eq!(split("  hello  ", 200), ["hello"]);
    assert!(split("   ", 200).is_empty());
}

#[test]
fn a_long_text_is_cut_at_the_best_place_there_is() {
    let paragraph = "word ".repeat(30);
    let text = format!("{}\n\n{}", paragraph.trim(), paragraph.trim());
    let parts = split(&text, 200);
    assert_eq!(parts, [paragraph.trim(), paragraph.trim()], "at the blank line");
    let sentences = "This is a sentence of some length. ".repeat(12);
    for part in split(&sentences, 200) {
        assert!(part.ends_with('.'), "at a sentence end: {part:?}");
    }
}

#[test]
fn a_code_block_that_is_cut_is_closed_and_opened_again() {
    let text = format!("```\n{}```", "let x = 1;\n".repeat(40));
    let parts = split(&text, 200);
    assert!(parts.len() > 2);
    for part in &parts {
        assert_eq!(part.matches("```").count() % 2, 0, "{part}");
    }
}

#[test]
fn an_endless_text_ends_with_an_ellipsis() {
    let parts = split(&"word ".repeat(5_000), 200);
    assert_eq!(parts.len(), PARTS_MAX);
    assert!(parts[PARTS_MAX - 1].ends_with('…'));
}

proptest! {
    #[test]
    fn no_piece_is_too_long_or_empty(text in "(\\PC|\n|```){0,900}", limit in 200_usize..400) {
        for part in split(&text, limit) {
            prop_assert!(part.chars().count() <= limit, "{} > {limit}", part.chars().count());
            prop_assert!(!part.is_empty());
        }
    }

    #[test]
    fn making_mentions_inert_adds_nothing_but_invisible_space(text in "[@a-z!&<> \n]{0,60}") {
        prop_assert_eq!(inert_mentions(&text, None).replace('\u{200b}', ""), text);
    }
}

fn by_alice() -> Message {
    Message {
        id: "m1".into(),
        room: "lounge".into(),
        author: Author {
            id: "local:alice".into(),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: String::new(),
        at: WallTime(0),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        spoken: false,
    }
}

#[test]
fn nobody_is_called_but_the_one_who_is_answered() {
    let alice = by_alice();
    assert_eq!(
        inert_mentions("@Alice and @Bob, @everyone!", Some(&alice)),
        "@Alice and @\u{200b}Bob, @\u{200b}everyone!"
    );
    assert_eq!(
        inert_mentions("<@1234> <@&5> <@!6>", None),
        "<@\u{200b}1234> <@\u{200b}&5> <@\u{200b}!6>"
    );
    assert_eq!(inert_mentions("@Alicent", Some(&alice)), "@\u{200b}Alicent");
    assert_eq!(
        inert_mentions("mail me: a@example.com", None),
        "mail me: a@example.com"
    );
}

#[test]
fn a_link_with_a_name_in_it_stays_a_link() {
    let link = "see https://video.example/@somebody/live, [here](https://video.example/@other)";
    assert_eq!(inert_mentions(link, None), link);
    assert_eq!(
        inert_mentions(
            "https://video.example/@everyone https://video.example/ @Bob https://@Bob",
            None
        ),
        "https://video.example/@\u{200b}everyone https://video.example/ @\u{200b}Bob https://@\u{200b}Bob"
    );
}
