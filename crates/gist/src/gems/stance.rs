//! How somebody stands to a thing: they like it, use it, work or live there, or do so no longer. Two stances to the very
//! same thing can contradict each other also where their verbs differ: who no longer drinks coffee, likes it no more.
//!
//! Only what is about the whole of a thing counts: `no longer drinks coffee at night` leaves `likes coffee` as it is.

use super::folding::words;
use crate::lexicon::stem;

const LIKING: &str = " like love enjoy adore prefer favour fancy ";
const DISLIKING: &str = " dislike hate detest loathe despise ";
/// What is done with a thing by choice, and what may be done with it against one's liking.
const USING: &str = " drink eat smoke play watch read listen vape chew collect ";
const NEEDING: &str = " use wear drive take ride ";
const NEGATING: &str = " not never dont doesnt didnt ";
/// Words around a verb that change nothing about the stance.
const PASSING: &str = " really also just still always now currently do does did totally absolutely very much definitely actually \
    particularly even recently finally has have since ";
/// Words at the end of a thing that are no part of it.
const ENDING: &str = " anymore more any longer now again at all either ever altogether completely entirely currently these days \
    nowadays for good ";
/// How often, how much and when something is done: less of it, and gone together with the whole of it.
const OFTEN: &str = " every each daily weekly often usually sometimes regularly a an lot most all on in at the with for day days \
    night nights morning mornings evening evenings afternoon afternoons week weeks weekend weekends month year breakfast \
    lunch dinner home times twice once per ";
/// What may follow whom somebody has left: when, why and for whom.
const AFTER_LEAVING: &str = " on in last for to after because since at this ";
const ARTICLES: &str = " a an the some my ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Taste,
    Use,
    Work,
    Home,
    /// `gave up coffee`, `quit smoking`: whatever was done with it.
    Drop,
    /// `left the company`.
    Leave,
}

/// A stance to a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stance {
    kind: Kind,
    /// What is done with the thing, where that is said.
    verb: Option<String>,
    thing: Vec<String>,
    yes: bool,
    /// It was otherwise before, or is so by conviction: `no longer`, `stopped`, `hates`.
    firm: bool,
}

impl Stance {
    /// The stance that a text about `name` tells; none where it tells none.
    pub fn of(text: &str, name: &str) -> Option<Self> {
        let told = words(text);
        let name = words(name);
        let mut rest = told.strip_prefix(&name[..]).filter(|_| !name.is_empty())?;
        let (mut negated, mut firm) = (false, false);
        loop {
            let [first, more @ ..] = rest else { return None };
            match (first.as_str(), more.first().map(String::as_str)) {
                ("no", Some("longer")) => {
                    (negated, firm) = (!negated, true);
                    rest = &more[1..];
                }
                ("used", Some("to")) => {
                    (negated, firm) = (!negated, true);
                    rest = &more[1..];
                }
                ("is", _) if more.iter().take(4).any(|word| word == "into" || word == "fan") => rest = more,
                (word, _) if is_in(NEGATING, word) => {
                    negated = !negated;
                    rest = more;
                }
                (word, _) if is_in(PASSING, word) => rest = more,
                _ => break,
            }
        }
        let mut stance = Self::with_verb(rest)?;
        // `stopped not liking it` and `never gave up tea` are too much of a riddle.
        if negated && (!stance.yes || matches!(stance.kind, Kind::Drop | Kind::Leave)) {
            return None;
        }
        stance.firm |= firm || (negated && ends_with_no_more(&told));
        stance.yes &= !negated;
        stance.trim();
        // One can smoke, but not merely like.
        (!stance.thing.is_empty() || (stance.kind == Kind::Use && stance.verb.is_some())).then_some(stance)
    }

    fn with_verb(rest: &[String]) -> Option<Self> {
        let [verb, after @ ..] = rest else { return None };
        let stance = |kind, verb: Option<&str>, thing: &[String], yes: bool| Self {
            kind,
            verb: verb.map(str::to_owned),
            thing: thing.to_vec(),
            yes,
            firm: !yes,
        };
        let next = after.first().map(String::as_str);
        Some(match (plain_form(verb).as_str(), next) {
            ("work", Some("at" | "for")) => stance(Kind::Work, None, &after[1..], true),
            ("live", Some("in" | "near" | "at")) => stance(Kind::Home, None, &after[1..], true),
            ("move" | "moved", Some("away" | "out")) => stance(Kind::Home, None, after.get(2..)?, false),
            ("left" | "quit", _) if job(after).is_some() => stance(Kind::Leave, None, job(after)?, false),
            ("left", _) => stance(Kind::Leave, None, after, false),
            ("stopped" | "stop" | "quit", Some(doing)) if use_of(&plain_form(doing)).is_some() => {
                let verb = plain_form(doing);
                stance(Kind::Use, Some(&verb), &after[1..], false)
            }
            ("stopped" | "stop", Some("working")) => stance(Kind::Work, None, after.get(2..)?, false),
            ("stopped" | "stop", Some(liking)) if is_in(LIKING, &plain_form(liking)) => {
                Self::to_taste(&after[1..], false)
            }
            ("quit", Some(_)) => stance(Kind::Drop, None, after, false),
            ("gave" | "given" | "give", Some("up")) => match after.get(1).map(|word| plain_form(word)) {
                Some(doing) if use_of(&doing).is_some() => {
                    stance(Kind::Use, Some(&doing), &after[2..], false)
                }
                _ => stance(Kind::Drop, None, &after[1..], false),
            },
            ("into", _) => Self::to_taste(after, true),
            _ if fan_of(rest).is_some() => Self::to_taste(fan_of(rest)?, true),
            ("cant" | "cannot", Some("stand")) => Self::to_taste(&after[1..], false),
            (word, _) if is_in(LIKING, word) => Self::to_taste(after, true),
            (word, _) if is_in(DISLIKING, word) => Self::to_taste(after, false),
            (word, _) if use_of(word).is_some() => stance(Kind::Use, Some(word), after, true),
            _ => return None,
        })
    }

    /// `likes tea`, `likes drinking tea`, `likes to drink tea`, `prefers tea to coffee`.
    fn to_taste(after: &[String], yes: bool) -> Self {
        let rather = |word: &&String| !is_in(" over than instead rather ", word);
        let to = after.first().filter(|word| *word == "to").map_or(0, |_| 1);
        let doing = after.get(to).map(|word| plain_form(word));
        let doing = doing.filter(|verb| use_of(verb).is_some() && after.len() > to + 1);
        let start = if doing.is_some() { to + 1 } else { 0 };
        let thing: Vec<String> = after[start..].iter().take_while(rather).cloned().collect();
        let thing = match thing.iter().skip(1).position(|word| word == "to") {
            Some(at) => thing[..=at].to_vec(),
            None => thing,
        };
        Self {
            kind: Kind::Taste,
            verb: doing,
            thing,
            yes,
            firm: !yes,
        }
    }

    /// Leaves of the thing what it is.
    fn trim(&mut self) {
        while self.thing.last().is_some_and(|word| is_in(ENDING, word)) {
            self.thing.pop();
        }
        if self.verb.as_deref() == Some("listen") && self.thing.first().is_some_and(|word| word == "to") {
            self.thing.remove(0);
        }
        let is_of = |word: &String| word == "of" || word == "from" || word == "at" || is_in(ARTICLES, word);
        while self.thing.len() > 1 && self.thing.first().is_some_and(is_of) {
            self.thing.remove(0);
        }
    }

    /// Whether this, said later, ends what the other says.
    pub fn ends(&self, other: &Self) -> bool {
        if self.yes == other.yes {
            return false;
        }
        let same = self.is_of(other, "");
        let verbs_agree = self.verb.is_none() || other.verb.is_none() || self.verb == other.verb;
        // Whoever gives the whole of a thing up has also given up what they did with it in the mornings.
        let same_or_less = |of: &str| same || self.is_of(other, of);
        match (self.kind, other.kind) {
            (Kind::Taste, Kind::Taste) => same && verbs_agree,
            (Kind::Use, Kind::Use) => {
                self.verb == other.verb && if self.yes { same } else { same_or_less(OFTEN) }
            }
            // Taste and use differ; one says something of the other only where it changes for good.
            (Kind::Use, Kind::Taste) => same && verbs_agree && !self.yes && self.firm,
            (Kind::Taste, Kind::Use) => same && verbs_agree && !self.yes && self.firm && other.is_by_choice(),
            (Kind::Drop, Kind::Taste) => same,
            (Kind::Drop, Kind::Use) => same_or_less(OFTEN),
            (Kind::Use, Kind::Drop) => same,
            (Kind::Work, Kind::Work) | (Kind::Home, Kind::Home) => same,
            (Kind::Leave | Kind::Drop, Kind::Work) => same || other.is_of(self, AFTER_LEAVING),
            (Kind::Work, Kind::Leave | Kind::Drop) => same || self.is_of(other, AFTER_LEAVING),
            _ => false,
        }
    }

    fn is_by_choice(&self) -> bool {
        !self.verb.as_deref().is_some_and(|verb| is_in(NEEDING, verb))
    }

    /// Whether both are to the same thing, or the other's begins with it and goes on with nothing but such words.
    fn is_of(&self, other: &Self, goes_on: &str) -> bool {
        let forms = |thing: &[String]| -> Vec<String> { thing.iter().map(|word| stem(word)).collect() };
        let (mine, theirs) = (forms(&self.thing), forms(&other.thing));
        let Some(more) = theirs.strip_prefix(&mine[..]) else {
            return false;
        };
        let said = &other.thing[mine.len()..];
        match goes_on {
            AFTER_LEAVING => said.first().is_none_or(|word| is_in(AFTER_LEAVING, word)),
            _ => more.is_empty() || said.iter().all(|word| is_in(goes_on, word)),
        }
    }
}

/// `my job at the mill`: where that was.
fn job(after: &[String]) -> Option<&[String]> {
    let at = after
        .iter()
        .take(3)
        .position(|word| word == "job" || word == "position")?;
    match after.get(at + 1).map(String::as_str) {
        Some("at" | "with") => after.get(at + 2..),
        _ => None,
    }
}

/// `a big fan of …`
fn fan_of(rest: &[String]) -> Option<&[String]> {
    let at = rest.iter().take(3).position(|word| word == "fan")?;
    (rest.get(at + 1)? == "of").then(|| &rest[at + 2..])
}

fn use_of(verb: &str) -> Option<()> {
    (is_in(USING, verb) || is_in(NEEDING, verb)).then_some(())
}

fn ends_with_no_more(told: &[String]) -> bool {
    let last = told.last().map_or("", String::as_str);
    let before = told.iter().rev().nth(1).map_or("", String::as_str);
    last == "anymore" || (before == "any" && matches!(last, "more" | "longer"))
}

/// `drinks`, `drinking` and `drink` are one; verbs that are not known stay as they are.
fn plain_form(verb: &str) -> String {
    let known = [LIKING, DISLIKING, USING, NEEDING, " work live move "];
    let is_known = |verb: &str| known.iter().any(|list| is_in(list, verb));
    let ing = verb.strip_suffix("ing");
    let forms = [
        Some(verb.to_owned()),
        verb.strip_suffix('s').map(str::to_owned),
        verb.strip_suffix("es").map(str::to_owned),
        ing.map(str::to_owned),
        ing.map(|stem| format!("{stem}e")),
    ];
    let mut forms = forms.into_iter().flatten();
    forms
        .find(|form| is_known(form))
        .unwrap_or_else(|| verb.to_owned())
}

fn is_in(list: &str, word: &str) -> bool {
    !word.is_empty() && list.contains(&format!(" {word} "))
}

#[cfg(test)]
#[path = "stance_tests.rs"]
mod stance_tests;
