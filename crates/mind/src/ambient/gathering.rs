//! Before it thinks, a run looks around: what memory is searched for, what people are into, which items are worth showing,
//! and which facts go where.

use gist::interests::interests;
use settings::Settings;
use vocabulary::{AuthorKind, GemTag, Message, RecallId, Record, RoomId, Span, Viewpoint};

use super::RoomsInView;
use super::feed::{self, Candidate, Choosing};
use super::run::Run;
use super::sources::Sources;
use crate::effect::RecallQuery;
use crate::input::Recollection;
use crate::memory::recall::fact_line;
use crate::step_context::StepContext;

/// Words of the pool that memory is searched for.
const RECALL_WORDS_CHARS: usize = 600;
const FACTS_MAX: usize = 12;
/// Standing and pinned wishes that are brought along, whatever the talk is of.
const LASTING_MAX: usize = 40;
const INTERESTS_MAX: usize = 12;

/// The items of a run that are worth showing, best first; chance has its say.
pub(super) fn candidates(run: &Run, sources: &Sources, step: &mut StepContext<'_>) -> Vec<Candidate> {
    let settings = step.settings;
    let items = &run.gathered.items;
    let rolls: Vec<u64> = items.iter().map(|_| step.dice.roll()).collect();
    feed::choose(&Choosing {
        items,
        tallies: &sources.tallies,
        interests: &run.interests,
        shared: &sources.shared_lately(settings, step.moment()),
        fresh_for: Span::hours(settings.discovery.freshness_hours),
        allow_nsfw: settings.discovery.allow_nsfw,
        limit: settings.discovery.max_candidates_for_prompt as usize,
        randomness: settings.discovery.randomness,
        rolls: &rolls,
        now: step.now().wall,
    })
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
        let wishes = found.lasting.iter().chain(&found.of_people);
        for gem in wishes.filter(|gem| gem.is_current() && !gem.claim) {
            if !told.contains(&gem.gem_id) {
                told.push(gem.gem_id.clone());
                facts.guidance.push(gem.content.clone());
            }
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

/// What memory is searched for.
pub(super) fn query(run: &Run, recall: RecallId, words: String, step: &StepContext<'_>) -> RecallQuery {
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
        max_lasting: LASTING_MAX,
        min_confidence: 0.0,
        unjudged: false,
    }
}

/// What the people of some channels are into, strongest first.
pub(super) fn interests_of(pool: &[RoomId], rooms: RoomsInView<'_>, settings: &Settings) -> Vec<String> {
    let messages = newest(
        pool,
        settings.initiative.lookback_messages as usize,
        rooms,
        settings,
    );
    let found = interests(&messages, INTERESTS_MAX);
    found.into_iter().map(|interest| interest.word).collect()
}

/// What people wrote lately where it may post, newest first.
pub(super) fn recent_words(pool: &[RoomId], rooms: RoomsInView<'_>, settings: &Settings) -> String {
    let mut messages = newest(pool, 10, rooms, settings);
    messages.retain(|message| message.author.kind == AuthorKind::Person);
    messages.sort_by_key(|message| std::cmp::Reverse(message.at));
    let texts = messages
        .iter()
        .flat_map(|message| message.text.chars().chain([' ']));
    texts.take(RECALL_WORDS_CHARS).collect()
}

/// The newest messages of each of these rooms.
fn newest<'a>(
    pool: &[RoomId],
    count: usize,
    rooms: RoomsInView<'a>,
    settings: &Settings,
) -> Vec<&'a Message> {
    let seen = pool.iter().filter_map(|room| rooms.room(room));
    seen.flat_map(|room| room.newest(count, settings)).collect()
}

/// What of memory a thought may draw on: what may be told in every channel it could be posted to.
pub(super) fn viewpoint(run: &Run, step: &StepContext<'_>) -> Viewpoint {
    let room = match run.pool.as_slice() {
        [only] => only.clone(),
        // No room is called so: the memories of a private one stay there.
        _ => RoomId::new(""),
    };
    step.view(&room, Vec::new())
}
