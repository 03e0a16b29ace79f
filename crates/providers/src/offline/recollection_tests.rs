use super::*;

fn told(text: &str, name: &str) -> String {
    let fact = Fact {
        on: "2026-11-15".to_owned(),
        text: text.to_owned(),
    };
    fact.told_to(name)
}

#[test]
fn what_is_said_of_somebody_by_name_is_said_to_them() {
    for (text, expected) in [
        (
            "Alice's favourite colour is green.",
            "your favourite colour is green",
        ),
        ("Alice is allergic to peanuts.", "you are allergic to peanuts"),
        (
            "Alice likes tea, and Alice's sister likes milk.",
            "you like tea, and your sister likes milk",
        ),
        ("Alice never watches the news.", "you never watch the news"),
        ("Alice studies law.", "you study law"),
        ("Alice moved to Bergen.", "you moved to Bergen"),
        ("Alice will visit Bob.", "you will visit Bob"),
        ("Bob’s train leaves at 17:42.", "Bob’s train leaves at 17:42"),
    ] {
        assert_eq!(told(text, "Alice"), expected);
    }
    assert_eq!(told("Mara Lind has a van.", "Mara Lind"), "you have a van");
    assert_eq!(told("The mill is old.", ""), "The mill is old");
}
