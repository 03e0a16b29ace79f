//! Default models that were replaced, catalogues that were read anew, and what becomes true of models while nobody changes
//! anything: each community's mind is told, its pages, and the log.

use std::sync::Arc;
use std::time::Duration;

use mind::{Input, ShellEvent};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::Handle;
use crate::handle::InForce;
use crate::live::LiveEvent;
use crate::ports::{CatalogueNews, Language, LanguageStatus, ModelMove, ModelWarning};

/// How often somebody looks whether it is time to look which models there are.
const LOOK_EVERY: Duration = Duration::from_secs(3_600);

/// Tells of every move, those from before the start among them, and has models looked at once a day.
pub(crate) async fn keep_telling(
    language: Arc<dyn Language>,
    handle: Handle,
    mut in_force: watch::Receiver<InForce>,
) {
    let Some(mut moved) = language.moved() else {
        return;
    };
    let mut told = 0;
    let (mut heard, _) = language.catalogue_since(0);
    let mut known = language.status(&in_force.borrow().settings.clone());
    let mut has_looked = false;
    loop {
        moved.mark_unchanged();
        let settings = in_force.borrow_and_update().settings.clone();
        let (count, moves) = language.moves_since(told, &settings);
        let (heard_now, catalogues) = language.catalogue_since(heard);
        let any = !moves.is_empty() || !catalogues.is_empty();
        let news = catalogues.into_iter().map(renewed);
        for one in news.chain(moves.into_iter().map(input)) {
            if handle.accept(one).await.is_err() {
                return;
            }
        }
        (told, heard) = (count, heard_now);
        let status = language.status(&settings);
        // Whoever changes settings or has models looked for is told by that.
        if has_looked {
            tell_new(&known, &status);
        }
        if any || (has_looked && status != known) {
            let status = status.clone();
            handle.live().publish(LiveEvent::Model { status });
        }
        known = status;
        has_looked = false;
        tokio::select! {
            changed = moved.changed() => if changed.is_err() { return },
            changed = in_force.changed() => if changed.is_err() { return },
            () = sleep(LOOK_EVERY) => {
                language.keep_up().await;
                handle.tell_reply_model().await;
                has_looked = true;
            }
        }
    }
}

/// Puts into the log what is to be known of the models since the last look.
fn tell_new(before: &LanguageStatus, now: &LanguageStatus) {
    let is_new = |warning: &&ModelWarning| !before.warnings.contains(warning);
    for warning in now.warnings.iter().filter(is_new) {
        tracing::warn!("{}", warning.text);
    }
}

fn renewed(news: CatalogueNews) -> Input {
    let CatalogueNews { path, date, problem } = news;
    Input::Shell(ShellEvent::CatalogueChanged { path, date, problem })
}

fn input(moved: ModelMove) -> Input {
    let ModelMove {
        provider,
        role,
        from,
        to,
        because,
    } = moved;
    Input::Shell(ShellEvent::ModelMoved {
        provider,
        role,
        from,
        to,
        because,
    })
}
