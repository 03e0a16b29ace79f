//! Which model is the default, by a provider's list and the preferences of the catalogue; and why one is not any more.

use jiff::civil::Date;

use crate::catalogue::{Catalogue, Provider};
use crate::defaults::{Chosen, State};
use vocabulary::ModelRole;

/// The first preferred model that is there and has no end in sight; else the first that is there; without a list, the
/// first that has not ended.
pub(crate) fn choose(
    state: &State,
    provider: Provider,
    role: ModelRole,
    catalogue: &Catalogue,
    today: Date,
) -> Chosen {
    let preferred = catalogue.preferred(provider, role);
    let known = |model: &&String| !state.unknown.has(provider, model);
    let alive = |model: &&String| !catalogue.entry_on(provider, model, today).is_retired(today);
    let chosen = |model: &str, because: String| Chosen {
        model: model.to_owned(),
        because,
    };
    let looked = state.lists.get(&provider);
    let Some(Ok(list)) = looked.map(|looked| &looked.list) else {
        let usable = |model: &&String| !catalogue.entry_on(provider, model, today).closed;
        let mut usable = preferred.iter().filter(known).filter(alive).filter(usable);
        let model = usable.next().or_else(|| preferred.first());
        let because = match looked.map(|looked| &looked.list) {
            Some(Err(problem)) => format!(
                "the first that is preferred and has not ended; the list of models of {provider} could not be had: {problem}"
            ),
            _ => "the first that is preferred and has not ended".to_owned(),
        };
        return chosen(model.map_or("", String::as_str), because);
    };
    let there = |model: &&String| list.get(model).is_some_and(|listed| !listed.is_over(today));
    let lasting = |model: &&String| {
        let said = list.get(model).is_some_and(|listed| listed.ending);
        !said && catalogue.entry_on(provider, model, today).retires.is_none()
    };
    let there: Vec<&String> = preferred
        .iter()
        .filter(known)
        .filter(alive)
        .filter(there)
        .collect();
    if let Some(model) = there
        .iter()
        .find(|model| lasting(model))
        .or_else(|| there.first())
    {
        let passed = preferred.iter().take_while(|other| other != model);
        let gone = passed.filter_map(|other| Some((other, state.unknown.since(provider, other)?)));
        let gone: Vec<String> = gone
            .map(|(other, since)| format!("`{other}` ({since})"))
            .collect();
        let because = match gone.is_empty() {
            true => format!("the first of those preferred that {provider} lists"),
            false => format!(
                "the first of those preferred that {provider} lists and has: it said that there is no {} for this key; `denizen models refresh` has that tried again",
                gone.join(", ")
            ),
        };
        return chosen(model, because);
    }
    // A key may be for one model only: the cheapest that is known is better than one that is not there.
    let others = list.ids().filter(|id| {
        let entry = catalogue.entry_on(provider, id, today);
        let over = list.get(id).is_some_and(|listed| listed.is_over(today));
        !entry.is_guessed()
            && !over
            && !entry.is_retired(today)
            && entry.abilities.tools
            && !state.unknown.has(provider, id)
    });
    let dearness = |id: &&str| {
        let prices = catalogue.entry_on(provider, id, today).prices;
        prices.map_or(f64::MAX, |prices| prices.rates.input * 4.0 + prices.rates.output)
    };
    match others.min_by(|one, other| dearness(one).total_cmp(&dearness(other))) {
        Some(model) => chosen(
            model,
            format!(
                "{provider} lists none of those preferred; of those it lists, the cheapest that is known"
            ),
        ),
        None => chosen(
            catalogue.default_model(provider, role, today).unwrap_or(""),
            format!("preferred, although {provider} lists no model that is known"),
        ),
    }
}

/// Why a model is not the default any more.
pub(crate) fn why_not(
    state: &State,
    provider: Provider,
    model: &str,
    catalogue: &Catalogue,
    today: Date,
) -> String {
    let entry = catalogue.entry_on(provider, model, today);
    let list = state
        .lists
        .get(&provider)
        .and_then(|looked| looked.list.as_ref().ok());
    let listed = list.map(|list| list.get(model));
    let ends = listed.flatten().and_then(|listed| listed.ends).or(entry.retires);
    if state.unknown.has(provider, model) {
        return format!("{provider} says that there is no such model for this key");
    }
    match (ends, listed) {
        (Some(end), _) if end <= today => format!("it ended on {end}"),
        (Some(end), _) => format!("it ends on {end}"),
        (None, Some(None)) => format!("{provider} does not list it any more"),
        (None, Some(Some(listed))) if listed.gone => format!("{provider} says that it has ended"),
        (None, Some(Some(listed))) if listed.ending => format!("{provider} says that it will end"),
        _ => "another one is preferred now".to_owned(),
    }
}

#[cfg(test)]
#[path = "choosing_tests.rs"]
mod tests;
