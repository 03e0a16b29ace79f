//! What every gem store must do: list what it has, page by page.

use std::collections::BTreeSet;

use runtime::ports::{GemStore, Listing, MemoryFault};
use vocabulary::{CapturedTurn, CommunityId, Gem, PersonId, RoomId, SessionId, WallTime};

use super::GemHome;
use super::given::{Kept, about, gem, person, place, put, turn};

const AT: i64 = 1_700_000_000_000;

fn old(number: u32) -> CapturedTurn {
    CapturedTurn {
        // Several at the same time: their order must be settled all the same.
        at: WallTime(AT + i64::from(number / 4)),
        number: u64::from(number),
        ..turn(&format!("t{number:03}"), "something")
    }
}

async fn turns(store: &dyn GemStore, listing: &Listing) -> (Vec<CapturedTurn>, Option<String>) {
    let page = store.turns(listing).await.unwrap();
    assert!(page.items.len() <= listing.limit);
    (page.items, page.next)
}

/// All pages, with something done between them.
async fn all_turns(
    store: &dyn GemStore,
    limit: usize,
    mut between: impl AsyncFnMut(usize),
) -> Vec<CapturedTurn> {
    let mut listing = Listing {
        limit,
        ..Listing::default()
    };
    let mut all = Vec::new();
    // A place that never moves on must not make this endless.
    for page in 0..100 {
        let (items, next) = turns(store, &listing).await;
        all.extend(items);
        match next {
            Some(next) => listing.after = Some(next),
            None => break,
        }
        between(page).await;
    }
    all
}

fn assert_newest_first(turns: &[CapturedTurn]) {
    for pair in turns.windows(2) {
        assert!(pair[0].at >= pair[1].at, "{} before {}", pair[0].id, pair[1].id);
    }
}

pub async fn pages_hold_everything_once_newest_first(home: impl GemHome) {
    put(home.store(), (0..57).map(old).map(Kept::from)).await;
    for limit in [1, 10, 19, 57, 100] {
        let all = all_turns(home.store(), limit, async |_| {}).await;
        assert_newest_first(&all);
        let distinct: BTreeSet<&str> = all.iter().map(|turn| turn.id.as_str()).collect();
        assert_eq!((all.len(), distinct.len()), (57, 57), "pages of {limit}");
    }
}

pub async fn pages_stay_whole_while_records_come(home: impl GemHome) {
    let store = home.store();
    put(store, (0..40).map(old).map(Kept::from)).await;
    let all = all_turns(store, 7, async |page| {
        let newer = CapturedTurn {
            at: WallTime(AT + 1_000_000),
            ..turn(&format!("new{page}"), "something")
        };
        put(store, [newer.into()]).await;
    })
    .await;
    let mut seen: Vec<&str> = all.iter().map(|turn| turn.id.as_str()).collect();
    seen.sort_unstable();
    let expected: Vec<String> = (0..40).map(|number| format!("t{number:03}")).collect();
    assert_eq!(seen, expected);
}

fn varied() -> Vec<Kept> {
    let mut records = Vec::new();
    for (number, (community, room, who, session)) in [
        ("home", "lobby", "alice", "s1"),
        ("home", "attic", "alice", "s2"),
        ("home", "lobby", "bob", "s1"),
        ("away", "lobby", "alice", "s3"),
    ]
    .into_iter()
    .enumerate()
    {
        let at = WallTime(AT + number as i64);
        records.push(Kept::from(CapturedTurn {
            place: place(community, room),
            speaker: person(who),
            session: SessionId::new(session),
            at,
            ..turn(&format!("t{number}"), "something")
        }));
        let mut gem = about(who, gem(&format!("g{number}"), "something"));
        gem.place = place(community, room);
        gem.source.session_id = SessionId::new(session);
        gem.created_at = at;
        records.push(gem.into());
    }
    records.push(
        Gem {
            superseded_by: Some("g0".into()),
            created_at: WallTime(AT - 1),
            ..gem("g9", "something that was")
        }
        .into(),
    );
    records
}

pub async fn a_listing_follows_its_filters(home: impl GemHome) {
    put(home.store(), varied()).await;
    let any = Listing {
        limit: 50,
        ..Listing::default()
    };
    let community = Some(CommunityId::new("home"));
    let cases = [
        (any.clone(), vec![3, 2, 1, 0], true),
        (
            Listing {
                current_only: true,
                ..any.clone()
            },
            vec![3, 2, 1, 0],
            false,
        ),
        (
            Listing {
                community: community.clone(),
                current_only: true,
                ..any.clone()
            },
            vec![2, 1, 0],
            false,
        ),
        (
            Listing {
                community: community.clone(),
                room: Some(RoomId::new("lobby")),
                ..any.clone()
            },
            vec![2, 0],
            true,
        ),
        (
            Listing {
                person: Some(PersonId::new("alice")),
                ..any.clone()
            },
            vec![3, 1, 0],
            false,
        ),
        (
            Listing {
                session: Some(SessionId::new("s1")),
                ..any.clone()
            },
            vec![2, 0],
            false,
        ),
        (
            Listing {
                community,
                room: Some(RoomId::new("lobby")),
                person: Some(PersonId::new("bob")),
                session: Some(SessionId::new("s1")),
                current_only: true,
                ..any
            },
            vec![2],
            false,
        ),
    ];
    for (listing, expected, with_superseded) in cases {
        let turns = home.store().turns(&listing).await.unwrap();
        let turns: Vec<String> = turns.items.iter().map(|turn| turn.id.to_string()).collect();
        let named =
            |prefix: &str| -> Vec<String> { expected.iter().map(|n| format!("{prefix}{n}")).collect() };
        assert_eq!(turns, named("t"), "{listing:?}");
        let gems = home.store().gems(&listing).await.unwrap();
        let gems: Vec<String> = gems.items.iter().map(|gem| gem.gem_id.to_string()).collect();
        let superseded = with_superseded.then(|| "g9".to_owned());
        assert_eq!(
            gems,
            named("g").into_iter().chain(superseded).collect::<Vec<_>>(),
            "{listing:?}"
        );
    }
}

pub async fn standing_and_pinned_gems_can_be_listed_alone(home: impl GemHome) {
    let (standing, pinned) = (
        gem("g11", "no links before noon"),
        gem("g12", "the garden is closed"),
    );
    let mut records = varied();
    records.push(
        Gem {
            standing: true,
            ..standing
        }
        .into(),
    );
    records.push(
        Gem {
            pinned: true,
            ..pinned
        }
        .into(),
    );
    put(home.store(), records).await;
    let listing = Listing {
        ageless_only: true,
        limit: 50,
        ..Listing::default()
    };
    let gems = home.store().gems(&listing).await.unwrap();
    let mut gems: Vec<String> = gems.items.iter().map(|gem| gem.gem_id.to_string()).collect();
    gems.sort();
    assert_eq!(gems, ["g11", "g12"]);
}

pub async fn a_place_that_is_none_is_refused(home: impl GemHome) {
    put(home.store(), varied()).await;
    let listing = Listing {
        after: Some("nonsense".to_owned()),
        limit: 5,
        ..Listing::default()
    };
    let refused = home.store().gems(&listing).await.unwrap_err();
    assert!(
        matches!(&refused, MemoryFault::Refused(told) if told.contains("nonsense")),
        "{refused}"
    );
}
