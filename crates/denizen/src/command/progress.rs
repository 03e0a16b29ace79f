//! How far something long has come: one line that is written over on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

const ON_A_TERMINAL: Duration = Duration::from_millis(100);
const ELSEWHERE: Duration = Duration::from_secs(5);
const BAR: usize = 24;

/// Told on standard error, so that standard output stays what was asked for.
pub struct Progress {
    what: &'static str,
    terminal: bool,
    told: Option<Instant>,
}

impl Progress {
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            terminal: stderr().is_terminal(),
            told: None,
        }
    }

    /// What is being done from now on.
    pub fn now(&mut self, what: &'static str) {
        self.what = what;
    }

    /// So far, of so many where that is known. Not every call is told.
    pub fn at(&mut self, done: usize, total: Option<usize>) {
        let pause = if self.terminal { ON_A_TERMINAL } else { ELSEWHERE };
        if self.told.is_some_and(|told| told.elapsed() < pause) {
            return;
        }
        // Elsewhere the first word comes after a while: what is quick needs none.
        if self.told.is_some() || self.terminal {
            self.tell(&line(self.what, done, total, self.terminal));
        }
        self.told = Some(Instant::now());
    }

    /// Something a person should know, in between.
    pub fn remark(&self, text: &str) {
        self.clear();
        eprintln!("{text}");
    }

    /// Takes the line away, or leaves those that were written.
    pub fn done(self) {
        self.clear();
    }

    fn tell(&self, line: &str) {
        if self.terminal {
            eprint!("\r\x1b[2K{line}");
            let _ = stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    fn clear(&self) {
        if self.terminal {
            eprint!("\r\x1b[2K");
            let _ = stderr().flush();
        }
    }
}

fn line(what: &str, done: usize, total: Option<usize>, bar: bool) -> String {
    match total.filter(|total| *total > 0) {
        None => format!("{what}: {done}"),
        Some(total) => {
            let done = done.min(total);
            let percent = done * 100 / total;
            if !bar {
                return format!("{what}: {done} of {total} ({percent} %)");
            }
            let full = done * BAR / total;
            format!(
                "{what} [{}{}] {done} of {total} ({percent} %)",
                "=".repeat(full),
                " ".repeat(BAR - full)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_says_how_far_it_is() {
        assert_eq!(line("importing", 12, None, true), "importing: 12");
        assert_eq!(
            line("importing", 50, Some(200), false),
            "importing: 50 of 200 (25 %)"
        );
        assert_eq!(
            line("importing", 300, Some(200), true),
            "importing [========================] 200 of 200 (100 %)"
        );
    }
}
