use std::collections::BTreeSet;

use proptest::prelude::*;
use vocabulary::TurnKey;

use super::gem_id;

fn keys(names: &[&str]) -> Vec<TurnKey> {
    names.iter().map(|name| (*name).into()).collect()
}

#[test]
fn an_id_is_the_same_on_every_machine_and_in_every_version() {
    let id = gem_id(&"lounge-1".into(), &keys(&["m1", "m2"]), 0);
    assert_eq!(id.as_str(), "d3ef29a2-5fda-8d62-b24f-ec3f41b5cb1e");
}

#[test]
fn order_and_repetition_of_turns_do_not_matter_and_everything_else_does() {
    let session = "lounge-1".into();
    let id = gem_id(&session, &keys(&["m1", "m2"]), 0);
    assert_eq!(gem_id(&session, &keys(&["m2", "m1", "m2"]), 0), id);
    for other in [
        gem_id(&"lounge-2".into(), &keys(&["m1", "m2"]), 0),
        gem_id(&session, &keys(&["m1"]), 0),
        gem_id(&session, &keys(&["m1m2"]), 0),
        gem_id(&session, &keys(&["m1", "m2"]), 1),
        gem_id(&session, &keys(&["m1", "m2", "0"]), 0),
    ] {
        assert_ne!(other, id);
    }
}

#[test]
fn the_first_eight_characters_tell_neighbours_apart() {
    let ids = (0..20_000).map(|n| gem_id(&"s".into(), &keys(&[&format!("m{n}")]), 0));
    let heads: BTreeSet<String> = ids.map(|id| id.as_str()[..8].to_owned()).collect();
    // 20,000 of 2³² by chance: about 0.05 collisions.
    assert!(heads.len() > 19_995, "{}", heads.len());
}

proptest! {
    #[test]
    fn an_id_reads_as_a_uuid_whatever_the_source(session in ".*", turns in prop::collection::vec(".*", 0..4)) {
        let turns: Vec<TurnKey> = turns.iter().map(|turn| turn.as_str().into()).collect();
        let id = gem_id(&session.as_str().into(), &turns, 3);
        let parts: Vec<usize> = id.as_str().split('-').map(str::len).collect();
        prop_assert_eq!(parts, [8, 4, 4, 4, 12]);
        prop_assert_eq!(&id.as_str()[14..15], "8");
        prop_assert!("89ab".contains(&id.as_str()[19..20]));
        prop_assert!(id.as_str().chars().all(|c| c == '-' || c.is_ascii_hexdigit()));
    }
}
