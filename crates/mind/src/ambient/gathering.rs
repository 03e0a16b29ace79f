//! Before it thinks, a run looks around: the feed is read, memory is searched, and what is worth showing is chosen.

use settings::Settings;
use vocabulary::{AuthorKind, FeedHarvest, GatherId, GemTag, Message, RecallId, Record, RoomId, Span};

use super::feed::{self, Choosing};
use super::interests::interests;
use super::run::{Run, Stage};
use super::thinking::viewpoint;
use super::{Ambient, Around, sources};
use crate::effect::{Effect, Gather, RecallQuery};
use crate::input::Recollection;
use crate::journal::JournalEvent;
use crate::journal::explain::count;
use crate::memory::recall::fact_line;
use crate::step_context::StepContext;

/// How long it looks around, at most.
const GATHER_DEADLINE: Span = Span::seconds(12);
/// Words of the pool that memory is searched for.
const RECALL_WORDS_CHARS: usize = 600;
const FACTS_MAX: usize = 12;
const INTERESTS_MAX: usize = 12;

impl Ambient {
    /// Wants the feed read and memory searched, where there is something to read and to search for.
    pub(super) fn look_around(&mut self, mut run: Run, around: Around<'_>, step: &mut StepContext<'_>) {
        let wish = sources::wish(step.settings, &self.sources.own_ones(), step.now().wall);
        let gather = (!wish.sources.is_empty()).then(|| {
            let gather = step.counters.gather.take_next();
            step.ledger.want(Effect::GatherSurroundings(Box::new(Gather {
                gather,
                wish,
                deadline: GATHER_DEADLINE,
            })));
            gather
        });
        let words = recent_words(&run.pool, around);
        let wanted = step.settings.memory.enabled && !words.trim().is_empty();
        let recall = wanted.then(|| {
            let recall = step.counters.recall.take_next();
            step.ledger.want(Effect::Recall(query(&run, recall, words, step)));
            recall
        });
        run.stage = Stage::Gathering {
            gather,
            recall,
            deadline: step.moment() + GATHER_DEADLINE,
        };
        self.go_on_when_gathered(run, around, step);
    }

    pub fn surroundings_gathered(
        &mut self,
        gather: GatherId,
        found: FeedHarvest,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Gathering { gather: open, .. } if open == Some(gather));
        let Some(mut run) = self.run.take_if(waits) else {
            return;
        };
        if let Stage::Gathering { gather, .. } = &mut run.stage {
            *gather = None;
        }
        self.sources.read(&found, step.now().wall);
        run.gathered = found;
        self.go_on_when_gathered(run, around, step);
    }

    pub fn recalled(
        &mut self,
        recall: RecallId,
        found: &Recollection,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Gathering { recall: open, .. } if open == Some(recall));
        let Some(mut run) = self.run.take_if(waits) else {
            return;
        };
        if let Stage::Gathering { recall, .. } = &mut run.stage {
            *recall = None;
        }
        run.recalled = found.clone();
        self.go_on_when_gathered(run, around, step);
    }

    fn go_on_when_gathered(&mut self, run: Run, around: Around<'_>, step: &mut StepContext<'_>) {
        match run.stage {
            Stage::Gathering {
                gather: None,
                recall: None,
                ..
            } => self.gathered(run, false, around, step),
            _ => self.run = Some(run),
        }
    }

    /// It has looked around: what is worth showing is chosen, and the model is asked.
    pub(super) fn gathered(
        &mut self,
        mut run: Run,
        abandoned: bool,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let settings = step.settings;
        run.interests = interests_of(&run.pool, around, settings);
        let rolls: Vec<u64> = run.gathered.items.iter().map(|_| step.dice.roll()).collect();
        run.candidates = feed::choose(&Choosing {
            items: &run.gathered.items,
            tallies: &self.sources.tallies,
            interests: &run.interests,
            shared: &self.sources.shared_lately(settings, step.moment()),
            fresh_for: Span::hours(settings.discovery.freshness_hours),
            allow_nsfw: settings.discovery.allow_nsfw,
            limit: settings.discovery.max_candidates_for_prompt as usize,
            randomness: settings.discovery.randomness,
            rolls: &rolls,
            now: step.now().wall,
        });
        if !run.trial {
            for candidate in &run.candidates {
                self.sources.tally(&candidate.item.source).shown += 1;
            }
        }
        let failed = run
            .gathered
            .reports
            .iter()
            .filter(|report| report.failure.is_some());
        let (items, sources_failed) = (run.gathered.items.len(), failed.count());
        let event = JournalEvent::AmbientRunGathered {
            items,
            candidates: run.candidates.len(),
            sources: run.gathered.reports.len(),
            sources_failed,
            facts: run.recalled.facts.len(),
            abandoned,
            took: step.moment().since(run.started),
        };
        run.cause = step.ledger.write(run.scope(), event);
        let words = format!(
            "read {}, {sources_failed} in vain: {}, {} shown; {}",
            count(run.gathered.reports.len(), "source"),
            count(items, "item"),
            run.candidates.len(),
            count(run.recalled.facts.len(), "fact")
        );
        run.step(step.now().wall, "gathered", words, None);
        // Everything else is in the candidates now; the rest would only fill the snapshots.
        run.gathered = FeedHarvest::default();
        self.candidates = run.candidates.clone();
        self.ask(run, around, step);
    }
}

/// Facts of memory, each where the prompt has it.
pub(super) struct Facts {
    pub memory: Vec<String>,
    pub guidance: Vec<String>,
    pub behaviour: Vec<String>,
}

impl Facts {
    /// Standing wishes, and what is known of Denizen itself, are guidance; preferences that fit are behavioural; the rest
    /// that fits is memory. A claim guides nobody.
    pub fn of(found: &Recollection, min_confidence: f64) -> Self {
        let mut facts = Self {
            memory: Vec::new(),
            guidance: Vec::new(),
            behaviour: Vec::new(),
        };
        let mut told = Vec::new();
        for gem in found
            .of_people
            .iter()
            .filter(|gem| gem.is_current() && !gem.claim)
        {
            told.push(gem.gem_id.clone());
            facts.guidance.push(gem.content.clone());
        }
        let sure = found
            .facts
            .iter()
            .filter(|fact| fact.scores.confidence >= min_confidence);
        for fact in sure {
            match &fact.record {
                Record::Gem(gem) if !gem.is_current() || told.contains(&gem.gem_id) => {}
                Record::Gem(gem) if (gem.standing || gem.pinned) && !gem.claim => {
                    facts.guidance.push(gem.content.clone());
                }
                Record::Gem(gem) if gem.tags.contains(&GemTag::Preference) && !gem.claim => {
                    facts.behaviour.push(gem.content.clone());
                }
                Record::Gem(_) | Record::Turn(_) => facts.memory.push(fact_line(fact)),
            }
        }
        facts
    }
}

fn query(run: &Run, recall: RecallId, words: String, step: &StepContext<'_>) -> RecallQuery {
    RecallQuery {
        recall,
        room: run.home(),
        words,
        exclude: Vec::new(),
        max_messages: 0,
        view: viewpoint(run, step),
        people: vec![step.identity.id.clone()],
        max_facts: FACTS_MAX,
        gems_only: true,
    }
}

/// What the people of some channels are into, strongest first.
pub(super) fn interests_of(pool: &[RoomId], around: Around<'_>, settings: &Settings) -> Vec<String> {
    let messages: Vec<&Message> = pool
        .iter()
        .filter_map(|room| around.rooms.get(room))
        .flat_map(|room| room.newest(settings.initiative.lookback_messages as usize))
        .collect();
    let found = interests(&messages, INTERESTS_MAX);
    found.into_iter().map(|interest| interest.word).collect()
}

/// What people wrote lately where it may post, newest first.
fn recent_words(pool: &[RoomId], around: Around<'_>) -> String {
    let mut messages: Vec<&Message> = pool
        .iter()
        .filter_map(|room| around.rooms.get(room))
        .flat_map(|room| room.newest(10))
        .filter(|message| message.author.kind == AuthorKind::Person)
        .collect();
    messages.sort_by_key(|message| std::cmp::Reverse(message.at));
    let texts = messages
        .iter()
        .flat_map(|message| message.text.chars().chain([' ']));
    texts.take(RECALL_WORDS_CHARS).collect()
}
