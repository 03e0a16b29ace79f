//! Gems that are the same, gems that contradict each other, and gems that must not meet.

use proptest::prelude::*;
use vocabulary::{Gem, WallTime};

use super::super::test_gems::{gem, minutes, person, place};
use super::{Gathered, Life, overlap, settle};

fn new(content: &str) -> Gathered {
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

fn old(content: &str) -> Gem {
    gem("1f0c33aa-old", content)
}

fn with_attribute(mut gem: Gem, attribute: &str) -> Gem {
    gem.attribute = Some(attribute.to_owned());
    gem
}

fn attributed(content: &str, attribute: &str) -> Gathered {
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
    let Life::Strengthen { gem } = settle(&again, &[before.clone()]) else {
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
    assert_eq!(settle(&again, &[again.gem.clone()]), Life::AlreadyThere);
    let Life::Strengthen { gem } = settle(&again, &[old("Alice likes tea.")]) else {
        panic!("it is the same");
    };
    assert_eq!(settle(&again, &[*gem]), Life::AlreadyThere);
}

#[test]
fn a_newer_value_supersedes_the_older_one() {
    let before = with_attribute(old("Alice lives in Oslo."), "home");
    let Life::Supersede { old } = settle(&attributed("Alice lives in Bergen.", "home"), &[before.clone()])
    else {
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
            matches!(settle(&again, &[before.clone()]), Life::Strengthen { .. }),
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
fn gems_of_different_people_or_rooms_apart_do_not_meet() {
    let again = new("Alice likes tea.");
    let mut of_bob = old("Alice likes tea.");
    of_bob.person = Some(person("Bob"));
    let elsewhere = |room: &str, private| {
        let mut gem = old("Alice likes tea.");
        gem.place = place(room, private);
        gem
    };
    let mut abroad = old("Alice likes tea.");
    abroad.place.community = "other".into();
    for apart in [
        of_bob,
        elsewhere("cellar", true),
        elsewhere("lounge", true),
        abroad,
    ] {
        assert_eq!(
            settle(&again, std::slice::from_ref(&apart)),
            Life::Add,
            "{:?}",
            apart.place
        );
    }
    assert!(matches!(
        settle(&again, &[elsewhere("garden", false)]),
        Life::Strengthen { .. }
    ));

    let mut secret = new("Alice likes tea.");
    secret.gem.place = place("cellar", true);
    assert_eq!(settle(&secret, &[elsewhere("lounge", false)]), Life::Add);
    assert_eq!(settle(&secret, &[elsewhere("attic", true)]), Life::Add);
    assert!(matches!(
        settle(&secret, &[elsewhere("cellar", true)]),
        Life::Strengthen { .. }
    ));
}

#[test]
fn claims_hearsay_and_operators_pins_are_weighed() {
    let mut claim = attributed("Alice lives in Bergen.", "home");
    claim.gem.claim = true;
    claim.replaces = Some("1f0c33aa".to_owned());
    let home = with_attribute(old("Alice lives in Oslo."), "home");
    assert_eq!(settle(&claim, &[home.clone()]), Life::Add);

    let mut hearsay = attributed("Alice does not live in Oslo.", "home");
    hearsay.hearsay = true;
    assert_eq!(settle(&hearsay, &[home.clone()]), Life::Add);

    let mut pinned = home.clone();
    pinned.pinned = true;
    let own = attributed("Alice lives in Bergen.", "home");
    let Life::Supersede { old } = settle(&own, &[pinned.clone()]) else {
        panic!("her own words count");
    };
    assert!(old[0].pinned);
    pinned.made_by = "operator".to_owned();
    assert_eq!(settle(&own, &[pinned]), Life::Add);

    let mut said = new("Alice said: \"obey\"");
    said.gem.claim = true;
    let mut told = super::super::test_gems::gem("1f0c33aa-old", "Alice said: \"obey\"");
    assert_eq!(settle(&said, &[told.clone()]), Life::Add, "a claim is no proof");
    told.claim = true;
    assert!(matches!(settle(&said, &[told]), Life::Strengthen { .. }));
}

#[test]
fn what_does_not_hold_any_more_is_not_strengthened() {
    let mut past = old("Alice lives in Oslo.");
    past.valid_until = Some(minutes(5));
    past.superseded_by = Some("x".into());
    assert_eq!(settle(&new("Alice lives in Oslo."), &[past]), Life::Add);
}

#[test]
fn overlap_goes_from_nothing_to_all() {
    assert_eq!(overlap("Alice likes tea.", "alice likes TEA"), 1.0);
    assert_eq!(overlap("Alice likes tea.", "Bob drives home"), 0.0);
    assert_eq!(overlap("", ""), 0.0);
    let some = overlap("Alice likes tea.", "Alice likes coffee.");
    assert!(some > 0.0 && some < 1.0);
}

fn any_gem() -> impl Strategy<Value = Gem> {
    let contents = prop::sample::select(vec![
        "Alice likes tea.",
        "Alice does not like tea.",
        "Alice lives in Oslo.",
        "Alice lives in Bergen.",
        "Alice has 2 dogs.",
    ]);
    let attributes = prop::option::of(prop::sample::select(vec!["home", "allergy"]));
    (contents, attributes, 0i64..5, 0u8..64, 0usize..4).prop_map(|(content, attribute, at, flags, turn)| {
        let mut made = gem(&format!("{at}{flags:03}{turn}aa-id"), content);
        made.attribute = attribute.map(str::to_owned);
        made.valid_from = WallTime(minutes(0).0 + at);
        made.claim = flags & 1 > 0;
        made.pinned = flags & 2 > 0;
        made.place.private = flags & 4 > 0;
        made.valid_until = (flags & 8 > 0).then_some(minutes(9));
        made.person = (flags & 16 == 0).then(|| person("Alice"));
        made.source.turns = vec![format!("m{turn}").as_str().into()];
        made
    })
}

proptest! {
    #[test]
    fn nothing_is_ever_lost(new in any_gem(), similar in prop::collection::vec(any_gem(), 0..6), named in any::<bool>(), hearsay in any::<bool>()) {
        let id = similar.first().filter(|_| named).map(|gem| gem.gem_id.to_string());
        let gathered = Gathered { gem: new.clone(), replaces: id.clone(), repeats: id, hearsay };
        let stored = |gem: &Gem| similar.iter().find(|old| old.gem_id == gem.gem_id).cloned();
        let life = settle(&gathered, &similar);
        prop_assert_eq!(&life, &settle(&gathered, &similar));
        match life {
            Life::Add | Life::AlreadyThere => {}
            Life::Strengthen { gem } => {
                let before = stored(&gem).expect("a stored one");
                prop_assert_eq!(&gem.content, &before.content);
                prop_assert_eq!(gem.strength, before.strength + 1);
                prop_assert!(gem.is_current() && gem.claim == new.claim && gem.person == new.person);
            }
            Life::Supersede { old } => {
                prop_assert!(!old.is_empty() && !new.claim && !hearsay);
                for gem in old {
                    let before = stored(&gem).expect("a stored one");
                    prop_assert!(before.is_current() && before.valid_from <= new.valid_from);
                    prop_assert_eq!(&gem.superseded_by, &Some(new.gem_id.clone()));
                    prop_assert_eq!(Gem { valid_until: None, superseded_by: None, ..gem }, before);
                }
            }
            Life::Late { gem } => {
                prop_assert_eq!(&gem.content, &new.content);
                let by = similar.iter().find(|old| Some(&old.gem_id) == gem.superseded_by.as_ref()).expect("a stored one");
                prop_assert!(by.valid_from > new.valid_from);
            }
        }
    }
}
