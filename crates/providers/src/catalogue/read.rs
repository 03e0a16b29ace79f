//! Reads a catalogue. What is not understood is left out and told; the rest is taken.

use std::fmt;

use jiff::civil::Date;
use toml::{Table, Value};

use super::entry::{Api, Rates, Thinking};
use super::facts::{Ends, Facts, PartRates};
use super::line_of::line_of;
use super::{Provider, Shelf};

/// Something in a catalogue that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueRemark {
    /// Such as `openai.models."gpt-6-luna".input`.
    pub key: String,
    pub problem: String,
    pub remedy: String,
    /// The line of the file that says so, counted from one, where it can be told.
    pub line: Option<usize>,
    /// A key that is not known: a newer Denizen may know it. Otherwise the value is wrong.
    pub unknown_key: bool,
}

impl fmt::Display for CatalogueRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map_or(String::new(), |line| format!(" (line {line})"));
        write!(f, "`{}`{line} {}. {}", self.key, self.problem, self.remedy)
    }
}

/// The most of an operator's value that is repeated to them.
const SHOWN_CHARS_MAX: usize = 60;

/// A catalogue as one file says it.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) date: Option<Date>,
    pub(super) shelves: Vec<(Provider, Shelf)>,
    pub(super) remarks: Vec<CatalogueRemark>,
}

/// Reads a text; the error says where it is no TOML.
pub(super) fn read(text: &str, by_operator: bool) -> Result<Written, String> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string().trim_end().to_owned())?;
    let mut reader = Reader {
        by_operator,
        remarks: Vec::new(),
    };
    let mut written = Written::default();
    for (name, value) in &table {
        match (name.as_str(), Provider::from_name(name)) {
            ("date", _) => written.date = reader.date(name, value),
            (_, Some(provider)) if provider != Provider::Offline => {
                if let Some(shelf) = reader.shelf(name, value) {
                    written.shelves.push((provider, shelf));
                }
            }
            _ => reader.unknown(
                name.clone(),
                "date, anthropic, openai, gemini and compatible are known",
            ),
        }
    }
    written.remarks = reader.remarks;
    for remark in &mut written.remarks {
        remark.line = line_of(text, &remark.key);
    }
    Ok(written)
}

struct Reader {
    by_operator: bool,
    remarks: Vec<CatalogueRemark>,
}

impl Reader {
    fn unknown(&mut self, key: String, known: &str) {
        self.remarks.push(CatalogueRemark {
            key,
            problem: "is not understood and was left out".to_owned(),
            remedy: format!("Of its place, {known}"),
            line: None,
            unknown_key: true,
        });
    }

    fn bad<T>(&mut self, key: &str, value: &Value, remedy: &str) -> Option<T> {
        let mut shown: String = value.to_string().chars().take(SHOWN_CHARS_MAX).collect();
        if shown.len() < value.to_string().len() {
            shown.push('…');
        }
        self.remarks.push(CatalogueRemark {
            key: key.to_owned(),
            problem: format!("is {shown}, which cannot be used"),
            remedy: remedy.to_owned(),
            line: None,
            unknown_key: false,
        });
        None
    }

    fn table<'v>(&mut self, key: &str, value: &'v Value) -> Option<&'v Table> {
        match value.as_table() {
            Some(table) => Some(table),
            None => self.bad(
                key,
                value,
                "Write a table, such as [openai.models.\"gpt-6-luna\"]",
            ),
        }
    }

    fn shelf(&mut self, provider: &str, value: &Value) -> Option<Shelf> {
        let mut shelf = Shelf::default();
        for (name, value) in self.table(provider, value)? {
            let key = format!("{provider}.{name}");
            match name.as_str() {
                "main" => shelf.main = self.words(&key, value),
                "small" => shelf.small = self.words(&key, value),
                "default" => shelf.default = self.facts(&key, value).unwrap_or_default(),
                "families" | "models" => {
                    for (id, value) in self.table(&key, value).into_iter().flatten() {
                        let key = format!("{key}.\"{id}\"");
                        let Some(facts) = self.facts(&key, value) else {
                            continue;
                        };
                        match name.as_str() {
                            "models" => shelf.models.insert(id.clone(), facts),
                            _ => shelf.families.insert(id.clone(), facts),
                        };
                    }
                }
                _ => self.unknown(key, "main, small, default, families and models are known"),
            }
        }
        Some(shelf)
    }

    fn facts(&mut self, place: &str, value: &Value) -> Option<Facts> {
        let mut facts = Facts::default();
        for (name, value) in self.table(place, value)? {
            let key = format!("{place}.{name}");
            let Some(name) = KEYS.iter().find(|known| *known == name) else {
                self.unknown(key, &format!("{} are known", KEYS.join(", ")));
                continue;
            };
            if self.fact(&mut facts, name, &key, value).is_some() && self.by_operator {
                facts.set_by_operator.insert(name);
            }
        }
        if facts.rates.is_half() && !self.by_operator {
            self.bad::<()>(
                place,
                value,
                "Give both input and output, or neither: half a price is none",
            );
        }
        Some(facts)
    }

    fn fact(&mut self, facts: &mut Facts, name: &str, key: &str, value: &Value) -> Option<()> {
        match name {
            "input" => facts.rates.input = Some(self.price(key, value)?),
            "cached_input" => facts.rates.cached_input = Some(self.price(key, value)?),
            "cache_write" => facts.rates.cache_write = Some(self.price(key, value)?),
            "output" => facts.rates.output = Some(self.price(key, value)?),
            "long_prompt" => facts.long_prompt = Some(self.long_prompt(key, value)?),
            "later" => facts.later = Some(self.later(key, value)?),
            "guessed" => facts.guessed = Some(self.yes_or_no(key, value)?),
            "context" => facts.context = Some(self.count(key, value)?),
            "output_max" => facts.output_max = Some(self.count(key, value)?),
            "retires" if value.as_str() == Some("never") => facts.retires = Some(Ends::Never),
            "retires" => facts.retires = Some(Ends::On(self.date(key, value)?)),
            "successor" => facts.successor = Some(self.word(key, value)?),
            "closed" => facts.closed = Some(self.yes_or_no(key, value)?),
            "api" => facts.api = Some(self.one_of(key, value, &Api::NAMES)?),
            "tools" => facts.tools = Some(self.yes_or_no(key, value)?),
            "schema" => facts.schema = Some(self.yes_or_no(key, value)?),
            "schema_with_tools" => facts.schema_with_tools = Some(self.yes_or_no(key, value)?),
            "pictures" => facts.pictures = Some(self.list(key, value)?),
            "picture_bytes_max" => facts.picture_bytes_max = Some(self.count(key, value)?),
            "temperature" => facts.temperature = Some(self.yes_or_no(key, value)?),
            "effort" => facts.effort = Some(self.list(key, value)?),
            "thinking" => facts.thinking = Some(self.one_of(key, value, &Thinking::NAMES)?),
            _ => return None,
        }
        Some(())
    }

    fn price(&mut self, key: &str, value: &Value) -> Option<f64> {
        let number = match value {
            Value::Float(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        };
        match number.filter(|number| number.is_finite() && (0.0..=PRICE_MAX).contains(number)) {
            Some(number) => Some(number),
            None => self.bad(key, value, "Write dollars per million tokens, such as 0.4"),
        }
    }

    fn rates(&mut self, place: &str, value: &Value, own: &str) -> Option<Rates> {
        let mut rates = PartRates::default();
        for (name, value) in self.table(place, value)? {
            let key = format!("{place}.{name}");
            match name.as_str() {
                "input" => rates.input = self.price(&key, value),
                "cached_input" => rates.cached_input = self.price(&key, value),
                "cache_write" => rates.cache_write = self.price(&key, value),
                "output" => rates.output = self.price(&key, value),
                name if name == own => {}
                _ => self.unknown(
                    key,
                    &format!("{own}, input, cached_input, cache_write and output are known"),
                ),
            }
        }
        let whole = rates.whole();
        if whole.is_none() {
            self.bad::<()>(place, value, "Give both input and output");
        }
        whole
    }

    fn long_prompt(&mut self, key: &str, value: &Value) -> Option<(u64, Rates)> {
        let rates = self.rates(key, value, "over")?;
        match value.get("over") {
            Some(over) => Some((self.count(&format!("{key}.over"), over)?, rates)),
            None => self.bad(key, value, "Say over how many tokens, such as over = 200_000"),
        }
    }

    fn later(&mut self, key: &str, value: &Value) -> Option<(Date, Rates)> {
        let rates = self.rates(key, value, "from")?;
        match value.get("from") {
            Some(from) => Some((self.date(&format!("{key}.from"), from)?, rates)),
            None => self.bad(key, value, "Say from when, such as from = \"2027-01-01\""),
        }
    }

    fn count(&mut self, key: &str, value: &Value) -> Option<u64> {
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        match number.filter(|number| *number > 0) {
            Some(number) => Some(number),
            None => self.bad(key, value, "Write a whole number above nought, such as 128_000"),
        }
    }

    fn yes_or_no(&mut self, key: &str, value: &Value) -> Option<bool> {
        match value.as_bool() {
            Some(value) => Some(value),
            None => self.bad(key, value, "Write true or false"),
        }
    }

    fn date(&mut self, key: &str, value: &Value) -> Option<Date> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Datetime(date) => date.to_string(),
            _ => String::new(),
        };
        match text.parse() {
            Ok(date) => Some(date),
            Err(_) => self.bad(key, value, "Write a day, such as \"2026-11-30\""),
        }
    }

    fn word(&mut self, key: &str, value: &Value) -> Option<String> {
        match value.as_str().map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => Some(text.to_owned()),
            None => self.bad(key, value, "Write the id of a model, such as \"gpt-6-luna\""),
        }
    }

    fn list(&mut self, key: &str, value: &Value) -> Option<Vec<String>> {
        let words = value.as_array().and_then(|values| {
            let words = values.iter().map(|value| Some(value.as_str()?.to_owned()));
            words.collect::<Option<Vec<_>>>()
        });
        match words {
            Some(words) => Some(words),
            None => self.bad(key, value, "Write a list of texts, such as [\"low\", \"high\"]"),
        }
    }

    fn words(&mut self, key: &str, value: &Value) -> Vec<String> {
        self.list(key, value).unwrap_or_default()
    }

    fn one_of<T: Copy>(&mut self, key: &str, value: &Value, names: &[(&'static str, T)]) -> Option<T> {
        let named = names.iter().find(|(name, _)| Some(*name) == value.as_str());
        match named {
            Some((_, found)) => Some(*found),
            None => {
                let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                self.bad(key, value, &format!("Write one of {}", known.join(", ")))
            }
        }
    }
}

/// Nobody asks this much for a million tokens; a figure above it is a slip.
const PRICE_MAX: f64 = 100_000.0;

const KEYS: &[&str] = &[
    "input",
    "cached_input",
    "cache_write",
    "output",
    "long_prompt",
    "later",
    "guessed",
    "context",
    "output_max",
    "retires",
    "successor",
    "closed",
    "api",
    "tools",
    "schema",
    "schema_with_tools",
    "pictures",
    "picture_bytes_max",
    "temperature",
    "effort",
    "thinking",
];
