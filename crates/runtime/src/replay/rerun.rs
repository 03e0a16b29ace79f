//! The happenings of a recording once more, with a mind that may want other things: the world answers as it did then.

use mind::{
    Answer, Asking, Effect, Input, JournalEntry, JournalEvent, Mind, RoomEvent, RoomWish, ShellEvent, Wake,
};
use vocabulary::{AskOutcome, MediaOutcome, MessageId, Moment, Now, Span, WallTime};

use super::answers::RecordedAnswers;
use super::mouth::Mouth;
use super::speeches::Speeches;
use super::{Rerunning, lines};
use crate::community::SettingsBook;
use crate::ports::{RecordedInput, Recording};

/// So long it goes on after the last that was recorded.
const AFTERWARDS: Span = Span::minutes(10);

pub(super) struct Rerun {
    mind: Mind,
    book: SettingsBook,
    answers: RecordedAnswers,
    mouth: Mouth,
    speeches: Speeches,
    /// What the world will answer, and when.
    pending: Vec<(Moment, Input)>,
    told: Rerunning,
    wake: Option<Wake>,
    now: Now,
}

impl Rerun {
    pub fn new(mind: Mind, book: SettingsBook, recording: &Recording) -> Self {
        Self {
            mind,
            book,
            answers: RecordedAnswers::of(recording),
            mouth: Mouth::of(recording),
            speeches: Speeches::of(recording),
            pending: Vec::new(),
            told: Rerunning::default(),
            wake: None,
            now: recording
                .inputs
                .first()
                .map_or_else(Now::default, |first| first.now),
        }
    }

    /// The next of what was recorded: it happens again, unless it came of what the mind wanted.
    pub fn happens(&mut self, recorded: &RecordedInput, is_happening: bool) {
        self.run_until(recorded.now);
        // Other ears in the midst of a session are the world's, too.
        let changes_ears = matches!(&recorded.input, Input::Room(room, RoomEvent::VoiceJoined { .. }) if self.mouth.is_in(room));
        if is_happening || changes_ears {
            self.book.turn_to(&recorded.input);
            self.step(recorded.now, recorded.input.clone());
        }
    }

    /// Nothing more was recorded; what came of it all.
    pub fn ended(mut self, last: Option<Now>) -> Rerunning {
        if let Some(last) = last {
            let wall = WallTime(last.wall.0 + i64::try_from(AFTERWARDS.0).unwrap_or(0));
            let moment = last.moment + AFTERWARDS;
            self.run_until(Now { moment, wall });
        }
        self.told
    }

    /// Does everything that falls due before the next recorded happening.
    fn run_until(&mut self, until: Now) {
        // A mind that kept wanting to be woken at once would be a bug; this bound keeps a replay finite even then.
        const STEPS_MAX: usize = 100_000;
        for _ in 0..STEPS_MAX {
            let answer = self.pending.iter().map(|(at, _)| *at).min();
            let tick = self.speeches.next_tick(&self.mouth);
            let wake = self.wake.map(|wake| wake.at);
            let Some(at) = [answer, tick, wake]
                .into_iter()
                .flatten()
                .min()
                .filter(|at| *at < until.moment)
            else {
                break;
            };
            let ahead = at.since(self.now.moment);
            let wall = WallTime(self.now.wall.0 + i64::try_from(ahead.0).unwrap_or(0));
            let now = Now {
                moment: at.max(self.now.moment),
                wall,
            };
            if let Some(index) = self.pending.iter().position(|(due, _)| *due == at) {
                let (_, input) = self.pending.remove(index);
                self.step(now, input);
            } else if tick == Some(at) {
                for input in self.speeches.tick(at, &self.mouth) {
                    self.step(now, input);
                }
            } else {
                self.step(now, Input::Shell(ShellEvent::WakeReached));
            }
        }
        self.now = until;
    }

    fn step(&mut self, now: Now, input: Input) {
        self.now = now;
        self.speeches.see(now.moment, &input);
        let step = self.mind.step(now, input, &self.book.settings);
        self.wake = step.wake;
        let (journal, wishes) = lines(step.effects);
        for wish in wishes {
            self.answer(now.moment, wish, &journal);
        }
        self.told.journal.extend(journal);
    }

    /// The world's answer to a wish: as recorded where it is known, at once where it does not matter.
    fn answer(&mut self, at: Moment, wish: Effect, journal: &[JournalEntry]) {
        match wish {
            Effect::Ask(asking) => {
                let is_it = |entry: &&JournalEntry| matches!(entry.event, JournalEvent::AskStarted { ask, .. } if ask == asking.ask);
                let about = journal.iter().find(is_it).map(|entry| &entry.scope.messages[..]);
                self.answer_ask(at, &asking, about.unwrap_or_default());
            }
            Effect::CancelAsk { ask } => {
                let is_of_it = |input: &Input| match input {
                    Input::Answer(
                        Answer::AskEnded { ask: open, .. } | Answer::AskProgressed { ask: open, .. },
                    ) => *open == ask,
                    _ => false,
                };
                self.pending.retain(|(_, input)| !is_of_it(input));
            }
            Effect::Recall(query) => {
                self.pending.push((
                    at,
                    Input::Answer(Answer::Recalled {
                        recall: query.recall,
                        found: mind::Recollection::default(),
                    }),
                ));
            }
            Effect::Room(_, RoomWish::Send(delivery)) => {
                let message = delivery.as_message(
                    self.mind.denizen().clone(),
                    &self.book.settings.identity.name,
                    self.now.wall,
                );
                self.pending.push((
                    at,
                    Input::Answer(Answer::MessageSent {
                        delivery: delivery.id,
                        message,
                    }),
                ));
            }
            Effect::Room(room, RoomWish::React { message, emoji }) => {
                let event = RoomEvent::ReactionChanged {
                    message,
                    person: self.mind.denizen().clone(),
                    emoji,
                    added: true,
                };
                self.pending.push((at, Input::Room(room, event)));
            }
            Effect::Room(_, RoomWish::WriteDown { delivery, at: said }) => {
                self.told.aloud.insert(delivery.turn, delivery.text.clone());
                let name = &self.book.settings.identity.name;
                let message = delivery.as_message(self.mind.denizen().clone(), name, said);
                let delivery = delivery.id;
                let sent = Answer::MessageSent { delivery, message };
                self.pending.push((at, Input::Answer(sent)));
            }
            Effect::Room(
                room,
                wish @ (RoomWish::JoinVoice
                | RoomWish::LeaveVoice
                | RoomWish::Speak { .. }
                | RoomWish::StopSpeaking
                | RoomWish::Listen { .. }
                | RoomWish::InstructService { .. }
                | RoomWish::TellService { .. }
                | RoomWish::PlaySound { .. }),
            ) => self.pending.extend(self.mouth.answer(at, &room, wish)),
            Effect::GatherSurroundings(gather) => {
                let gather = gather.gather;
                let found = self.answers.surroundings(gather).unwrap_or_default();
                self.pending
                    .push((at, Input::Answer(Answer::SurroundingsGathered { gather, found })));
            }
            Effect::MakeMedia(order) => {
                let outcome = MediaOutcome::Failed {
                    detail: "a replay makes no media".to_owned(),
                    refused: false,
                };
                let media = order.media;
                self.pending
                    .push((at, Input::Answer(Answer::MediaEnded { media, outcome })));
            }
            Effect::RunTool(run) => {
                let result = crate::performer::tool_failed(&run, "a replay runs no tools".to_owned());
                self.pending
                    .push((at, Input::Answer(Answer::ToolEnded { run: run.run, result })));
            }
            Effect::StoreGems(gathering) => {
                let added = gathering.gems.iter().map(|gathered| gathered.gem.gem_id.clone());
                let stored = mind::StoredGems {
                    added: added.collect(),
                    ..mind::StoredGems::default()
                };
                self.pending.push((
                    at,
                    Input::Answer(Answer::GemsStored {
                        extraction: gathering.extraction,
                        outcome: mind::StoringOutcome::Stored(stored),
                    }),
                ));
            }
            Effect::OfferToMemory { .. }
            | Effect::Forget { .. }
            | Effect::Room(
                _,
                RoomWish::ShowTyping { .. }
                | RoomWish::ShowDraft { .. }
                | RoomWish::DropDraft { .. }
                | RoomWish::WatchScreen { .. }
                | RoomWish::UnwatchScreen,
            )
            | Effect::Journal(_) => {}
        }
    }

    fn answer_ask(&mut self, at: Moment, asking: &Asking, asked_about: &[MessageId]) {
        let ask = asking.ask;
        let Some(known) = self.answers.answer(at, asking, asked_about) else {
            self.told.not_known.insert(ask);
            return;
        };
        let pieces = known.pieces.into_iter();
        let pieces = pieces.map(|(after, text)| (after, Answer::AskProgressed { ask, text }));
        let outcome = known.outcome;
        if let (Some(delivery), AskOutcome::Answered(answer)) = (&asking.aloud, &outcome) {
            // A service that answers by itself is heard when its answer is there.
            let wish = RoomWish::Speak {
                delivery: delivery.clone(),
                turn: asking.turn,
                sentence: answer.text.trim_start().to_owned(),
                last: true,
            };
            let heard = self.mouth.answer(at + known.took, &asking.room, wish);
            self.pending.extend(heard);
        }
        let ended = (known.took, Answer::AskEnded { ask, outcome });
        let come = pieces.chain([ended]);
        self.pending
            .extend(come.map(|(after, answer)| (at + after, Input::Answer(answer))));
    }
}
