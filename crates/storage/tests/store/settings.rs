//! Settings: saved on top of the version they were made from, or not at all.

use std::sync::Arc;

use runtime::ports::{SavedSettings, Store, StoreError};
use serde_json::json;
use settings::Document;
use storage::Sqlite;

use crate::given::home;

fn document(key: &str, value: serde_json::Value) -> Document {
    let mut document = Document::default();
    document.set(key, value);
    document
}

#[tokio::test]
async fn nothing_saved_is_version_zero() {
    assert_eq!(
        home().store.base_settings().await.unwrap(),
        SavedSettings::default()
    );
}

#[tokio::test]
async fn a_document_comes_back_exactly_with_the_next_number() {
    let home = home();
    let first = document("llm.temperature", json!(0.1 + 0.2));
    assert_eq!(home.store.save_settings(None, 0, first.clone()).await.unwrap(), 1);
    assert_eq!(
        home.store.base_settings().await.unwrap(),
        SavedSettings {
            version: 1,
            document: first
        }
    );
    assert_eq!(
        home.store
            .save_settings(None, 1, Document::default())
            .await
            .unwrap(),
        2
    );
    assert_eq!(home.store.base_settings().await.unwrap().version, 2);
}

#[tokio::test]
async fn a_change_made_from_an_old_version_is_refused() {
    let home = home();
    home.store
        .save_settings(None, 0, document("a", json!(1)))
        .await
        .unwrap();
    let refused = home
        .store
        .save_settings(None, 0, document("a", json!(2)))
        .await
        .unwrap_err();
    assert!(matches!(
        refused,
        StoreError::StaleSettings { yours: 0, newest: 1 }
    ));
    assert_eq!(
        home.store.base_settings().await.unwrap().document,
        document("a", json!(1))
    );
}

#[tokio::test]
async fn of_several_processes_that_save_at_once_exactly_one_wins() {
    let home = home();
    let stores: Vec<_> = (0..4)
        .map(|_| Arc::new(Sqlite::open(home.folder.path()).unwrap()))
        .collect();
    let saving: Vec<_> = (0..20_usize)
        .map(|number| {
            let store = stores[number % stores.len()].clone();
            tokio::spawn(async move { store.save_settings(None, 0, document("a", json!(number))).await })
        })
        .collect();
    let mut won = 0;
    for save in saving {
        match save.await.unwrap() {
            Ok(version) => {
                assert_eq!(version, 1);
                won += 1;
            }
            Err(error) => assert!(matches!(error, StoreError::StaleSettings { .. }), "{error}"),
        }
    }
    assert_eq!(won, 1);
}
