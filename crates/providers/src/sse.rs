//! Server-sent events out of a byte stream that is cut anywhere.

use thiserror::Error;

/// One event of a provider is a few kilobytes at most; what is larger is not one.
pub(crate) const EVENT_BYTES_MAX: usize = 1 << 20;

/// One event: its name, where it has one, and its data lines joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: String,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("an event is larger than {EVENT_BYTES_MAX} bytes")]
pub(crate) struct EventTooLarge;

/// Takes bytes in and gives whole events out.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    /// The bytes of the line under way; decoded when whole, so that no character is cut in two.
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed right after it ends nothing.
    after_return: bool,
    past_first_line: bool,
    pending: Event,
    /// Whether the event under way has data, which may be empty.
    has_data: bool,
}

impl SseParser {
    /// Takes in the next bytes; whole events are put behind `events`.
    pub(crate) fn push(&mut self, bytes: &[u8], events: &mut Vec<Event>) -> Result<(), EventTooLarge> {
        for byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.after_return) => {}
                b'\n' => self.end_line(events),
                b'\r' => {
                    self.end_line(events);
                    self.after_return = true;
                }
                _ => {
                    self.after_return = false;
                    self.line.push(*byte);
                }
            }
            if self.line.len() + self.pending.data.len() > EVENT_BYTES_MAX {
                return Err(EventTooLarge);
            }
        }
        Ok(())
    }

    /// The stream is over; an event that was not closed by an empty line still counts.
    pub(crate) fn finish(mut self, events: &mut Vec<Event>) {
        if !self.line.is_empty() {
            self.end_line(events);
        }
        self.end_event(events);
    }

    fn end_line(&mut self, events: &mut Vec<Event>) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let mut line = line.as_ref();
        if !std::mem::replace(&mut self.past_first_line, true) {
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            return self.end_event(events);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.pending.data.push('\n');
                }
                self.pending.data.push_str(value);
                self.has_data = true;
            }
            "event" => self.pending.name = value.to_owned(),
            // Some model servers report trouble in a field of its own.
            "error" if !self.has_data => {
                self.pending.name = "error".to_owned();
                self.pending.data = value.to_owned();
                self.has_data = true;
            }
            // Comments have an empty field name; ids and retry times mean nothing to a single answer.
            _ => {}
        }
    }

    fn end_event(&mut self, events: &mut Vec<Event>) {
        let event = std::mem::take(&mut self.pending);
        if std::mem::take(&mut self.has_data) {
            events.push(event);
        }
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
