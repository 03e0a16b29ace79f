//! Under which circumstances figures came about: without them nobody can say whether they are worth anything.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// More than this is at work for each processor: others are measured along.
const BUSY: f64 = 0.5;

/// The build, the day, the machine and what else it does; the first line of every table.
pub fn circumstances() -> String {
    let load = read("/proc/loadavg");
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let busy = load.parse::<f64>().is_ok_and(|load| load > BUSY * cores as f64);
    let mut line = format!(
        "{} build, {}, {} with {cores} processors and {}, load {load}",
        build(),
        today(),
        field(&read("/proc/cpuinfo"), "model name").unwrap_or("a machine"),
        memory(&read("/proc/meminfo")),
    );
    if busy {
        line.push_str(" (BUSY: times on the clock say little)");
    }
    if cfg!(debug_assertions) {
        line.push_str("\nDEBUG BUILD: these figures say nothing about Denizen, only that the bench runs");
    }
    line
}

/// The profile, which is the folder that cargo has put the program into.
fn build() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().and_then(|folder| folder.file_name());
    folder.map_or("unknown".to_owned(), |folder| {
        folder.to_string_lossy().into_owned()
    })
}

fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = jiff::Timestamp::from_second(i64::try_from(now.as_secs()).unwrap_or_default());
    let now = now.unwrap_or_default();
    now.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn memory(meminfo: &str) -> String {
    let total = field(meminfo, "MemTotal").and_then(|total| total.split_whitespace().next());
    let kibibytes = total.and_then(|total| total.parse::<f64>().ok());
    kibibytes.map_or("unknown memory".to_owned(), |kibibytes| {
        format!("{:.0} GB", kibibytes / 1024.0 / 1024.0)
    })
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    lines
        .find(|(field, _)| field.trim() == name)
        .map(|(_, value)| value.trim())
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{circumstances, field, memory};

    #[test]
    fn a_line_says_what_the_figures_came_from() {
        let line = circumstances();
        assert!(line.contains(" build, 20") && line.contains("load "), "{line}");
        assert!(line.contains("DEBUG BUILD"), "tests are no release build: {line}");
    }

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "model\t\t: 3\nmodel name\t: A Chip\nMemTotal:       16777216 kB\n";
        assert_eq!(field(text, "model name"), Some("A Chip"));
        assert_eq!(memory(text), "16 GB");
        assert_eq!(memory(""), "unknown memory");
    }
}
