//! Models as a table for a terminal.

use std::fmt::Write;

use providers::{Catalogue, ModelRow};

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
