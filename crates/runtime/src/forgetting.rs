//! Forgetting in every place at once: each community promises first, then memory forgets, then the promises are kept.

use mind::Forgotten;
use tokio::sync::{mpsc, oneshot, watch};
use vocabulary::{Forget, RoomId};

use crate::handle::{ForgetOrder, ForgetRefused, Handle};
use crate::memory::{MemoryService, Wanted};
use crate::ports::{Removed, StoreError};

/// What came of a wish to forget.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Went {
    pub removed: Removed,
    /// Something of it was said in rooms, where it still stands.
    pub messages_stay: bool,
}

/// Forgets in memory and in those communities that it concerns; what memory finds says which those are.
pub(crate) async fn forget(
    memory: Option<&MemoryService>,
    what: &Forget,
    concerned: impl FnOnce(&Wanted) -> Vec<Handle>,
) -> Result<Removed, ForgetRefused> {
    let service = memory.ok_or(ForgetRefused::NoMemory)?;
    let wanted = service.forgetting().find(what).await?;
    let told = wanted.told(None);
    let concerned = concerned(&wanted);
    forget_found(service, wanted, told, concerned).await
}

/// The same without what was said in rooms, which stays: only what agents told goes from recordings too.
pub(crate) async fn forget_remembered(
    memory: Option<&MemoryService>,
    what: &Forget,
    concerned: impl FnOnce(&Wanted) -> Vec<Handle>,
) -> Result<Went, ForgetRefused> {
    let service = memory.ok_or(ForgetRefused::NoMemory)?;
    let wanted = service.forgetting().find(what).await?;
    let messages_stay = wanted.is_said_in_rooms();
    let removed = match wanted.told_of_agents() {
        Some(told) => {
            let concerned = concerned(&wanted);
            forget_found(service, wanted, told, concerned).await?
        }
        None => service.forgetting().carry_out(wanted).await?.removed,
    };
    Ok(Went {
        removed,
        messages_stay,
    })
}

async fn forget_found(
    service: &MemoryService,
    wanted: Wanted,
    told: Forgotten,
    concerned: Vec<Handle>,
) -> Result<Removed, ForgetRefused> {
    let (remembered, has_forgotten) = watch::channel(None);
    let mut ends = Vec::new();
    for handle in concerned {
        let (done, end) = oneshot::channel();
        let forgetting = &handle.forgetting;
        promise(forgetting, told.clone(), has_forgotten.clone(), Some(done)).await?;
        ends.push(end);
    }
    let gone = service.forgetting().carry_out(wanted).await;
    remembered.send_replace(Some(gone.is_ok()));
    let removed = gone?.removed;
    for end in ends {
        let cleared = end.await.map_err(|_| ForgetRefused::Stopping)?;
        cleared.map_err(ForgetRefused::Store)?;
    }
    Ok(removed)
}

/// What somebody asked for in a room of a community; why it, or a part of it, could not be forgotten.
pub(crate) async fn forget_in_room(
    memory: Option<&MemoryService>,
    forgetting: &mpsc::Sender<ForgetOrder>,
    what: &Forget,
    asked_in: RoomId,
) -> Result<(), String> {
    let Some(service) = memory else {
        return Err("there is no memory here, so there is nothing to forget".to_owned());
    };
    let wanted = service.forgetting().find(what).await;
    let wanted = wanted.map_err(|fault| fault.to_string())?;
    let told = wanted.told(Some(asked_in));
    let (remembered, has_forgotten) = watch::channel(None);
    promise(forgetting, told, has_forgotten, None)
        .await
        .map_err(|refused| refused.to_string())?;
    let gone = service.forgetting().carry_out(wanted).await;
    remembered.send_replace(Some(gone.is_ok()));
    gone.map(|_| ()).map_err(|fault| fault.to_string())
}

/// Has a community promise to forget; it is on disk when this returns.
async fn promise(
    forgetting: &mpsc::Sender<ForgetOrder>,
    forgotten: Forgotten,
    remembered: watch::Receiver<Option<bool>>,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
) -> Result<(), ForgetRefused> {
    let (promised, answer) = oneshot::channel();
    let order = ForgetOrder {
        forgotten,
        promised,
        remembered,
        done,
    };
    let sent = forgetting.send(order).await;
    sent.map_err(|_| ForgetRefused::Stopping)?;
    let answer = answer.await.map_err(|_| ForgetRefused::Stopping)?;
    answer.map_err(ForgetRefused::NotPromised)
}
