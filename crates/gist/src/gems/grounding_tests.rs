//! Which names and numbers a gem may have, and which nobody said.

use super::super::test_gems::turn;
use super::{Known, invention};

fn found(text: &str) -> Option<String> {
    let batch = [
        turn(
            1,
            "Alice Liddell",
            "we meet Dr. Who at the winter soldier cafe next friday at 10, bring 1,200 gold for 3 nights",
        ),
        turn(
            2,
            "Bob",
            "ok. I'm thirty and run v2.5 on port 8080, deploying twice. I have two dogs, 5km runs",
        ),
    ];
    invention(text, &Known::of(&batch, &["Marcus".to_owned()]))
}

fn found_undated(text: &str) -> Option<String> {
    invention(text, &Known::of(&[turn(1, "Bob", "I have two dogs")], &[]))
}

#[test]
fn names_and_numbers_that_nobody_said_are_found() {
    for (text, expected) in [
        ("Alice meets Zelda.", "Zelda"),
        ("Zelda likes Bob.", "Zelda"),
        ("Bob has 4 dogs.", "4"),
        ("Bob runs v2.6.", "v2.6"),
        ("Bob moved to Oslo.", "Oslo"),
        ("They meet on 2029-02-27.", "2029"),
        ("Bob owes 12,000 gold.", "12,000"),
        ("Bob met Ölaf.", "Ölaf"),
    ] {
        assert_eq!(found(text).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "Bob adopts on 2026-03-02.",
        "Bob adopts on 5 March 2026.",
        "Bob has 2 dogs since 2019.",
    ] {
        assert!(found_undated(text).is_some(), "nothing was said of time: {text}");
    }
}

#[test]
fn what_was_said_or_follows_from_it_is_no_invention() {
    for text in [
        "Alice Liddell and Marcus meet Dr. Who on 2026-02-27 at 10:00.",
        "Alice meets them on Friday, 27 February 2026.",
        "They meet on February 27, 2026 at the Winter Soldier.",
        "They meet at the WinterSoldier for 1200 gold, three nights.",
        "Bob's dogs: 2. Bob runs 5 km.",
        "Bob deploys v2.5 on port 8080.",
        "Deployment is on Friday in 2026.",
        "The Café opens. Nobody objected. Whether Bob comes is open.",
        "On Monday in May the API broke.",
        "Alice's plan is to meet.",
        "Alice wohnt in der Nähe und mag das Café nicht.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
    assert_eq!(found_undated("Bob said on 2026-02-23 that Bob has 2 dogs."), None);
}
