//! The studio: takes orders, and says what it can make.

use std::time::Duration;

use async_trait::async_trait;
use fetching::Fetcher;
use fetching::service::ServiceClients;
use runtime::ports::{self, MadeMedia, MediaFault, ToolStatus};
use settings::Settings;
use vocabulary::{MediaKind, MediaOrder};

use crate::ended::ended;
use crate::fault::failed;
use crate::job::Job;
use crate::keys::StudioKeys;
use crate::service::Service;
use crate::{gifs, images, videos};

/// How long to wait between questions.
#[derive(Clone, Copy, Debug)]
pub struct StudioPace {
    /// Before the first look at a clip in the making; each later wait is longer.
    pub poll: Duration,
    pub longest_poll: Duration,
    /// Before a question is asked once more.
    pub retry: Duration,
}

impl Default for StudioPace {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(2),
            longest_poll: Duration::from_secs(10),
            retry: Duration::from_secs(1),
        }
    }
}

/// Makes pictures and clips, and finds GIFs.
#[derive(Debug)]
pub struct Studio {
    keys: StudioKeys,
    clients: ServiceClients,
    fetcher: Fetcher,
    pace: StudioPace,
}

impl Studio {
    pub fn new(keys: StudioKeys, fetcher: Fetcher) -> Self {
        Self::with_pace(keys, fetcher, StudioPace::default())
    }

    /// As `new`, at another pace.
    pub fn with_pace(keys: StudioKeys, fetcher: Fetcher, pace: StudioPace) -> Self {
        Self {
            keys,
            clients: ServiceClients::default(),
            fetcher,
            pace,
        }
    }

    fn service(&self, kind: MediaKind, settings: &Settings) -> Result<Service, String> {
        Service::of(kind, &settings.media, &self.keys)
    }
}

#[async_trait]
impl ports::MediaMaker for Studio {
    fn can_make(&self, settings: &Settings) -> Vec<MediaKind> {
        let can = |kind: &MediaKind| self.service(*kind, settings).is_ok();
        MediaKind::ALL.into_iter().filter(can).collect()
    }

    async fn make(&self, order: &MediaOrder, settings: &Settings) -> Result<MadeMedia, MediaFault> {
        let kind = order.wish.kind;
        let service = self.service(kind, settings).map_err(failed)?;
        let job = Job::new(order, service, settings, &self.clients, &self.fetcher, self.pace)?;
        let made = match kind {
            MediaKind::Image => images::make(&job).await,
            MediaKind::Video => videos::make(&job).await,
            MediaKind::Gif => gifs::find(&job).await,
        };
        match &made {
            Ok(made) => tracing::debug!(kind = kind.name(), bytes = made.bytes.len(), "media made"),
            Err(fault) => tracing::debug!(
                kind = kind.name(),
                refused = fault.refused,
                "media not made: {fault}"
            ),
        }
        made
    }

    fn status(&self, settings: &Settings) -> Vec<ToolStatus> {
        let status = |kind: MediaKind| match self.service(kind, settings) {
            Ok(service) => ToolStatus {
                name: kind.name().to_owned(),
                ready: true,
                detail: ready(kind, &service, settings),
                tools: vec![service.api.name().to_owned()],
            },
            Err(why) => ToolStatus {
                name: kind.name().to_owned(),
                ready: false,
                detail: why,
                tools: Vec::new(),
            },
        };
        MediaKind::ALL.into_iter().map(status).collect()
    }
}

fn ready(kind: MediaKind, service: &Service, settings: &Settings) -> String {
    let key = match service.key() {
        Some(_) => format!("with the key from {}", service.variable),
        None => "without a key".to_owned(),
    };
    let discovery = &settings.discovery;
    let (models, setting) = match kind {
        MediaKind::Image => (
            &discovery.allowed_image_models,
            "initiative.discovery.allowedImageModels",
        ),
        MediaKind::Video => (
            &discovery.allowed_video_models,
            "initiative.discovery.allowedVideoModels",
        ),
        MediaKind::Gif => return format!("{}, {key}", service.who),
    };
    match models.first() {
        Some(model) => match ended(model).filter(|_| !service.is_own) {
            Some(why) => format!("{}, {key}, model {model}; but {why}", service.who),
            None => format!("{}, {key}, model {model}", service.who),
        },
        None => format!(
            "{}, {key}; no model may be used yet: {setting} is empty",
            service.who
        ),
    }
}
