//! What every gem store must do: keep what it was given.

use runtime::ports::{GemStore, WhoseTurns};
use vocabulary::{CapturedTurn, CommunityId, Gem, Record, SessionId, TurnKind, WallTime};

use super::GemHome;
use super::given::{
    Kept, about, embedded, embedder, found, from, gem, gem_id, id_of, keys, meaning, place, put, search,
    turn, turn_id,
};

async fn get(store: &dyn GemStore, ids: &[&str]) -> Vec<Record> {
    // Ids of turns begin with t in these tests.
    let ids: Vec<_> = ids
        .iter()
        .map(|id| {
            if id.starts_with('t') {
                turn_id(id)
            } else {
                gem_id(id)
            }
        })
        .collect();
    store.get(&ids).await.unwrap()
}

pub async fn what_is_put_is_given_back_as_it_was(home: impl GemHome) {
    let full = Gem {
        attribute: Some("favourite colour".to_owned()),
        claim: true,
        standing: true,
        pinned: true,
        strength: 7,
        importance: 0.123_456_789_012_345_68,
        last_seen_at: WallTime(1_800_000_000_123),
        valid_from: WallTime(-5),
        valid_until: Some(WallTime(1_800_000_000_999)),
        superseded_by: Some("g9".into()),
        ..about("bob", from(&["t1", "t2"], gem("g1", "Bob likes green.")))
    };
    let spoken = CapturedTurn {
        kind: TurnKind::Spoken,
        number: u64::from(u32::MAX) + 7,
        ..turn("t1", "green, I think")
    };
    put(home.store(), [full.clone().into(), spoken.clone().into()]).await;
    let kept = get(home.store(), &["g1", "t1"]).await;
    assert_eq!(kept, [Record::Gem(Box::new(full)), Record::Turn(spoken)]);
}

pub async fn records_are_given_in_the_order_asked_for(home: impl GemHome) {
    put(
        home.store(),
        [
            turn("t1", "one").into(),
            gem("g1", "two").into(),
            turn("t2", "three").into(),
        ],
    )
    .await;
    let given = get(home.store(), &["t2", "nowhere", "g1", "tnowhere", "t1", "t2"]).await;
    let given: Vec<String> = given.iter().map(id_of).collect();
    assert_eq!(given, ["t2", "g1", "t1", "t2"]);
    // A gem and a turn may have the same id.
    put(home.store(), [gem("t1", "four").into()]).await;
    assert_eq!(home.store().get(&[gem_id("t1")]).await.unwrap()[0].text(), "four");
    assert_eq!(home.store().get(&[turn_id("t1")]).await.unwrap()[0].text(), "one");
}

pub async fn a_record_of_the_same_id_is_replaced_whole(home: impl GemHome) {
    put(
        home.store(),
        [from(&["t1", "t2"], about("bob", gem("g1", "old"))).into()],
    )
    .await;
    let new = from(&["t3"], gem("g1", "new"));
    put(home.store(), [new.clone().into()]).await;
    assert_eq!(
        get(home.store(), &["g1"]).await,
        [Record::Gem(Box::new(new.clone()))]
    );
    assert_eq!(home.store().gems_of(&keys(&["t3"])).await.unwrap(), [new]);
    assert!(
        home.store()
            .gems_of(&keys(&["t1", "t2"]))
            .await
            .unwrap()
            .is_empty()
    );
}

pub async fn putting_twice_stores_once(mut home: impl GemHome) {
    let records: [Kept; 2] = [
        gem("g1", "a garnet ring").into(),
        turn("t1", "an opal ring").into(),
    ];
    for _ in 0..3 {
        put(home.store(), records.clone()).await;
        home.reopen().await;
    }
    let stats = home.store().stats(&WhoseTurns::All).await.unwrap();
    assert_eq!((stats.gems, stats.turns), (1, 1));
    assert_eq!(
        found(home.store(), &search("garnet"))
            .await
            .iter()
            .filter(|id| *id == "g1")
            .count(),
        1
    );
    // The last of several in one call counts.
    let twice = [gem("g1", "first"), gem("g1", "second")].map(embedded).to_vec();
    home.store().put(twice).await.unwrap();
    assert_eq!(get(home.store(), &["g1"]).await[0].text(), "second");
}

pub async fn texts_of_any_kind_are_kept_and_found(mut home: impl GemHome) {
    let texts = [
        ("t1", "Straße nach Zürich", "Zürich"),
        ("t2", "我喜欢喝绿茶", "绿茶"),
        ("t3", "люблю чай с лимоном", "лимоном"),
        ("t4", "👩‍👩‍👧 \"quoted\" \\ back\nslash tanzanite", "tanzanite"),
        ("t5", "nul \0 inside, then peridot", "peridot"),
    ];
    let long = "moonstone ".repeat(8_000);
    let records = texts.iter().map(|(id, text, _)| turn(id, text).into());
    put(
        home.store(),
        records.chain([turn("t6", &long).into(), turn("t7", "").into()]),
    )
    .await;
    home.reopen().await;
    for (id, text, word) in texts {
        assert_eq!(get(home.store(), &[id]).await[0].text(), text);
        let found = found(home.store(), &search(word)).await;
        assert_eq!(found.first().map(String::as_str), Some(id), "{word}: {found:?}");
    }
    assert_eq!(get(home.store(), &["t6"]).await[0].text(), long);
    assert_eq!(get(home.store(), &["t7"]).await[0].text(), "");
}

pub async fn gems_are_known_by_the_turns_they_came_from(home: impl GemHome) {
    put(
        home.store(),
        [
            from(&["t1"], gem("g1", "one")).into(),
            from(&["t1", "t2"], gem("g2", "two")).into(),
            from(&["t3"], gem("g3", "three")).into(),
            gem("g4", "four").into(),
        ],
    )
    .await;
    for (turns, expected) in [
        (vec!["t1"], vec!["g1", "g2"]),
        (vec!["t2", "t1"], vec!["g1", "g2"]),
        (vec!["t3", "t2"], vec!["g2", "g3"]),
        (vec!["t9"], vec![]),
        (vec![], vec![]),
    ] {
        let gems = home.store().gems_of(&keys(&turns)).await.unwrap();
        let mut gems: Vec<&str> = gems.iter().map(|gem| gem.gem_id.as_str()).collect();
        gems.sort_unstable();
        assert_eq!(gems, expected, "{turns:?}");
    }
}

fn numbered(id: &str, number: u64, text: &str) -> CapturedTurn {
    CapturedTurn {
        number,
        ..turn(id, text)
    }
}

pub async fn the_history_of_a_session_is_the_newest_that_fits(home: impl GemHome) {
    let mut other = numbered("t9", 3, "elsewhere");
    other.session = SessionId::new("session-2");
    let records = [
        numbered("t3", 3, "trois"),
        numbered("t1", 1, "eins"),
        numbered("t12", 12, "zwölf"),
        numbered("t2", 2, "two"),
        other,
    ];
    put(home.store(), records.map(Kept::from)).await;
    let history = async |before: u64, max_chars: usize| -> Vec<String> {
        let session = SessionId::new("session-1");
        let turns = home.store().history(&session, before, max_chars).await.unwrap();
        turns.iter().map(|turn| turn.id.to_string()).collect()
    };
    assert_eq!(history(u64::MAX, 1_000).await, ["t1", "t2", "t3", "t12"]);
    assert_eq!(history(12, 1_000).await, ["t1", "t2", "t3"]);
    assert_eq!(history(3, 1_000).await, ["t1", "t2"]);
    assert!(history(1, 1_000).await.is_empty());
    // Characters, not bytes: zwölf and trois are five each.
    assert_eq!(history(13, 13).await, ["t2", "t3", "t12"]);
    assert_eq!(history(13, 12).await, ["t3", "t12"]);
    assert_eq!(history(13, 5).await, ["t12"]);
    assert!(history(13, 4).await.is_empty());
    let nobody = SessionId::new("session-9");
    assert!(home.store().history(&nobody, 99, 1_000).await.unwrap().is_empty());
}

pub async fn the_last_number_is_that_of_the_session(mut home: impl GemHome) {
    let mut other = numbered("t9", 77, "elsewhere");
    other.session = SessionId::new("session-2");
    put(
        home.store(),
        [
            numbered("t1", 41, "a").into(),
            numbered("t2", 5, "b").into(),
            other.into(),
        ],
    )
    .await;
    home.reopen().await;
    for (session, expected) in [("session-1", 41), ("session-2", 77), ("session-3", 0)] {
        let last = home.store().last_number(&SessionId::new(session)).await.unwrap();
        assert_eq!(last, expected, "{session}");
    }
}

pub async fn what_is_held_is_counted(home: impl GemHome) {
    let stats = home.store().stats(&WhoseTurns::All).await.unwrap();
    assert_eq!((stats.gems, stats.superseded, stats.turns), (0, 0, 0));
    let old = Gem {
        superseded_by: Some("g2".into()),
        ..gem("g1", "old")
    };
    let ended = Gem {
        valid_until: Some(WallTime(5)),
        ..gem("g3", "ended")
    };
    put(
        home.store(),
        [
            old.into(),
            gem("g2", "new").into(),
            ended.into(),
            turn("t1", "one").into(),
        ],
    )
    .await;
    let stats = home.store().stats(&WhoseTurns::All).await.unwrap();
    // Gems that do not hold any more are among the gems.
    assert_eq!((stats.gems, stats.superseded, stats.turns), (3, 2, 1));
    assert!(!home.store().describe().is_empty());
}

pub async fn each_community_is_counted_apart(home: impl GemHome) {
    let elsewhere = |community: &str| Gem {
        place: place(community, "lobby"),
        ..gem(&format!("g-{community}"), "a ring")
    };
    let attic = CapturedTurn {
        place: place("attic", "lobby"),
        ..turn("t1", "one")
    };
    let kept: [Kept; 4] = [
        gem("g1", "a ring").into(),
        elsewhere("attic").into(),
        elsewhere("cellar").into(),
        attic.into(),
    ];
    put(home.store(), kept).await;
    let id = CommunityId::new;
    for (whose, expected) in [
        (WhoseTurns::Of(id("attic")), (1, 1)),
        (WhoseTurns::Of(id("shed")), (0, 0)),
        (WhoseTurns::NotOf(vec![id("attic")]), (2, 0)),
        (WhoseTurns::NotOf(Vec::new()), (3, 1)),
    ] {
        let stats = home.store().stats(&whose).await.unwrap();
        assert_eq!((stats.gems, stats.turns), expected, "{whose:?}");
    }
}

pub async fn many_records_at_once_are_all_there(home: impl GemHome) {
    let many = (0..10_000_u32).map(|number| {
        let mut turn = turn(&format!("t{number}"), &format!("serial{number} of a batch"));
        turn.number = u64::from(number);
        turn.place = place("home", &format!("room{}", number % 7));
        Kept::from(turn)
    });
    put(home.store(), many).await;
    assert_eq!(home.store().stats(&WhoseTurns::All).await.unwrap().turns, 10_000);
    for number in [0, 4_999, 9_999] {
        let id = format!("t{number}");
        assert_eq!(get(home.store(), &[&id]).await.len(), 1);
        let found = found(home.store(), &search(&format!("serial{number}"))).await;
        assert_eq!(found.first(), Some(&id));
    }
    let last = home
        .store()
        .last_number(&SessionId::new("session-1"))
        .await
        .unwrap();
    assert_eq!(last, 9_999);
}

pub async fn a_restart_changes_nothing(mut home: impl GemHome) {
    put(
        home.store(),
        [
            turn("t1", "the garnet is in the drawer").into(),
            turn("t2", "which drawer, the upper one?").into(),
            from(&["t1"], gem("g1", "The garnet is in the upper drawer.")).into(),
        ],
    )
    .await;
    let wish = vocabulary::Search {
        vector: Some(meaning("garnet drawer")),
        ..search("where is the garnet")
    };
    let before = home.store().search(&wish).await.unwrap();
    assert!(!before.is_empty());
    home.reopen().await;
    assert_eq!(home.store().search(&wish).await.unwrap(), before);
    assert_eq!(home.store().embedder().await.unwrap(), Some(embedder()));
    assert_eq!(get(home.store(), &["t1", "t2", "g1"]).await.len(), 3);
}
