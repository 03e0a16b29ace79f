//! Makes a gem of what was found worth keeping: its id, its source, whom it is about, and what of it may not be kept.

use vocabulary::text::one_line;
use vocabulary::{Author, AuthorKind, CapturedTurn, Gem, GemSource, GemTag, Place, WallTime, rfc3339};

use super::attribute::attribute;
use super::folding::{clip, sentences, words};
use super::identity::gem_id;
use super::planted::{is_planted_by, planted_part};
use super::redaction::{MARK, redact, without_marks};
use super::rejection::RejectReason;

pub(super) const CONTENT_CHARS_MAX: usize = 800;
const SUMMARY_CHARS_MAX: usize = 160;
const TOPICS_MAX: usize = 8;
const TOPIC_CHARS_MAX: usize = 40;
const QUOTE_CHARS_MAX: usize = 300;
/// A claim is never more important than trivia.
const CLAIM_IMPORTANCE_MAX: f64 = 0.3;
/// Words that only say that there was a secret.
const ABOUT_SECRETS: &str = " a an the is was are has have set to of for in on and his her their my says said that this api key \
    keys password passwords passcode passphrase pin token tokens secret secrets card credit number account iban bank \
    private seed phrase access login uses use shared gave gives give here posted told ";

/// What somebody found worth keeping, before it is a gem.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    pub content: String,
    /// Empty: the content, shortened.
    pub summary: String,
    pub topics: Vec<String>,
    pub importance: f64,
    pub tags: Vec<GemTag>,
    /// The turns it comes from, oldest first, at least one.
    pub turns: Vec<&'a CapturedTurn>,
    pub speaker: &'a Author,
    pub about: &'a Author,
    pub attribute: Option<String>,
    pub standing: bool,
}

/// Who makes the gem, when, and the how manieth of these turns it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maker<'a> {
    pub by: &'a str,
    pub now: WallTime,
    pub ordinal: usize,
}

/// The gem, unless nothing is left of it without its secrets.
pub(super) fn make(draft: Draft<'_>, maker: Maker<'_>) -> Result<Gem, RejectReason> {
    let Some(newest) = draft.turns.iter().max_by_key(|turn| (turn.at, turn.number)) else {
        return Err(RejectReason::NoSource);
    };
    let redacted = redact(&one_line(&draft.content));
    if redacted.text.contains(MARK) && says_nothing_else(&redacted.text, &draft) {
        return Err(RejectReason::SecretOnly);
    }
    let content = redacted.text;
    let summary = match draft.summary.trim() {
        "" => content.clone(),
        summary => redact(&one_line(summary)).text,
    };
    let is_own = draft.speaker.id == draft.about.id;
    let may_stand = is_own && draft.speaker.kind == AuthorKind::Person;
    let mut gem = Gem {
        gem_id: gem_id(&newest.session, &keys(&draft.turns), maker.ordinal),
        summary: clip(&summary, SUMMARY_CHARS_MAX),
        topics: topics(&draft.topics),
        importance: draft.importance,
        source: source(&draft.turns, newest),
        tags: tags(&draft.tags),
        created_at: maker.now,
        place: Place {
            private: draft.turns.iter().any(|turn| turn.place.private),
            ..newest.place.clone()
        },
        person: Some(draft.about.id.clone()),
        person_name: draft.about.name.clone(),
        // What somebody says of another is no value that replaces what that person said.
        attribute: draft.attribute.as_deref().and_then(attribute).filter(|_| is_own),
        claim: false,
        standing: draft.standing && may_stand,
        pinned: false,
        strength: 1,
        last_seen_at: newest.at,
        valid_from: newest.at,
        valid_until: None,
        superseded_by: None,
        made_by: maker.by.to_owned(),
        content,
    };
    if let Some((quote, by)) = planted_quote(&gem.content, &draft) {
        make_claim(&mut gem, &quote, by);
    }
    Ok(gem)
}

/// What is planted in it, and by whom: in its own words, or in the sentence of a turn that it was made of.
fn planted_quote<'a>(content: &str, draft: &Draft<'a>) -> Option<(String, &'a Author)> {
    let wanted = words(content);
    let mut nearest: Option<(usize, &'a CapturedTurn, &'a str)> = None;
    for turn in &draft.turns {
        for sentence in sentences(&turn.text) {
            let shared = words(sentence)
                .iter()
                .filter(|word| wanted.contains(word))
                .count();
            if nearest.is_none_or(|(most, ..)| shared > most) {
                nearest = Some((shared, turn, sentence));
            }
        }
    }
    // A draft of a planted sentence may read as harmless as any fact.
    let from_turn = nearest.and_then(|(_, turn, sentence)| {
        let by = &turn.speaker;
        // What hides across sentences is the whole turn.
        let hidden = || planted_part(&turn.text, &by.name).filter(|part| part.len() == turn.text.len());
        let quote = planted_part(sentence, &by.name).or_else(hidden)?;
        Some((quote.to_owned(), by))
    });
    let is_planted =
        || is_planted_by(content, &draft.speaker.name).then(|| (content.to_owned(), draft.speaker));
    from_turn.or_else(is_planted)
}

fn make_claim(gem: &mut Gem, quote: &str, speaker: &Author) {
    let visible: String = super::folding::visible(quote).collect();
    let quote = redact(&one_line(&visible)).text.replace(['"', '“', '”'], "'");
    gem.content = format!("{} said: \"{}\"", speaker.name, clip(&quote, QUOTE_CHARS_MAX));
    gem.summary = clip(&gem.content, SUMMARY_CHARS_MAX);
    gem.importance = gem.importance.min(CLAIM_IMPORTANCE_MAX);
    gem.tags = vec![GemTag::Fact];
    gem.attribute = None;
    gem.claim = true;
    gem.standing = false;
    gem.person = Some(speaker.id.clone());
    gem.person_name = speaker.name.clone();
}

fn says_nothing_else(content: &str, draft: &Draft<'_>) -> bool {
    let names = words(&format!("{} {}", draft.speaker.name, draft.about.name));
    let tells = |word: &String| !names.contains(word) && !ABOUT_SECRETS.contains(&format!(" {word} "));
    words(&without_marks(content))
        .iter()
        .filter(|word| tells(word))
        .count()
        < 2
}

fn source(turns: &[&CapturedTurn], newest: &CapturedTurn) -> GemSource {
    let numbers = || turns.iter().map(|turn| turn.number);
    GemSource {
        session_id: newest.session.clone(),
        date: rfc3339::date(newest.at),
        turn_range: format!(
            "{}-{}",
            numbers().min().unwrap_or(0),
            numbers().max().unwrap_or(0)
        ),
        turns: keys(turns),
    }
}

fn keys(turns: &[&CapturedTurn]) -> Vec<vocabulary::TurnKey> {
    turns.iter().map(|turn| turn.id.clone()).collect()
}

fn tags(given: &[GemTag]) -> Vec<GemTag> {
    let mut tags = given.to_vec();
    tags.sort_unstable();
    tags.dedup();
    tags
}

fn topics(given: &[String]) -> Vec<String> {
    let mut topics: Vec<String> = Vec::new();
    for topic in given {
        let topic = redact(&one_line(topic)).text.to_lowercase();
        let fits = !topic.is_empty() && topic.chars().count() <= TOPIC_CHARS_MAX;
        if fits && !topics.contains(&topic) && topics.len() < TOPICS_MAX {
            topics.push(topic);
        }
    }
    topics
}
