//! What is under way in a mind, told by what it wanted and was not answered yet, so that no shape of a state is named.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEntry, JournalEvent, MemoryEvent, Mind, RoomWish, ShellEvent};
use simulator::Stepped;
use vocabulary::{AskId, AskPurpose, DeliveryId, Moment, RecallId, RoomId, Span, ToolRunId, TurnId};

/// Look-ups and tools count as under way for so long; a mind that has given one up does not tell.
const COUNTS_FOR: Span = Span::seconds(2);

/// Something that a golden state is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnderWay {
    Reply,
    ReplyWithTools,
    Classifier,
    Recall,
    Resting,
    Tools,
    Delivery,
    ThoughtAsked,
    ThoughtPosted,
    ThoughtHeld,
    Note,
    Comment,
    Folding,
    Forgetting,
    Gems,
}

impl UnderWay {
    pub const ALL: [Self; 15] = [
        Self::Reply,
        Self::ReplyWithTools,
        Self::Classifier,
        Self::Recall,
        Self::Resting,
        Self::Tools,
        Self::Delivery,
        Self::ThoughtAsked,
        Self::ThoughtPosted,
        Self::ThoughtHeld,
        Self::Note,
        Self::Comment,
        Self::Folding,
        Self::Forgetting,
        Self::Gems,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Self::Reply => "a reply being asked",
            Self::ReplyWithTools => "a reply being asked after tools",
            Self::Classifier => "a classifier being asked",
            Self::Recall => "a recall for a reply under way",
            Self::Resting => "a reply that waits for another try",
            Self::Tools => "tools under way",
            Self::Delivery => "a delivery under way",
            Self::ThoughtAsked => "a thought being asked",
            Self::ThoughtPosted => "a thought being posted",
            Self::ThoughtHeld => "a held thought",
            Self::Note => "a note on a screen being asked",
            Self::Comment => "a comment being asked beside a note",
            Self::Folding => "folding under way",
            Self::Forgetting => "a promise to forget",
            Self::Gems => "gems being asked",
        }
    }
}

/// Follows a run and knows what is open.
#[derive(Debug, Default)]
pub struct Follower {
    asks: BTreeMap<AskId, (AskPurpose, RoomId)>,
    recalls: BTreeMap<RecallId, Moment>,
    /// Turns whose question failed and is asked again.
    resting: BTreeSet<TurnId>,
    tools: BTreeMap<ToolRunId, Moment>,
    deliveries: BTreeMap<DeliveryId, TurnId>,
    promises: usize,
    thoughts: BTreeSet<TurnId>,
    is_thought_held: bool,
}

impl Follower {
    pub fn follow(&mut self, mind: &Mind, step: &Stepped) {
        // To look is dear, and only a line of the cycle's own can have changed it.
        if step
            .journal()
            .any(|entry| entry.event.name().starts_with("ambient_"))
        {
            self.is_thought_held = mind.ambient(step.now, &step.settings).thought.is_some();
        }
        match &step.input {
            Input::Shell(ShellEvent::Restarted { .. }) => {
                *self = Self {
                    thoughts: std::mem::take(&mut self.thoughts),
                    is_thought_held: self.is_thought_held,
                    ..Self::default()
                };
            }
            Input::Answer(Answer::AskEnded { ask, .. }) => {
                self.asks.remove(ask);
            }
            Input::Answer(Answer::Recalled { recall, .. }) => {
                self.recalls.remove(recall);
            }
            Input::Answer(Answer::ToolEnded { run, .. }) => {
                self.tools.remove(run);
            }
            Input::Answer(Answer::MessageSent { delivery, .. } | Answer::SendFailed { delivery, .. }) => {
                self.deliveries.remove(delivery);
            }
            Input::Memory(MemoryEvent::Forgotten(_)) => self.promises = self.promises.saturating_sub(1),
            _ => {}
        }
        for effect in &step.effects {
            self.hear(effect, step.now.moment);
        }
    }

    fn hear(&mut self, effect: &Effect, now: Moment) {
        match effect {
            Effect::Ask(asking) => {
                let purpose = asking.request.purpose;
                self.asks.insert(asking.ask, (purpose, asking.room.clone()));
            }
            Effect::CancelAsk { ask } => {
                self.asks.remove(ask);
            }
            Effect::RunTool(tool) => {
                self.tools.insert(tool.run, now);
            }
            Effect::Room(_, RoomWish::Send(delivery)) => {
                self.deliveries.insert(delivery.id.clone(), delivery.turn);
            }
            Effect::Forget { .. } => self.promises += 1,
            Effect::Journal(entry) => self.read(entry, now),
            _ => {}
        }
    }

    fn read(&mut self, entry: &JournalEntry, now: Moment) {
        match &entry.event {
            JournalEvent::AskFailed { ask, retry_in, .. } => {
                self.asks.remove(ask);
                self.resting
                    .extend(entry.scope.turn.filter(|_| retry_in.is_some()));
            }
            JournalEvent::AskCancelled { ask, .. } => {
                self.asks.remove(ask);
            }
            JournalEvent::AskStarted { .. } => {
                self.resting.retain(|turn| Some(*turn) != entry.scope.turn);
            }
            JournalEvent::RecallStarted { recall, .. } => {
                self.recalls.insert(*recall, now);
            }
            JournalEvent::AmbientRunStarted { .. } => self.thoughts.extend(entry.scope.turn),
            // What is still open of a turn that has ended is waited for by nobody.
            JournalEvent::TurnEnded { .. } | JournalEvent::AmbientRunEnded { .. } => {
                self.deliveries.retain(|_, turn| Some(*turn) != entry.scope.turn);
                self.resting.retain(|turn| Some(*turn) != entry.scope.turn);
            }
            _ => {}
        }
    }

    /// What is under way after a step.
    pub fn under_way(&self, mind: &Mind, step: &Stepped) -> BTreeSet<UnderWay> {
        let mut found = BTreeSet::new();
        for (purpose, room) in self.asks.values() {
            found.extend(match purpose {
                AskPurpose::TextReply => Some(UnderWay::Reply),
                AskPurpose::TextReplyFollowup => Some(UnderWay::ReplyWithTools),
                AskPurpose::AddressClassifier => Some(UnderWay::Classifier),
                AskPurpose::ContextCompaction => Some(UnderWay::Folding),
                AskPurpose::GemExtraction => Some(UnderWay::Gems),
                AskPurpose::ScreenNote => Some(UnderWay::Note),
                AskPurpose::ScreenCommentary => {
                    let watch = mind.watch(room, step.now, &step.settings);
                    watch
                        .is_some_and(|watch| !watch.notes.is_empty())
                        .then_some(UnderWay::Comment)
                }
                AskPurpose::AmbientThought => Some(UnderWay::ThoughtAsked),
                // Nobody speaks in what is recorded.
                AskPurpose::VoiceReply
                | AskPurpose::VoiceReplyFollowup
                | AskPurpose::VoiceReplyDecision
                | AskPurpose::VoiceThought => None,
            });
        }
        let is_new = |since: &Moment| step.now.moment.since(*since) < COUNTS_FOR;
        let posted = |turn: &TurnId| self.thoughts.contains(turn);
        let holds = [
            (self.recalls.values().any(is_new), UnderWay::Recall),
            (!self.resting.is_empty(), UnderWay::Resting),
            (self.tools.values().any(is_new), UnderWay::Tools),
            (
                self.deliveries.values().any(|turn| !posted(turn)),
                UnderWay::Delivery,
            ),
            (self.deliveries.values().any(posted), UnderWay::ThoughtPosted),
            (self.promises > 0, UnderWay::Forgetting),
            (self.is_thought_held, UnderWay::ThoughtHeld),
        ];
        found.extend(
            holds
                .into_iter()
                .filter_map(|(holds, under_way)| holds.then_some(under_way)),
        );
        found
    }
}
