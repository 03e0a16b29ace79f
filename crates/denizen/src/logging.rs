//! The log: on standard error, in words for people or as one JSON object a line for programs.

use std::fmt;
use std::io::IsTerminal;

use clap::ValueEnum;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

const USUAL: &str =
    "warn,denizen=info,runtime=info,web=info,providers=info,storage=info,discord=info,discord_rooms=info";

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Begins to log, as `DENIZEN_LOG` filters it.
pub fn begin(format: LogFormat) {
    let filter = EnvFilter::try_from_env("DENIZEN_LOG").unwrap_or_else(|_| EnvFilter::new(USUAL));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log
            .with_ansi(std::io::stderr().is_terminal())
            .with_target(false)
            .init(),
        LogFormat::Json => log.event_format(JsonLines).init(),
    }
}

/// An event as an object: `time`, `level`, `target`, `message`, and its fields beside them.
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let about = event.metadata();
        let mut line = Fields(Map::new());
        event.record(&mut line);
        let Fields(mut fields) = line;
        // What every line has goes before a field of the same name.
        for (name, value) in [
            ("time", vocabulary::rfc3339::format(runtime::wall())),
            ("level", about.level().to_string()),
            ("target", about.target().to_owned()),
        ] {
            fields.insert(name.to_owned(), Value::String(value));
        }
        writeln!(to, "{}", Value::Object(fields))
    }
}

struct Fields(Map<String, Value>);

impl Fields {
    fn set(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, Value::String(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value.into());
    }
}
