//! How long a search takes among very many gems, beside the naive way: going through all texts and all vectors.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use recall::{Index, Table};
use vocabulary::{
    CommunityId, Gem, GemId, GemSource, GemTag, Kinds, PersonId, Place, Reach, Record, RecordId, RoomId,
    Search, SessionId, TurnKey, Viewpoint, WallTime, rfc3339,
};

use super::baseline::{dot, words};
use super::measure::percentile;
use crate::ratio;

const VOCABULARY: usize = 40_000;
const ROOMS: u64 = 40;
const PEOPLE: u64 = 300;
const SEARCHES: usize = 200;
const NAIVE_SEARCHES: usize = 20;
const LIMIT: usize = 10;
const YEAR_MS: u64 = 365 * 86_400_000;
/// Any moment will do; gems are of the year before it.
const NOW: WallTime = WallTime(1_772_000_000_000);

#[derive(Debug, Clone, Copy, Args)]
pub struct Options {
    /// How many gems.
    #[arg(long, default_value_t = 100_000)]
    pub gems: usize,
}

pub fn run(options: Options) -> Result<()> {
    let mut world = World::new();
    let gems: Vec<(Gem, Vec<f32>)> = (0..options.gems).map(|number| world.gem(number)).collect();
    let asked: Vec<(usize, String, Vec<f32>)> = (0..SEARCHES).map(|_| world.question(&gems)).collect();
    let before = resident_mb();
    let began = Instant::now();
    let mut index = Index::new();
    for (gem, vector) in &gems {
        index.put(&Record::Gem(Box::new(gem.clone())), Some(vector))?;
    }
    let built = began.elapsed();
    println!(
        "{} gems of one community: built in {:.1} s, index {:.1} MB by its own account, resident memory grew by {}",
        index.len(),
        built.as_secs_f64(),
        index.bytes() as f64 / 1e6,
        grown(before, resident_mb()),
    );
    let mut times = Vec::new();
    let mut found = 0;
    for (source, words, vector) in &asked {
        let search = search(words, vector);
        let began = Instant::now();
        let hits = index.search(&search)?;
        times.push(began.elapsed());
        let wanted = RecordId::Gem(gems[*source].0.gem_id.clone());
        found += usize::from(hits.iter().any(|hit| hit.id == wanted));
    }
    let texts: Vec<String> = gems.iter().map(|(gem, _)| gem.content.to_lowercase()).collect();
    let naive: Vec<Duration> = asked
        .iter()
        .take(NAIVE_SEARCHES)
        .map(|(_, words, vector)| scan(&texts, &gems, words, vector))
        .collect();
    let (ours, theirs) = (percentile(&times, 50), percentile(&naive, 50));
    println!(
        "search: {} p50, {} p95; the gem asked for is among the best {LIMIT} in {found} of {SEARCHES}",
        ms(ours),
        ms(percentile(&times, 95))
    );
    println!(
        "naive scan (words in every text, cosine with every vector): {} p50, {} p95",
        ms(theirs),
        ms(percentile(&naive, 95))
    );
    println!("ratio: {}", ratio(theirs, ours));
    Ok(())
}

fn search(words: &str, vector: &[f32]) -> Search {
    Search {
        words: words.to_owned(),
        vector: Some(vector.to_vec()),
        view: Viewpoint::Room {
            community: CommunityId::from("town"),
            room: RoomId::from("room-1"),
            reach: Reach::Community,
            people: Vec::new(),
        },
        person: None,
        kinds: Kinds::Both,
        exclude: Vec::new(),
        superseded: false,
        now: NOW,
        limit: LIMIT,
    }
}

/// Counts the words of the search in every text and compares every vector, as floats.
fn scan(texts: &[String], gems: &[(Gem, Vec<f32>)], asked: &str, vector: &[f32]) -> Duration {
    let began = Instant::now();
    let asked = words(asked);
    let mut scored: Vec<(f32, usize)> = texts
        .iter()
        .zip(gems)
        .enumerate()
        .map(|(number, (text, (_, known)))| {
            let counted = asked
                .iter()
                .map(|word| text.matches(word.as_str()).count())
                .sum::<usize>();
            (counted as f32 + dot(vector, known), number)
        })
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    black_box(&scored[..LIMIT.min(scored.len())]);
    began.elapsed()
}

/// Makes gems with words as unevenly common as in language, and meanings that cluster.
struct World {
    state: u64,
    words: Vec<String>,
    dimensions: usize,
    topics: Vec<Vec<f32>>,
}

impl World {
    fn new() -> World {
        let mut world = World {
            state: 7,
            words: Vec::new(),
            dimensions: Table::builtin().dimensions(),
            topics: Vec::new(),
        };
        world.words = (0..VOCABULARY).map(|_| world.word()).collect();
        world.topics = (0..500).map(|_| world.direction()).collect();
        world
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (value ^ (value >> 31)) % bound
    }

    fn fraction(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1_u64 << 53) as f64
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 16] = [
            "ba", "den", "ko", "li", "mar", "no", "pel", "ri", "sun", "ta", "vor", "wen", "xi", "yo", "zam",
            "gru",
        ];
        let syllables = 2 + self.below(3);
        (0..syllables)
            .map(|_| SYLLABLES[self.below(16) as usize])
            .collect()
    }

    /// A word by Zipf's law: the second is half as common as the first.
    fn common_word(&mut self) -> usize {
        ((VOCABULARY as f64).powf(self.fraction()) - 1.0) as usize
    }

    fn direction(&mut self) -> Vec<f32> {
        (0..self.dimensions)
            .map(|_| (self.fraction() + self.fraction() + self.fraction() - 1.5) as f32)
            .collect()
    }

    /// Near a direction, by so much noise.
    fn near(&mut self, direction: &[f32], noise: f32) -> Vec<f32> {
        let other = self.direction();
        direction
            .iter()
            .zip(other)
            .map(|(value, other)| value + noise * other)
            .collect()
    }

    fn gem(&mut self, number: usize) -> (Gem, Vec<f32>) {
        let length = 8 + self.below(14);
        let mut content = Vec::new();
        for _ in 0..length {
            let word = self.common_word();
            content.push(self.words[word].clone());
        }
        let topic = self.below(500) as usize;
        let topic = self.topics[topic].clone();
        let vector = self.near(&topic, 1.0);
        let at = WallTime(NOW.0 - self.below(YEAR_MS) as i64);
        let session = format!("session-{}", number / 30);
        let person = self.below(PEOPLE);
        let gem = Gem {
            gem_id: GemId::new(format!("gem-{number:08}")),
            content: content.join(" "),
            summary: String::new(),
            topics: Vec::new(),
            importance: self.fraction(),
            source: GemSource {
                session_id: SessionId::new(session),
                date: rfc3339::date(at),
                turn_range: String::new(),
                turns: vec![TurnKey::new(format!("turn-{number:08}"))],
            },
            tags: vec![GemTag::Fact],
            created_at: at,
            place: Place {
                community: CommunityId::from("town"),
                room: RoomId::new(format!("room-{}", self.below(ROOMS))),
                private: false,
            },
            person: Some(PersonId::new(format!("person-{person}"))),
            person_name: format!("Person{person}"),
            attribute: None,
            claim: false,
            standing: false,
            pinned: false,
            strength: 1,
            last_seen_at: at,
            valid_from: at,
            valid_until: None,
            superseded_by: None,
            made_by: String::new(),
        };
        (gem, vector)
    }

    /// Some words of a gem, and a meaning near its own.
    fn question(&mut self, gems: &[(Gem, Vec<f32>)]) -> (usize, String, Vec<f32>) {
        let source = self.below(gems.len() as u64) as usize;
        let (gem, vector) = &gems[source];
        let words: Vec<&str> = gem.content.split(' ').collect();
        let some: Vec<&str> = (0..6)
            .map(|_| words[self.below(words.len() as u64) as usize])
            .collect();
        let vector = self.near(vector, 0.7);
        (
            source,
            format!("what did they say about {}?", some.join(" ")),
            vector,
        )
    }
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn grown(before: Option<f64>, after: Option<f64>) -> String {
    match (before, after) {
        (Some(before), Some(after)) => format!("{:.1} MB", after - before),
        _ => "an unknown amount".to_owned(),
    }
}

/// Of this process, where the system tells.
fn resident_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1.024 / 1e3)
}
