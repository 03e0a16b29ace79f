//! Models as a table for a terminal.

use std::fmt::Write;

use providers::{Catalogue, Listing, ModelRow, PurposeChoice};
use vocabulary::text::counted;

/// A model a line, and below it where what is said of it comes from.
pub fn table(rows: &[ModelRow]) -> String {
    let width =
        |of: &dyn Fn(&ModelRow) -> usize, least: usize| rows.iter().map(of).max().unwrap_or(0).max(least);
    let models = width(&|row| row.model.chars().count(), 5);
    let mut told = format!(
        "{:<11}{:<models$}  {:>16}  {:>9}  {:<10}  {}\n",
        "provider", "model", "$ in/out per M", "context", "ends", "for"
    );
    for row in rows {
        let price = match (row.input_price, row.output_price) {
            (Some(input), Some(output)) => format!("{input}/{output}"),
            _ if row.price_from.starts_with("it runs") => "free".to_owned(),
            _ => "unknown".to_owned(),
        };
        let ends = row.ends.clone().unwrap_or_else(|| "—".to_owned());
        let mut purposes = row.used_for.clone();
        if purposes.is_empty() {
            purposes.extend(row.preferred_for.iter().map(|role| format!("preferred: {role}")));
        }
        let _ = writeln!(
            told,
            "{:<11}{:<models$}  {price:>16}  {:>9}  {ends:<10}  {}",
            row.provider,
            row.model,
            row.context_tokens.map_or_else(|| "?".to_owned(), short),
            purposes.join(", ")
        );
        let _ = writeln!(told, "{:13}{}", "", facts(row));
    }
    told
}

/// What a provider or a server lists, or why that is not known and what to do.
pub fn listing(list: &Listing) -> String {
    let who = list.address.as_deref().unwrap_or(&list.provider);
    match (&list.models, &list.problem) {
        (Some(count), _) => format!("{who} lists {}", counted(*count, "model")),
        (None, problem) => {
            let problem = problem.as_deref().unwrap_or_default();
            let remedy = list.remedy.as_deref().unwrap_or_default();
            format!("{who} could not be asked for its models: {problem}. {remedy}")
        }
    }
}

/// Whom each purpose is asked of, and why; those alike together.
pub fn choices(choices: &[PurposeChoice]) -> String {
    let mut groups: Vec<(&PurposeChoice, Vec<&str>)> = Vec::new();
    for choice in choices {
        let alike = |other: &PurposeChoice| {
            (&other.provider, &other.model, &other.because)
                == (&choice.provider, &choice.model, &choice.because)
        };
        match groups.iter_mut().find(|(other, _)| alike(other)) {
            Some((_, purposes)) => purposes.push(&choice.purpose),
            None => groups.push((choice, vec![&choice.purpose])),
        }
    }
    let mut told = String::new();
    for (choice, purposes) in groups {
        let who = match choice.model.is_empty() {
            true => "nobody".to_owned(),
            false => format!("{} {}", choice.provider, choice.model),
        };
        let _ = writeln!(told, "{}: {who}", purposes.join(", "));
        let _ = writeln!(told, "    {}", choice.because);
    }
    told
}

fn facts(row: &ModelRow) -> String {
    let mut facts = Vec::new();
    if let (Some(over), Some(input), Some(output)) = (
        row.long_prompt_over,
        row.long_prompt_input_price,
        row.long_prompt_output_price,
    ) {
        facts.push(format!("{input}/{output} $ over {} tokens", short(over)));
    }
    if let Some(cached) = row.cached_input_price {
        facts.push(format!("cached {cached} $"));
    }
    facts.push(format!("price: {}", row.price_from));
    facts.push(match row.abilities.is_empty() {
        true => "words only".to_owned(),
        false => row.abilities.join(", "),
    });
    facts.push(format!("thinking {}, api {}", row.thinking, row.api));
    facts.push(row.facts_from.clone());
    if let Some(successor) = row.successor.as_ref().filter(|_| row.ends.is_some()) {
        facts.push(format!("then {successor} ({})", row.ends_from));
    }
    if row.listed == Some(false) {
        facts.push(format!("{} does not list it for this key", row.provider));
    }
    facts.join(" · ")
}

fn short(tokens: u64) -> String {
    match tokens {
        1_000_000.. => format!("{:.2}M", tokens as f64 / 1_000_000.0),
        1_000.. => format!("{}k", tokens / 1_000),
        _ => tokens.to_string(),
    }
}

/// What of an operator's catalogue was passed over, a line each.
pub fn remarks(catalogue: &Catalogue) -> String {
    let own = catalogue.own.iter();
    let remarks = own.flat_map(|own| own.remarks.iter().map(|remark| (own.path.display(), remark)));
    remarks
        .map(|(path, remark)| format!("! {path}: {remark}\n"))
        .collect()
}

/// Which catalogue that was.
pub fn source(catalogue: &Catalogue) -> String {
    match &catalogue.own {
        None => format!(
            "From the built-in catalogue of {}. A newer one: denizen models refresh --from FILE|URL",
            catalogue.date
        ),
        Some(own) => format!(
            "From the built-in catalogue of {}, with {} laid over it",
            catalogue.date,
            own.path.display()
        ),
    }
}
