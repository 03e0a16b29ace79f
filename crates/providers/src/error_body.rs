//! What a provider says when it says no: each has its own shape, and proxies have more.

mod general;

use jiff::Timestamp;
use serde_json::Value;
use vocabulary::Span;

use crate::retry_after;

/// A provider's own words about a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorReport {
    /// Types, codes and status words, lower-cased.
    pub(crate) codes: Vec<String>,
    /// The part of the request that it is about.
    pub(crate) param: String,
    /// Parts of the request that it names, and what it says of each.
    pub(crate) fields: Vec<Complaint>,
    pub(crate) message: String,
    /// The quotas that are used up, as Google names them.
    pub(crate) quotas: Vec<String>,
    /// A number in the report that is an HTTP status.
    pub(crate) status: Option<u16>,
    pub(crate) retry_after: Option<Span>,
    /// Tokens that the model reads, where there is a field for it.
    pub(crate) window: Option<u64>,
}

/// What is wrong with one part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// Where it stands in the body, with dots between.
    pub(crate) path: String,
    /// The kind of fault, in the server's word for it, and its sentence; lower-cased.
    pub(crate) why: String,
}

/// More complaints about one request than this are not looked at.
const COMPLAINTS_MAX: usize = 16;

impl ErrorReport {
    /// Reads a response body, whatever it is.
    pub(crate) fn from_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::from_value(&value),
            Err(_) => Self {
                message: plain_text(&String::from_utf8_lossy(body)),
                ..Self::default()
            },
        }
    }

    /// Reads the value of an `error` field.
    pub(crate) fn from_error(error: &Value) -> Self {
        let mut report = Self::default();
        report.take(error);
        report
    }

    fn from_value(value: &Value) -> Self {
        match value {
            // Google wraps a failed stream in a list.
            Value::Array(items) => items.first().map(Self::from_value).unwrap_or_default(),
            Value::Object(object) => match object.get("error") {
                Some(error) if !error.is_null() => {
                    let mut report = Self::default();
                    report.take(error);
                    if report.message.is_empty() {
                        report.take(value);
                    }
                    report
                }
                _ => Self::from_error(value),
            },
            other => Self::from_error(other),
        }
    }

    fn take(&mut self, error: &Value) {
        match error {
            Value::String(message) => self.message = message.clone(),
            Value::Object(object) => {
                if let Some(param) = object.get("param").and_then(Value::as_str) {
                    self.param = param.to_lowercase();
                }
                for key in ["type", "code", "status"] {
                    match object.get(key) {
                        Some(Value::String(word)) => self.add_code(word),
                        Some(Value::Number(number)) => {
                            let status = number.as_u64().and_then(|number| u16::try_from(number).ok());
                            self.status = status
                                .filter(|status| (400..600).contains(status))
                                .or(self.status);
                        }
                        _ => {}
                    }
                }
                // Amazon's gateways begin it with a capital.
                for key in ["message", "Message", "detail", "error_description"] {
                    match object.get(key) {
                        Some(Value::String(message)) if self.message.is_empty() => {
                            self.message = message.clone();
                        }
                        // FastAPI's list of what was wrong where.
                        Some(Value::Array(items)) if self.message.is_empty() => {
                            self.take_complaints(items);
                        }
                        // Mistral has that list in its message.
                        Some(Value::Object(inner)) if self.message.is_empty() => {
                            if let Some(Value::Array(items)) = inner.get("detail") {
                                self.take_complaints(items);
                            }
                        }
                        _ => {}
                    }
                }
                // llama.cpp's.
                self.window = object.get("n_ctx").and_then(Value::as_u64).or(self.window);
                // OpenRouter says there, and not beside it, when a limit is lifted and what whoever it asked has said.
                if let Some(passed_on) = object.get("metadata") {
                    let headers = passed_on.get("headers");
                    self.retry_after =
                        headers.and_then(|headers| retry_after::from_passed_on(headers, Timestamp::now()));
                    self.take_passed_on(&passed_on["raw"]);
                }
                // Anthropic's is one, Google's are several.
                match object.get("details") {
                    Some(Value::Array(details)) => details.iter().for_each(|detail| self.take_detail(detail)),
                    Some(detail) => self.take_detail(detail),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// The error of whoever a gateway has asked, behind its own words for it.
    fn take_passed_on(&mut self, raw: &Value) {
        let Some(said) = raw.as_str().or_else(|| raw["data"].as_str()) else {
            return;
        };
        let theirs = Self::from_body(said.as_bytes());
        self.codes.extend(theirs.codes);
        self.fields.extend(theirs.fields);
        if self.param.is_empty() {
            self.param = theirs.param;
        }
        if !theirs.message.is_empty() && theirs.message != self.message {
            self.message = format!("{}: {}", self.message, theirs.message);
        }
    }

    fn take_complaints(&mut self, items: &[Value]) {
        let mut sentences = Vec::new();
        for item in items.iter().take(COMPLAINTS_MAX) {
            let Some(sentence) = item["msg"].as_str() else {
                continue;
            };
            let place = item["loc"].as_array().into_iter().flatten();
            let steps = place.filter_map(|step| match step {
                Value::String(name) if name == "body" => None,
                Value::String(name) => Some(name.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
            let path = steps.collect::<Vec<_>>().join(".");
            if path.is_empty() {
                sentences.push(sentence.to_owned());
                continue;
            }
            sentences.push(format!("{path}: {sentence}"));
            let kind = item["type"].as_str().unwrap_or("");
            self.complain(path, &format!("{kind} {sentence}"));
        }
        self.message = sentences.join("; ");
    }

    fn complain(&mut self, path: String, why: &str) {
        if self.fields.len() < COMPLAINTS_MAX {
            let why = why.to_lowercase();
            self.fields.push(Complaint { path, why });
        }
    }

    fn take_detail(&mut self, detail: &Value) {
        for key in ["reason", "error_code"] {
            if let Some(code) = detail[key].as_str() {
                self.add_code(code);
            }
        }
        if let Some(delay) = detail["retryDelay"].as_str() {
            self.retry_after = retry_after::from_duration_text(delay);
        }
        for violation in detail["fieldViolations"].as_array().into_iter().flatten() {
            let why = violation["description"].as_str().unwrap_or("");
            if let Some(path) = violation["field"].as_str() {
                self.complain(path.to_owned(), why);
            }
        }
        for violation in detail["violations"].as_array().into_iter().flatten() {
            if let Some(quota) = violation["quotaId"].as_str() {
                self.quotas.push(quota.to_lowercase());
            }
        }
    }

    /// Everything it says, lower-cased: codes, the field it is about, the message.
    pub(crate) fn words(&self) -> String {
        format!(
            "{} {} {}",
            self.codes.join(" "),
            self.param,
            self.message.to_lowercase()
        )
    }

    /// Whether it says nothing of what is wrong: no more than that the request is bad.
    pub(crate) fn is_wordless(&self) -> bool {
        let words = self.words();
        let telling = words
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(|word| !general::WORDS.contains(word));
        self.param.is_empty() && self.fields.is_empty() && telling.count() <= general::TELLING_MAX
    }

    /// Whether one of these stands among its codes.
    pub(crate) fn has_code(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    fn add_code(&mut self, word: &str) {
        self.codes.push(word.to_lowercase());
    }
}

/// The words of a page, without its tags.
fn plain_text(page: &str) -> String {
    let mut text = String::new();
    let mut inside_tag = false;
    for c in page.chars().take(4_000) {
        match c {
            '<' => inside_tag = true,
            '>' if inside_tag => {
                inside_tag = false;
                text.push(' ');
            }
            _ if !inside_tag => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "error_body_tests.rs"]
mod tests;
