//! A realtime service in front of the voice that the operator chose: it speaks, and the other where it cannot.

use std::sync::Arc;

use super::choosing::Ready;
use super::voicebox::Voicebox;
use crate::realtime::{RealtimeVoice, RealtimeWish};

/// With the realtime service in front of it, where one is wanted; and who is behind it then.
pub(super) fn with_service(
    ready: Result<Ready, String>,
    wish: &RealtimeWish,
) -> (Result<Ready, String>, Option<Arc<dyn Voicebox>>) {
    let service = match wish {
        RealtimeWish::None => return (ready, None),
        RealtimeWish::Lacking(why) => {
            let lacking = ready.map(|mut ready| {
                ready.described = ready.described.instead_of(std::slice::from_ref(why));
                ready
            });
            return (lacking.map_err(|besides| format!("{why}. And {besides}")), None);
        }
        RealtimeWish::Service(service) => service,
    };
    let in_front = Ready::of_a_service(RealtimeVoice(service.clone()), service.description());
    match ready {
        Ok(behind) => (
            Ok(Ready {
                tongue: behind.tongue,
                ..in_front
            }),
            Some(behind.voicebox),
        ),
        Err(_) => (Ok(in_front), None),
    }
}
