use hostile::cases;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn id(number: u64) -> Snowflake {
    Snowflake::new(number).unwrap()
}

fn here() -> Here {
    let named = |(number, name): (u64, &str)| (id(number), name.to_owned());
    Here {
        people: [
            (21, "Ann"),
            (22, "Ann Lee"),
            (23, "Zoë"),
            (24, "Sam"),
            (25, "Sam"),
            (26, "here"),
            (23, "zo"),
        ]
        .map(named)
        .to_vec(),
        channels: vec![named((31, "general"))],
        emoji: vec![
            ("blob".to_owned(), "<:blob:41>".to_owned()),
            ("bad".to_owned(), "<@99>".to_owned()),
        ],
        may_notify: vec![id(21), id(99)],
    }
}

fn one(text: &str) -> String {
    let parts = written(text, &here());
    assert_eq!(parts.len(), 1, "{parts:?}");
    parts[0].content.clone()
}

#[test]
fn only_people_who_are_there_are_mentioned() {
    for (text, content) in [
        ("hi @Ann!", "hi <@21>!"),
        ("hi @ann lee, and @ANN", "hi <@22>, and <@21>"),
        ("@Zoe @zo @Zoë", "<@23> <@23> <@23>"),
        ("@Anna @Bob ann@work", "@Anna @Bob ann@work"),
        // Two people of one name.
        ("@Sam", "@Sam"),
        ("<@21> <@!22>", "<@21> <@!22>"),
        ("<@99> <@&21>", "<@\u{200b}99> <@\u{200b}&21>"),
        ("<@!99>", "<@\u{200b}!99>"),
        ("see #general, not #secret", "see <#31>, not #secret"),
        (":blob: :nope: :bad: 10:30:", "<:blob:41> :nope: :bad: 10:30:"),
        (
            "`@Ann` and ```\n@Ann\n``` @Ann",
            "`@Ann` and ```\n@Ann\n``` <@21>",
        ),
        ("a ` b @Ann", "a ` b <@21>"),
        ("`<@99>`", "`<@\u{200b}99>`"),
        ("<@Ann>", "<<@21>>"),
    ] {
        assert_eq!(one(text), content);
    }
}

#[test]
fn everybody_is_never_mentioned() {
    for (text, content) in [
        ("@everyone", "@\u{200b}everyone"),
        (
            "hey @here and @Everyone",
            "hey @\u{200b}here and @\u{200b}Everyone",
        ),
        ("`@everyone`", "`@\u{200b}everyone`"),
        ("@@everyone", "@@\u{200b}everyone"),
        (
            "<https://x.example/@everyone>",
            "<https://x.example/@\u{200b}everyone>",
        ),
        ("<@99>@here", "<@\u{200b}99>@\u{200b}here"),
    ] {
        assert_eq!(one(text), content);
    }
}

#[test]
fn who_is_mentioned_and_may_be_is_notified_by_that_part() {
    let text = format!("@Ann @Zoe <@99>\n{}\n@Ann @Ann", "word ".repeat(500));
    let parts = written(&text, &here());
    let notifies: Vec<&[Snowflake]> = parts.iter().map(|part| part.notifies.as_slice()).collect();
    assert_eq!(notifies, [&[id(21)][..], &[id(21)][..]]);
    assert_eq!(written(" \n", &here()), []);
}

fn text() -> impl Strategy<Value = String> {
    let words = [
        "@", "everyone", "here", "<@", "<@!", "<@&", "21", "99", ">", "Ann", "@Ann", "<#", ":", "blob", "`",
        "```", " ", "\n", "\u{200b}", "x", "é", "/", "EVERYONE", "<", "&",
    ];
    vec(proptest::sample::select(words.to_vec()), 0..400).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn nothing_that_a_model_writes_mentions_somebody_else(text in text()) {
        for part in written(&text, &here()) {
            let low = part.content.to_ascii_lowercase();
            prop_assert!(!low.contains("@everyone") && !low.contains("@here"), "{}", part.content);
            for piece in pieces(&part.content) {
                if let Piece::Mark(mark, _) = piece {
                    let is_there = |id| here().people.iter().any(|(person, _)| *person == id);
                    match mark {
                        Mark::Person(id) => prop_assert!(is_there(id), "{}", part.content),
                        Mark::Role(_) => prop_assert!(false, "{}", part.content),
                        _ => {}
                    }
                }
            }
            prop_assert!(part.notifies.iter().all(|id| *id == Snowflake::new(21).unwrap()));
        }
    }

    /// Where there is nobody to mention, a text reads as it was written.
    #[test]
    fn nothing_that_is_seen_changes(text in text()) {
        let seen = |text: &str| text.replace(BREAK, "");
        let marked = marked(&text, &Here::default());
        prop_assert_eq!(seen(&marked), seen(&text));
        prop_assert_eq!(&super::marked(&marked, &Here::default()), &marked, "and twice is as once");
    }
}
