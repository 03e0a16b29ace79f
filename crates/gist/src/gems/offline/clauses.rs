//! Takes a turn apart into clauses that state something, and passes over what does not mean what it says.

use super::super::folding::{fold, joined, sentences, words};

/// A clause, and its pieces as they are compared.
#[derive(Clone, Debug)]
pub(super) struct Clause<'a> {
    pub pieces: Vec<&'a str>,
    pub words: Vec<String>,
}

/// Words that open a sentence and add nothing to it.
const FILLER: &str = " well so oh ok okay yeah yes yep yup no nope btw fyi actually honestly hey hi hello also and but um uh hmm ah \
    right sure anyway basically definitely absolutely totally guys folks everyone all thanks thank wow damn ugh lol then because cause plus ps ";
const FILLER_PHRASES: &str = "by the way|just so you know|for the record|remember that|please remember that|note that|\
    good news|to be honest|in case you wonder";
/// Words with which a clause says that it is not meant as it stands.
const NOT_MEANT: &str = " lol lmao rofl jk kidding joking sarcasm hypothetically imagine suppose supposedly ";
const NOT_MEANT_SIGNS: [&str; 9] = ["/s", "/j", "😂", "🤣", "😜", "😛", "🙃", "😉", ";)"];
/// Openings of what is not so.
const UNREAL: &str = "if|what if|i wish|i would|id|i might|i may|i could|maybe|perhaps|i used to|unless|when i was|as if|\
    i almost|i nearly|i guess|i thought|i dreamt|i dreamed|pretend";
/// Openings of what somebody else said.
const REPORTED: [&str; 12] = [
    "he", "she", "they", "someone", "somebody", "everyone", "people", "quote", "it", "who", "my", "the",
];
const SAYING: [&str; 9] = [
    "said", "says", "say", "told", "goes", "wrote", "claims", "thinks", "asked",
];
/// Words with which a new clause begins.
const OPENINGS: [&str; 12] = [
    "i", "im", "ill", "ive", "my", "we", "were", "well", "weve", "remind", "lets", "call",
];
/// Words with which a remark begins that adds nothing to what was stated.
const ASIDES: [&str; 14] = [
    "it", "its", "he", "hes", "she", "shes", "they", "theyre", "thats", "this", "there", "which", "so", "you",
];
/// Words of a date that opens a clause: `last weekend I …`.
const DATE_WORDS: &str = " yesterday today tomorrow tonight last next this on week weekend month year night morning afternoon evening \
    monday tuesday wednesday thursday friday saturday sunday ";
/// Words before a name that is a place.
const PLACING: [&str; 8] = ["in", "at", "from", "near", "around", "outside", "for", "to"];
const JOINTS: [&str; 5] = ["and", "but", "so", "then", "also"];

/// The clauses of a text that state something, without the names of whom they are said to.
pub(super) fn clauses<'a>(text: &'a str, names: &[Vec<String>]) -> Vec<Clause<'a>> {
    let quoted = |line: &&str| line.trim_start().starts_with('>');
    let lines = text.lines().filter(|line| !quoted(line));
    lines
        .flat_map(sentences)
        .filter(|sentence| is_meant(sentence))
        .flat_map(|sentence| split(unaddressed_between(sentence, names)))
        .filter_map(|pieces| opened(pieces, names))
        .filter(|clause| is_stated(clause))
        .collect()
}

fn is_meant(sentence: &str) -> bool {
    let is_question = sentence
        .trim_end_matches(['"', '”', ')', ' ', '!'])
        .ends_with(['?', '？']);
    let opens_quote = sentence.starts_with(['"', '“', '„', '«', '\'']);
    let folded = fold(sentence);
    let has_sign = NOT_MEANT_SIGNS
        .iter()
        .any(|sign| folded.split_whitespace().any(|piece| piece.ends_with(sign)));
    let has_word = words(sentence)
        .iter()
        .any(|word| NOT_MEANT.contains(&format!(" {word} ")));
    !is_question && !opens_quote && !has_sign && !has_word
}

/// Parts a sentence where another clause begins: `…, but I …`, `… and my …`, `… - it was …`.
fn split(pieces: Vec<&str>) -> Vec<Vec<&str>> {
    let bare: Vec<String> = pieces.iter().map(|piece| joined(piece)).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..pieces.len() {
        let opens = OPENINGS.contains(&bare[at].as_str());
        let after_joint = JOINTS.contains(&bare[at - 1].as_str());
        let after_comma = pieces[at - 1].ends_with([',', ':']);
        // `Samantha and I`, `my mother and I` are one.
        let joins_people =
            bare[at] == "i" && at > 1 && names_somebody(&pieces[start..at - 1], &bare[start..at - 1]);
        let is_next = opens && (after_comma || (after_joint && !joins_people));
        let is_aside = after_comma && ASIDES.contains(&bare[at].as_str());
        let is_contrast = bare[at] == "but" || matches!(pieces[at], "-" | "–" | "—");
        // `if I win, I will sing` is one, and so is what depends on it.
        if (is_next || is_aside || is_contrast) && at > start && !belongs(&bare[start..at]) {
            let end = if is_next && after_joint && at - 1 > start {
                at - 1
            } else {
                at
            };
            parts.push(pieces[start..end].to_vec());
            start = at;
        }
    }
    parts.push(pieces[start..].to_vec());
    parts
}

/// Whether what follows depends on these words: `if I win, …`, `agreed, …`.
fn belongs(before: &[String]) -> bool {
    let agrees =
        matches!(before, [only] if matches!(only.as_str(), "agreed" | "deal" | "settled" | "decided"));
    agrees || is_unreal(before)
}

/// Whether the last words before an `and` are somebody.
fn names_somebody(pieces: &[&str], bare: &[String]) -> bool {
    // `I live in Lisbon and I …`: that is a place, or whom somebody works for.
    let is_place = bare
        .len()
        .checked_sub(2)
        .is_some_and(|before| PLACING.contains(&bare[before].as_str()));
    let is_name = !is_place
        && pieces
            .last()
            .is_some_and(|piece| piece.starts_with(char::is_uppercase));
    let is_kin = bare
        .iter()
        .rev()
        .take(4)
        .any(|word| matches!(word.as_str(), "my" | "our" | "some" | "friends"));
    is_name || is_kin
}

/// The clause without what merely opens it, and without whom it addresses.
fn opened<'a>(mut pieces: Vec<&'a str>, names: &[Vec<String>]) -> Option<Clause<'a>> {
    unaddressed_at_end(&mut pieces, names);
    loop {
        unaddressed_at_start(&mut pieces, names);
        let bare: Vec<String> = pieces.iter().take(5).map(|piece| joined(piece)).collect();
        let first = bare.first()?;
        // Something must follow it.
        let phrase = FILLER_PHRASES
            .split('|')
            .find_map(|phrase| opening(phrase, &bare).filter(|length| *length < bare.len()));
        let is_address = pieces[0].starts_with('@')
            || (pieces[0].ends_with(',')
                && pieces[0].chars().next().is_some_and(char::is_uppercase)
                && first != "i");
        // `we'll` is no `well`.
        let is_filler = !pieces[0].contains(['\'', '’']) && FILLER.contains(&format!(" {first} "));
        let dropped = match phrase {
            Some(length) => length,
            None if first.is_empty() || is_address || is_filler => 1,
            None => break,
        };
        pieces.drain(..dropped);
    }
    date_last(&mut pieces);
    let words = pieces.iter().map(|piece| joined(piece)).collect();
    Some(Clause { pieces, words })
}

/// `Denizen, I …`, `denizen I …`; `Denizen is my friend` is said of it.
fn unaddressed_at_start(pieces: &mut Vec<&str>, names: &[Vec<String>]) {
    let called = names.iter().find_map(|name| {
        let length = name.len();
        let is_called = length > 0 && length < pieces.len() && is_name(&pieces[..length], name);
        let parted = || pieces[length - 1].ends_with([',', ':', '!', '-', '–', '—', '.', '…']);
        let goes_on = || OPENINGS.contains(&joined(pieces[length]).as_str());
        (is_called && (parted() || goes_on())).then_some(length)
    });
    pieces.drain(..called.unwrap_or(0));
}

/// The pieces of a sentence without `…, Denizen, …`.
fn unaddressed_between<'a>(sentence: &'a str, names: &[Vec<String>]) -> Vec<&'a str> {
    let mut pieces: Vec<&str> = sentence.split_whitespace().collect();
    let mut at = 1;
    while at < pieces.len() {
        let is_called = |name: &&Vec<String>| {
            let said = pieces.get(at..at + name.len());
            said.is_some_and(|said| {
                pieces[at - 1].ends_with(',')
                    && said.last().is_some_and(|last| last.ends_with(','))
                    && is_name(said, name)
            })
        };
        let length = names.iter().find(is_called).map_or(0, Vec::len);
        pieces.drain(at..at + length);
        at += 1;
    }
    pieces
}

/// `…, Denizen.`; `I like Denizen.` is said of it.
fn unaddressed_at_end(pieces: &mut Vec<&str>, names: &[Vec<String>]) {
    let kept = names.iter().find_map(|name| {
        let start = pieces.len().checked_sub(name.len()).filter(|start| *start > 0)?;
        let before = pieces[start - 1];
        let parted = before.ends_with([',', '!', '.', '…']) || matches!(before, "-" | "–" | "—");
        (parted && !name.is_empty() && is_name(&pieces[start..], name)).then_some(start)
    });
    if let Some(kept) = kept {
        pieces.truncate(kept);
        pieces.pop_if(|piece| matches!(*piece, "-" | "–" | "—"));
        if let Some(last) = pieces.last_mut() {
            *last = last.trim_end_matches(',');
        }
    }
}

fn is_name(pieces: &[&str], name: &[String]) -> bool {
    let said = pieces.iter().map(|piece| joined(piece));
    said.eq(name.iter().cloned())
}

/// Puts a date that opens a clause to its end, where the patterns look for it.
fn date_last(pieces: &mut Vec<&str>) {
    let is_date = |piece: &&&str| DATE_WORDS.contains(&format!(" {} ", joined(piece)));
    let count = pieces.iter().take(4).take_while(is_date).count();
    let opens = |piece: &&str| OPENINGS.contains(&joined(piece).as_str());
    if count > 0 && pieces.get(count).is_some_and(opens) {
        if let Some(last) = pieces.last_mut() {
            *last = last.trim_end_matches(['.', '!', ',', '…']);
        }
        pieces.rotate_left(count);
    }
}

fn is_stated(clause: &Clause<'_>) -> bool {
    let first = clause.words.first().map_or("", String::as_str);
    // `my brother says I am late`, `he told me: I am late`.
    let reports = REPORTED.contains(&first)
        && clause
            .words
            .iter()
            .take(5)
            .any(|word| SAYING.contains(&word.as_str()));
    clause.words.len() > 1 && !is_unreal(&clause.words) && !reports
}

fn is_unreal(words: &[String]) -> bool {
    UNREAL.split('|').any(|phrase| opening(phrase, words).is_some())
}

/// How many words of a clause are this phrase, where it opens with it.
fn opening(phrase: &str, words: &[String]) -> Option<usize> {
    let length = phrase.split(' ').count();
    let is_said = words.len() >= length && phrase.split(' ').zip(words).all(|(word, said)| word == said);
    is_said.then_some(length)
}
