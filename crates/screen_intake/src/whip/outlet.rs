//! What a stream gives its frames to: a share, seen from where the stream stands.

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::Seen;
use runtime::screens::ShareTicket;
use vocabulary::{PictureKind, ShareEnd, ShareId};

/// A frame that was decoded, scored and made a JPEG of.
#[derive(Clone, Debug)]
pub struct Exposure {
    pub jpeg: Bytes,
    pub seen: Seen,
}

/// Something was not taken; for a person, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutletRefused(pub String);

/// A share, as a stream sees it.
#[async_trait]
pub trait Outlet: Send + Sync {
    fn share(&self) -> ShareId;

    /// Whether the mind watches it now; while it does not, nothing is decoded.
    fn is_watched(&self) -> bool;

    /// The stream is there: the share begins.
    async fn begin(&self) -> Result<(), OutletRefused>;

    async fn frame(&self, exposure: Exposure) -> Result<(), OutletRefused>;

    /// The stream is still there, although nothing changes.
    fn touch(&self);

    /// The stream is over, and the share with it.
    async fn end(&self, reason: ShareEnd);

    /// Resolves once the share is over, whoever ended it.
    async fn ended(&self);
}

#[async_trait]
impl Outlet for ShareTicket {
    fn share(&self) -> ShareId {
        ShareTicket::share(self)
    }

    fn is_watched(&self) -> bool {
        ShareTicket::is_watched(self)
    }

    async fn begin(&self) -> Result<(), OutletRefused> {
        let begun = ShareTicket::begin(self).await;
        begun.map_err(|refusal| OutletRefused(refusal.to_string()))
    }

    async fn frame(&self, exposure: Exposure) -> Result<(), OutletRefused> {
        let taken = self
            .decoded(PictureKind::Jpeg, exposure.jpeg, exposure.seen)
            .await;
        taken.map(drop).map_err(|refused| OutletRefused(refused.detail))
    }

    fn touch(&self) {
        ShareTicket::touch(self);
    }

    async fn end(&self, reason: ShareEnd) {
        ShareTicket::end(self, reason).await;
    }

    async fn ended(&self) {
        ShareTicket::ended(self).await;
    }
}
