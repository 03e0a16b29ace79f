//! Thoughts of its own: a tick a minute, gates, at most one held thought, a bounded look around, and then to post,
//! to hold or to drop.

pub mod channels;
pub mod feed;
pub mod interests;
pub mod links;
pub mod reading;
pub mod sources;
pub mod view;

use serde::{Deserialize, Serialize};

/// The ambient cycle of one community.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ambient {}

impl Ambient {
    /// How it stands, for its page.
    pub fn view(&self, now: vocabulary::Now, settings: &settings::Settings) -> view::AmbientView {
        let _ = now;
        view::AmbientView {
            enabled: settings.initiative.enabled,
            attention: view::AttentionView {
                state: "ambient".to_owned(),
                ends_in: None,
                room: None,
            },
            next_tick_in: None,
            stopped_by: None,
            eagerness: settings.initiative.eagerness,
            channels: Vec::new(),
            thought: None,
            run: None,
            trial: None,
            receipts: Vec::new(),
            budget: view::BudgetView {
                calls: view::Meter::default(),
                tokens: view::Meter::default(),
                cost: view::Meter::default(),
                unpriced_calls: 0,
                saved: Vec::new(),
                cost_of_a_thought: None,
                tokens_of_a_thought: None,
            },
            posts_per_day: view::Meter::default(),
            media: Vec::new(),
            posts: Vec::new(),
            sources: Vec::new(),
            candidates: Vec::new(),
            interests: Vec::new(),
            tools: Vec::new(),
        }
    }
}
