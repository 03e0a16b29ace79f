//! The cycle: a tick decides, a run begins and ends, and whatever else happens to thoughts: they expire, the operator drops
//! them, somebody is forgotten, the process ends.

use settings::Settings;
use vocabulary::{
    AuthorKind, FeedSource, Forget, JournalSeq, Message, MessageId, Now, PersonId, Span, TurnId,
};

use super::gates::{self, AmbientGate, GateQuestion, Verdict};
use super::posts::Post;
use super::receipts::Ticked;
use super::rooms::listens_to;
use super::run::{Next, Run, RunContext, RunKind, Skip, Stage};
use super::ticking::{Ticking, gap};
use super::view::RunStage;
use super::{Ambient, RoomsInView, pool};
use crate::effect::Wake;
use crate::input::Forgotten;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, InitiativeSkip, RunOutcome};
use crate::spending::ThoughtSpending;
use crate::step_context::flight::LookUp;
use crate::step_context::{StepContext, flight};

impl Ambient {
    /// Does what time has made due.
    pub fn advance(&mut self, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        step.thoughts.prune(now);
        self.end_stranded_run(step);
        // A look that has just ended may have outlasted the thought; while it goes on, the look decides.
        if self.held.is_over(now) && !self.revisits() {
            self.let_go(InitiativeSkip::Expired, step);
        }
        match self.ticker.advance(now, step.settings) {
            Ticking::Quiet => {}
            Ticking::Stopped(gate) => {
                self.receipts.write(Ticked::stopped(gate, None), step);
            }
            Ticking::Tick => self.tick(rooms, step),
        }
    }

    pub fn next_wake(&self) -> Option<Wake> {
        let expiry = self.held.next_wake().filter(|_| !self.revisits());
        self.ticker.next_wake().into_iter().chain(expiry).min()
    }

    fn tick(&mut self, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        let question = self.question(rooms, step.thoughts, step.now(), step.settings);
        let (revisits, roll) = match gates::decide(&question) {
            Verdict::Stop(gate) => {
                self.receipts.write(Ticked::stopped(gate, None), step);
                return;
            }
            Verdict::Revisit => (true, None),
            Verdict::Fresh => {
                let (roll, below) = (step.dice.roll(), step.settings.initiative.eagerness);
                if roll >= below {
                    let ticked = Ticked::stopped(AmbientGate::Eagerness, Some((roll, below)));
                    self.receipts.write(ticked, step);
                    return;
                }
                (false, Some((roll, below)))
            }
        };
        let turn = step.counters.turn.take_next();
        let ticked = Ticked {
            gate: None,
            revisits,
            roll,
            turn: Some(turn),
        };
        let cause = self.receipts.write(ticked, step);
        if !revisits {
            self.ticker.consider(step.moment());
        }
        let kind = RunKind {
            trial: false,
            revisits,
        };
        self.begin(turn, kind, cause, rooms, step);
    }

    /// What the gates look at now.
    pub(super) fn question(
        &self,
        rooms: RoomsInView<'_>,
        spending: &ThoughtSpending,
        now: Now,
        settings: &Settings,
    ) -> GateQuestion {
        let (initiative, moment) = (&settings.initiative, now.moment);
        let expected = spending.expected(settings.llm.max_output_tokens);
        let resting = self.held.resting(moment);
        GateQuestion {
            enabled: initiative.enabled,
            channels: pool::eligible(settings).len(),
            existing: pool::existing(settings, rooms).len(),
            posts: self.books.posts.meter(0, moment).used,
            max_posts: initiative.max_posts_per_day,
            budget: spending.refuses(expected, &settings.initiative_budget, moment),
            active: rooms.exchange(moment, settings).is_some(),
            thinking: self.run.is_some(),
            held: resting.map(|(looked, _)| looked),
            rest: resting.map_or(Span::ZERO, |(_, rest)| rest),
            considered: self.ticker.since_considered(moment),
            gap: gap(settings),
            busy: match self.held.thought() {
                Some(held) => rooms.in_the_way(&held.room).is_some(),
                None => rooms.are_all_in_use(&pool::existing(settings, rooms)),
            },
        }
    }

    /// A run begins: it looks around first.
    fn begin(
        &mut self,
        turn: TurnId,
        kind: RunKind,
        cause: Option<JournalSeq>,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let held = self.held.thought().filter(|_| kind.revisits);
        let pool = pool::known_together(held.map(|held| &held.room), rooms, step);
        let event = JournalEvent::AmbientRunStarted {
            trial: kind.trial,
            revisits: kind.revisits,
            channels: pool.len(),
        };
        let scope = pool.first().map_or_else(Scope::default, Scope::room);
        let cause = step.ledger.write(scope.turn(turn).because(cause), event);
        let mut run = Run::new(turn, kind, pool, cause, step.now());
        let unknown = pool::unknown(step.settings, rooms);
        let gate = if unknown.is_empty() {
            AmbientGate::NoChannels
        } else {
            run.write(JournalEvent::AmbientChannelsUnknown { rooms: unknown }, step);
            AmbientGate::UnknownChannels
        };
        if run.pool.is_empty() {
            return self.end(run, RunOutcome::Dropped, gate.words(), step);
        }
        self.go_on(run, rooms, step, Run::look_around);
    }

    /// Somebody wants to see what it would think now.
    pub fn think_now(&mut self, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        if self.run.is_some() {
            return;
        }
        self.trial = None;
        let turn = step.counters.turn.take_next();
        let kind = RunKind {
            trial: true,
            revisits: self.held.thought().is_some(),
        };
        self.begin(turn, kind, None, rooms, step);
    }

    /// A run takes its next steps, and what comes of them is seen to.
    pub(super) fn go_on(
        &mut self,
        mut run: Run,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
        go: impl FnOnce(&mut Run, &mut RunContext<'_>, &mut StepContext<'_>) -> Next,
    ) {
        let mut context = RunContext {
            books: &mut self.books,
            held: self.held.thought(),
            rooms,
        };
        let next = go(&mut run, &mut context, step);
        self.follow(run, next, step);
    }

    pub(super) fn follow(&mut self, run: Run, next: Next, step: &mut StepContext<'_>) {
        match next {
            Next::Wait => self.run = Some(run),
            Next::End { outcome, words } => self.end(run, outcome, &words, step),
            Next::Skip(skip) => self.skip(run, &skip, step),
            Next::Hold(refined) => {
                let skip = Skip {
                    reason: InitiativeSkip::Held,
                    detail: refined.reason.clone(),
                    ask: Some(refined.revision.ask),
                };
                if !run.trial {
                    let (now, gap) = (step.now(), gap(step.settings));
                    self.held.hold(refined, run.revisits, now, gap);
                }
                self.skip(run, &skip, step);
            }
            Next::Posted(messages) => self.posted(run, messages, step),
        }
    }

    /// A run is over.
    fn end(&mut self, mut run: Run, outcome: RunOutcome, words: &str, step: &mut StepContext<'_>) {
        for look_up in run.look_ups() {
            step.flights.found(look_up);
            if let LookUp::Media(media) = look_up {
                step.spending.media_given_up(media);
            }
        }
        let is_failure = matches!(outcome, RunOutcome::Failed | RunOutcome::Interrupted);
        let outcome = if run.trial { RunOutcome::Trial } else { outcome };
        let (calls, tokens, cost_micro_dollars) = step.thoughts.of(run.turn);
        let event = JournalEvent::AmbientRunEnded {
            outcome,
            took: step.took(run.started),
            calls,
            tokens,
            cost_micro_dollars,
        };
        run.write(event, step);
        if run.revisits && !run.trial {
            self.held.looked_at(step.moment());
        }
        self.receipts.came_of(run.turn, outcome.action());
        if run.trial {
            let mut trial = run.view(Some(step.now().wall), words);
            if is_failure {
                trial.stage = RunStage::Failed;
            }
            self.trial = Some(trial);
        }
    }

    /// A run is over without a post.
    fn skip(&mut self, mut run: Run, skip: &Skip, step: &mut StepContext<'_>) {
        let reason = skip.reason;
        if !run.trial {
            let event = JournalEvent::InitiativeSkip {
                reason,
                detail: skip.detail.clone(),
                ask: skip.ask,
                revisions: self.held.revisions(),
            };
            run.write(event, step);
        }
        let head = match run.trial {
            true => "Nothing would have been posted: ",
            false => "",
        };
        let words = match skip.detail.as_str() {
            "" => format!("{head}{}", reason.words()),
            detail => format!("{head}{} ({detail})", reason.words()),
        };
        let looked_at = run.revisits && !run.trial;
        self.end(run, reason.outcome(), &words, step);
        if looked_at && reason.ends_held_thought() {
            self.held.take();
        }
    }

    /// A run is over, and what it had to say is in the room.
    fn posted(&mut self, mut run: Run, messages: Vec<MessageId>, step: &mut StepContext<'_>) {
        let Stage::Posting(draft) = run.stage.clone() else {
            return;
        };
        let now = step.now();
        let links = draft.links(&run.candidates);
        let held = if run.revisits { self.held.take() } else { None };
        let wish = draft.media.as_ref().filter(|_| !draft.attachments.is_empty());
        let media = wish.map(|wish| wish.kind);
        let held_since = held.as_ref().map(|held| held.created);
        let event = JournalEvent::InitiativePost {
            ask: draft.ask,
            messages: messages.clone(),
            characters: draft.text.chars().count(),
            links: links.iter().map(|link| link.url.clone()).collect(),
            media,
            reply_to: draft.reply_to.clone(),
            revisions: held.as_ref().map_or(0, |held| held.revisions),
            held_for: held_since.map_or(Span::ZERO, |since| now.moment.since(since)),
        };
        run.cause = step.ledger.write(run.scope().about_all(&messages), event);
        // A fresh one has started the gap already.
        if run.revisits {
            self.ticker.consider(now.moment);
        }
        self.books.sources.shared(&links, now.moment);
        self.books.posts.add(Post {
            turn: run.turn,
            room: draft.room,
            messages,
            text: draft.text,
            moment: now.moment,
            at: now.wall,
            links,
            media,
            reactions: Vec::new(),
            replies: Vec::new(),
            spoken: false,
        });
        self.end(run, RunOutcome::Posted, "it was posted", step);
    }

    /// The operator wants the held thought gone.
    pub fn thought_dropped(&mut self, step: &mut StepContext<'_>) {
        if self.run.as_ref().is_some_and(|run| run.revisits && !run.trial) {
            self.give_up(CancelReason::DroppedByOperator, step);
        }
        self.let_go(InitiativeSkip::DroppedByOperator, step);
    }

    fn let_go(&mut self, reason: InitiativeSkip, step: &mut StepContext<'_>) {
        let Some(held) = self.held.take() else { return };
        let event = JournalEvent::InitiativeSkip {
            reason,
            detail: String::new(),
            ask: None,
            revisions: held.revisions,
        };
        step.ledger.write(Scope::room(&held.room), event);
    }

    /// Gives the run under way up, unless its post is on its way already.
    fn give_up(&mut self, why: CancelReason, step: &mut StepContext<'_>) {
        let unposted = |run: &mut Run| !matches!(run.stage, Stage::Posting(_));
        let Some(mut run) = self.run.take_if(unposted) else {
            return;
        };
        if let Stage::Thinking { ask } = run.stage {
            let line = flight::cancel(ask, why, run.scope(), step);
            run.cause = line.unwrap_or(run.cause);
        }
        self.end(run, RunOutcome::Interrupted, why.words(), step);
    }

    /// Whether the run under way looks at the held thought.
    fn revisits(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.revisits)
    }

    /// Somebody wrote something, which may be `known`: platforms say some things twice.
    pub fn message_arrived(&mut self, message: &Message, known: bool, step: &mut StepContext<'_>) {
        let heard = listens_to(&message.author.id, step.settings);
        if known || !heard || message.author.kind != AuthorKind::Person {
            return;
        }
        self.books.posts.answered(message, &mut self.books.sources, step);
        if pool::eligible(step.settings).contains(&message.room) {
            self.held.somebody_wrote();
        }
    }

    pub fn reaction_changed(
        &mut self,
        message: &MessageId,
        by: (&PersonId, &str),
        added: bool,
        step: &mut StepContext<'_>,
    ) {
        if added && !listens_to(by.0, step.settings) {
            return;
        }
        let books = &mut self.books;
        books.posts.reacted(message, by, added, &mut books.sources, step);
    }

    /// The operator wants a source gone that it has added.
    pub fn source_dropped(&mut self, source: &FeedSource, step: &mut StepContext<'_>) {
        self.books.sources.dropped(source, step);
    }

    /// Something is forgotten: what speaks of it goes, and what is under way may be based on it.
    pub fn forget(&mut self, forgotten: &Forgotten, step: &mut StepContext<'_>) {
        self.give_up(CancelReason::Forgotten, step);
        self.trial = None;
        let told = forgotten.names.iter().chain(&forgotten.texts);
        let told: Vec<String> = told
            .map(|text| text.to_lowercase())
            .filter(|text| !text.trim().is_empty())
            .collect();
        if self.held.speaks_of(&told) {
            self.let_go(InitiativeSkip::Forgotten, step);
        }
        if let Forget::Person { person, .. } = &forgotten.what {
            self.books.posts.forget(person);
        }
    }

    /// The process is back. What was missed meanwhile is missed.
    pub fn restarted(&mut self, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        self.ticker.restarted(step.moment());
        let Some(run) = self.run.take() else { return };
        match run.stage {
            Stage::Making { .. } => self.go_on(run, rooms, step, |run, context, step| {
                run.media_lost("the process ended before it was there", context, step)
            }),
            // Its question is handed back as lost; its post is sent again by the outbox.
            Stage::Thinking { .. } | Stage::Posting(_) => self.run = Some(run),
            Stage::Gathering { .. } | Stage::UsingTools => self.follow(run, Next::interrupted(), step),
        }
    }
}
