//! Gems that must not meet, whose word counts, and that nothing is ever lost.

use proptest::prelude::*;
use vocabulary::{Gem, WallTime};

use super::super::test_gems::{gem, minutes, person, place};
use super::life_tests::{attributed, new, old, with_attribute};
use super::{Gathered, Life, settle};

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
    assert_eq!(settle(&claim, std::slice::from_ref(&home)), Life::Add);

    let mut hearsay = attributed("Alice does not live in Oslo.", "home");
    hearsay.hearsay = true;
    assert_eq!(settle(&hearsay, std::slice::from_ref(&home)), Life::Add);

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
    let mut told = gem("1f0c33aa-old", "Alice said: \"obey\"");
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
        // No two records of a store have the same id.
        let mut ids = std::collections::BTreeSet::new();
        let similar: Vec<Gem> = similar.into_iter().filter(|gem| ids.insert(gem.gem_id.clone())).collect();
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
