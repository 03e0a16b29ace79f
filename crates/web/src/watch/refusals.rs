//! What is said to somebody whose share or frame is refused.

use axum::http::{HeaderValue, StatusCode, header};
use mind::watch::intake::RefusedFrame;
use runtime::ports::StreamRefusal;
use runtime::screens::ShareRefusal;
use vocabulary::FrameRefusal;

use crate::refusal::{Refusal, sentence};

impl From<ShareRefusal> for Refusal {
    fn from(problem: ShareRefusal) -> Self {
        let message = sentence(&problem.to_string());
        match problem {
            ShareRefusal::Disabled => Self::new(
                StatusCode::CONFLICT,
                FrameRefusal::StreamWatchDisabled.name(),
                message,
            ),
            ShareRefusal::TooManyLinks => Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_links", message)
                .with_header(header::RETRY_AFTER, HeaderValue::from_static("60")),
            ShareRefusal::NotFound => Self::new(
                StatusCode::NOT_FOUND,
                FrameRefusal::SessionNotFound.name(),
                message,
            ),
            ShareRefusal::NotAccepted(problem) => problem.into(),
        }
    }
}

impl From<RefusedFrame> for Refusal {
    fn from(refused: RefusedFrame) -> Self {
        let refusal = Self::new(status(refused.reason), refused.reason.name(), refused.detail);
        match refused.reason {
            // A share that nobody knows is in nobody's journal yet.
            FrameRefusal::SessionNotFound => refusal,
            FrameRefusal::FrameRateLimited => refusal
                .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
                .journaled_already(),
            _ => refusal.journaled_already(),
        }
    }
}

impl From<StreamRefusal> for Refusal {
    fn from(problem: StreamRefusal) -> Self {
        let message = sentence(&problem.to_string());
        match problem {
            StreamRefusal::BadOffer(_) => Self::unprocessable("bad_offer", message),
            StreamRefusal::NoUsableVideo(_) => Self::unprocessable("no_usable_video", message),
            StreamRefusal::Unavailable(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "streams_unavailable", message)
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
            }
        }
    }
}

fn status(reason: FrameRefusal) -> StatusCode {
    match reason {
        FrameRefusal::SessionNotFound => StatusCode::NOT_FOUND,
        FrameRefusal::StreamWatchDisabled
        | FrameRefusal::WatchNotActive
        | FrameRefusal::TargetUserMismatch => StatusCode::CONFLICT,
        FrameRefusal::InvalidMimeType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        FrameRefusal::FrameDataRequired | FrameRefusal::FrameUndecodable => StatusCode::UNPROCESSABLE_ENTITY,
        FrameRefusal::FrameTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        FrameRefusal::FrameRateLimited => StatusCode::TOO_MANY_REQUESTS,
    }
}
