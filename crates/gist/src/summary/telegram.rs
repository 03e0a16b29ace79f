//! A sentence as a telegram: the telling words in their order, in runs that read as phrases.

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::lexicon::{DateYear, Language, Token, When, tokens, when};
use crate::lexicon::{WEAK, filler_phrase, is_function_word, negation, weight_in};
use crate::lexicon::{plain, stem};

/// How telling the name of somebody present is where it is no form of address.
const MENTION: f64 = 0.6;
/// How telling a date is, or what became one.
const DATE: f64 = 4.0;
/// A run without end is cut between words, so that its beginning can be kept alone.
const RUN_WORDS_MAX: usize = 12;
const WHOLE_RUN_WORDS_MAX: usize = 24;

/// A word of a telegram.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub text: String,
    /// Empty for a negation: it is never an echo.
    pub stem: String,
    /// 0 for a negation: it is kept for the sake of what it denies.
    pub weight: f64,
    pub chars: usize,
    /// What it says of its year, where it is a date.
    pub year: DateYear,
    /// It says when, and nothing else.
    pub is_when: bool,
}

impl Word {
    fn new(text: String, stem: String, weight: f64) -> Self {
        let chars = text.chars().count();
        Word {
            text,
            stem,
            weight,
            chars,
            year: DateYear::Told,
            is_when: false,
        }
    }
}

/// How a sentence is read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Lower-case words of the names of those present; addressed by name, a name says nothing.
    pub present: &'a BTreeSet<String>,
    /// Stems known as names from elsewhere: even at the beginning of a sentence they are names.
    pub names: &'a BTreeSet<String>,
    /// Whether the first word's capital may be that of a sentence.
    pub begins_sentence: bool,
    /// Whether the sentence stays in one run, because its parts need its subject.
    pub is_whole: bool,
    /// Whether it is a telegram already, maybe of another language: then each of its words is kept.
    pub is_telegram: bool,
    pub language: Language,
    /// The day on which it was said, where that is known.
    pub said: Option<Date>,
}

/// The telling words of a sentence, in runs; a run ends where the sentence breaks or something telling nothing was left out.
pub fn telegram(text: &str, reading: Reading<'_>) -> Vec<Vec<Word>> {
    let mut tokens = tokens(text);
    for token in &mut tokens {
        if let Token::Word(word) = token
            && !reading.is_telegram
        {
            let kept = reading.language.without_elision(word).len();
            word.drain(..word.len() - kept);
        }
    }
    let lower: Vec<String> = tokens.iter().map(lower_word).collect();
    let written: Vec<&str> = tokens.iter().map(written_word).collect();
    let mut runs = Runs::new(reading.is_whole);
    let mut at = 0;
    while at < tokens.len() {
        let said = reading.said.filter(|_| !is_greeted(&lower, at));
        if let Some(found) = when(&lower[at..], &written[at..], said, reading.language) {
            at += found.tokens;
            runs.take_when(found);
            continue;
        }
        let phrase = if reading.is_telegram {
            0
        } else {
            filler_phrase(&lower[at..])
        };
        if phrase > 0 {
            runs.end();
            runs.negation = None;
            at += phrase;
            continue;
        }
        match &tokens[at] {
            Token::Word(word) => runs.take(
                word,
                plain_word(word, &lower[at]),
                &Standing {
                    tokens: &tokens,
                    at,
                    reading,
                },
            ),
            Token::Break | Token::Stop => {
                runs.end();
                runs.negation = None;
            }
        }
        at += 1;
    }
    runs.close();
    if let Some(said) = reading.said {
        part_years(&mut runs.done, said);
    }
    runs.done
}

/// Beside a date whose year is open, the others tell theirs: the year of the talk can stand before a whole statement only.
fn part_years(runs: &mut [Vec<Word>], said: Date) {
    if !runs.iter().flatten().any(|word| word.year == DateYear::Open) {
        return;
    }
    for word in runs.iter_mut().flatten() {
        if word.year == DateYear::OfTheTalk {
            word.text = format!("{} {}", word.text, said.year());
            word.chars = word.text.chars().count();
            word.year = DateYear::Told;
        }
    }
}

/// `guten morgen` and `am morgen` are no tomorrow, whatever their letters.
fn is_greeted(lower: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| lower[before].as_str());
    let is_morning = matches!(
        before,
        Some("guten" | "gutn" | "am" | "jeden" | "den" | "der" | "eines" | "diesen")
    );
    is_morning && lower[at] == "morgen"
}

fn written_word(token: &Token) -> &str {
    match token {
        Token::Word(word) => word,
        Token::Break | Token::Stop => "",
    }
}

fn lower_word(token: &Token) -> String {
    match token {
        Token::Word(word) if word.contains('\'') => word.to_lowercase().replace('\'', ""),
        Token::Word(word) => word.to_lowercase(),
        Token::Break | Token::Stop => String::new(),
    }
}

/// A word without contractions; without an apostrophe it is what it is in small letters.
fn plain_word<'a>(word: &str, lower: &'a str) -> Cow<'a, str> {
    match word.contains('\'') {
        true => Cow::Owned(plain(word)),
        false => Cow::Borrowed(lower),
    }
}

/// A word where it stands in its sentence.
struct Standing<'a> {
    tokens: &'a [Token],
    at: usize,
    reading: Reading<'a>,
}

impl Standing<'_> {
    fn before(&self) -> Option<&Token> {
        self.at.checked_sub(1).map(|before| &self.tokens[before])
    }

    /// A word that denies needs one that it denies: at the end of a telegram it is a word of another language.
    fn can_deny(&self) -> bool {
        !self.reading.is_telegram || matches!(self.tokens.get(self.at + 1), Some(Token::Word(_)))
    }

    fn begins_sentence(&self) -> bool {
        self.reading.begins_sentence && self.before().is_none_or(|token| *token == Token::Stop)
    }

    /// Nothing telling before it, and nothing that it could be the subject of after it: a name here is an address.
    fn is_address(&self) -> bool {
        let is_silent = match self.before() {
            Some(Token::Word(word)) => {
                let plain = plain(word);
                weight_in(self.reading.language, word, &plain, &stem(&plain), false) == 0.0
            }
            _ => true,
        };
        is_silent
            && match self.tokens.get(self.at + 1) {
                Some(Token::Word(word)) => follows_address(&plain(word)),
                _ => true,
            }
    }

    /// How telling the word is here, and whether its capital is that of a name.
    fn weigh(&self, word: &str, plain: &str, stem: &str) -> (f64, bool) {
        let has_capital = word.starts_with(char::is_uppercase);
        let is_acronym = has_capital && word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
        let is_name = has_capital && (!self.begins_sentence() || self.reading.names.contains(stem));
        let is_capitalised = is_acronym || is_name;
        if has_capital && is_present(plain, self.reading.present) {
            return (if self.is_address() { 0.0 } else { MENTION }, true);
        }
        (
            weight_in(self.reading.language, word, plain, stem, is_capitalised),
            is_capitalised,
        )
    }
}

/// Runs of words under way.
struct Runs {
    done: Vec<Vec<Word>>,
    current: Vec<Word>,
    negation: Option<&'static str>,
    is_whole: bool,
}

impl Runs {
    fn new(is_whole: bool) -> Self {
        Runs {
            done: Vec::new(),
            current: Vec::new(),
            negation: None,
            is_whole,
        }
    }

    fn take(&mut self, word: &str, plain: Cow<'_, str>, standing: &Standing<'_>) {
        let negation = negation(&plain).or_else(|| standing.reading.language.negation(&plain));
        if let Some(negation) = negation.filter(|_| standing.can_deny()) {
            self.negation = Some(negation);
            return;
        }
        let stem = stem(&plain);
        let (mut weight, is_capitalised) = standing.weigh(word, &plain, &stem);
        if weight == 0.0 && standing.reading.is_telegram {
            weight = weight_in(Language::English, word, &plain, &stem, is_capitalised).max(WEAK);
        }
        if weight == 0.0 {
            self.pass_over(&plain, standing.reading.language);
            return;
        }
        if self.current.last().is_some_and(|last| last.stem == stem) {
            return;
        }
        if let Some(negation) = self.negation.take() {
            self.current
                .push(Word::new(negation.to_owned(), String::new(), 0.0));
        }
        let text = written(word, is_capitalised, standing.begins_sentence());
        self.current.push(Word::new(text, stem, weight));
        let words_max = if self.is_whole {
            WHOLE_RUN_WORDS_MAX
        } else {
            RUN_WORDS_MAX
        };
        if self.current.len() >= words_max {
            self.close();
        }
    }

    /// A date joins what it dates; a comma between them does not part them.
    fn take_when(&mut self, when: When) {
        let mut word = Word::new(when.text.clone(), when.text.to_lowercase(), DATE);
        word.year = when.year;
        word.is_when = true;
        self.current.push(word);
    }

    fn says_only_when(&self) -> bool {
        self.current.iter().all(|word| word.is_when)
    }

    /// Grammar inside a phrase is passed over silently; anything else that is left out ends the run.
    fn pass_over(&mut self, plain: &str, language: Language) {
        if joins_clauses(plain) {
            self.end();
            self.negation = None;
        } else if begins_clause(plain) || !(is_function_word(plain) || language.has_function_word(plain)) {
            self.end();
        }
    }

    fn end(&mut self) {
        if !self.is_whole && !self.says_only_when() {
            self.close();
        }
    }

    fn close(&mut self) {
        let run = std::mem::take(&mut self.current);
        match self.done.last_mut() {
            _ if run.is_empty() => {}
            Some(last) if run.iter().all(|word| word.is_when) => last.extend(run),
            _ => self.done.push(run),
        }
    }
}

/// As the word is kept: without a contracted verb, without the capital of a sentence.
fn written(word: &str, is_capitalised: bool, is_first: bool) -> String {
    let endings: &[&str] = if is_capitalised {
        &["'re", "'ve", "'ll", "'d", "'m"]
    } else {
        &["'s", "'re", "'ve", "'ll", "'d", "'m"]
    };
    let kept = endings
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    let mut characters = kept.chars();
    match characters.next() {
        Some(first) if is_first && !is_capitalised => first.to_lowercase().chain(characters).collect(),
        _ => kept.to_owned(),
    }
}

/// Whether a word is the name of somebody present, or short for it: `Mel` for `Melanie`.
fn is_present(plain: &str, present: &BTreeSet<String>) -> bool {
    let is_short_for = |name: &String| plain.len() >= 3 && name.starts_with(plain);
    present.contains(plain) || present.iter().any(is_short_for)
}

/// Words that follow a name by which somebody is addressed: `Bob you should`, `Bob that is great`.
fn follows_address(plain: &str) -> bool {
    matches!(
        plain,
        "i" | "im" | "you" | "your" | "we" | "that" | "this" | "it" | "what" | "how" | "thanks"
    )
}

/// Words after which a new statement begins: a `not` before them does not reach past them.
fn joins_clauses(plain: &str) -> bool {
    matches!(
        plain,
        "and"
            | "or"
            | "but"
            | "because"
            | "so"
            | "while"
            | "then"
            | "since"
            | "und"
            | "oder"
            | "aber"
            | "weil"
            | "y"
            | "pero"
            | "porque"
            | "et"
            | "ou"
            | "mais"
    )
}

/// Words that begin a dependent part of the same statement.
fn begins_clause(plain: &str) -> bool {
    matches!(
        plain,
        "when" | "with" | "if" | "that" | "which" | "who" | "where" | "as"
    )
}
