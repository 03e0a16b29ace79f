//! The patterns of `rules.txt`, and how a clause that fits one is told.
//!
//! A heading gives the kind of gem, how much it matters, and what the rest of the clause must be like; each line below
//! it is a pattern and how it is told. Without a telling, the whole clause is told of the speaker. `{n}` is the
//! speaker, `{r}` the rest, `{b}` the last word of the pattern, `{c}` the clause as it was said.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use vocabulary::GemTag;

use super::super::folding::words;
use super::super::pattern::Pattern;

pub(super) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| read(include_str!("rules.txt")));

/// What is one's own for a moment only, or no thing at all.
const PASSING: &str = " point question guess bad god opinion idea problem issue thing internet wifi connection phone laptop computer \
    battery head back day week mood bet understanding advice answer take turn fault time mind life heart one only \
    first last next other main screen mic microphone audio game team stomach throat room house car keyboard mouse \
    brain reaction work friends family people guys gut feeling concern worry hope wish dream food coffee ";
/// Those whom one may have several of: what they are does not replace what another is.
const KIN: &str = " wife husband partner girlfriend boyfriend son daughter kid mum mom mother dad father brother sister dog cat rabbit \
    parrot horse boss friend neighbour neighbor cousin aunt uncle grandma grandpa baby puppy kitten roommate colleague \
    manager teacher doctor dentist therapist bird hamster kids children parents ";

/// What everything could be.
const VAGUE: &str = " thing things part one ones way memory moment favourite favorite ";
/// After these, `that` points at something.
const PREPOSITIONS: [&str; 9] = ["to", "of", "in", "for", "at", "on", "with", "from", "about"];
/// Words that only the conversation explains; a gem stands alone.
const UNEXPLAINED: &str = " you your youre yours u ya it its him her his them their they he she those these this there here thing \
    something anything everything stuff one ones ";

/// A rule, ready to be tried on a clause.
#[derive(Debug)]
pub(super) struct Rule {
    pub pattern: Pattern,
    heading: Heading,
    telling: Option<&'static str>,
}

/// What the rules under one heading have in common.
#[derive(Clone, Debug)]
struct Heading {
    tag: GemTag,
    importance: f64,
    standing: bool,
    past: bool,
    dated: bool,
    /// What stands between the pattern's first and last word must be a thing that lasts.
    own: bool,
    attribute: &'static str,
    rest_words: RangeInclusive<usize>,
    not: &'static str,
}

/// What was found worth keeping.
#[derive(Debug)]
pub(super) struct Finding {
    pub content: String,
    pub importance: f64,
    pub tag: GemTag,
    pub attribute: Option<String>,
    pub standing: bool,
}

/// A clause that a pattern fits, told of the speaker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit<'a> {
    pub name: &'a str,
    /// The words that the pattern took, as they are compared.
    pub taken: &'a [String],
    /// The rest as it was said, with absolute dates, and as it is told.
    pub rest: &'a str,
    pub dated_rest: &'a str,
    pub told_rest: &'a str,
    /// The whole clause with absolute dates, as it was said and as it is told.
    pub clause: &'a str,
    pub told: &'a str,
}

impl Rule {
    /// Weekdays look back.
    pub fn is_past(&self) -> bool {
        self.heading.past
    }

    /// What the clause tells; none where the rest shows that it is not meant that way.
    pub fn tell(&self, fit: &Fit<'_>) -> Option<Finding> {
        let heading = &self.heading;
        let rest = words(fit.rest);
        let first = rest.first().map_or("", String::as_str);
        let owned = fit
            .taken
            .get(1..fit.taken.len().saturating_sub(1))
            .unwrap_or_default();
        // `my sister is a doctor` lasts, `my day is a mess` does not.
        let is_avoided = !first.is_empty()
            && heading.not.split(' ').any(|word| word == first)
            && !(first == "a" && is_kin(owned));
        let is_dated = fit.told_rest.bytes().any(|byte| byte.is_ascii_digit());
        let lasts = !owned.is_empty() && !owned.iter().any(|word| PASSING.contains(&format!(" {word} ")));
        let is_explained = |word: &String| !UNEXPLAINED.contains(&format!(" {word} "));
        let points = |at: usize| {
            let before = at.checked_sub(1).map_or("", |before| rest[before].as_str());
            rest[at] == "that" && (at < 2 || at + 1 == rest.len() || PREPOSITIONS.contains(&before))
        };
        let points_at_something = (0..rest.len()).any(points);
        let stands_alone = words(fit.dated_rest).iter().all(is_explained) && !points_at_something;
        let fits = heading.rest_words.contains(&rest.len())
            && !is_avoided
            && stands_alone
            && (is_dated || !heading.dated)
            && (!heading.own || (lasts && !first.ends_with("ing")));
        fits.then(|| Finding {
            content: self.content(fit),
            importance: heading.importance,
            tag: heading.tag,
            attribute: attribute(heading.attribute, owned),
            standing: heading.standing,
        })
    }

    fn content(&self, fit: &Fit<'_>) -> String {
        let told = match self.telling {
            None => fit.told.to_owned(),
            Some(telling) => telling
                .trim_end_matches('.')
                .replace("{b}", fit.taken.last().map_or("", String::as_str))
                .replace("{c}", fit.clause)
                .replace("{r}", fit.told_rest)
                .replace("{n}", fit.name),
        };
        format!("{}.", told.trim_end_matches([' ', ',', '.', '!', ':']))
    }
}

/// What a gem is a value of; `=` stands for what the clause names.
fn attribute(given: &str, owned: &[String]) -> Option<String> {
    match given {
        "" => None,
        "=" if is_kin(owned) => None,
        "=" if owned
            .last()
            .is_some_and(|word| VAGUE.contains(&format!(" {word} "))) =>
        {
            None
        }
        "=" => Some(owned.join(" ")),
        other => Some(other.to_owned()),
    }
}

fn is_kin(owned: &[String]) -> bool {
    owned.iter().any(|word| KIN.contains(&format!(" {word} ")))
}

fn read(text: &'static str) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut heading = None;
    for line in text.lines().map(str::trim) {
        if let Some(inside) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            heading = Some(read_heading(inside));
        } else if let Some(heading) = heading
            .as_ref()
            .filter(|_| !line.is_empty() && !line.starts_with('#'))
        {
            let (pattern, telling) = match line.split_once("=>") {
                Some((pattern, telling)) => (pattern, Some(telling.trim())),
                None => (line, None),
            };
            rules.push(Rule {
                pattern: Pattern::read(pattern),
                heading: Heading::clone(heading),
                telling,
            });
        }
    }
    rules
}

fn read_heading(inside: &'static str) -> Heading {
    let mut marks = inside.split(';').map(str::trim);
    let mut kind = marks.next().unwrap_or_default().split(' ');
    let mut heading = Heading {
        tag: kind.next().and_then(GemTag::named).unwrap_or(GemTag::Fact),
        importance: kind.next().and_then(|number| number.parse().ok()).unwrap_or(0.5),
        standing: false,
        past: false,
        dated: false,
        own: false,
        attribute: "",
        rest_words: 1..=30,
        not: "",
    };
    for mark in marks {
        match mark.split_once(':').unwrap_or((mark, "")) {
            ("standing", _) => heading.standing = true,
            ("past", _) => heading.past = true,
            ("dated", _) => heading.dated = true,
            ("own", _) => heading.own = true,
            ("attribute", name) => heading.attribute = name.trim(),
            ("not", words) => heading.not = words.trim(),
            ("words", range) => {
                let (least, most) = range.trim().split_once('-').unwrap_or(("1", "30"));
                heading.rest_words = least.parse().unwrap_or(1)..=most.parse().unwrap_or(30);
            }
            (unknown, _) => debug_assert!(false, "rules.txt has an unknown mark `{unknown}`"),
        }
    }
    heading
}
