use super::spoken_of;

#[test]
fn an_attribute_stands_only_where_the_gem_speaks_of_it() {
    for (given, content, expected) in [
        ("City", "Bob moved to Trondheim on 2026-11-14.", Some("home")),
        ("home", "Bob lives near the mill.", Some("home")),
        ("home", "Bob likes green.", None),
        (
            "favourite",
            "Bob's favourite colour is green.",
            Some("favourite colour"),
        ),
        ("todo", "Bob's favorite color is green.", Some("favourite colour")),
        ("", "Bob moved to Trondheim on 2026-11-14.", Some("home")),
        ("job", "Cara prepares the slides by 2026-11-20.", None),
        ("job", "Cara is a nurse.", Some("job")),
        ("his job", "Cara works as a carpenter.", Some("job")),
        (
            "favorite color",
            "Bob's favourite colour is green.",
            Some("favourite colour"),
        ),
        (
            "release date of Denizen",
            "The release is on 2026-11-19.",
            Some("release date of denizen"),
        ),
        ("health", "Alice has a dentist appointment.", None),
        ("", "Alice has a dog.", None),
    ] {
        assert_eq!(
            spoken_of(given, content).as_deref(),
            expected,
            "{given}: {content}"
        );
    }
}
