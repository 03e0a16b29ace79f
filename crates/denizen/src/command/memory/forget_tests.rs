use runtime::memory::{KnownPerson, People};
use vocabulary::WallTime;

use super::meant;

fn known(people: &[(&str, &str)]) -> People {
    let people = people.iter().map(|(id, name)| KnownPerson {
        id: (*id).into(),
        name: (*name).to_owned(),
        gems: 1,
        turns: 2,
        first_at: WallTime(1),
        last_at: WallTime(2),
    });
    People {
        people: people.collect(),
        partial: false,
    }
}

#[test]
fn a_person_is_meant_by_id_or_by_a_name_that_only_one_has() {
    let known = known(&[
        ("local:alice", "Alice"),
        ("agents:alice", "Alice"),
        ("local:bob", "Bob"),
    ]);
    assert_eq!(meant("local:alice", &known).unwrap().id.as_str(), "local:alice");
    assert_eq!(meant(" bob ", &known).unwrap().id.as_str(), "local:bob");
    let refusal = meant("alice", &known).unwrap_err().to_string();
    assert!(refusal.contains("local:alice, agents:alice"), "{refusal}");
    assert!(
        meant("Carol", &known)
            .unwrap_err()
            .to_string()
            .contains("“Carol”")
    );
    assert_eq!(meant("discord:7", &known).unwrap().gems, 0);
}
