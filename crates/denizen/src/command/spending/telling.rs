//! What was spent today, as a table for a terminal.

use std::fmt::Write;

use mind::spending::view::{SpendingLine, SpendingView};

/// Everything, a purpose a line.
pub fn spent(view: &SpendingView) -> String {
    let mut told = format!(
        "spent today (UTC); it begins anew in {} h {} min\n\n{:<14}{:>8}{:>12}{:>10}{:>10}{:>12}{:>9}{:>8}\n",
        view.begins_anew_in.0 / 3_600_000,
        view.begins_anew_in.0 / 60_000 % 60,
        "",
        "calls",
        "tokens in",
        "cached",
        "out",
        "dollars",
        "of",
        "refused"
    );
    for purpose in &view.purposes {
        let name = purpose.purpose.name();
        match purpose.free && purpose.line.calls == 0 && purpose.line.cost_micro_dollars == 0 {
            true => free_row(&mut told, name, &purpose.line, purpose.refused),
            false => row(&mut told, name, &purpose.line, Some(purpose.refused)),
        }
    }
    row(&mut told, "background", &view.background, None);
    row(&mut told, "everything", &view.all, None);
    let free = view.all.free_calls;
    if view.purposes.iter().all(|purpose| purpose.free) {
        told.push_str("\nevery model in use is free: spending.perDay.dollars binds none of them\n");
    }
    if free > 0 {
        let tokens = view.all.free_tokens;
        let _ = writeln!(
            told,
            "\n{free} calls with {tokens} tokens were free, and bind nothing"
        );
    }
    for purpose in &view.purposes {
        if let (Some(words), Some(remedy)) = (&purpose.used_up, &purpose.remedy) {
            let _ = writeln!(told, "\n! {words}: {remedy}");
        }
    }
    match view.all.cache_saved_micro_dollars {
        0 => {}
        saved @ 1.. => {
            let _ = writeln!(
                told,
                "\nsaved by what providers had read before: ${:.4}",
                dollars(saved)
            );
        }
        lost => {
            let lost = dollars(lost.saturating_neg());
            let _ = writeln!(
                told,
                "\nto have providers keep what they read cost ${lost:.4} more than it has saved so far"
            );
        }
    }
    if view.all.unpriced_calls > 0 {
        let unpriced = view.all.unpriced_calls;
        let _ = writeln!(
            told,
            "\nnobody knows the price of {unpriced} calls; their tokens are counted"
        );
    }
    if view.all.assumed_calls > 0 {
        let assumed = view.all.assumed_calls;
        let _ = writeln!(
            told,
            "\nthe price of {assumed} calls is not known; they are charged at what their maker asks, like the dearest of their family, or by a guess. `denizen models list` shows which"
        );
    }
    let saved: Vec<String> = view
        .saved
        .iter()
        .filter(|saved| saved.times > 0)
        .map(|saved| format!("  {:<26}{:>8}", saved.gate.name(), saved.times))
        .collect();
    if !saved.is_empty() {
        let _ = writeln!(told, "\nnot asked, because of\n{}", saved.join("\n"));
    }
    for resting in &view.resting {
        let choice = resting.asked.as_ref().unwrap_or(&resting.choice);
        let serves: Vec<&str> = resting.serves.iter().map(|purpose| purpose.words()).collect();
        let _ = writeln!(
            told,
            "\n{} {} ({}) {}; it is asked again in {} s",
            choice.provider,
            choice.model,
            serves.join(", "),
            resting.why.words(),
            resting.asked_again_in.0.div_ceil(1_000)
        );
    }
    told
}

fn dollars(micro_dollars: i64) -> f64 {
    micro_dollars as f64 / 1_000_000.0
}

/// One line of a purpose whose model costs nothing: no share of any budget is used.
fn free_row(told: &mut String, name: &str, line: &SpendingLine, refused: u64) {
    let _ = writeln!(
        told,
        "{name:<14}{:>8}{:>12}{:>10}{:>10}{:>12}{:>9}{refused:>8}",
        line.free_calls, line.free_tokens, "", "", "free", "-"
    );
}

/// One line: what was used, and the share of the limit that is nearest to its end.
fn row(told: &mut String, name: &str, line: &SpendingLine, refused: Option<u64>) {
    let dollars = match (line.cost_micro_dollars, line.unpriced_calls) {
        (0, 1..) => "unknown".to_owned(),
        (cost, unpriced) => {
            let more = if unpriced > 0 { "+" } else { "" };
            format!("{:.4}{more}", cost as f64 / 1_000_000.0)
        }
    };
    let _ = writeln!(
        told,
        "{name:<14}{:>8}{:>12}{:>10}{:>10}{dollars:>12}{:>8}%{:>8}",
        line.calls,
        line.input_tokens,
        line.cached_tokens,
        line.output_tokens,
        used_percent(line),
        refused.map_or_else(String::new, |refused| refused.to_string())
    );
}

fn used_percent(line: &SpendingLine) -> u64 {
    let share = |used: u64, limit: u64| match limit {
        0 => 100,
        limit => used.saturating_mul(100) / limit,
    };
    let tokens = line.input_tokens.saturating_add(line.output_tokens);
    share(line.calls, line.calls_limit)
        .max(share(tokens, line.tokens_limit))
        .max(share(line.cost_micro_dollars, line.cost_limit_micro_dollars))
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod tests;
