//! What a question may take at most: room for thoughts, asking once more, and the dearest prices of its model.

use std::collections::BTreeMap;

use settings::Settings;
use vocabulary::{AskAllowance, AskPurpose, ModelChoice, ModelRequest, OutputShape, Span};

use crate::Models;
use crate::catalogue::{PriceSource, Prices, Provider, Rates, today};
use crate::http::is_nearby;
use crate::purposes::{self, Wanted};
use crate::writing::Writing;

/// By purpose; what costs nothing is said to, and takes no more than its words.
pub(crate) fn allowances(models: &Models, settings: &Settings) -> BTreeMap<AskPurpose, AskAllowance> {
    let wanted = purposes::wanted(settings).into_iter();
    let known = wanted.filter_map(|wanted| Some((wanted.purpose, allowance(models, &wanted, settings)?)));
    let mut known: BTreeMap<AskPurpose, AskAllowance> = known.collect();
    // Without a model of its own the pass after a look-up is made by whoever replies; so are thoughts that are said.
    for (pass, reply) in [
        (AskPurpose::TextReplyFollowup, AskPurpose::TextReply),
        (AskPurpose::VoiceReplyFollowup, AskPurpose::VoiceReply),
        (AskPurpose::VoiceThought, AskPurpose::VoiceReply),
    ] {
        if let Some(replies) = known.get(&reply).copied() {
            known.entry(pass).or_insert(replies);
        }
    }
    known
}

fn allowance(models: &Models, wanted: &Wanted, settings: &Settings) -> Option<AskAllowance> {
    let target = models.target(&wanted.choice, wanted.purpose, settings).ok()?;
    let (provider, model) = (target.provider, target.model.as_str());
    let catalogue = models.catalogue.get();
    let (prices, source) = catalogue.price_at(provider, &target.base_url, model, today());
    let reads_tokens = models.surroundings().served_of(&target.base_url, model).window;
    let nearby = provider != Provider::Offline && is_nearby(&target.base_url);
    if provider == Provider::Offline || source == PriceSource::Free {
        return Some(AskAllowance {
            free: true,
            reads_tokens,
            nearby,
            ..AskAllowance::default()
        });
    }
    let request = bare(wanted.purpose, wanted.choice.clone());
    let mut writing = Writing {
        request: &request,
        pictures: &BTreeMap::new(),
        provider,
        model,
        base_url: &target.base_url,
        typed: settings.llm.structured_output,
        effort: settings.effort.of(wanted.purpose),
        around: models.surroundings(),
        needs_room: false,
        left_out: Vec::new(),
        spared: Vec::new(),
    };
    // Nothing of it is the answer's.
    let first = writing.cap();
    let asked_twice = writing.may_run_out_of_room() && !writing.has_more_room();
    writing.needs_room = true;
    let again = if asked_twice { writing.cap() } else { 0 };
    let (input, output) = prices.map_or((None, None), |prices| dearest(&prices));
    let allowance = AskAllowance {
        thought_tokens: u64::from(first) + u64::from(again),
        asked_twice,
        input_price: input,
        output_price: output,
        free: false,
        reads_tokens,
        nearby,
    };
    (allowance != AskAllowance::default()).then_some(allowance)
}

/// A question of that kind without a word.
pub(crate) fn bare(purpose: AskPurpose, choice: ModelChoice) -> ModelRequest {
    ModelRequest {
        purpose,
        choice,
        system: String::new(),
        turns: Vec::new(),
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 0,
        temperature: 0.0,
        deadline: Span::ZERO,
        sections: Vec::new(),
    }
}

/// What a million tokens cost at most that are read and written, in millionths of a dollar.
fn dearest(prices: &Prices) -> (Option<u64>, Option<u64>) {
    let long = prices.long_prompt.map(|(_, rates)| rates);
    let all: Vec<Rates> = [prices.rates].into_iter().chain(long).collect();
    let most = |price: fn(&Rates) -> f64| {
        let dearest = all.iter().map(price).fold(0.0, f64::max);
        Some((dearest * 1_000_000.0).ceil() as u64)
    };
    (
        most(|rates| rates.input.max(rates.cache_write)),
        most(|rates| rates.output),
    )
}

#[cfg(test)]
#[path = "allowance_tests.rs"]
mod tests;
