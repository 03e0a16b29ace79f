//! What every gem store must do: show each view all it may see, and nothing else.
//!
//! Every kind of place holds every kind of record, and every view looks at all of them.

use std::collections::BTreeSet;

use runtime::ports::Embedded;
use vocabulary::{Kinds, PersonId, Place, Reach, Record, Search, Viewpoint};

use super::GemHome;
use super::given::{
    Kept, about, embedded, embedder, found_set, gem, id_of, meaning, person, place, search, turn,
};

fn places() -> Vec<Place> {
    let mut places = Vec::new();
    for community in ["home", "away"] {
        for (room, private) in [
            ("lobby", false),
            ("attic", false),
            ("cellar", true),
            ("den", true),
        ] {
            places.push(Place {
                private,
                // Rooms of the same name in two communities are two rooms.
                ..place(community, room)
            });
        }
    }
    places
}

fn records() -> Vec<Record> {
    let mut records = Vec::new();
    for place in places() {
        let name = format!("{}-{}", place.community, place.room);
        for who in ["alice", "bob"] {
            let mut said = turn(
                &format!("t-{name}-{who}"),
                &format!("the lantern of {name} by {who}"),
            );
            said.speaker = person(who);
            said.session = name.as_str().into();
            said.place = place.clone();
            records.push(Kept::from(said).0);
            let mut known = about(
                who,
                gem(
                    &format!("g-{name}-{who}"),
                    &format!("A lantern in {name}, {who} says."),
                ),
            );
            known.place = place.clone();
            records.push(Kept::from(known).0);
        }
        let mut known = gem(&format!("g-{name}-nobody"), &format!("Some lantern in {name}."));
        known.place = place.clone();
        records.push(Kept::from(known).0);
    }
    records
}

fn views() -> Vec<Viewpoint> {
    let mut views = vec![Viewpoint::Operator];
    for place in places() {
        for reach in [Reach::Room, Reach::Community, Reach::Everywhere] {
            for people in [vec![], vec!["alice"], vec!["alice", "bob"], vec!["carol"]] {
                views.push(Viewpoint::Room {
                    community: place.community.clone(),
                    room: place.room.clone(),
                    reach,
                    people: people.into_iter().map(PersonId::new).collect(),
                });
            }
        }
    }
    views
}

fn sees(view: &Viewpoint, record: &Record) -> bool {
    match record {
        Record::Gem(gem) => view.sees(&gem.place, gem.person.as_ref()),
        Record::Turn(turn) => view.sees(&turn.place, Some(&turn.speaker.id)),
    }
}

fn is_about(record: &Record, person: &PersonId) -> bool {
    match record {
        Record::Gem(gem) => gem.person.as_ref() == Some(person),
        Record::Turn(turn) => turn.speaker.id == *person,
    }
}

fn visible(view: &Viewpoint, records: &[Record], which: impl Fn(&Record) -> bool) -> BTreeSet<String> {
    let visible = records
        .iter()
        .filter(|record| sees(view, record) && which(record));
    visible.map(id_of).collect()
}

async fn fill(home: &impl GemHome, records: &[Record], vector: impl Fn(&Record) -> Vec<f32>) {
    home.store().set_embedder(&embedder(), false).await.unwrap();
    let all = records.iter().map(|record| Embedded {
        vector: vector(record),
        ..embedded(Kept(record.clone()))
    });
    home.store().put(all.collect()).await.unwrap();
}

fn from_view(view: &Viewpoint, search: Search) -> Search {
    Search {
        view: view.clone(),
        limit: 200,
        ..search
    }
}

pub async fn every_view_finds_all_it_may_see_and_nothing_else(home: impl GemHome) {
    let records = records();
    fill(&home, &records, |record| meaning(record.text())).await;
    for view in views() {
        for kinds in [Kinds::Both, Kinds::Gems, Kinds::Turns] {
            let wish = Search {
                kinds,
                ..from_view(&view, search("lantern"))
            };
            let expected = visible(&view, &records, |record| match kinds {
                Kinds::Both => true,
                Kinds::Gems => matches!(record, Record::Gem(_)),
                Kinds::Turns => matches!(record, Record::Turn(_)),
            });
            assert_eq!(
                found_set(home.store(), &wish).await,
                expected,
                "{view:?} {kinds:?}"
            );
        }
    }
}

pub async fn a_search_by_meaning_leaks_nothing_either(home: impl GemHome) {
    let records = records();
    let same = meaning("lantern");
    fill(&home, &records, |_| same.clone()).await;
    for view in views() {
        for words in ["", "lantern"] {
            let wish = Search {
                vector: Some(same.clone()),
                ..from_view(&view, search(words))
            };
            let found = found_set(home.store(), &wish).await;
            let expected = visible(&view, &records, |_| true);
            assert!(found.is_subset(&expected), "{view:?}: {found:?}");
            assert!(words.is_empty() || found == expected, "{view:?}: {found:?}");
        }
    }
}

pub async fn a_search_about_a_person_leaks_nothing_either(home: impl GemHome) {
    let records = records();
    fill(&home, &records, |record| meaning(record.text())).await;
    let alice = PersonId::new("alice");
    for view in views() {
        let wish = Search {
            person: Some(alice.clone()),
            ..from_view(&view, search("lantern"))
        };
        let expected = visible(&view, &records, |record| is_about(record, &alice));
        assert_eq!(found_set(home.store(), &wish).await, expected, "{view:?}");
    }
}
