//! What a double of a vendor was asked and what it answered, kept for whoever compares that with the vendor's own words.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

/// The variable that names the file; without it nothing is kept.
const VARIABLE: &str = "DENIZEN_KEEP_ANSWERS";
/// No vendor answers at such length: a test of what is too long does.
const ANSWER_MAX: usize = 4_000_000;

/// Keeps the answers of one double, in a file that many tests write to at once.
#[derive(Clone, Debug)]
pub struct Heard {
    file: Option<PathBuf>,
    test: String,
}

/// One exchange with a double.
#[derive(Debug)]
pub struct Exchange<'a> {
    pub method: &'a str,
    /// With its query.
    pub path: &'a str,
    pub asked: &'a str,
    pub status: u16,
    pub content_type: &'a str,
    pub answer: &'a [u8],
    /// The answer was sent to its end.
    pub whole: bool,
}

impl Heard {
    /// Of a double that this test has started.
    pub fn in_this_test() -> Self {
        Self {
            file: std::env::var_os(VARIABLE).map(PathBuf::from),
            test: std::thread::current().name().unwrap_or_default().to_owned(),
        }
    }

    /// Writes one line, where lines are wanted.
    pub fn keep(&self, exchange: &Exchange<'_>) {
        let Some(file) = &self.file else { return };
        if exchange.answer.len() > ANSWER_MAX {
            return;
        }
        let line = json!({
            "test": self.test,
            "method": exchange.method,
            "path": exchange.path,
            "asked": exchange.asked,
            "status": exchange.status,
            "type": exchange.content_type,
            "answer": String::from_utf8_lossy(exchange.answer),
            "whole": exchange.whole,
        });
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .unwrap_or_else(|error| panic!("{VARIABLE} names no file that can be written: {error}"));
        // One write a line: neighbours append to the same file.
        file.write_all(format!("{line}\n").as_bytes())
            .unwrap_or_else(|error| panic!("{VARIABLE} names no file that can be written: {error}"));
    }
}
