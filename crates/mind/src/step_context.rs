//! What every faculty has at hand during one step.

mod dice;
mod downtime;
pub(crate) mod flight;
mod ledger;
pub(crate) mod making;
pub(crate) mod paying;
mod unlistened;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskAllowance, AskId, AskPurpose, FrameId, GatherId, MediaId, MediaKind, ModelChoice, Moment, Now,
    OutsideTool, PersonId, RecallId, ReplyModel, RoomId, Span, ToolRunId, TurnId, Viewpoint,
};

pub use self::dice::Dice;
pub(crate) use self::downtime::Downtimes;
use self::flight::Flights;
pub(crate) use self::ledger::Ledger;
pub(crate) use self::unlistened::{UNLISTENED_MAX, Unlistened};
use crate::addressing::Identity;
use crate::input::{Input, ShellEvent};
use crate::media::MediaBook;
use crate::parcel::{Deliveries, Parcel, Report, ThoughtAloud};
use crate::reasons::ContextUse;
use crate::spending::{AskedModel, ModelRests, SpendingBook, ThoughtSpending};

/// Numbers given out so far; they only grow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub turn: TurnId,
    pub ask: AskId,
    pub recall: RecallId,
    pub tool_run: ToolRunId,
    #[serde(default)]
    pub gather: GatherId,
    #[serde(default)]
    pub media: MediaId,
    /// The greatest number of a frame that was seen; the shell counts on from it.
    #[serde(default)]
    pub frame: FrameId,
}

/// What can be done out there, as the shell said last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Capabilities {
    pub tools: Vec<OutsideTool>,
    pub media: Vec<MediaKind>,
    /// Whoever writes the replies, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_model: Option<ReplyModel>,
    /// What questions may take on top of their words and answers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub allowances: BTreeMap<AskPurpose, AskAllowance>,
    /// Whom questions go to, where that is known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<AskPurpose, ModelChoice>,
}

impl Capabilities {
    /// Takes over what an input says of the world outside.
    pub fn learn(&mut self, input: &Input) {
        match input {
            Input::Shell(ShellEvent::CapabilitiesChanged { tools, media }) => {
                self.tools.clone_from(tools);
                self.media.clone_from(media);
            }
            Input::Shell(ShellEvent::ReplyModelChanged { model }) => self.reply_model.clone_from(model),
            Input::Shell(ShellEvent::AllowancesChanged { allowances }) => {
                self.allowances.clone_from(allowances)
            }
            Input::Shell(ShellEvent::ModelsChanged { models }) => self.models.clone_from(models),
            _ => {}
        }
    }
}

/// One step's surroundings: the time, the settings, the ledger, and what the whole mind shares.
#[derive(Debug)]
pub(crate) struct StepContext<'a> {
    pub settings: &'a Settings,
    pub identity: &'a Identity,
    pub ledger: Ledger<'a>,
    pub counters: &'a mut Counters,
    pub dice: &'a mut Dice,
    /// Everything slow that is under way outside.
    pub flights: &'a mut Flights,
    /// What was spent today, and what is reserved.
    pub spending: &'a mut SpendingBook,
    /// Models that are not asked for a while.
    pub rests: &'a mut ModelRests,
    /// Pictures, clips and GIFs that were had lately.
    pub media: &'a mut MediaBook,
    /// What can be run out there now.
    pub outside: &'a Capabilities,
    /// When the process was away.
    pub downtimes: &'a Downtimes,
    /// Where each delivery under way belongs.
    pub deliveries: &'a mut Deliveries,
    /// What is to be said, on its way to the outboxes of its rooms.
    pub outgoing: Vec<Parcel>,
    /// What became of thoughts that were said, on its way back to the ambient cycle.
    pub reports: Vec<Report>,
    /// How much of its model's window the last prompt of a room took, when an answer told.
    pub context_used: Option<(RoomId, ContextUse)>,
    /// The room in which somebody spoke to Denizen, or it replied, in this step.
    pub exchange: Option<RoomId>,
    /// What thoughts of its own cost lately, written or said aloud.
    pub thoughts: &'a mut ThoughtSpending,
    /// What became of thoughts in the voice of rooms, on its way to where all thoughts are listed.
    pub aloud: Vec<ThoughtAloud>,
    /// Until when somebody talks with Denizen, wherever that is; none: it is ambient.
    pub active_until: Option<Moment>,
    /// Who does not want to be listened to.
    pub unlistened: &'a mut Unlistened,
}

impl StepContext<'_> {
    pub fn now(&self) -> Now {
        self.ledger.now
    }

    pub fn moment(&self) -> Moment {
        self.ledger.now.moment
    }

    /// How long it took until now, without the time that the process was away.
    pub fn took(&self, since: Moment) -> Span {
        self.downtimes.there(since, self.moment())
    }

    /// Whom a question by such a choice goes to.
    pub fn asked_model(&self, choice: &ModelChoice, purpose: AskPurpose) -> AskedModel {
        AskedModel::of(self.outside.models.get(&purpose).unwrap_or(choice), purpose)
    }

    /// What of memory may be seen in a room where these people are.
    pub fn view(&self, room: &RoomId, people: Vec<PersonId>) -> Viewpoint {
        Viewpoint::Room {
            community: self.ledger.community().clone(),
            room: room.clone(),
            reach: self.settings.memory.reach,
            people,
        }
    }
}
