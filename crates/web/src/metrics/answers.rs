//! Figures of what Denizen does: how long answers take, what models are asked and cost, and what the journal says.

use runtime::figures::{FiguresSeen, ModelTotals};

use super::exposition::Exposition;

pub(super) fn write(seen: &FiguresSeen, to: &mut Exposition) {
    answers(seen, to);
    models(seen, to);
    let mut family = to.counter("denizen_journal_lines_total", "Lines of the journal, by name.");
    for (name, times) in &seen.lines {
        family.with(&[("name", name)], *times);
    }
}

fn answers(seen: &FiguresSeen, to: &mut Exposition) {
    let mut family = to.histogram(
        "denizen_answer_phase_seconds",
        "Written answers: from the message until it was decided that it is answered, a model was asked, its first words came, and the answer was sent.",
    );
    for (phase, spans) in &seen.written {
        family.spans(&[("phase", phase.name())], spans);
    }
    let mut family = to.histogram(
        "denizen_voice_answer_phase_seconds",
        "Spoken answers: from the end of what was said until it was decided, a model was asked, a first sentence was there, and it was heard.",
    );
    for (phase, spans) in &seen.spoken {
        family.spans(&[("phase", phase.name())], spans);
    }
    to.histogram(
        "denizen_voice_understood_seconds",
        "From the end of what was said until it was understood.",
    )
    .spans(&[], &seen.understood);
    let mut family = to.counter("denizen_turns_total", "Turns that ended, by what came of them.");
    for (floor, turns) in [("text", &seen.turns), ("voice", &seen.voice_turns)] {
        for (outcome, times) in turns {
            family.with(&[("floor", floor), ("outcome", outcome)], *times);
        }
    }
}

fn models(seen: &FiguresSeen, to: &mut Exposition) {
    type Count = (&'static str, &'static str, fn(&ModelTotals) -> u64);
    let counts: [Count; 2] = [
        (
            "denizen_model_answers_total",
            "Questions that a model answered.",
            |totals| totals.answers,
        ),
        (
            "denizen_model_unpriced_answers_total",
            "Answers whose price nobody knows.",
            |totals| totals.unpriced,
        ),
    ];
    for (family, help, count) in counts {
        let mut family = to.counter(family, help);
        for (using, totals) in &seen.models {
            let labels = [
                ("purpose", using.purpose),
                ("provider", using.provider.as_str()),
                ("model", using.model.as_str()),
            ];
            family.with(&labels, count(totals));
        }
    }
    let mut family = to.counter(
        "denizen_model_failures_total",
        "Questions that no model answered, by what went wrong.",
    );
    for ((purpose, kind), times) in &seen.failures {
        family.with(&[("purpose", purpose), ("kind", kind)], *times);
    }
    let mut family = to.counter(
        "denizen_model_tokens_total",
        "Tokens; what a provider had read before is part of the input.",
    );
    for (using, totals) in &seen.models {
        for (kind, tokens) in [
            ("input", totals.input_tokens),
            ("cached", totals.cached_tokens),
            ("output", totals.output_tokens),
        ] {
            let labels = [
                ("purpose", using.purpose),
                ("provider", using.provider.as_str()),
                ("model", using.model.as_str()),
                ("kind", kind),
            ];
            family.with(&labels, tokens);
        }
    }
    let mut family = to.counter(
        "denizen_model_cost_dollars_total",
        "What models cost since the start, as far as prices are known.",
    );
    for (using, totals) in &seen.models {
        let labels = [
            ("purpose", using.purpose),
            ("provider", using.provider.as_str()),
            ("model", using.model.as_str()),
        ];
        family.millionths(&labels, totals.cost_micro_dollars);
    }
    to.counter(
        "denizen_model_failed_cost_dollars_total",
        "What questions cost that were not answered.",
    )
    .millionths(&[], seen.failed_micro_dollars);
    to.counter(
        "denizen_speech_cost_dollars_total",
        "What ears and voices of others cost.",
    )
    .millionths(&[], seen.speech_micro_dollars);
    let mut family = to.histogram(
        "denizen_model_answer_seconds",
        "How long models took, by purpose.",
    );
    let mut purposes: std::collections::BTreeMap<&str, runtime::figures::Histogram> = Default::default();
    for (using, totals) in &seen.models {
        purposes.entry(using.purpose).or_default().merge(&totals.took);
    }
    for (purpose, spans) in &purposes {
        family.spans(&[("purpose", purpose)], spans);
    }
}
