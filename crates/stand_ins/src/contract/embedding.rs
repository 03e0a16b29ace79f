//! What every gem store must do: never mix the vectors of two embedders.

use std::collections::BTreeSet;

use runtime::ports::{Embedded, EmbedderIdentity, MemoryFault};

use super::GemHome;
use super::given::{
    Kept, embedded, embedder, found, found_set, gem, gem_id, id_of, others, put, search, search_meaning,
    shown, turn,
};

fn other() -> EmbedderIdentity {
    EmbedderIdentity {
        name: "contract:other".to_owned(),
        dimensions: 3,
    }
}

pub async fn the_embedder_is_known_once_there_are_vectors(mut home: impl GemHome) {
    assert_eq!(home.store().embedder().await.unwrap(), None);
    // While there are none, another may be named.
    home.store().set_embedder(&other(), false).await.unwrap();
    put(home.store(), [gem("g1", "something").into()]).await;
    assert_eq!(home.store().embedder().await.unwrap(), Some(embedder()));
    home.store().set_embedder(&embedder(), false).await.unwrap();
    home.reopen().await;
    assert_eq!(home.store().embedder().await.unwrap(), Some(embedder()));
}

pub async fn another_embedder_is_refused_by_name(mut home: impl GemHome) {
    put(
        home.store(),
        others().into_iter().chain([gem("g1", "a garnet").into()]),
    )
    .await;
    home.reopen().await;
    let same_length = EmbedderIdentity {
        name: "contract:other".to_owned(),
        ..embedder()
    };
    for wanted in [other(), same_length] {
        let refused = home.store().set_embedder(&wanted, false).await.unwrap_err();
        let told = refused.to_string();
        let expected = MemoryFault::OtherEmbedder {
            stored: embedder().name,
            stored_dimensions: embedder().dimensions,
            wanted: wanted.name,
            wanted_dimensions: wanted.dimensions,
        };
        assert_eq!(refused, expected);
        assert!(told.contains("denizen memory reembed"), "{told}");
    }
    // Nothing was changed by trying.
    assert_eq!(home.store().embedder().await.unwrap(), Some(embedder()));
    let by_meaning = found(home.store(), &search_meaning("a garnet")).await;
    assert_eq!(by_meaning.first().map(String::as_str), Some("g1"));
}

pub async fn a_vector_of_another_length_is_refused_and_nothing_stored(home: impl GemHome) {
    put(home.store(), [gem("g1", "a garnet").into()]).await;
    let short = Embedded {
        vector: vec![1.0, 0.0, 0.0],
        ..embedded(gem("g2", "an opal"))
    };
    let refused = home
        .store()
        .put(vec![embedded(gem("g3", "a ruby")), short])
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, MemoryFault::Refused(told) if told.contains("g2")),
        "{refused}"
    );
    assert!(
        home.store()
            .get(&[gem_id("g2"), gem_id("g3")])
            .await
            .unwrap()
            .is_empty()
    );
    let wish = vocabulary::Search {
        vector: Some(vec![1.0, 0.0, 0.0]),
        ..search("garnet")
    };
    assert!(matches!(
        home.store().search(&wish).await,
        Err(MemoryFault::Refused(_))
    ));
}

pub async fn a_record_without_a_vector_waits_for_one(mut home: impl GemHome) {
    home.store().set_embedder(&embedder(), false).await.unwrap();
    let without = Embedded {
        vector: Vec::new(),
        ..embedded(gem("g1", "a garnet ring"))
    };
    home.store()
        .put(vec![without, embedded(turn("t1", "an opal ring"))])
        .await
        .unwrap();
    home.reopen().await;
    let waiting = home.store().unembedded(10).await.unwrap();
    assert_eq!(waiting.iter().map(id_of).collect::<Vec<_>>(), ["g1"]);
    assert_eq!(
        found(home.store(), &search("garnet"))
            .await
            .first()
            .map(String::as_str),
        Some("g1")
    );
    put(home.store(), [gem("g1", "a garnet ring").into()]).await;
    assert!(home.store().unembedded(10).await.unwrap().is_empty());
}

pub async fn a_new_embedder_starts_anew_and_words_still_find(mut home: impl GemHome) {
    let records: [Kept; 3] = [
        gem("g1", "a garnet ring").into(),
        turn("t1", "an opal brooch").into(),
        turn("t2", "a ruby crown").into(),
    ];
    put(home.store(), records.clone()).await;
    home.store().set_embedder(&other(), true).await.unwrap();
    assert_eq!(home.store().embedder().await.unwrap(), None);
    assert_eq!(home.store().unembedded(2).await.unwrap().len(), 2);
    // A vector of the old one finds nothing any more.
    match home.store().search(&search_meaning("an opal brooch")).await {
        Ok(found) => assert!(found.is_empty(), "{}", shown(&found)),
        Err(refused) => assert!(matches!(refused, MemoryFault::Refused(_)), "{refused}"),
    }
    for (word, id) in [("garnet", "g1"), ("opal", "t1"), ("ruby", "t2")] {
        let found = found(home.store(), &search(word)).await;
        assert_eq!(found.first().map(String::as_str), Some(id));
    }
    // The vectors of the other embedder: one direction each. A restart in between loses nothing.
    let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (number, (Kept(record), vector)) in records.into_iter().zip(directions).enumerate() {
        let vector = vector.to_vec();
        home.store().put(vec![Embedded { record, vector }]).await.unwrap();
        if number == 0 {
            home.reopen().await;
            let waiting = home.store().unembedded(10).await.unwrap();
            let waiting: BTreeSet<String> = waiting.iter().map(id_of).collect();
            assert_eq!(waiting, ["t1", "t2"].map(str::to_owned).into());
            assert_eq!(home.store().embedder().await.unwrap(), Some(other()));
        }
    }
    assert!(home.store().unembedded(10).await.unwrap().is_empty());
    let wish = vocabulary::Search {
        vector: Some(vec![0.0, 1.0, 0.0]),
        ..search("")
    };
    for _ in 0..2 {
        let found = found(home.store(), &wish).await;
        assert_eq!(found.first().map(String::as_str), Some("t1"));
        home.reopen().await;
    }
}

/// Another embedder takes over in a store that goes on running.
pub async fn a_new_embedder_is_in_use_at_once(home: impl GemHome) {
    put(home.store(), others()).await;
    home.store().set_embedder(&other(), true).await.unwrap();
    let anew = others()
        .into_iter()
        .enumerate()
        .map(|(number, Kept(record))| Embedded {
            // All point about the same way but the first two, which are of one text.
            vector: if number < 2 {
                vec![0.0, 0.6, 0.8]
            } else {
                vec![1.0, number as f32 / 500.0, 0.0]
            },
            record,
        });
    home.store().put(anew.collect()).await.unwrap();
    let wish = vocabulary::Search {
        vector: Some(vec![0.0, 0.6, 0.8]),
        limit: 2,
        ..search("")
    };
    let found = found_set(home.store(), &wish).await;
    assert!(
        found.contains("other-turn-0") || found.contains("other-gem-0"),
        "{found:?}"
    );
}
