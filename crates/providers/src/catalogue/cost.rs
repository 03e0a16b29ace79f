//! What an answer cost.

use jiff::civil::Date;
use vocabulary::Usage;

use super::entry::{Known, PriceSource, Prices};
use super::facts::Facts;
use super::{Catalogue, Provider, Shelf, today};
use crate::http::is_nearby;

impl Catalogue {
    /// The same usage with what it cost.
    pub(crate) fn charged(&self, provider: Provider, url: &str, model: &str, usage: Usage) -> Usage {
        let (_, source) = self.price_at(provider, url, model, today());
        let cost_micro_dollars = self.cost(provider, url, model, &usage);
        Usage {
            cost_assumed: cost_micro_dollars.is_some() && source.is_assumed(),
            cost_micro_dollars,
            cache_saved_micro_dollars: match cost_micro_dollars {
                Some(1..) => self.saved_by_cache(provider, url, model, &usage),
                Some(0) | None => 0,
            },
            ..usage
        }
    }

    /// What an answer would have cost more, in millionths of a dollar, if nothing had been read before or kept for later.
    fn saved_by_cache(&self, provider: Provider, url: &str, model: &str, usage: &Usage) -> i64 {
        let (prices, _) = self.price_at(provider, url, model, today());
        let Some(rates) = prices.map(|prices| prices.rates_for(usage.input_tokens)) else {
            return 0;
        };
        let read = usage.cached_input_tokens as f64 * (rates.input - rates.cached_input);
        let kept = usage.cache_written_tokens as f64 * (rates.cache_write - rates.input);
        (read - kept).round() as i64
    }

    /// What an answer cost in millionths of a dollar; none where nobody can say. A model without a price is charged
    /// as the dearest of its family.
    pub(crate) fn cost(&self, provider: Provider, url: &str, model: &str, usage: &Usage) -> Option<u64> {
        self.cost_on(provider, url, model, usage, today())
    }

    fn cost_on(&self, provider: Provider, url: &str, model: &str, usage: &Usage, today: Date) -> Option<u64> {
        let (prices, source) = self.price_at(provider, url, model, today);
        if source == PriceSource::Free {
            return Some(0);
        }
        let rates = prices?.rates_for(usage.input_tokens);
        let fresh = usage
            .input_tokens
            .saturating_sub(usage.cached_input_tokens)
            .saturating_sub(usage.cache_written_tokens);
        let micro_dollars = fresh as f64 * rates.input
            + usage.cached_input_tokens as f64 * rates.cached_input
            + usage.cache_written_tokens as f64 * rates.cache_write
            + usage.output_tokens as f64 * rates.output;
        // Sums of tenths are not exact: a hair above a whole number is that number.
        Some((micro_dollars - 1e-6).ceil().max(0.0) as u64)
    }

    /// The price of a model at an address: what runs on this machine is free, unless an operator says otherwise; so is what
    /// runs in its network, unless a maker sells it.
    pub(crate) fn price_at(
        &self,
        provider: Provider,
        url: &str,
        model: &str,
        today: Date,
    ) -> (Option<Prices>, PriceSource) {
        let entry = self.entry_on(provider, model, today);
        let listed = matches!(entry.price_source, PriceSource::Listed | PriceSource::Guessed);
        match provider {
            Provider::Offline => (None, PriceSource::Free),
            Provider::Compatible if !listed && fetching::service::is_loopback(url) => {
                (None, PriceSource::Free)
            }
            // In one's own network a model of somebody's is resold by a gateway; one that nobody sells is one's own.
            Provider::Compatible if entry.price_source == PriceSource::Unknown && is_nearby(url) => {
                (None, PriceSource::Free)
            }
            _ => (entry.prices, entry.price_source),
        }
    }

    pub(super) fn price(
        &self,
        provider: Provider,
        shelf: &Shelf,
        model: &str,
        facts: &Facts,
        today: Date,
    ) -> (Option<Prices>, PriceSource) {
        if provider == Provider::Offline {
            return (None, PriceSource::Free);
        }
        if let Some(prices) = facts.prices(today) {
            let source = match facts.guessed {
                Some(true) => PriceSource::Guessed,
                _ => PriceSource::Listed,
            };
            return (Some(prices), source);
        }
        if provider == Provider::Compatible {
            return self.makers_price(model, today);
        }
        match shelf.dearest_relative(model, today) {
            Some((dearest, prices)) => (Some(prices), PriceSource::DearestOf(dearest.to_owned())),
            None => (None, PriceSource::Unknown),
        }
    }

    /// What the maker of a model asks for it, where a server of somebody else names it in its own way:
    /// `anthropic/claude-sonnet-5.5`, `us.anthropic.claude-sonnet-5-5`, `google/gemini-3.8-flash`, `gpt-6-luna`.
    fn makers_price(&self, model: &str, today: Date) -> (Option<Prices>, PriceSource) {
        let last = model.rsplit('/').next().unwrap_or(model);
        let bare = last.split_once("anthropic.").map_or(last, |(_, rest)| rest);
        for (provider, beginning) in MAKERS {
            let Some(shelf) = self.shelves.get(provider) else {
                continue;
            };
            if !bare.starts_with(beginning) {
                continue;
            }
            let id = match provider {
                Provider::Anthropic => bare.replace('.', "-"),
                _ => bare.to_owned(),
            };
            let (facts, known) = shelf.facts(&id);
            // What only begins alike is no model of theirs: anybody runs a `gpt-oss`.
            if known == Known::Provider {
                continue;
            }
            let prices = facts.prices(today);
            let prices = prices.or_else(|| shelf.dearest_relative(&id, today).map(|(_, prices)| prices));
            return (prices, PriceSource::MakersPrice(*provider));
        }
        (None, PriceSource::Unknown)
    }
}

const MAKERS: &[(Provider, &str)] = &[
    (Provider::Anthropic, "claude-"),
    (Provider::OpenAi, "gpt-"),
    (Provider::Gemini, "gemini-"),
];

impl Shelf {
    /// The dearest model of the closest family that has any price, then of the provider.
    fn dearest_relative(&self, model: &str, today: Date) -> Option<(&str, Prices)> {
        let families = self
            .families(model)
            .rev()
            .map(|(beginning, _)| beginning.as_str());
        families.chain([""]).find_map(|beginning| {
            let members = self.models.iter().filter(|(id, _)| id.starts_with(beginning));
            let priced = members.filter_map(|(id, facts)| Some((id.as_str(), facts.prices(today)?)));
            priced.max_by(|(_, one), (_, other)| dearness(one).total_cmp(&dearness(other)))
        })
    }
}

/// A question has several times as many tokens as its answer.
fn dearness(prices: &Prices) -> f64 {
    prices.rates.input * 4.0 + prices.rates.output
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;
