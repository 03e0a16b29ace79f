//! What models answered in a recording, found again for the questions of a replay.

use std::collections::{BTreeMap, VecDeque};

use mind::{Answer, Asking, Input, JournalEvent};
use vocabulary::{AskId, AskOutcome, AskPurpose, FeedHarvest, GatherId, MessageId, Moment, RoomId, Span};

use crate::ports::Recording;

/// How long an answer took, what it was, and what of it came before its end.
#[derive(Clone, Debug)]
pub(super) struct RecordedAnswer {
    pub took: Span,
    pub outcome: AskOutcome,
    pub pieces: Vec<(Span, String)>,
}

#[derive(Default)]
pub(super) struct RecordedAnswers {
    /// By the newest message that was asked about, and what for; each is given once.
    about_messages: BTreeMap<(&'static str, MessageId), VecDeque<RecordedAnswer>>,
    /// By what they were for and where, each with when it was asked for; given as often as somebody asks.
    near_in_time: BTreeMap<(&'static str, RoomId), Vec<(Moment, RecordedAnswer)>>,
    /// What was seen when it looked around.
    surroundings: BTreeMap<GatherId, FeedHarvest>,
}

/// What a recorded question was about.
enum Asked {
    Message(AskPurpose, MessageId),
    Moment(AskPurpose, RoomId),
}

impl RecordedAnswers {
    pub fn of(recording: &Recording) -> Self {
        let asked = recorded_questions(recording);
        let mut answers = Self::default();
        let mut pieces: BTreeMap<AskId, Vec<(Span, String)>> = BTreeMap::new();
        for recorded in &recording.inputs {
            if let Input::Answer(Answer::SurroundingsGathered { gather, found }) = &recorded.input {
                answers.surroundings.insert(*gather, found.clone());
            }
            let since = |ask: &AskId| asked.get(ask).map(|(at, _)| recorded.now.moment.since(*at));
            if let Input::Answer(Answer::AskProgressed { ask, text }) = &recorded.input
                && let Some(after) = since(ask)
            {
                pieces.entry(*ask).or_default().push((after, text.clone()));
            }
            if let Input::Answer(Answer::AskEnded { ask, outcome }) = &recorded.input
                && let Some((at, asked)) = asked.get(ask)
            {
                let answer = RecordedAnswer {
                    took: recorded.now.moment.since(*at),
                    outcome: outcome.clone(),
                    pieces: pieces.remove(ask).unwrap_or_default(),
                };
                answers.keep(*at, asked, answer);
            }
        }
        answers
    }

    /// The answer to a question that a replay asks at a moment, and about some messages.
    pub fn answer(
        &mut self,
        at: Moment,
        asking: &Asking,
        asked_about: &[MessageId],
    ) -> Option<RecordedAnswer> {
        let purpose = asking.request.purpose;
        if asked_about.is_empty() {
            return self.nearest(at, purpose, asking.room.clone());
        }
        match purpose {
            AskPurpose::ScreenNote
            | AskPurpose::ScreenCommentary
            | AskPurpose::AmbientThought
            | AskPurpose::VoiceThought => self.nearest(at, purpose, asking.room.clone()),
            _ => asked_about.iter().rev().find_map(|message| {
                self.about_messages
                    .get_mut(&(purpose.name(), message.clone()))
                    .and_then(VecDeque::pop_front)
            }),
        }
    }

    /// What was seen when it looked around for the same time.
    pub fn surroundings(&self, gather: GatherId) -> Option<FeedHarvest> {
        self.surroundings.get(&gather).cloned()
    }

    fn keep(&mut self, at: Moment, asked: &Asked, answer: RecordedAnswer) {
        match asked {
            Asked::Message(purpose, message) => self
                .about_messages
                .entry((purpose.name(), message.clone()))
                .or_default()
                .push_back(answer),
            Asked::Moment(purpose, room) => self
                .near_in_time
                .entry((purpose.name(), room.clone()))
                .or_default()
                .push((at, answer)),
        }
    }

    /// The world was about the same then; of two that are as near, the earlier one is taken.
    fn nearest(&self, at: Moment, purpose: AskPurpose, room: RoomId) -> Option<RecordedAnswer> {
        let answers = self.near_in_time.get(&(purpose.name(), room))?;
        let nearest = answers
            .iter()
            .min_by_key(|(asked, _)| asked.since(at).max(at.since(*asked)));
        nearest.map(|(_, answer)| answer.clone())
    }
}

fn recorded_questions(recording: &Recording) -> BTreeMap<AskId, (Moment, Asked)> {
    let mut asked = BTreeMap::new();
    for entry in &recording.journal {
        let scope = &entry.scope;
        let of_moment = |purpose| scope.room.clone().map(|room| Asked::Moment(purpose, room));
        let (ask, about) = match &entry.event {
            JournalEvent::AskStarted {
                ask,
                purpose: purpose @ (AskPurpose::AmbientThought | AskPurpose::VoiceThought),
                ..
            } => (ask, of_moment(*purpose)),
            JournalEvent::AskStarted { ask, purpose, .. } => {
                let message = scope.messages.last();
                let message = message.map(|message| Asked::Message(*purpose, message.clone()));
                // A hello, say, is about none.
                (ask, message.or_else(|| of_moment(*purpose)))
            }
            JournalEvent::NoteStarted { ask, .. } => (ask, of_moment(AskPurpose::ScreenNote)),
            JournalEvent::CommentaryStarted { ask, .. } => (ask, of_moment(AskPurpose::ScreenCommentary)),
            _ => continue,
        };
        asked.extend(about.map(|about| (*ask, (entry.moment, about))));
    }
    asked
}
