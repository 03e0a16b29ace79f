use vocabulary::{CommunityId, PersonId, Place, RoomId};

use super::*;

/// What Qdrant would say of a record, for the few conditions that a view is made of.
fn holds(condition: &Value, place: &Place, person: Option<&PersonId>) -> bool {
    if let Some(field) = condition["key"].as_str() {
        let has = match field {
            "community" => Value::from(place.community.as_str()),
            "room" => Value::from(place.room.as_str()),
            "private" => Value::from(place.private),
            "person" => person.map_or(Value::Null, |person| person.as_str().into()),
            other => panic!("{other} is no part of a view"),
        };
        return match condition["match"]["any"].as_array() {
            Some(any) => any.contains(&has),
            None => condition["match"]["value"] == has,
        };
    }
    let list = |name: &str| condition[name].as_array().cloned().unwrap_or_default();
    let holds = |condition: &Value| holds(condition, place, person);
    list("must").iter().all(holds)
        && (list("should").is_empty() || list("should").iter().any(holds))
        && !list("must_not").iter().any(holds)
}

#[test]
fn the_filter_of_a_view_lets_through_exactly_what_the_view_sees() {
    let people: Vec<PersonId> = ["alice", "bob"].map(PersonId::new).to_vec();
    let rooms = ["lounge", "kitchen"].map(RoomId::new);
    let communities = ["here", "there"].map(CommunityId::new);
    let mut views = vec![Viewpoint::Operator];
    for reach in [Reach::Room, Reach::Community, Reach::Everywhere] {
        for present in [&people[..0], &people[..1], &people[..]] {
            views.push(Viewpoint::Room {
                community: communities[0].clone(),
                room: rooms[0].clone(),
                reach,
                people: present.to_vec(),
            });
        }
    }
    let mut seen = 0;
    for view in &views {
        let filter = Filter::default().seen_from(view).json();
        for (community, room) in communities
            .iter()
            .flat_map(|it| rooms.iter().map(move |room| (it, room)))
        {
            for private in [false, true] {
                for person in [None, Some(&people[0]), Some(&people[1])] {
                    let place = Place {
                        community: community.clone(),
                        room: room.clone(),
                        private,
                    };
                    let sees = view.sees(&place, person);
                    seen += usize::from(sees);
                    assert_eq!(
                        holds(&filter, &place, person),
                        sees,
                        "{view:?} {place:?} {person:?}"
                    );
                }
            }
        }
    }
    assert!(seen > 0);
}
