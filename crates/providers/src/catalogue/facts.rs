//! What a catalogue says in one place: of a model, a family or a provider. Every fact may be missing.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::entry::{Api, Prices, Rates, Thinking};

/// Facts as they stand in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    pub(super) rates: PartRates,
    pub(super) long_prompt: Option<(u64, Rates)>,
    /// Other prices from a day on.
    pub(super) later: Option<(Date, Rates)>,
    pub(super) guessed: Option<bool>,
    pub(super) context: Option<u64>,
    pub(super) output_max: Option<u64>,
    pub(super) retires: Option<Ends>,
    pub(super) successor: Option<String>,
    pub(super) closed: Option<bool>,
    pub(super) api: Option<Api>,
    pub(super) tools: Option<bool>,
    pub(super) schema: Option<bool>,
    pub(super) schema_with_tools: Option<bool>,
    pub(super) pictures: Option<Vec<String>>,
    pub(super) picture_bytes_max: Option<u64>,
    pub(super) temperature: Option<bool>,
    pub(super) effort: Option<Vec<String>>,
    pub(super) thinking: Option<Thinking>,
    /// The keys that an operator's own file has set.
    pub(super) set_by_operator: BTreeSet<&'static str>,
}

/// When a model ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Never,
    On(Date),
}

/// Prices of which some may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PartRates {
    pub(super) input: Option<f64>,
    pub(super) cached_input: Option<f64>,
    pub(super) cache_write: Option<f64>,
    pub(super) output: Option<f64>,
}

impl PartRates {
    /// Prices, if there are both that matter; what a cache costs is at least what the input costs without one.
    pub(super) fn whole(self) -> Option<Rates> {
        let (input, output) = (self.input?, self.output?);
        Some(Rates {
            input,
            cached_input: self.cached_input.unwrap_or(input),
            cache_write: self.cache_write.unwrap_or(input),
            output,
        })
    }

    pub(super) fn is_half(self) -> bool {
        let said = [self.input, self.cached_input, self.cache_write, self.output];
        said.iter().any(Option::is_some) && self.whole().is_none()
    }
}

/// Takes what is said, and keeps what is not.
macro_rules! overlay {
    ($under:expr, $over:expr, $($field:ident).+) => {
        if $over.$($field).+.is_some() {
            $under.$($field).+ = $over.$($field).+.clone();
        }
    };
}

impl Facts {
    /// What is said here wins over what is said below.
    pub(super) fn over(&self, below: &Facts) -> Facts {
        let mut facts = below.clone();
        // A price is never an heirloom: relatives may cost ten times as much.
        facts.rates = self.rates;
        facts.long_prompt = self.long_prompt;
        facts.later = self.later;
        facts.guessed = self.guessed;
        facts.override_rest(self);
        facts
    }

    /// The same place in an operator's own file: it wins key by key, prices too.
    pub(super) fn overridden_by(&mut self, own: &Facts) {
        let new_price = own.rates.input.is_some() || own.rates.output.is_some();
        if new_price {
            // What was known of the old price says nothing about the new one.
            self.later = None;
            self.long_prompt = None;
            self.guessed = None;
            self.rates.cached_input = None;
            self.rates.cache_write = None;
        }
        overlay!(self, own, rates.input);
        overlay!(self, own, rates.cached_input);
        overlay!(self, own, rates.cache_write);
        overlay!(self, own, rates.output);
        overlay!(self, own, long_prompt);
        overlay!(self, own, later);
        overlay!(self, own, guessed);
        self.override_rest(own);
    }

    fn override_rest(&mut self, own: &Facts) {
        overlay!(self, own, context);
        overlay!(self, own, output_max);
        overlay!(self, own, retires);
        overlay!(self, own, successor);
        overlay!(self, own, closed);
        overlay!(self, own, api);
        overlay!(self, own, tools);
        overlay!(self, own, schema);
        overlay!(self, own, schema_with_tools);
        overlay!(self, own, pictures);
        overlay!(self, own, picture_bytes_max);
        overlay!(self, own, temperature);
        overlay!(self, own, effort);
        overlay!(self, own, thinking);
        self.set_by_operator.extend(&own.set_by_operator);
    }

    /// The prices on a day, where there are any.
    pub(super) fn prices(&self, today: Date) -> Option<Prices> {
        if let Some((from, rates)) = self.later
            && from <= today
        {
            return Some(Prices {
                rates,
                long_prompt: None,
            });
        }
        Some(Prices {
            rates: self.rates.whole()?,
            long_prompt: self.long_prompt,
        })
    }
}
