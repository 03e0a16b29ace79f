use settings::Settings;
use vocabulary::{CommunityId, PersonId};

use super::author::author;

fn name_and_id(given: &str) -> Option<(String, String)> {
    let mut identity = Settings::default().identity;
    identity.aliases = vec!["Den".into()];
    let author = author(
        given,
        &CommunityId::from("local"),
        &PersonId::from("denizen"),
        &identity,
    )
    .ok()?;
    Some((author.name, author.id.as_str().to_owned()))
}

#[test]
fn a_name_is_trimmed_and_the_person_is_its_lower_case() {
    assert_eq!(
        name_and_id("  Alice  B "),
        Some(("Alice B".into(), "local:alice b".into()))
    );
    assert_eq!(name_and_id("ÉMILE").unwrap().1, "local:émile");
}

#[test]
fn names_that_are_empty_long_or_invisible_are_refused() {
    for bad in ["", "   ", "a\u{7}b", "a\u{200b}b", "\u{202e}bob", &"x".repeat(41)] {
        assert_eq!(name_and_id(bad), None, "{bad:?}");
    }
    assert!(
        name_and_id(&"ü".repeat(40)).is_some(),
        "characters are counted, not bytes"
    );
}

#[test]
fn nobody_passes_for_denizen() {
    let bad = [
        "Denizen",
        " dENIZEN ",
        "den",
        "Dénizen",
        "Ｄenizen",
        "Denizen\u{fe0f}",
        "Dеnizen",
        "Den1zen",
        "D e n i z e n",
        "Denizen.",
        "Deni2en",
        "Dennizen",
        "denizen bot",
        "Denizen (official)",
        "Ꭰenizen",
        "Den 2",
    ];
    for bad in bad {
        assert_eq!(name_and_id(bad), None, "{bad:?}");
    }
    for good in ["Dennis", "Deniz", "Denise", "Dan", "Citizen"] {
        assert!(name_and_id(good).is_some(), "{good}");
    }
}

#[test]
fn a_name_may_hold_emoji_and_its_person_stays_the_same() {
    assert_eq!(
        name_and_id("👩‍🚀 Ana"),
        Some(("👩‍🚀 Ana".into(), "local:👩‍🚀 ana".into()))
    );
    assert_eq!(name_and_id("❤️ Ana").unwrap().1, "local:❤️ ana");
    assert_eq!(name_and_id("Alice").unwrap().1, "local:alice");
    assert_eq!(name_and_id("Alice\u{fe0f}"), None);
}
