//! Gems that are the same, gems that contradict each other, and gems that must not meet.

use vocabulary::Gem;

use super::super::test_gems::{gem, minutes};
use super::{Gathered, Life, overlap, settle};

pub(super) fn new(content: &str) -> Gathered {
    let mut gem = gem("99999999-new", content);
    gem.source.turns = vec!["m9".into()];
    gem.valid_from = minutes(60);
    gem.last_seen_at = minutes(60);
    Gathered {
        gem,
        replaces: None,
        repeats: None,
        hearsay: false,
    }
}

pub(super) fn old(content: &str) -> Gem {
    gem("1f0c33aa-old", content)
}

pub(super) fn with_attribute(mut gem: Gem, attribute: &str) -> Gem {
    gem.attribute = Some(attribute.to_owned());
    gem
}

pub(super) fn attributed(content: &str, attribute: &str) -> Gathered {
    let mut new = new(content);
    new.gem.attribute = Some(attribute.to_owned());
    new
}

#[test]
fn the_same_in_other_words_strengthens() {
    for (before, again) in [
        ("Alice likes tea.", "alice LIKES the tea!"),
        ("Alice likes tea.", "Alice really loves tea."),
        ("Alice has two dogs.", "Alice has 2 dogs."),
        ("Alice does not like tea.", "Alice dislikes tea."),
        (
            "Alice lives in a flat in Bergen.",
            "Alice is living in a flat in Bergen.",
        ),
        (
            "Alice bought a bike on 2026-02-23.",
            "On 2026-02-23 Alice bought a bike.",
        ),
    ] {
        let life = settle(&new(again), &[old(before)]);
        assert!(
            matches!(life, Life::Strengthen { .. }),
            "{before} / {again}: {life:?}"
        );
    }
}

#[test]
fn what_only_looks_alike_is_added() {
    for (before, after) in [
        ("Alice has two dogs.", "Alice has 3 dogs."),
        (
            "Alice will bring the red cake to the garden party at the old mill.",
            "Alice will bring the blue cake to the garden party at the old mill.",
        ),
        ("Alice likes tea.", "Alice likes coffee."),
        ("Alice is allergic to nuts.", "Alice is allergic to cats."),
        ("Alice met Bob.", "Alice met Carol."),
    ] {
        assert_eq!(
            settle(&new(after), &[old(before)]),
            Life::Add,
            "{before} / {after}"
        );
    }
}

#[test]
fn strengthening_counts_remembers_the_turns_and_keeps_the_rest() {
    let mut before = old("Alice likes tea.");
    before.source.turns = (0..50).map(|n| format!("t{n}").as_str().into()).collect();
    let mut again = new("Alice likes tea.");
    again.gem.importance = 0.8;
    let Life::Strengthen { gem } = settle(&again, std::slice::from_ref(&before)) else {
        panic!("it is the same");
    };
    assert_eq!(
        (gem.strength, gem.importance, gem.last_seen_at),
        (2, 0.8, minutes(60))
    );
    assert_eq!((&gem.gem_id, gem.valid_from), (&before.gem_id, before.valid_from));
    assert_eq!(gem.source.turns.len(), 50);
    assert_eq!(gem.source.turns.last(), Some(&"m9".into()));
}

#[test]
fn a_batch_that_is_read_again_changes_nothing() {
    let again = new("Alice likes tea.");
    assert_eq!(
        settle(&again, std::slice::from_ref(&again.gem)),
        Life::AlreadyThere
    );
    let Life::Strengthen { gem } = settle(&again, &[old("Alice likes tea.")]) else {
        panic!("it is the same");
    };
    assert_eq!(settle(&again, &[*gem]), Life::AlreadyThere);
}

#[test]
fn a_newer_value_supersedes_the_older_one() {
    let before = with_attribute(old("Alice lives in Oslo."), "home");
    let Life::Supersede { old } = settle(
        &attributed("Alice lives in Bergen.", "home"),
        std::slice::from_ref(&before),
    ) else {
        panic!("she has moved");
    };
    assert_eq!(old.len(), 1);
    assert_eq!(old[0].valid_until, Some(minutes(60)));
    assert_eq!(old[0].superseded_by, Some("99999999-new".into()));
    assert_eq!(
        Gem {
            valid_until: None,
            superseded_by: None,
            ..old[0].clone()
        },
        before
    );
}

#[test]
fn the_same_value_in_other_words_strengthens() {
    let before = with_attribute(old("Alice's favourite colour is green."), "favourite colour");
    for again in [
        "Alice loves green most of all colours.",
        "Green is the favourite colour of Alice.",
    ] {
        let again = attributed(again, "favourite colour");
        assert!(
            matches!(
                settle(&again, std::slice::from_ref(&before)),
                Life::Strengthen { .. }
            ),
            "{again:?}"
        );
    }
    let bergen = with_attribute(old("Alice lives in Bergen."), "home");
    let exact = attributed("Alice lives in Bergen at the harbour.", "home");
    assert!(
        matches!(settle(&exact, &[bergen]), Life::Supersede { .. }),
        "it says more"
    );
}

#[test]
fn what_people_have_several_of_is_never_replaced_by_another() {
    for attribute in ["allergy", "food allergies", "pet", "hobbies"] {
        let before = with_attribute(old("Alice has cats."), attribute);
        assert_eq!(
            settle(&attributed("Alice has bees.", attribute), &[before]),
            Life::Add,
            "{attribute}"
        );
    }
    let before = with_attribute(old("Alice's favourite game is chess."), "favourite game");
    let life = settle(
        &attributed("Alice's favourite game is Go.", "favourite game"),
        &[before],
    );
    assert!(matches!(life, Life::Supersede { .. }));
}

#[test]
fn a_change_of_mind_supersedes() {
    for (before, after) in [
        ("Alice likes tea.", "Alice does not like tea any more."),
        ("Alice likes tea.", "Alice hates tea now."),
        ("Alice hates tea.", "Alice loves tea."),
        ("Alice eats meat.", "Alice no longer eats meat."),
        ("Alice never drinks coffee.", "Alice drinks coffee."),
        ("Alice likes tea.", "Alice used to like tea."),
    ] {
        let life = settle(&new(after), &[old(before)]);
        assert!(
            matches!(life, Life::Supersede { .. }),
            "{before} / {after}: {life:?}"
        );
    }
}

#[test]
fn a_model_may_name_what_is_repeated_or_replaced() {
    let mut named = new("Alice is a keen drinker of Darjeeling.");
    named.repeats = Some("1f0c33aa".to_owned());
    assert!(matches!(
        settle(&named, &[old("Alice likes tea.")]),
        Life::Strengthen { .. }
    ));
    assert_eq!(
        settle(&named, &[old("Alice drinks 3 cups.")]),
        Life::Add,
        "numbers differ"
    );
    assert_eq!(
        settle(&named, &[old("Alice does not like tea.")]),
        Life::Add,
        "one says no"
    );

    let mut named = new("Alice is a vegan now.");
    named.replaces = Some("1f0c33aa".to_owned());
    assert!(matches!(
        settle(&named, &[old("Alice eats meat.")]),
        Life::Supersede { .. }
    ));
    named.replaces = Some("1f0c".to_owned());
    assert_eq!(
        settle(&named, &[old("Alice eats meat.")]),
        Life::Add,
        "too short to name a gem"
    );
}

#[test]
fn what_was_said_earlier_and_arrives_late_holds_until_then() {
    let mut later = with_attribute(old("Alice lives in Bergen."), "home");
    later.valid_from = minutes(120);
    let Life::Late { gem } = settle(&attributed("Alice lives in Oslo.", "home"), &[later.clone()]) else {
        panic!("Bergen is newer");
    };
    assert_eq!(
        (gem.valid_until, gem.superseded_by.clone()),
        (Some(minutes(120)), Some(later.gem_id))
    );
    assert_eq!(gem.content, "Alice lives in Oslo.");
}

#[test]
fn overlap_goes_from_nothing_to_all() {
    assert_eq!(overlap("Alice likes tea.", "alice likes TEA"), 1.0);
    assert_eq!(overlap("Alice likes tea.", "Bob drives home"), 0.0);
    assert_eq!(overlap("", ""), 0.0);
    let some = overlap("Alice likes tea.", "Alice likes coffee.");
    assert!(some > 0.0 && some < 1.0);
}

#[test]
fn what_is_not_liked_any_more_is_not_preferred_any_more() {
    for (before, now) in [
        ("Alice prefers tea.", "Alice does not like tea anymore."),
        ("Alice prefers tea over coffee.", "Alice hates tea."),
        ("Alice prefers tea to coffee.", "Alice no longer likes tea."),
        ("Alice does not like tea.", "Alice prefers tea."),
    ] {
        let life = settle(&new(now), &[old(before)]);
        assert!(
            matches!(life, Life::Supersede { .. }),
            "{before} / {now}: {life:?}"
        );
    }
    for (before, now) in [
        ("Alice prefers tea.", "Alice does not like coffee."),
        ("Alice prefers tea over coffee.", "Alice does not like coffee."),
        ("Alice prefers tea.", "Alice likes tea."),
    ] {
        let life = settle(&new(now), &[old(before)]);
        assert!(matches!(life, Life::Add), "{before} / {now}: {life:?}");
    }
}
