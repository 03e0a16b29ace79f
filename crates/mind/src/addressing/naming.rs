//! Who is named in a line, and how: called at its head, or mentioned on the way.

use vocabulary::PersonId;

use super::everybody::leads_in;
use super::name::Spelling;
use super::roster::Roster;
use super::words::Words;
use super::{Heard, Identity};

/// One use of somebody's name.
#[derive(Debug)]
pub(super) struct Naming {
    pub(super) person: PersonId,
    /// Nothing but other names and words like "hey" comes before it.
    pub(super) at_head: bool,
    /// A call: at the head, and set off as one or no ordinary word.
    pub(super) called: bool,
    /// It names the person at all, rather than being an ordinary word that looks like the name.
    pub(super) meant: bool,
    /// One of Denizen's aliases rather than its name.
    pub(super) by_alias: bool,
    /// The words around it speak of the person, not to them: "a present for bob", "bob is late".
    pub(super) spoken_of: bool,
}

/// A name after one of these is spoken of.
const BEFORE_SPOKEN_OF: [&str; 34] = [
    "for", "with", "about", "from", "of", "by", "to", "at", "on", "in", "under", "than", "like", "as", "is",
    "was", "that", "if", "when", "what", "because", "friend", "brother", "sister", "boss", "and", "or",
    "not", "then", "tell", "ask", "use", "using", "used",
];
/// A name before one of these is spoken of.
const AFTER_SPOKEN_OF: [&str; 29] = [
    "s", "is", "isn", "was", "wasn", "has", "hasn", "had", "does", "doesn", "did", "didn", "said", "says",
    "told", "asked", "thinks", "thought", "wants", "wanted", "likes", "liked", "loves", "hates", "knows",
    "knew", "will", "would", "wrote",
];

struct Candidate<'a> {
    person: &'a PersonId,
    spelling: &'a Spelling,
    by_alias: bool,
    /// Only ears would write it so: whoever is called so is meant first.
    by_ear: bool,
    heard_at_line: Option<u64>,
}

impl Candidate<'_> {
    /// The longest spelling wins, then a whole name over a first word, then whoever was heard last.
    fn rank(&self) -> (usize, bool, Option<u64>) {
        (self.spelling.len(), self.spelling.whole, self.heard_at_line)
    }

    /// Whether this is somebody else's longer name that only begins like Denizen's: said in one go and set off. Nobody
    /// takes its calls by a name like it, whatever they are called.
    fn is_told_from(&self, own: &Self, words: &Words, at: usize) -> bool {
        let last = at + self.spelling.len() - 1;
        self.spelling.len() > own.spelling.len() && words.run_on(at, last) && words.set_off(last)
    }
}

/// Everybody named in a line, in order; nobody names themselves.
pub(super) fn namings(roster: &Roster, heard: &Heard<'_>, identity: &Identity, words: &Words) -> Vec<Naming> {
    let mut found = Vec::new();
    let mut head = 0;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let Some(candidate) = best(roster, heard, identity, words, at) else {
            if at == head && leads_in(word) {
                head = at + 1;
            }
            at += 1;
            continue;
        };
        let end = at + candidate.spelling.len();
        let at_head = at == head;
        let spoken_of = is_spoken_of(words, at, end, at_head);
        // What Denizen is called was chosen: said to it, that is never an ordinary word, however often it is said of it.
        let said_to_it = at_head || (!spoken_of && (words.get(end).is_none() || words.set_off(at - 1)));
        let is_own = *candidate.person == identity.id;
        let ordinary = !(is_own && said_to_it)
            && roster.is_ordinary_word(candidate.person, candidate.spelling.characters());
        let called = at_head && (words.set_off(end - 1) || !ordinary);
        found.push(Naming {
            person: candidate.person.clone(),
            at_head,
            called,
            meant: called || !ordinary,
            by_alias: candidate.by_alias,
            spoken_of,
        });
        if at_head {
            head = end;
        }
        at = end;
    }
    found
}

/// Whether the words around a name speak of somebody. Set off at the head of a line it is a call, whatever follows.
fn is_spoken_of(words: &Words, at: usize, end: usize, at_head: bool) -> bool {
    let set_off = words.set_off(end - 1);
    let before = at.checked_sub(1).filter(|before| !words.set_off(*before));
    let before = before.and_then(|before| words.get(before));
    let after = words.get(end).filter(|_| !set_off);
    !(at_head && set_off)
        && (before.is_some_and(|word| BEFORE_SPOKEN_OF.contains(&word))
            || after.is_some_and(|word| AFTER_SPOKEN_OF.contains(&word)))
}

fn best<'a>(
    roster: &'a Roster,
    heard: &Heard<'_>,
    identity: &'a Identity,
    words: &Words,
    at: usize,
) -> Option<Candidate<'a>> {
    let own = identity
        .spellings()
        .filter(|(spelling, _)| !heard.by_denizen && spelling.is_said(words, at))
        .map(|(spelling, by_alias)| (spelling, by_alias, false));
    let by_ear = (identity.heard_spellings.iter())
        .filter(|spelling| heard.spoken && !heard.by_denizen && spelling.is_said(words, at))
        .map(|spelling| (spelling, true, true));
    let own = own.chain(by_ear).map(|(spelling, by_alias, by_ear)| Candidate {
        person: &identity.id,
        spelling,
        by_alias,
        by_ear,
        heard_at_line: roster.heard_at_line(&identity.id),
    });
    let others = words
        .get(at)
        .map_or(&[][..], |word| roster.named(word))
        .iter()
        .filter(|named| named.person != *heard.author && named.spelling.is_said(words, at))
        .map(|named| Candidate {
            person: &named.person,
            spelling: &named.spelling,
            by_alias: false,
            by_ear: false,
            heard_at_line: roster.heard_at_line(&named.person),
        });
    let best_of = |candidates: &mut dyn Iterator<Item = Candidate<'a>>| {
        let mut best: Option<Candidate<'a>> = None;
        for candidate in candidates {
            if best.as_ref().is_none_or(|best| candidate.rank() > best.rank()) {
                best = Some(candidate);
            }
        }
        best
    };
    let (own, other) = (best_of(&mut own.into_iter()), best_of(&mut others.into_iter()));
    match (own, other) {
        (Some(own), Some(other)) => Some(if own.by_ear || other.is_told_from(&own, words, at) {
            other
        } else {
            own
        }),
        (own, other) => own.or(other),
    }
}
