//! Colour on a terminal: never into a pipe or a file, and not where NO_COLOR is set.

use std::io::{IsTerminal, stderr, stdout};

/// Whether words are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    on: bool,
}

impl Colour {
    #[cfg(test)]
    pub const ON: Self = Self { on: true };
    #[cfg(test)]
    pub const OFF: Self = Self { on: false };

    /// For standard output.
    pub fn of_stdout() -> Self {
        Self::when(stdout().is_terminal(), is_unwanted())
    }

    /// For standard error.
    pub fn of_stderr() -> Self {
        Self::when(stderr().is_terminal(), is_unwanted())
    }

    fn when(terminal: bool, unwanted: bool) -> Self {
        Self {
            on: terminal && !unwanted,
        }
    }

    /// What a person looks for.
    pub fn bold(self, text: &str) -> String {
        self.painted(text, "1")
    }

    /// What is otherwise than before.
    pub fn changed(self, text: &str) -> String {
        self.painted(text, "33")
    }

    /// What moves.
    pub fn lit(self, text: &str) -> String {
        self.painted(text, "36")
    }

    /// What is in order.
    pub fn good(self, text: &str) -> String {
        self.painted(text, "32")
    }

    /// What is broken.
    pub fn bad(self, text: &str) -> String {
        self.painted(text, "1;31")
    }

    fn painted(self, text: &str, code: &str) -> String {
        match self.on {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        }
    }
}

fn is_unwanted() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Colour;

    #[test]
    fn only_a_terminal_that_wants_colour_gets_it() {
        assert_eq!(Colour::when(true, false).bold("x"), "\u{1b}[1mx\u{1b}[0m");
        assert_eq!(Colour::when(true, true).bold("x"), "x");
        assert_eq!(Colour::when(false, false).changed("x"), "x");
    }
}
