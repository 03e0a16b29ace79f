//! What is done when a default model is gone; and the model of a server, whose default is the first that it lists.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use runtime::ports::Prepared;
use settings::Settings;
use tokio::time::Instant;
use vocabulary::AskPurpose;

use crate::Models;
use crate::catalogue::Provider;
use crate::discover::{Server, ask};
use crate::models::Resolutions;
use crate::purposes;
use crate::resolve::Wish;

/// Questions that find no model have it looked for again, no more often than this.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Lets something be done now and then.
#[derive(Debug, Default)]
pub(crate) struct SomeTime(Mutex<Option<Instant>>);

impl SomeTime {
    /// Whether it was not done lately; it counts as done then.
    pub(crate) fn is_due(&self) -> bool {
        let mut last = self.0.lock().expect("no holder of this lock can panic");
        let is_due = last.is_none_or(|last| last.elapsed() >= LOOK_AGAIN_AFTER);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

/// Asks the server about each of its models that is in use, and notes which one writes replies where none is named.
pub(crate) async fn look(models: &Models, settings: &Settings) {
    let server = models
        .resolutions()
        .get(&Wish::of(settings))
        .and_then(|known| known.listed_server());
    let Some(server) = server else {
        return;
    };
    let wanted = purposes::wanted(settings).into_iter();
    let mut asked = BTreeSet::new();
    for wanted in wanted {
        let target = models.target(&wanted.choice, wanted.purpose, settings);
        let Some(target) = target
            .ok()
            .filter(|target| target.provider == Provider::Compatible)
        else {
            continue;
        };
        if wanted.purpose == AskPurpose::TextReply && settings.llm.model.trim().is_empty() {
            models.defaults.serves(&server);
        }
        if asked.insert(target.model.clone()) {
            ask_about(models, &server, &target.model).await;
        }
    }
}

/// Whoever was asked does not have the model that was taken because none was named. Says whether another one is chosen.
pub(crate) async fn is_another_chosen(models: &Models, asked: &Prepared) -> bool {
    match Provider::from_name(&asked.provider) {
        Some(Provider::Compatible) => look_again(models, &asked.base_url, &asked.model).await,
        Some(provider) if Provider::WITH_KEYS.contains(&provider) => {
            let sources = models.sources();
            models.defaults.is_unknown(provider, &asked.model, sources).await
        }
        _ => false,
    }
}

/// The list of a server is looked at again, because a model of it is gone. Says whether another one is first now; those
/// that it lists and said it does not have are passed over, until it is looked for anew.
async fn look_again(models: &Models, base_url: &str, gone: &str) -> bool {
    let (clients, key) = models.credentials(Provider::Compatible, base_url);
    let Ok(mut server) = ask(clients, base_url, key, models.options.probe_patience).await else {
        return false;
    };
    let before = models
        .resolutions()
        .values()
        .filter_map(|known| known.listed_server())
        .find(|known| known.base_url == base_url);
    let mut refused = before.map(|before| before.refused).unwrap_or_default();
    refused.insert(gone.to_owned());
    refused.retain(|model| server.models.contains(model));
    server.models.retain(|model| !refused.contains(model));
    server.refused = refused;
    let Some(first) = server.models.first() else {
        return false;
    };
    replace(&mut models.resolutions(), &server);
    models.defaults.serves(&server);
    ask_about(models, &server, first).await;
    true
}

fn replace(resolutions: &mut Resolutions, server: &Server) {
    for known in resolutions.values_mut() {
        if let Some(resolution) = known.served_by(server) {
            *known = Arc::new(resolution);
        }
    }
}

/// A model has answered, so that its server accepts the key, whatever it said before; and it is loaded: a server that did
/// not know how much it reads does now.
pub(crate) async fn answered(models: &Models, base_url: &str, model: &str) {
    for known in models.resolutions().values_mut() {
        if let Some(resolution) = known.answered_at(base_url) {
            *known = Arc::new(resolution);
        }
    }
    let served = models.surroundings().served.of(base_url, model);
    if !served.is_window_guessed() {
        return;
    }
    let listed = models
        .resolutions()
        .values()
        .filter_map(|known| known.listed_server())
        .find(|server| server.base_url == base_url);
    if let Some(server) = listed {
        ask_about(models, &server, model).await;
    }
}

/// Asks a server what one of its models can do.
pub(crate) async fn ask_about(models: &Models, server: &Server, model: &str) {
    let (clients, key) = models.credentials(Provider::Compatible, &server.base_url);
    let asking = (clients, key, models.options.probe_patience);
    models.surroundings().served.look(asking, server, model).await;
}
