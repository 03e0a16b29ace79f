//! What every gem store must do: find what fits.

use vocabulary::{Gem, Kinds, PersonId, Record, Search, SessionId, WallTime};

use super::GemHome;
use super::given::{
    Kept, about, found, found_set, from, gem, id_of, keys, meaning, others, person, put, search,
    search_meaning, shown, turn,
};

/// Things that share no word that says anything.
fn stones() -> Vec<Kept> {
    let alone = |id: &str, text: &str| {
        let mut said = turn(id, text);
        said.session = SessionId::new(format!("session-of-{id}"));
        Kept::from(said)
    };
    vec![
        alone("t1", "Grandma's garnet necklace is in the drawer"),
        alone("t2", "Buses leave every quarter of an hour"),
        alone("t3", "Basil wants water twice a day"),
        gem("g1", "The lighthouse service paints with turpentine.").into(),
        gem("g2", "Rehearsal moved to Thursday evening.").into(),
        gem("g3", "Somebody repaired the accordion.").into(),
    ]
}

pub async fn words_find_the_record_that_has_them(home: impl GemHome) {
    put(home.store(), stones()).await;
    for (words, expected) in [
        ("Where is the garnet necklace?", "t1"),
        ("how often do BUSES leave", "t2"),
        ("turpentine", "g1"),
        ("when is the rehearsal", "g2"),
        ("accordion repaired", "g3"),
    ] {
        let all = home.store().search(&search(words)).await.unwrap();
        assert_eq!(
            all.first().map(|found| id_of(&found.record)).as_deref(),
            Some(expected),
            "{words}: {}",
            shown(&all)
        );
        assert!(
            !all[0].matched.is_empty() && all[0].scores.total > 0.0,
            "{}",
            shown(&all)
        );
        for pair in all.windows(2) {
            assert!(pair[0].scores.total >= pair[1].scores.total, "{}", shown(&all));
        }
        assert!(
            all.iter()
                .all(|found| (0.0..=1.0).contains(&found.scores.confidence)),
            "{}",
            shown(&all)
        );
    }
    let strange = found(home.store(), &search("xylophonist")).await;
    assert!(strange.is_empty(), "{strange:?}");
}

pub async fn a_meaning_finds_the_record_that_has_it(home: impl GemHome) {
    put(home.store(), stones().into_iter().chain(others())).await;
    for Kept(record) in stones() {
        let wish = Search {
            kinds: match record {
                Record::Gem(_) => Kinds::Gems,
                Record::Turn(_) => Kinds::Turns,
            },
            ..search_meaning(record.text())
        };
        let all = home.store().search(&wish).await.unwrap();
        assert_eq!(
            all.first().map(|found| id_of(&found.record)),
            Some(id_of(&record)),
            "{}",
            shown(&all)
        );
    }
    // Both together, where the words alone say nothing.
    let wish = Search {
        vector: Some(meaning("Basil wants water twice a day")),
        kinds: Kinds::Turns,
        ..search("unheard of")
    };
    assert_eq!(
        found(home.store(), &wish).await.first().map(String::as_str),
        Some("t3")
    );
}

pub async fn what_does_not_hold_any_more_is_left_out_unless_asked_for(home: impl GemHome) {
    let old = Gem {
        superseded_by: Some("g2".into()),
        ..gem("g1", "The rehearsal is on Monday.")
    };
    let ended = Gem {
        valid_until: Some(WallTime(1_700_000_000_000)),
        ..gem("g3", "The rehearsal needs candles.")
    };
    let new = gem("g2", "The rehearsal is on Thursday.");
    put(home.store(), [old.into(), new.into(), ended.into()]).await;
    for wish in [search("rehearsal"), search_meaning("The rehearsal is on Monday.")] {
        let found = found_set(home.store(), &wish).await;
        assert!(found.is_subset(&["g2".to_owned()].into()), "{found:?}");
    }
    let all = Search {
        superseded: true,
        ..search("rehearsal")
    };
    let found = found_set(home.store(), &all).await;
    assert_eq!(found, ["g1", "g2", "g3"].map(str::to_owned).into());
}

pub async fn a_search_about_a_person_finds_only_theirs(home: impl GemHome) {
    let mut bobs = turn("t2", "an amethyst for me");
    bobs.speaker = person("bob");
    put(
        home.store(),
        [
            turn("t1", "the amethyst is mine").into(),
            bobs.into(),
            about("alice", gem("g1", "Owns an amethyst.")).into(),
            about("bob", gem("g2", "Wants an amethyst.")).into(),
            gem("g3", "An amethyst is a quartz.").into(),
        ],
    )
    .await;
    for (who, expected) in [
        ("alice", vec!["t1", "g1"]),
        ("bob", vec!["t2", "g2"]),
        ("carol", vec![]),
    ] {
        let wish = Search {
            person: Some(PersonId::new(who)),
            ..search("amethyst")
        };
        let expected = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(found_set(home.store(), &wish).await, expected, "{who}");
    }
}

pub async fn turns_in_view_are_left_out_with_gems_of_nothing_else(home: impl GemHome) {
    put(
        home.store(),
        [
            turn("t1", "the sapphire is blue").into(),
            turn("t2", "that sapphire was expensive").into(),
            from(&["t1"], gem("g1", "The colour of the sapphire is blue.")).into(),
            from(&["t1", "t9"], gem("g2", "The sapphire belongs to the museum.")).into(),
        ],
    )
    .await;
    let wish = Search {
        exclude: keys(&["t1", "unknown"]),
        ..search("sapphire")
    };
    let found = found_set(home.store(), &wish).await;
    assert_eq!(found, ["t2", "g2"].map(str::to_owned).into());
}

pub async fn kinds_and_limits_are_kept(home: impl GemHome) {
    let turns = (0..8).map(|number| turn(&format!("t{number}"), &format!("onyx piece {number}")).into());
    let gems = (0..8).map(|number| gem(&format!("g{number}"), &format!("Onyx of kind {number}.")).into());
    put(home.store(), turns.chain(gems)).await;
    for (kinds, prefix) in [(Kinds::Gems, "g"), (Kinds::Turns, "t")] {
        let wish = Search {
            kinds,
            ..search("onyx")
        };
        let found = found_set(home.store(), &wish).await;
        assert!(
            found.len() == 8 && found.iter().all(|id| id.starts_with(prefix)),
            "{found:?}"
        );
    }
    assert_eq!(found_set(home.store(), &search("onyx")).await.len(), 16);
    for limit in [0, 1, 5] {
        let wish = Search {
            limit,
            ..search("onyx")
        };
        assert_eq!(found_set(home.store(), &wish).await.len(), limit);
    }
}

pub async fn nothing_to_look_for_finds_nothing(home: impl GemHome) {
    assert!(found(home.store(), &search("anything")).await.is_empty());
    put(home.store(), stones()).await;
    for words in ["", "   ", "?!… — \"", "\0"] {
        assert!(found(home.store(), &search(words)).await.is_empty(), "{words:?}");
    }
}

pub async fn a_changed_record_is_found_by_its_new_words_only(home: impl GemHome) {
    put(home.store(), stones().into_iter().chain(others())).await;
    put(
        home.store(),
        [turn("t1", "Uncle's barometer hangs in the hall").into()],
    )
    .await;
    assert!(found(home.store(), &search("garnet")).await.is_empty());
    assert_eq!(
        found(home.store(), &search("barometer"))
            .await
            .first()
            .map(String::as_str),
        Some("t1")
    );
    let by_meaning = Search {
        kinds: Kinds::Turns,
        ..search_meaning("Uncle's barometer hangs in the hall")
    };
    assert_eq!(
        found(home.store(), &by_meaning).await.first().map(String::as_str),
        Some("t1")
    );
}
