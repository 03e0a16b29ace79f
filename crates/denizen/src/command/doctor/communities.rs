//! Communities with models of their own: each is tried where it asks somebody else than all the others do.

use providers::{Models, Trial, try_others, try_purposes};
use runtime::ports::{Language, Store};
use runtime::questions::Surroundings;
use settings::Settings;
use storage::Sqlite;

/// Tries what all communities ask, and then what each of them asks of models that were not tried for that yet.
pub async fn try_all(
    store: Option<&Sqlite>,
    models: &Models,
    settings: &Settings,
    around: Surroundings,
) -> Vec<Trial> {
    let mut tried = try_purposes(models, settings, around.clone()).await;
    let Some(store) = store else {
        return tried;
    };
    // Damage is told with the storage.
    for record in store.communities().await.unwrap_or_default() {
        let saved = store.settings(&record.id).await.ok();
        let Some(own) = saved.and_then(|saved| saved.layers.read(record.id.as_str()).ok()) else {
            continue;
        };
        models.get_ready(&own).await;
        let more = try_others(models, &own, around.clone(), &tried).await;
        tried.extend(more.into_iter().map(|trial| Trial {
            community: Some(record.id.to_string()),
            ..trial
        }));
    }
    tried
}
