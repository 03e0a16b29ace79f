//! A room, composed of parts that own their state. No part sees another's fields; the room hands each what it needs.

mod arrival;
mod bots;
mod command;
mod ending;
mod missed;
mod obeying;
mod quieting;
mod realtime;
mod rooms;
mod talking;
mod view;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskId, AskOutcome, AskPurpose, DeliveryId, JournalSeq, Message, MessageId, Now, PersonId, RecallId,
    RoomFacts, RoomId, Span, ToolResult, ToolRunId,
};

use self::bots::BotTalk;
pub(crate) use self::command::Obeyed;
use self::command::Unconfirmed;
use self::missed::Missed;
pub(crate) use self::quieting::{chosen as quiet_chosen, tell as tell_quiet};
pub(crate) use self::rooms::Rooms;
use self::talking::{talk, tell};
use self::view::{RoomView, name_of};
use crate::addressing::Conversation;
use crate::context::compaction::Compaction;
use crate::effect::Wake;
use crate::floor::Floor;
use crate::input::Recollection;
use crate::outbox::Outbox;
use crate::parcel::{Errand, Parcel, Report};
use crate::quiet::Quiet;
use crate::reasons::RoomEnding;
use crate::replies::{Replies, ReplyContext};
use crate::seen::SeenIds;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Owner};
use crate::voice::remarks::has_listeners;
use crate::voice::{self, Voice, VoiceContext, WrittenDown, listening};
use crate::watch::{Hearing, Scene, Watch};

/// So long it does not comment on a screen in words that mean the same.
const OWN_WORDS_WITHIN: Span = Span::minutes(10);

/// One room of the community.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Room {
    id: RoomId,
    /// What the platform says of it; none before it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facts: Option<RoomFacts>,
    /// What was said, and the running summary of it.
    log: Compaction,
    /// Who talks here, and with whom.
    #[serde(default)]
    people: Conversation,
    #[serde(default)]
    seen: SeenIds,
    #[serde(default)]
    floor: Floor,
    #[serde(default)]
    replies: Replies,
    #[serde(default)]
    outbox: Outbox,
    #[serde(default)]
    watch: Watch,
    #[serde(default, skip_serializing_if = "Voice::is_empty")]
    voice: Voice,
    #[serde(default, skip_serializing_if = "Unconfirmed::is_empty")]
    unconfirmed: Unconfirmed,
    /// Who called while it was away; empty once the room has caught up.
    #[serde(default, skip_serializing_if = "Missed::is_empty")]
    missed: Missed,
    /// Nothing is to be said here for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quiet: Option<Quiet>,
    /// How talk with other programs stands.
    #[serde(default, skip_serializing_if = "BotTalk::is_empty")]
    bots: BotTalk,
    /// Conversations that were ended here.
    #[serde(default)]
    sessions_ended: u64,
    /// It is gone; only what must not be forgotten of it is left, should it come back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
}

impl Room {
    pub fn new(id: RoomId) -> Self {
        Self {
            log: Compaction::new(id.clone()),
            id,
            facts: None,
            people: Conversation::default(),
            seen: SeenIds::default(),
            floor: Floor::default(),
            replies: Replies::default(),
            outbox: Outbox::default(),
            watch: Watch::default(),
            voice: Voice::default(),
            unconfirmed: Unconfirmed::default(),
            missed: Missed::default(),
            quiet: None,
            bots: BotTalk::default(),
            sessions_ended: 0,
            is_gone: false,
        }
    }

    /// What people call it; its id where the platform has not said.
    pub fn name(&self) -> &str {
        name_of(self.facts.as_ref(), &self.id)
    }

    /// Whether the platform says that it is private.
    pub fn is_private(&self) -> bool {
        self.facts.as_ref().is_some_and(RoomFacts::is_private)
    }

    /// Whether something is waiting or under way.
    pub fn is_busy(&self) -> bool {
        let is_folding = self.log.run_under_way().is_some();
        is_folding || self.replies.is_busy() || self.outbox.repeated() > 0 || self.voice.is_busy()
    }

    /// Whether a screen is shared here: then every moment may matter.
    pub fn is_watching(&self) -> bool {
        self.watch.has_shares()
    }

    /// Conversations that were ended here.
    pub fn sessions_ended(&self) -> u64 {
        self.sessions_ended
    }

    /// The room as others look at it.
    pub fn view(&self) -> RoomView<'_> {
        RoomView { room: self }
    }

    /// Whether a message is (still) there.
    pub fn has(&self, id: &MessageId) -> bool {
        self.log.log().find(id).is_some()
    }

    /// Whether anything that was said here is still known word for word.
    pub fn holds_messages(&self) -> bool {
        self.log.log().newest(1).next().is_some()
    }

    /// Deliveries that a restart sends again.
    pub fn deliveries_under_way(&self) -> usize {
        self.outbox.repeated()
    }

    /// What an unfinished delivery is for.
    pub fn errand_of(&self, delivery: &DeliveryId) -> Option<Errand> {
        self.outbox.errand_of(delivery)
    }

    /// The replies, and the other parts as they may see and use them.
    pub fn lend(&mut self) -> (&mut Replies, ReplyContext<'_>) {
        let context = ReplyContext {
            room: &self.id,
            name: name_of(self.facts.as_ref(), &self.id),
            facts: self.facts.as_ref(),
            log: &mut self.log,
            floor: &self.floor,
            watch: &self.watch,
            quiet: self.quiet,
            outbox: &mut self.outbox,
        };
        (&mut self.replies, context)
    }

    /// Has something said here, whoever wants it.
    pub fn say(&mut self, parcel: Parcel, step: &mut StepContext<'_>) {
        if let Some(report) = self.outbox.post(parcel, step) {
            self.said(report, None, step);
        }
    }

    /// Answers a command, because of what the line `cause` tells: that is no part of the conversation.
    pub fn notice(&mut self, text: &str, cause: JournalSeq, step: &mut StepContext<'_>) {
        tell(self, Errand::Sign, text, Some(cause), step);
    }

    /// A delivery is in the room.
    pub fn message_sent(&mut self, delivery: &DeliveryId, message: Message, step: &mut StepContext<'_>) {
        if self.seen.insert(&message.id) {
            if !message.sign {
                self.take_in(message.clone(), step);
            }
            if !message.spoken {
                self.outbox.spoke(step.moment());
            }
        }
        let written = voice::playing::written_down(&mut self.voice, delivery);
        let is_known = written.as_ref().is_some_and(|written| written.native);
        if let Some(WrittenDown { turn, beside, .. }) = written {
            if Some(turn) == self.watch.comment_aloud() {
                self.watch.comment_spoken(&message, step);
            }
            // What could only be read stands behind the words that announce it.
            (beside.iter()).for_each(|text| tell(self, Errand::Notice, text, None, step));
        }
        realtime::told_of(self, is_known, &message, step);
        if let Some(report) = self.outbox.message_sent(delivery, &message, step) {
            self.said(report, Some(&message), step);
        }
    }

    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) {
        if let Some(report) = self.outbox.send_failed(delivery, detail, retryable, step) {
            self.said(report, None, step);
        }
    }

    /// Something was said, or could not be: whoever wanted it said is told.
    fn said(&mut self, report: Report, last: Option<&Message>, step: &mut StepContext<'_>) {
        match report.errand {
            Errand::Reply => {
                let (replies, mut context) = self.lend();
                replies.said(report, &mut context, step);
            }
            Errand::Comment => match (last, &report.lost) {
                (Some(message), None) => self.watch.comment_spoken(message, step),
                (_, lost) => {
                    let detail = lost.as_deref().unwrap_or_default();
                    self.watch.comment_lost(&self.id, detail, step);
                }
            },
            Errand::Thought => step.reports.push(report),
            // Its lines in the journal are all there is to tell.
            Errand::Notice | Errand::Sign => {}
        }
    }

    pub fn ask_progressed(&mut self, owner: &Owner, ask: AskId, piece: &str, step: &mut StepContext<'_>) {
        if matches!(owner, Owner::Voice(_)) {
            return talk(self, step, |voice, context, step| {
                voice.ask_progressed(ask, piece, context, step);
            });
        }
        let (replies, mut context) = self.lend();
        replies.ask_progressed(ask, piece, &mut context, step);
    }

    /// A question that a part of this room asked is over.
    pub fn ask_ended(&mut self, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
        match &flight.owner {
            Owner::Replies(_) => {
                let (replies, mut context) = self.lend();
                replies.ask_ended(flight, outcome, &mut context, step);
            }
            Owner::Folding(_) => self.log.ask_ended(flight, outcome, step),
            Owner::Watch(_) => {
                let hearing = Hearing {
                    floor: self.view().comment_floor(step.now(), step.settings),
                    own_words: self.log.log().own_words(step.now().wall, OWN_WORDS_WITHIN),
                    aloud: has_listeners(&self.voice, step.settings),
                };
                let comment = self.watch.ask_ended(&self.id, &flight, &outcome, &hearing, step);
                if let Some(comment) = comment {
                    talking::comment(self, comment, step);
                }
            }
            Owner::Voice(_) => talk(self, step, |voice, at, step| {
                voice.ask_ended(&flight, outcome, at, step)
            }),
            Owner::Memory | Owner::Ambient => drop(flight.closed(&outcome, step)),
        }
    }

    /// What was looked for is here; none: it has not come in time.
    pub fn recalled(
        &mut self,
        owner: &Owner,
        recall: RecallId,
        found: Option<Recollection>,
        step: &mut StepContext<'_>,
    ) {
        if matches!(owner, Owner::Voice(_)) {
            return talk(self, step, |voice, context, step| {
                voice::recalled(voice, recall, found, context, step);
            });
        }
        let (replies, mut context) = self.lend();
        replies.recalled(recall, found, &mut context, step);
    }

    pub fn tool_ended(
        &mut self,
        owner: &Owner,
        run: ToolRunId,
        result: &ToolResult,
        step: &mut StepContext<'_>,
    ) {
        if matches!(owner, Owner::Voice(_)) {
            return talk(self, step, |voice, context, step| {
                voice::tool_ended(voice, run, result, context, step);
            });
        }
        let (replies, mut context) = self.lend();
        replies.tool_ended(run, result, &mut context, step);
    }

    /// After a restart: whoever waits for something that a state which was not read whole has lost goes on without it.
    pub fn let_go_of_what_is_lost(&mut self, step: &mut StepContext<'_>) {
        let (replies, mut context) = self.lend();
        replies.let_go_of_what_is_lost(&mut context, step);
        self.log.let_go_of_lost_run(step);
    }

    /// The process is back: what was under way outside is gone, and is taken up again.
    pub fn restarted(&mut self, cause: JournalSeq, step: &mut StepContext<'_>) {
        self.watch.restarted(&self.id, step);
        self.outbox.restarted(step);
        talk(self, step, |voice, context, step| {
            voice.restarted(cause, context, step)
        });
        let (replies, mut context) = self.lend();
        replies.restarted(cause, &mut context, step);
    }

    /// Does what time has made due. Notes go by the screen alone; a comment looks at the room first.
    pub fn advance(&mut self, step: &mut StepContext<'_>) {
        quieting::advance(self, step);
        for report in self.outbox.advance(step) {
            self.said(report, None, step);
        }
        let (replies, mut context) = self.lend();
        replies.advance(&mut context, step);
        talk(self, step, |voice, context, step| voice.advance(context, step));
        self.watch.advance(&self.id, step);
        let floor = self.view().comment_floor(step.now(), step.settings);
        if let Some(trigger) = self.watch.commentary_due(&self.id, &floor, step) {
            self.log.consider_for(AskPurpose::ScreenCommentary, false, step);
            let scene = Scene {
                summary: self.log.summary_shown(step.settings),
                window: self.log.window(step.settings),
                aloud: has_listeners(&self.voice, step.settings),
            };
            self.watch.consider_commentary(&self.id, trigger, scene, step);
        }
        ending::hold_evicted_notes(self, step);
    }

    /// When it next wants waking.
    pub fn next_wake(&self, settings: &Settings) -> Option<Wake> {
        let looked_at = Now {
            moment: self.watch.gates_looked_at().unwrap_or_default(),
            ..Now::default()
        };
        let floor = self.view().comment_floor(looked_at, settings);
        let pace = self.outbox.pace();
        let wakes = [
            self.watch.next_wake(&floor, settings),
            self.outbox.next_wake(),
            self.replies.next_wake(&self.floor, pace, settings),
            self.voice.next_wake(settings),
            self.quiet.and_then(|quiet| quiet.next_wake()),
        ];
        wakes.into_iter().flatten().min()
    }

    /// Somebody chose in another room to be listened to, or not: that holds here too. Whether it is news here.
    pub fn heed(&mut self, person: &PersonId, listen: bool, step: &mut StepContext<'_>) -> bool {
        let mut is_news = false;
        if !self.voice.is_empty() {
            talk(self, step, |voice, context, step| {
                is_news = listening::heed(voice, person, listen, context, step);
            });
        }
        is_news
    }

    /// The conversation ends: its summary is handed to memory.
    pub fn session_ended(&mut self, step: &mut StepContext<'_>) {
        ending::session_ended(self, step);
    }

    /// The room is gone: what waits is closed with a reason, and what was understood is handed to memory.
    pub fn end(&mut self, because: RoomEnding, step: &mut StepContext<'_>) {
        ending::room_ended(self, because, step);
    }
}
