use vocabulary::GemTag;

use super::fitting;

#[test]
fn what_is_plainly_nothing_to_do_is_called_what_it_is() {
    for (content, attribute, expected) in [
        ("Bob's favourite colour is green.", None, GemTag::Preference),
        ("Run `make deploy` to put it on staging.", None, GemTag::Code),
        (
            "Bob moved to Trondheim on 2026-11-14.",
            Some("home"),
            GemTag::Fact,
        ),
        (
            "Bob will move to Trondheim, where he works.",
            Some("home"),
            GemTag::Todo,
        ),
        ("Cara will prepare the slides.", None, GemTag::Todo),
    ] {
        assert_eq!(
            fitting(vec![GemTag::Todo], content, attribute),
            [expected],
            "{content}"
        );
    }
    let both = vec![GemTag::Todo, GemTag::Decision];
    assert_eq!(fitting(both.clone(), "Bob likes it.", None), both);
}
