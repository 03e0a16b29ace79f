//! How a share begins and how it ends, and that the mind hears of each once and in that order.

use std::sync::Arc;
use std::time::Duration;

use mind::{Input, RoomEvent};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use vocabulary::ShareEnd;

use super::open_share::{OpenShare, Phase, Told};
use super::refusals::Telling;
use super::{Screens, ShareRefusal};
use crate::NotAccepted;

/// How long whoever ends a share waits until the mind knows; it is told in any case.
const END_TOLD_WITHIN: Duration = Duration::from_secs(5);
/// A mind that could not be told of an end is told again after this.
const TELL_AGAIN_AFTER: Duration = Duration::from_secs(1);

impl Screens {
    /// Begins a share, once; whoever calls while it begins waits with the others.
    pub(super) async fn begin_share(&self, open: &Arc<OpenShare>) -> Result<(), ShareRefusal> {
        match open.phase() {
            Phase::Begun => return Ok(()),
            Phase::Ended(_) => return Err(ShareRefusal::NotFound),
            Phase::Invited | Phase::Beginning => {}
        }
        let (screens, open) = (self.clone(), open.clone());
        to_its_end(async move { screens.tell_begin(&open).await }).await
    }

    async fn tell_begin(&self, open: &OpenShare) -> Result<(), ShareRefusal> {
        let mut told = open.told.lock().await;
        match *told {
            Told::Nothing => {}
            Told::Begun => return Ok(()),
            Told::Over => return Err(ShareRefusal::NotFound),
        }
        let community = &self.0.community;
        if !community.settings().stream_watch.enabled {
            return Err(ShareRefusal::Disabled);
        }
        if !open.is_open(Instant::now()) {
            return Err(ShareRefusal::NotFound);
        }
        open.enter(Phase::Beginning)?;
        if let Err(error) = community.accept(Input::share_started(open.share.clone())).await {
            let _ = open.enter(Phase::Invited);
            return Err(error.into());
        }
        *told = Told::Begun;
        community.settle(open.share.room.clone()).await;
        open.enter(Phase::Begun)
    }

    /// Ends a share; false where it was over already.
    pub(super) async fn end_share(&self, open: &Arc<OpenShare>, reason: ShareEnd) -> bool {
        let Some(telling) = self.start_ending(open, reason) else {
            return false;
        };
        let _ = timeout(END_TOLD_WITHIN, telling).await;
        true
    }

    /// Ends a share and has the mind told of it; none where it was over already.
    pub(super) fn start_ending(&self, open: &Arc<OpenShare>, reason: ShareEnd) -> Option<JoinHandle<()>> {
        let untold = self.close_share(open, reason, |_| true)?;
        let (screens, open) = (self.clone(), open.clone());
        Some(tokio::spawn(async move {
            for telling in &untold {
                screens.tell_refusal(&open, telling);
            }
            screens.tell_end(&open, reason).await;
        }))
    }

    /// Makes a token worthless and has everybody know who waits for it, if it is in a phase that may be ended; what the
    /// mind was not told of its refusals.
    pub(super) fn close_share(
        &self,
        open: &OpenShare,
        reason: ShareEnd,
        may_end: impl Fn(Phase) -> bool,
    ) -> Option<Vec<Telling>> {
        let now = Instant::now();
        let untold = {
            let mut registry = self.registry();
            let mut state = open.state();
            if matches!(state.phase, Phase::Ended(_)) || !may_end(state.phase) {
                return None;
            }
            state.phase = Phase::Ended(reason);
            registry.shares.remove(&open.share.share);
            registry.shelf.share_ended(&open.share.share, now);
            state.refusals.rest(now)
        };
        open.watched.send_replace(false);
        open.over.cancel();
        Some(untold)
    }

    async fn tell_end(&self, open: &OpenShare, reason: ShareEnd) {
        let told = std::mem::replace(&mut *open.told.lock().await, Told::Over);
        if !matches!(told, Told::Begun) {
            return;
        }
        loop {
            let ended = Input::Room(
                open.share.room.clone(),
                RoomEvent::ShareEnded {
                    share: open.share.share.clone(),
                    reason,
                },
            );
            match self.0.community.accept(ended).await {
                // After a restart the mind ends its shares by itself.
                Ok(()) | Err(NotAccepted::Stopping) => break,
                Err(NotAccepted::Busy | NotAccepted::NotStored(_)) => sleep(TELL_AGAIN_AFTER).await,
            }
        }
    }

    /// Tells the mind of a refused frame, if there is room for it; otherwise with the next one.
    pub(super) fn tell_refusal(&self, open: &OpenShare, telling: &Telling) {
        let refused = Input::Room(
            open.share.room.clone(),
            RoomEvent::FrameRefused {
                share: open.share.share.clone(),
                reason: telling.refused.reason,
                detail: telling.refused.detail.clone(),
                folded: telling.folded,
            },
        );
        if !self.0.community.mention(refused) {
            open.state().refusals.not_told(telling);
        }
    }
}

impl OpenShare {
    /// Goes on to another phase, unless it is over.
    fn enter(&self, phase: Phase) -> Result<(), ShareRefusal> {
        let mut state = self.state();
        if let Phase::Ended(_) = state.phase {
            return Err(ShareRefusal::NotFound);
        }
        state.phase = phase;
        Ok(())
    }
}

/// Does some work to its end, even when nobody waits for it any more.
pub(super) async fn to_its_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // It was not aborted by anybody, so the whole runtime goes down, and this with it.
            Err(_) => std::future::pending().await,
        },
    }
}
