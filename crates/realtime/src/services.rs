//! The services that settings choose, each made once: whoever chooses the same shares its connections.

use std::sync::{Arc, Mutex, PoisonError};

use runtime::ports::{RealtimeService, RealtimeServices};
use settings::Settings;

use crate::choice::ServiceChoice;
use crate::keys::RealtimeKeys;
use crate::service::Service;
use crate::usual::GoneModels;

/// So many that nobody uses just now are kept.
const UNUSED_MAX: usize = 2;

/// Whoever reaches realtime services, with these keys.
#[derive(Debug, Default)]
pub struct Realtime {
    keys: RealtimeKeys,
    gone: GoneModels,
    made: Mutex<Vec<Arc<Service>>>,
}

impl Realtime {
    pub fn new(keys: RealtimeKeys) -> Self {
        Self {
            keys,
            gone: GoneModels::default(),
            made: Mutex::default(),
        }
    }
}

impl RealtimeServices for Realtime {
    fn chosen(&self, settings: &Settings) -> Result<Arc<dyn RealtimeService>, String> {
        let choice = ServiceChoice::of(settings, &self.keys, &self.gone)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(service) = made.iter().find(|service| service.is_of(&choice)) {
            return Ok(service.clone());
        }
        let mut unused = 0;
        made.retain(|service| {
            unused += usize::from(Arc::strong_count(service) == 1);
            Arc::strong_count(service) > 1 || unused <= UNUSED_MAX
        });
        let service = Arc::new(Service::new(choice));
        made.push(service.clone());
        Ok(service)
    }
}
