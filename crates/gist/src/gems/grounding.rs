//! Does a gem name anything that nobody said? Names and numbers must occur in the turns; dates may follow from them.

use vocabulary::{CapturedTurn, calendar, rfc3339};

use super::folding::{each_word, fold, words};

/// Words that are written with a capital without naming anybody, and short forms that everybody knows.
const CAPITALISED: &str = " i im ill ive id english ok tv ai api url pc uk us usa eu utc am pm ";
/// Words of a turn from which a date can be told.
const TIME_WORDS: &str = " today tonight tomorrow yesterday day days week weeks weekend fortnight month months year years ago next \
    last this later since until till morning afternoon evening night noon midnight hour hours minutes soon now \
    birthday anniversary christmas easter halloween ";
/// Verbs that follow a person's name at the beginning of a gem.
const PERSONAL: &str = " is was has had likes loves hates dislikes prefers wants needs lives works said says told asked decided plans \
    will must should does did can moved bought owns plays speaks studies knows thinks agreed promised enjoys ";
/// Nouns are written with a capital where several of these stand.
const GERMAN: &str = " der die das und ist nicht ein eine mit von fur auf ich hat wird den dem ";
/// The numbers from nought on.
const SPELLED: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";
/// How far a date may lie from the turn that it was told in.
const DAYS_AROUND: i64 = 400;
const DAY_MS: i64 = 86_400_000;
/// So many equal letters at the beginning make two words forms of one.
const SHARED_LETTERS: usize = 4;

/// The first name or number of a text that occurs nowhere in what the gem was made of.
pub(super) fn invention(text: &str, known: &Known) -> Option<String> {
    let undated = without_dates(text, known);
    let capitals_mean_names = !is_german(text);
    let mut opens = true;
    let mut pieces = undated.split_whitespace().peekable();
    while let Some(piece) = pieces.next() {
        let opens_sentence =
            std::mem::replace(&mut opens, piece.ends_with(['.', '!', '?', ':', ';', '"', '“']));
        for part in parts(piece) {
            let is_number = part.bytes().any(|byte| byte.is_ascii_digit());
            let is_capital = capitals_mean_names && part.chars().next().is_some_and(char::is_uppercase);
            if !is_number && !is_capital {
                continue;
            }
            let lower = fold(part);
            let next = pieces.peek().map(|next| fold(next)).unwrap_or_default();
            let is_personal = PERSONAL.contains(&format!(" {next} "));
            let is_name = is_capital
                && part.chars().count() > 1
                && !CAPITALISED.contains(&format!(" {lower} "))
                && !calendar::is_whole_name(&lower)
                && (!opens_sentence || is_personal);
            let owner = lower.strip_suffix("'s").unwrap_or(&lower);
            let unknown =
                (is_number && !known.has_number(owner)) || (is_name && !is_number && !known.has_name(&lower));
            if unknown {
                return Some(part.to_owned());
            }
        }
    }
    None
}

/// The words of a piece without the signs around and between them; numbers keep theirs.
fn parts(piece: &str) -> impl Iterator<Item = &str> {
    let has_digit = piece.bytes().any(|byte| byte.is_ascii_digit());
    let inner = move |letter: char| {
        !letter.is_alphanumeric() && letter != '\'' && letter != '’' && !(has_digit && ".,:".contains(letter))
    };
    piece
        .split(inner)
        .map(|part| part.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|part| !part.is_empty())
}

/// What was said, and what follows from it.
#[derive(Debug)]
pub(super) struct Known {
    /// In order, so that one, or all that begin alike, are found without going through them.
    words: Vec<String>,
    days: Vec<i64>,
    tells_time: bool,
}

impl Known {
    pub(super) fn of(batch: &[CapturedTurn], around: &[String]) -> Self {
        let mut known = Vec::new();
        let texts = batch
            .iter()
            .flat_map(|turn| [turn.text.as_str(), turn.speaker.name.as_str()]);
        for text in texts.chain(around.iter().map(String::as_str)) {
            let first = known.len();
            each_word(text, |word| known.push(word.to_owned()));
            // Neighbours too: `Winter Soldier` may come back as `WinterSoldier`.
            for at in first + 1..known.len() {
                let pair = format!("{}{}", known[at - 1], known[at]);
                known.push(pair);
            }
        }
        for turn in batch {
            known.extend(words(&rfc3339::format(turn.at)));
        }
        known.sort_unstable();
        known.dedup();
        let mut known = Self {
            words: known,
            days: batch.iter().map(|turn| turn.at.0.div_euclid(DAY_MS)).collect(),
            tells_time: false,
        };
        let is_named = |word: &String| calendar::month(word).is_some() || calendar::weekday(word).is_some();
        known.tells_time =
            TIME_WORDS.split_whitespace().any(|word| known.has(word)) || known.words.iter().any(is_named);
        known
    }

    fn has(&self, word: &str) -> bool {
        self.words
            .binary_search_by(|known| known.as_str().cmp(word))
            .is_ok()
    }

    /// The words that begin like this.
    fn beginning_with(&self, head: &str) -> impl Iterator<Item = &str> {
        let first = self.words.partition_point(|known| known.as_str() < head);
        let words = self.words[first..].iter().map(String::as_str);
        words.take_while(move |word| word.starts_with(head))
    }

    fn has_number(&self, lower: &str) -> bool {
        let number = lower.replace(',', "");
        let bare = number.trim_end_matches(|letter: char| letter.is_alphabetic());
        let unit = &number[bare.len()..];
        let number_word = |number: usize| SPELLED.split_whitespace().nth(number);
        let spelled = bare.parse().ok().and_then(number_word);
        let has = |word: &str| self.has(word);
        has(&number)
            || spelled.is_some_and(has)
            || (has(bare) && (unit.is_empty() || has(unit) || unit.len() <= 2))
            || (!bare.is_empty()
                && self.beginning_with(bare).any(|word| {
                    let rest = &word[bare.len()..];
                    !rest.is_empty() && rest.chars().all(char::is_alphabetic)
                }))
            || self.is_near_year(&number)
            || (self.tells_time && is_clock(&number))
    }

    fn is_near_year(&self, number: &str) -> bool {
        let year: Option<i64> = number.parse().ok().filter(|_| number.len() == 4);
        year.is_some_and(|year| {
            self.days
                .iter()
                .any(|day| (1970 + day / 365 - year).abs() <= 1 + i64::from(self.tells_time))
        })
    }

    fn has_name(&self, lower: &str) -> bool {
        let bare = lower.strip_suffix("'s").unwrap_or(lower).replace('\'', "");
        let head: String = bare.chars().take(SHARED_LETTERS).collect();
        self.has(&bare)
            || self.has(bare.strip_suffix('s').unwrap_or(&bare))
            || self.has(&format!("{bare}s"))
            || (head.chars().count() == SHARED_LETTERS && self.beginning_with(&head).next().is_some())
            || (bare.chars().count() > 5 && self.is_made_of_known(&bare))
    }

    /// `Wintersoldier`, where `winter` and `soldier` were said.
    fn is_made_of_known(&self, word: &str) -> bool {
        let cuts = word.char_indices().map(|(at, _)| at).filter(|at| *at >= 3);
        cuts.into_iter()
            .any(|at| self.has(&word[..at]) && self.has(&word[at..]))
    }

    /// A day of a turn, or one near it where a turn says something about time.
    fn has_day(&self, day: i64) -> bool {
        self.days.iter().any(|known| {
            let apart = (known - day).abs();
            apart == 0 || (self.tells_time && apart <= DAYS_AROUND)
        })
    }
}

fn is_clock(number: &str) -> bool {
    let mut fields = number.split(':');
    let (hour, minute) = (fields.next(), fields.next());
    let below = |field: Option<&str>, limit: u32| {
        field
            .and_then(|field| field.parse().ok())
            .is_some_and(|value: u32| value < limit)
    };
    below(hour, 24) && below(minute, 60)
}

/// The text without the dates that follow from the turns, however they are written.
fn without_dates(text: &str, known: &Known) -> String {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = pieces.iter().map(|piece| bare(piece)).collect();
    // Longer ones name a month.
    let names_month = words.iter().any(|word| calendar::MONTHS.contains(&word.as_str()));
    let longest = if names_month { 4 } else { 1 };
    let mut kept = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let taken = (1..=longest).rev().find(|length| {
            let day = words.get(at..at + length).and_then(date);
            day.is_some_and(|day| known.has_day(day))
        });
        match taken {
            // What follows a date does not begin a sentence unless the date ended one.
            Some(length) => at += length,
            None => {
                kept.push(pieces[at]);
                at += 1;
            }
        }
    }
    kept.join(" ")
}

fn bare(piece: &str) -> String {
    fold(piece.trim_matches(|letter: char| !letter.is_alphanumeric()))
}

/// The day that some words name: `2026-02-23`, `23 February 2026`, `February 23rd, 2026`, `February 23`.
fn date(words: &[String]) -> Option<i64> {
    if let [day] = words {
        return days_of(day.get(..10).unwrap_or(day))
            .filter(|_| day.len() == 10 || day[10..].starts_with('t'));
    }
    let month = words
        .iter()
        .find_map(|word| calendar::MONTHS.iter().position(|month| month == word))?
        + 1;
    let number = |word: &String| -> Option<i64> {
        let digits = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| word.strip_suffix(ending))
            .unwrap_or(word);
        digits.parse().ok()
    };
    let numbers: Vec<i64> = words.iter().filter_map(number).collect();
    let others = words
        .iter()
        .filter(|word| !calendar::MONTHS.contains(&word.as_str()) && number(word).is_none());
    if others.into_iter().any(|word| word != "of" && word != "the") {
        return None;
    }
    match numbers[..] {
        [day, year] if day <= 31 => days_of(&format!("{year:04}-{month:02}-{day:02}")),
        _ => None,
    }
}

fn days_of(date: &str) -> Option<i64> {
    rfc3339::parse(date).map(|time| time.0.div_euclid(DAY_MS))
}

fn is_german(text: &str) -> bool {
    let found = words(text);
    found
        .iter()
        .filter(|word| GERMAN.contains(&format!(" {word} ")))
        .count()
        >= 2
}

#[cfg(test)]
#[path = "grounding_tests.rs"]
mod grounding_tests;
