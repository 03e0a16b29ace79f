//! Figures in the text format that Prometheus reads: names, kinds and labels, each written so that any reader takes them.

use std::fmt::Write;

use runtime::figures::Histogram;

/// What `GET /metrics` is served as.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Families of figures, one after the other.
#[derive(Debug, Default)]
pub(super) struct Exposition {
    text: String,
}

/// The figures of one family; labels are pairs of a name and what it is.
pub(super) struct Family<'a> {
    text: &'a mut String,
    name: &'static str,
}

impl Exposition {
    /// A figure that only grows while the process runs. Its name ends in `_total`.
    pub fn counter(&mut self, name: &'static str, help: &str) -> Family<'_> {
        debug_assert!(name.ends_with("_total"), "{name}");
        self.family(name, "counter", help)
    }

    /// A figure that goes up and down.
    pub fn gauge(&mut self, name: &'static str, help: &str) -> Family<'_> {
        self.family(name, "gauge", help)
    }

    /// Spans in seconds, by how long they are.
    pub fn histogram(&mut self, name: &'static str, help: &str) -> Family<'_> {
        self.family(name, "histogram", help)
    }

    fn family(&mut self, name: &'static str, kind: &str, help: &str) -> Family<'_> {
        // Nothing can go wrong in writing to a string.
        let _ = writeln!(self.text, "# HELP {name} {}", escaped(help, false));
        let _ = writeln!(self.text, "# TYPE {name} {kind}");
        Family {
            text: &mut self.text,
            name,
        }
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

impl Family<'_> {
    /// The only figure of its family.
    pub fn only(&mut self, value: u64) {
        self.with(&[], value);
    }

    pub fn with(&mut self, labels: &[(&str, &str)], value: u64) {
        self.line("", labels, &value.to_string());
    }

    /// A figure with a fraction.
    pub fn fraction(&mut self, labels: &[(&str, &str)], value: f64) {
        self.line("", labels, &value.to_string());
    }

    /// Millionths, as whole ones.
    pub fn millionths(&mut self, labels: &[(&str, &str)], value: u64) {
        // Sums of money here are far from where a float loses a millionth.
        self.fraction(labels, value as f64 / 1_000_000.0);
    }

    /// Milliseconds, as seconds.
    pub fn seconds(&mut self, labels: &[(&str, &str)], milliseconds: u64) {
        self.fraction(labels, milliseconds as f64 / 1_000.0);
    }

    pub fn spans(&mut self, labels: &[(&str, &str)], histogram: &Histogram) {
        for (end, count) in histogram.cumulative() {
            let end = (end as f64 / 1_000.0).to_string();
            let labels = [labels, &[("le", end.as_str())]].concat();
            self.line("_bucket", &labels, &count.to_string());
        }
        let all = [labels, &[("le", "+Inf")]].concat();
        self.line("_bucket", &all, &histogram.count().to_string());
        let sum = (histogram.sum_ms() as f64 / 1_000.0).to_string();
        self.line("_sum", labels, &sum);
        self.line("_count", labels, &histogram.count().to_string());
    }

    fn line(&mut self, suffix: &str, labels: &[(&str, &str)], value: &str) {
        self.text.push_str(self.name);
        self.text.push_str(suffix);
        for (place, (name, what)) in labels.iter().enumerate() {
            let opening = if place == 0 { '{' } else { ',' };
            let _ = write!(self.text, "{opening}{name}=\"{}\"", escaped(what, true));
        }
        if !labels.is_empty() {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {value}");
    }
}

/// Line breaks, backslashes and, within quotes, quotes are written as the format has them.
fn escaped(text: &str, is_quoted: bool) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    match is_quoted {
        true => text.replace('"', "\\\""),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use vocabulary::Span;

    use super::*;

    #[test]
    fn what_stands_in_labels_cannot_end_them() {
        let mut exposition = Exposition::default();
        let mut family = exposition.counter("things_total", "Things, by\nname.");
        family.with(&[("name", "a\"b\\c\nd"), ("kind", "x")], 3);
        assert_eq!(
            exposition.into_text(),
            "# HELP things_total Things, by\\nname.\n# TYPE things_total counter\nthings_total{name=\"a\\\"b\\\\c\\nd\",kind=\"x\"} 3\n"
        );
    }

    #[test]
    fn spans_are_written_as_buckets_that_contain_each_other() {
        let mut histogram = Histogram::default();
        histogram.add(Span(60));
        histogram.add(Span(900_000));
        let mut exposition = Exposition::default();
        let mut family = exposition.histogram("took_seconds", "How long.");
        family.spans(&[("phase", "asked")], &histogram);
        let text = exposition.into_text();
        for line in [
            "took_seconds_bucket{phase=\"asked\",le=\"0.05\"} 0",
            "took_seconds_bucket{phase=\"asked\",le=\"0.1\"} 1",
            "took_seconds_bucket{phase=\"asked\",le=\"+Inf\"} 2",
            "took_seconds_sum{phase=\"asked\"} 900.06",
            "took_seconds_count{phase=\"asked\"} 2",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }
}
