//! Default models that were replaced: each community's mind is told, and its pages.

use std::sync::Arc;
use std::time::Duration;

use mind::{Input, ShellEvent};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::Handle;
use crate::handle::InForce;
use crate::live::LiveEvent;
use crate::ports::{Language, ModelMove};

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
    loop {
        moved.mark_unchanged();
        let settings = in_force.borrow_and_update().settings.clone();
        let (count, moves) = language.moves_since(told, &settings);
        let any = !moves.is_empty();
        for one in moves {
            if handle.accept(input(one)).await.is_err() {
                return;
            }
        }
        told = count;
        if any {
            handle.live().publish(LiveEvent::Model {
                status: language.status(&settings),
            });
        }
        tokio::select! {
            changed = moved.changed() => if changed.is_err() { return },
            changed = in_force.changed() => if changed.is_err() { return },
            () = sleep(LOOK_EVERY) => language.keep_up().await,
        }
    }
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
