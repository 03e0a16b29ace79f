//! Things that are looked up, run or made outside, and who waits for each.

use serde::{Deserialize, Serialize};
use vocabulary::{GatherId, MediaId, Moment, RecallId, ToolRunId};

use super::Owner;
use crate::effect::{Wake, WakeReason};

/// What is waited for, beside answers of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LookUp {
    Recall(RecallId),
    Tool(ToolRunId),
    Gather(GatherId),
    Media(MediaId),
}

/// A look-up under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Expected {
    pub look_up: LookUp,
    pub owner: Owner,
    pub deadline: Moment,
}

impl Expected {
    pub fn wake(&self) -> Wake {
        let reason = match self.look_up {
            LookUp::Recall(_) => WakeReason::RecallDeadline,
            LookUp::Tool(_) => WakeReason::ToolDeadline,
            LookUp::Gather(_) => WakeReason::GatherDeadline,
            LookUp::Media(_) => WakeReason::MediaDeadline,
        };
        Wake {
            at: self.deadline,
            reason,
        }
    }
}
