//! Which parameters of a request a server says it does not take: by the fields that name them, and of servers that have no
//! such field by the name in their words.

use crate::error_body::ErrorReport;
use crate::trouble::Feature;

/// The place of a parameter in the body of a request. Places in a list are all the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Parameter(String);

/// A longer name is none.
const NAME_CHARS_MAX: usize = 80;
/// Any place in a list.
const ANY: &str = "*";
/// OpenAI's codes, which come with the name of the parameter.
const REFUSED_CODES: &[&str] = &["unsupported_parameter", "unknown_parameter"];
/// The parameter is known, and none of its values but the usual one is taken.
const REFUSED_VALUE: &[&str] = &["unsupported_value"];
/// Kinds and words of a complaint that leaving the parameter out helps against. Those that a value is too large or of a
/// wrong shape are not among them.
const REFUSED_WORDS: &[&str] = &[
    "extra_forbidden",
    "value_error.extra",
    "extra inputs",
    "extra fields",
    "additional propert",
    "unsupported",
    "not supported",
    "not support",
    "n't support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "not permitted",
    "not allowed",
    "cannot find field",
];
/// Ways to say that an answer does not come in pieces.
const STREAM_WORDS: &[&str] = &[
    "stream",
    "streaming",
    "streamed",
    "streams",
    "stream=true",
    "stream=false",
    "event-stream",
    "sse",
    "server-sent",
    "incremental",
    "incrementally",
    "token-by-token",
];
/// An answer that does not come in pieces, without a word for those.
const WHOLE: &[&str] = &["complete", "full", "whole", "entire", "buffered", "unary"];
const ANSWERS: &[&str] = &[
    "response",
    "responses",
    "answer",
    "answers",
    "completion",
    "completions",
    "reply",
    "replies",
];
/// Behind "only whole answers" and "whole answers only": what is said of them, or where that is so.
const ARE_GIVEN: &[&str] = &[
    "supported",
    "available",
    "served",
    "returned",
    "given",
    "sent",
    "provided",
    "offered",
    "here",
    "for",
    "from",
    "on",
    "at",
    "please",
];
/// Whoever says this wants pieces, and nothing else.
const ONLY_STREAM_WORDS: &[&str] = &[
    "non-streaming is not",
    "non-streaming requests are not",
    "non-stream is not",
    "non-streamed",
    "stream=false is not",
    "without streaming is not",
    "without streaming are not",
    "must be true",
    "set to true",
    "only stream",
    "only support stream",
    "only supports stream",
    "stream is false",
];
/// The parameter that asks for pieces.
pub(crate) const STREAM: &str = "stream";
/// Words beside those that say so. A stream that broke is no such thing, so there are fewer than for a name.
const NO_STREAM_WORDS: &[&str] = &[
    "not supported",
    "not support",
    "n't support",
    "not implemented",
    "not allowed",
    "not permitted",
    "not enabled",
    "not possible",
    "not available",
    "unavailable",
    "unsupported",
    "disabled",
    "turned off",
    "stream=false",
    "stream = false",
    "stream: false",
    "stream to false",
    "stream off",
    "cannot stream",
    "can't stream",
    "must be false",
    "only non-streaming",
    "non-streaming only",
    "without streaming",
    "no streaming",
    "only complete",
    "only whole",
];
/// What a request is made of.
const ESSENTIAL: &[&str] = &[
    "model",
    "messages",
    "input",
    "contents",
    "prompt",
    "system",
    "instructions",
    "systeminstruction",
    "tools",
];
/// What may be left out within what a request is made of.
const OPTIONAL_WITHIN: &[&str] = &["cachecontrol", "strict", "detail"];
/// How long an answer may be; a limit is not lifted because its value was wrong.
const CAPS: &[&str] = &["maxtokens", "maxcompletiontokens", "maxoutputtokens"];
/// Words before the name of a limit that is to be taken in place of another.
const ADVICE_BEFORE: &[&str] = &["use", "using", "try", "prefer", "to", "mean", "send", "set", "by"];
/// And words behind it.
const ADVICE_AFTER: &[&str] = &["instead", "should be used", "must be used"];
/// Parameters that Denizen sends, to be looked for in words.
const SENT: &[&str] = &[
    "stream_options",
    "stream",
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "prompt_cache_key",
    "cache_control",
    "output_config",
    "include",
    "store",
];

impl Parameter {
    /// The parameter at a path with dots or brackets; none where it cannot be one.
    pub(crate) fn at(path: &str) -> Option<Self> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-*".contains(c);
        let steps: Vec<&str> = path
            .split(['.', '[', ']'])
            .filter(|step| !step.is_empty())
            .collect();
        let is_path = !steps.is_empty() && steps.iter().all(|step| step.chars().all(is_name));
        if !is_path || path.len() > NAME_CHARS_MAX {
            return None;
        }
        let steps = steps
            .into_iter()
            .map(|step| match step.parse::<usize>() {
                Ok(_) => ANY,
                Err(_) => step,
            })
            .collect::<Vec<_>>();
        Some(Self(steps.join(".")))
    }

    /// For people, and for what is remembered of a model.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// Its steps, as they are compared: providers write one name in two ways.
    pub(crate) fn steps(&self) -> Vec<String> {
        self.0.split('.').map(plain).collect()
    }

    /// What it is of what is known to be lacking at times.
    fn feature(&self) -> Option<Feature> {
        let steps = self.steps();
        let last = steps.last().map_or("", String::as_str);
        let is_within = |names: &[&str]| names.contains(&steps[0].as_str());
        Some(match () {
            () if OPTIONAL_WITHIN.contains(&last) && steps.len() > 1 => return None,
            () if is_within(&["tools", "toolchoice", "toolconfig"]) => Feature::Tools,
            () if last == "temperature" => Feature::Temperature,
            () if is_within(&["reasoningeffort", "reasoning"])
                || ["effort", "thinkinglevel"].contains(&last) =>
            {
                Feature::Effort
            }
            () if is_within(&["responseformat", "text"]) => Feature::StructuredOutput,
            () if ["format", "responsejsonschema", "responsemimetype"].contains(&last) => {
                Feature::StructuredOutput
            }
            () if is_within(&["thinking"]) || last == "thinkingbudget" => Feature::ThinkingSwitch,
            () => return None,
        })
    }

    /// Whether a request is still one without it.
    fn can_go(&self) -> bool {
        let steps = self.steps();
        let last = steps.last().map_or("", String::as_str);
        !ESSENTIAL.contains(&steps[0].as_str()) || (steps.len() > 1 && OPTIONAL_WITHIN.contains(&last))
    }

    /// Whether it says how long an answer may be.
    pub(crate) fn is_cap(&self) -> bool {
        CAPS.contains(&self.steps().last().map_or("", String::as_str))
    }
}

/// A name without what only some write in it.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// What a server named as not taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) feature: Option<Feature>,
    pub(crate) parameters: Vec<Parameter>,
}

impl Refused {
    fn of(named: Vec<Parameter>) -> Self {
        Self {
            feature: named.iter().find_map(Parameter::feature),
            parameters: named.into_iter().filter(Parameter::can_go).collect(),
        }
    }

    /// By the fields of a report.
    pub(crate) fn typed(report: &ErrorReport) -> Self {
        let mut named = Vec::new();
        let is_value = report.has_code(REFUSED_VALUE);
        let is_refused = report.has_code(REFUSED_CODES) || says_refused(&report.message.to_lowercase());
        let param = Parameter::at(&report.param);
        named.extend(param.filter(|param| match is_value {
            true => !param.is_cap(),
            false => is_refused,
        }));
        for complaint in report.fields.iter().filter(|field| says_refused(&field.why)) {
            // Google names where it stands, and in its sentence what.
            let unknown = complaint
                .why
                .split_once("unknown name \"")
                .and_then(|(_, rest)| rest.split_once('"'));
            let path = match unknown {
                Some((name, _)) => format!("{}.{name}", complaint.path),
                None => complaint.path.clone(),
            };
            named.extend(Parameter::at(&path));
        }
        Self::of(named)
    }

    /// By the words of a server that has no field for it: a name at their beginning, in quotes, or that can be no word of
    /// a sentence.
    pub(crate) fn in_words(words: &str) -> Self {
        let named = Self::named_in(words);
        match named == Self::default() {
            true => Self::streaming(words),
            false => named,
        }
    }

    fn named_in(words: &str) -> Self {
        if !says_refused(words) {
            return Self::default();
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
        let (mut named, mut advised) = (Vec::new(), Vec::new());
        let mut at = 0;
        for word in words.split(|c: char| !is_name(c)) {
            let end = at + word.len();
            let before = words[..at].chars().next_back();
            let after = words[end..].chars().next();
            let is_quoted = matches!(before, Some('\'' | '"' | '`')) && before == after;
            let opens = at == 0 && after == Some(':');
            let is_advice = is_advised(&words[..at], &words[end..]);
            at = end + after.map_or(0, char::len_utf8);
            let Some(parameter) = Parameter::at(word.trim_end_matches('.')) else {
                continue;
            };
            let last = parameter.name().rsplit('.').next().unwrap_or_default();
            if SENT.contains(&last) && (is_quoted || opens || last.contains('_')) {
                match is_advice && parameter.is_cap() {
                    true => advised.push(parameter),
                    false => named.push(parameter),
                }
            }
        }
        named.dedup();
        named.retain(|name| !advised.contains(name));
        Self::of(named)
    }

    /// By a sentence that says of answers in pieces that there are none, without the name of the parameter.
    fn streaming(words: &str) -> Self {
        let words = words.replace("octet-stream", "");
        let mut sentences = words.split(['\n', ';']).flat_map(|line| line.split(". "));
        let refuses = sentences.any(|sentence| {
            let plain = sentence.replace(['\'', '"', '`'], "");
            let mut spoken = plain
                .split(|c: char| !c.is_ascii_alphanumeric() && !"_=-".contains(c))
                .map(|word| word.trim_start_matches("non-"));
            let is_about_it = spoken.any(|word| STREAM_WORDS.contains(&word));
            let says = |ways: &[&str]| {
                let mut ways = ways.iter();
                ways.any(|way| plain.contains(way) || sentence.contains(way))
            };
            (is_about_it && !says(ONLY_STREAM_WORDS) && says(NO_STREAM_WORDS)) || says_only_whole(&plain)
        });
        Self::of(Parameter::at(STREAM).filter(|_| refuses).into_iter().collect())
    }
}

/// Whether a name between these is one that should be taken.
fn is_advised(before: &str, after: &str) -> bool {
    let is_mark = |c: char| !c.is_ascii_alphanumeric();
    let before = before.trim_end_matches(is_mark);
    let last = before.rsplit(is_mark).next().unwrap_or_default();
    let after = after.trim_start_matches(is_mark);
    let follows = ADVICE_AFTER.iter().any(|advice| after.starts_with(advice));
    ADVICE_BEFORE.contains(&last) || (follows && !after.starts_with("instead of"))
}

/// Whether it gives answers only as a whole.
fn says_only_whole(sentence: &str) -> bool {
    let words: Vec<&str> = sentence
        .split(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c))
        .filter(|word| !word.is_empty() && !["a", "the", "as", "in"].contains(word))
        .collect();
    let ends = |rest: &[&str]| {
        let mut rest = rest
            .iter()
            .skip_while(|word| ["are", "is", "be", "can"].contains(*word));
        rest.next().is_none_or(|word| ARE_GIVEN.contains(word))
    };
    (0..words.len()).any(|at| match &words[at..] {
        [whole, answers, rest @ ..] if WHOLE.contains(whole) && ANSWERS.contains(answers) => {
            let before = words[..at].iter().rev().take(2);
            match rest {
                ["only", rest @ ..] => ends(rest),
                rest => before.into_iter().any(|word| *word == "only") && ends(rest),
            }
        }
        _ => false,
    })
}

fn says_refused(words: &str) -> bool {
    REFUSED_WORDS.iter().any(|word| words.contains(word))
}

#[cfg(test)]
#[path = "refused_tests.rs"]
mod tests;
