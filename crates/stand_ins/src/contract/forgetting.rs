//! What every gem store must do: forget what it is told to, wholly, and nothing else.

use std::collections::BTreeSet;

use runtime::ports::{GemStore, Listing, WhoseTurns};
use vocabulary::{
    CapturedTurn, CommunityId, Forget, Gem, GemId, Kinds, PersonId, Record, RoomId, Search, SessionId,
};

use super::GemHome;
use super::given::{
    Kept, about, from, gem, gem_id, id_of, keys, person, place, put, search, search_meaning, turn, turn_id,
};

/// Who said what where; each with a word of its own.
fn turns() -> Vec<CapturedTurn> {
    [
        ("t1", "alice", "home", "lobby", "s1", "agate"),
        ("t2", "bob", "home", "lobby", "s1", "beryl"),
        ("t3", "alice", "home", "attic", "s2", "citrine"),
        ("t4", "bob", "home", "attic", "s2", "diamond"),
        ("t5", "alice", "away", "lobby", "s3", "emerald"),
    ]
    .into_iter()
    .map(|(id, who, community, room, session, word)| CapturedTurn {
        speaker: person(who),
        place: place(community, room),
        session: SessionId::new(session),
        ..turn(id, word)
    })
    .collect()
}

/// What is known from it, about whom, from which turns.
fn gems() -> Vec<Gem> {
    let known = |id: &str, community: &str, room: &str, session: &str, turns: &[&str], word: &str| {
        let mut gem = from(turns, gem(id, word));
        gem.place = place(community, room);
        gem.source.session_id = SessionId::new(session);
        gem
    };
    vec![
        about("alice", known("g1", "home", "lobby", "s1", &["t1"], "feldspar")),
        about("bob", known("g2", "home", "lobby", "s1", &["t1", "t2"], "garnet")),
        about("alice", known("g3", "home", "attic", "s2", &["t4"], "hematite")),
        known("g4", "home", "lobby", "s1", &["t1"], "iolite"),
        about("alice", known("g5", "away", "lobby", "s3", &["t5"], "jasper")),
        about("bob", known("g6", "home", "attic", "s2", &["t4"], "kyanite")),
        known("g7", "home", "attic", "s2", &[], "labradorite"),
    ]
}

fn everything() -> Vec<Kept> {
    let turns = turns().into_iter().map(Kept::from);
    turns.chain(gems().into_iter().map(Kept::from)).collect()
}

/// Forgets in a store that holds everything, and checks that exactly these are gone, also after a restart.
async fn check(mut home: impl GemHome, what: Forget, gone: &[&str]) -> impl GemHome {
    put(home.store(), everything()).await;
    let removed = home.store().forget(&what).await.unwrap();
    let removed: BTreeSet<String> = removed
        .gems
        .iter()
        .map(ToString::to_string)
        .chain(removed.turns.iter().map(ToString::to_string))
        .collect();
    let gone: BTreeSet<String> = gone.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(removed, gone);
    check_gone(home.store(), &gone).await;
    home.reopen().await;
    check_gone(home.store(), &gone).await;
    home
}

async fn check_gone(store: &dyn GemStore, gone: &BTreeSet<String>) {
    let listing = Listing {
        limit: 100,
        ..Listing::default()
    };
    let mut listed: BTreeSet<String> = BTreeSet::new();
    listed.extend(
        store
            .gems(&listing)
            .await
            .unwrap()
            .items
            .iter()
            .map(|gem| gem.gem_id.to_string()),
    );
    listed.extend(
        store
            .turns(&listing)
            .await
            .unwrap()
            .items
            .iter()
            .map(|turn| turn.id.to_string()),
    );
    let turns = keys(&["t1", "t2", "t3", "t4", "t5"]);
    let cited = store.gems_of(&turns).await.unwrap();
    for Kept(record) in everything() {
        let id = id_of(&record);
        let is_gone = gone.contains(&id);
        for kinds in [Kinds::Both, Kinds::Gems, Kinds::Turns] {
            for wish in [search(record.text()), search_meaning(record.text())] {
                let found = store.search(&Search { kinds, ..wish }).await.unwrap();
                let is_found = found.iter().any(|found| id_of(&found.record) == id);
                let is_through = found
                    .iter()
                    .any(|found| found.through.iter().any(|gem| gem.as_str() == id));
                assert!(!is_gone || !(is_found || is_through), "{id} was found after all");
            }
        }
        let found = store.search(&search(record.text())).await.unwrap();
        assert!(
            is_gone || found.first().is_some_and(|found| id_of(&found.record) == id),
            "{id} was lost"
        );
        let by_id = match record {
            Record::Gem(_) => gem_id(&id),
            Record::Turn(_) => turn_id(&id),
        };
        assert_eq!(store.get(&[by_id]).await.unwrap().is_empty(), is_gone, "{id}");
        assert_eq!(listed.contains(&id), !is_gone, "{id}");
        assert!(
            !is_gone || cited.iter().all(|gem| gem.gem_id.as_str() != id),
            "{id}"
        );
    }
    let kept = |kind: char| {
        everything()
            .iter()
            .map(|Kept(record)| id_of(record))
            .filter(|id| id.starts_with(kind) && !gone.contains(id))
            .count()
    };
    let stats = store.stats(&WhoseTurns::All).await.unwrap();
    assert_eq!((stats.gems, stats.turns), (kept('g'), kept('t')));
    // What stays cites only turns that stay.
    for turn in gone.iter().filter(|id| id.starts_with('t')) {
        assert!(
            store.gems_of(&keys(&[turn])).await.unwrap().is_empty(),
            "{turn} is still cited"
        );
    }
}

/// The turn goes too, and with it what came from nothing else; what came from others as well stays without it.
pub async fn a_forgotten_gem_goes_with_the_turns_it_came_from(home: impl GemHome) {
    let home = check(home, Forget::Gems(vec![GemId::new("g1")]), &["g1", "g4", "t1"]).await;
    let kept = home.store().get(&[gem_id("g2")]).await.unwrap();
    let Some(Record::Gem(gem)) = kept.first() else {
        panic!("g2 was lost");
    };
    assert_eq!(gem.source.turns, keys(&["t2"]));
    assert_eq!(gem.content, "garnet");
}

pub async fn a_forgotten_turn_goes_with_gems_of_nothing_else(home: impl GemHome) {
    let what = Forget::Turns(keys(&["t1", "t3", "unknown"]));
    check(home, what, &["t1", "t3", "g1", "g4"]).await;
}

/// Everything they said with what came from it alone, and what is known about them from whomever.
pub async fn a_forgotten_person_goes_wherever_they_were(home: impl GemHome) {
    check(home, alice(None), &["t1", "t3", "t5", "g1", "g3", "g4", "g5"]).await;
}

pub async fn a_person_may_be_forgotten_in_one_community_alone(home: impl GemHome) {
    check(home, alice(Some("home")), &["t1", "t3", "g1", "g3", "g4"]).await;
}

fn alice(community: Option<&str>) -> Forget {
    Forget::Person {
        person: PersonId::new("alice"),
        name: "ALICE".to_owned(),
        community: community.map(CommunityId::new),
    }
}

pub async fn a_forgotten_session_goes_whole(home: impl GemHome) {
    let what = Forget::Session(SessionId::new("s2"));
    check(home, what, &["t3", "t4", "g3", "g6", "g7"]).await;
}

pub async fn a_forgotten_room_goes_whole(home: impl GemHome) {
    let what = Forget::Room {
        community: CommunityId::new("home"),
        room: RoomId::new("lobby"),
    };
    check(home, what, &["t1", "t2", "g1", "g2", "g4"]).await;
}

pub async fn a_forgotten_community_goes_whole_and_no_other(home: impl GemHome) {
    check(home, Forget::Community(CommunityId::new("away")), &["t5", "g5"]).await;
}

pub async fn forgetting_what_is_not_there_removes_nothing(home: impl GemHome) {
    let nobody = Forget::Person {
        person: PersonId::new("carol"),
        name: "CAROL".to_owned(),
        community: None,
    };
    check(home, nobody, &[]).await;
}

pub async fn what_was_forgotten_may_be_said_again(home: impl GemHome) {
    let home = check(home, alice(None), &["t1", "t3", "t5", "g1", "g3", "g4", "g5"]).await;
    put(home.store(), everything()).await;
    check_gone(home.store(), &BTreeSet::new()).await;
}
