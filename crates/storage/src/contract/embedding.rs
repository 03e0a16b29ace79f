//! What every gem store must do: never mix the vectors of two embedders.

use runtime::ports::{Embedded, EmbedderIdentity, MemoryFault};

use super::GemHome;
use super::given::{
    Kept, embedded, embedder, found, gem, gem_id, id_of, meaning, others, put, search, search_meaning, turn,
    turn_id,
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
    home.reopen().await;
    assert_eq!(home.store().embedder().await.unwrap(), None);
    assert_eq!(home.store().unembedded(2).await.unwrap().len(), 2);
    let mut waiting: Vec<String> = home
        .store()
        .unembedded(10)
        .await
        .unwrap()
        .iter()
        .map(id_of)
        .collect();
    waiting.sort_unstable();
    assert_eq!(waiting, ["g1", "t1", "t2"]);
    for (word, id) in [("garnet", "g1"), ("opal", "t1"), ("ruby", "t2")] {
        assert_eq!(
            found(home.store(), &search(word))
                .await
                .first()
                .map(String::as_str),
            Some(id)
        );
    }
    assert_eq!(
        home.store()
            .get(&[gem_id("g1"), turn_id("t1")])
            .await
            .unwrap()
            .len(),
        2
    );
    // The vectors of the other embedder: one direction each.
    let directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let anew = records
        .into_iter()
        .zip(directions)
        .map(|(Kept(record), vector)| Embedded {
            record,
            vector: vector.to_vec(),
        });
    home.store().put(anew.collect()).await.unwrap();
    assert!(home.store().unembedded(10).await.unwrap().is_empty());
    assert_eq!(home.store().embedder().await.unwrap(), Some(other()));
    let wish = vocabulary::Search {
        vector: Some(vec![0.0, 1.0, 0.0]),
        ..search("")
    };
    assert_eq!(
        found(home.store(), &wish).await.first().map(String::as_str),
        Some("t1")
    );
    assert_ne!(meaning("x").len(), 3);
}
