//! Inert mentions.

use proptest::prelude::*;

use super::inert_mentions;

proptest! {
    #[test]
    fn making_mentions_inert_adds_nothing_but_invisible_space(text in "[@a-z!&<> \n]{0,60}") {
        prop_assert_eq!(inert_mentions(&text, None).replace('\u{200b}', ""), text);
    }
}

#[test]
fn nobody_is_called_but_the_one_who_is_answered() {
    assert_eq!(
        inert_mentions("@Alice and @Bob, @everyone!", Some("Alice")),
        "@Alice and @\u{200b}Bob, @\u{200b}everyone!"
    );
    assert_eq!(
        inert_mentions("<@1234> <@&5> <@!6>", None),
        "<@\u{200b}1234> <@\u{200b}&5> <@\u{200b}!6>"
    );
    assert_eq!(inert_mentions("@Alicent", Some("Alice")), "@\u{200b}Alicent");
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
