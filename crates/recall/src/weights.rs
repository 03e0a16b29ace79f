//! Every constant of the ranking, with its reason. How they were found: docs/decisions/recall.md.

/// How soon further occurrences of a word stop counting. Parts are short: saying a word twice says little more.
pub const BM25_SATURATION: f64 = 0.9;
/// How much a long part is held against itself.
pub const BM25_LENGTH: f64 = 0.75;

/// Long texts are read in parts of at most about so many words, and the best part speaks for the whole: what is looked for stands
/// in two or three sentences, and the rest of a long answer only has more chances to share a word.
pub const PART_WORDS: usize = 40;
/// A neighbour that says more is heard with so many words' worth: what a long answer is about is not what stands beside it is about.
pub const NEIGHBOUR_WORDS: u32 = 30;

/// What statements two before, one before, in, one after and two after a turn count for it, in hundredths: what a turn is
/// about often stands beside it, and more often before it.
pub const STATED_HUNDREDTHS: [u32; 5] = [25, 50, 100, 35, 15];
/// The same for questions: a question is about what its answer tells, and tells little itself.
pub const ASKED_HUNDREDTHS: [u32; 5] = [30, 90, 50, 20, 10];

/// What it is worth that somebody speaks of themselves, where the search does: times the share of what is in view where nobody does.
pub const FIRST_PERSON: f64 = 6.0;
/// Stands for all words by which people name themselves.
pub const FIRST_PERSON_WORD: u64 = 1;

/// What being said by somebody whose name the search has is worth, times how rare that is.
pub const SPEAKER: f64 = 1.75;
/// What being said on a date the search has is worth, times how rare that is.
pub const DATE: f64 = 1.25;

/// What meaning counts beside words.
pub const MEANING: f64 = 0.5;
/// What a gem hands on to the turns it was made of.
pub const KEY: f64 = 0.4;

/// Stores keep how much words count for a text: these never change.
pub const REMOTE_SATURATION: f32 = 0.9;
pub const REMOTE_LENGTH: f32 = 0.3;
/// Remote stores cannot tell how long their texts are on average; turns and gems have about this many words.
pub const REMOTE_AVERAGE_WORDS: f32 = 20.0;

/// The most that age ever takes off: an old answer is still the answer.
pub const AGE_SHARE: f64 = 0.05;
/// After so many days half of that is taken off.
pub const AGE_HALF_LIFE_DAYS: f64 = 90.0;
/// How far importance moves a gem, from the least to the most important.
pub const IMPORTANCE_SHARE: f64 = 0.1;
/// What being said twice as often adds, so often at most: what is said again and again is what people ask about.
pub const STRENGTH_SHARE: f64 = 0.02;
pub const DOUBLINGS_MAX: u32 = 3;
/// What an operator's pin is worth.
pub const PINNED_FACTOR: f64 = 1.2;

/// What is taken to be the usual closeness before there are records to tell, and how many records that counts for: a
/// memory of a few gems must find the one that fits. Among hundreds it makes no difference.
pub const FIRST_USUAL: f64 = 0.2;
pub const FIRST_USUAL_COUNTS: f64 = 8.0;

/// Rarity is reckoned as among so many records at least.
pub const RARITY_RECORDS_MIN: usize = 50;

/// How alike turns of one conversation usually are, where a remote store keeps the vectors to itself.
pub const USUAL_COSINE: f32 = 0.3;

/// Confidence is a logistic of the share of the search that is found, how much closer than the usual a record is, how many rare
/// words' worth that share is, and how much was looked through.
pub const CONFIDENT_START: f64 = -1.9;
pub const CONFIDENT_COVERED: f64 = 5.4;
pub const CONFIDENT_CLOSENESS: f64 = 5.9;
pub const CONFIDENT_RARE_WORDS: f64 = 1.3;
pub const CONFIDENT_SEEN: f64 = 0.56;
/// Fewer and more parts were never measured, and count as so many.
pub const SEEN_MIN: usize = 500;
pub const SEEN_MAX: usize = 50_000;
/// More than so many are no surer.
pub const CONFIDENT_RARE_WORDS_MAX: f64 = 8.0;
/// Fewer than half a rare word are chance, however much of the search they are.
pub const RARE_WORDS_MIN: f64 = 0.5;
/// The most that chance is trusted; below where something would be brought up.
pub const UNSURE: f64 = 0.3;

/// Where a model has judged how well a find answers, confidence is a logistic of the model's log-odds, of what confidence was
/// without it, as log-odds, and of closeness, which what was before pays for too dearly once a model has read the text.
pub const JUDGED_START: f64 = 0.4;
pub const JUDGED: f64 = 1.0;
pub const JUDGED_BEFORE: f64 = 0.9;
pub const JUDGED_CLOSENESS: f64 = -3.0;
/// Nothing counts as surer before it is judged, nor as less sure than the rest: a model is believed where no word is shared.
pub const JUDGED_SURE_MAX: f64 = 0.95;
