//! Discord's ids: numbers that hold the time they were made at.

use std::fmt;

use serde_json::Value;
use vocabulary::WallTime;

/// The first millisecond of 2015, from which ids count.
const EPOCH: i64 = 1_420_070_400_000;
/// Below the time are a worker, a process and a counter.
const BELOW_TIME: u32 = 22;

/// An id of Discord's. Never 0, which some servers write for "none".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Snowflake(u64);

impl Snowflake {
    pub fn new(number: u64) -> Option<Self> {
        (number != 0).then_some(Self(number))
    }

    /// As text or as a number; anything else is none.
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => Self::new(number.as_u64()?),
            _ => None,
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        // `u64::from_str` would take a plus sign.
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        if plain {
            Self::new(text.parse().ok()?)
        } else {
            None
        }
    }

    pub fn number(self) -> u64 {
        self.0
    }

    /// When it was made, as far as the server follows Discord in this.
    pub fn time(self) -> WallTime {
        // 42 bits fit.
        WallTime(EPOCH + (self.0 >> BELOW_TIME) as i64)
    }

    /// An id as one made at this time would begin: for asking what came after it. A time before 2015 gives the first.
    pub fn at(time: WallTime) -> Self {
        let milliseconds = time.0.saturating_sub(EPOCH).clamp(0, (1 << 42) - 1);
        Self(((milliseconds as u64) << BELOW_TIME).max(1))
    }
}

impl fmt::Display for Snowflake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Snowflake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_are_read_as_text_and_as_numbers() {
        let id = Snowflake::new(175_928_847_299_117_063);
        assert_eq!(Snowflake::read(&json!("175928847299117063")), id);
        assert_eq!(Snowflake::read(&json!(175_928_847_299_117_063_u64)), id);
        for nothing in [
            json!(null),
            json!("0"),
            json!(0),
            json!(""),
            json!("+5"),
            json!(-5),
            json!("5x"),
        ] {
            assert_eq!(Snowflake::read(&nothing), None, "{nothing}");
        }
    }

    #[test]
    fn an_id_tells_when_it_was_made() {
        let id = Snowflake::new(175_928_847_299_117_063).expect("an id");
        assert_eq!(id.time(), WallTime(1_462_015_105_796));
        assert!(Snowflake::at(id.time()) <= id);
        assert!(Snowflake::at(WallTime(id.time().0 + 1)) > id);
        assert_eq!(Snowflake::at(WallTime(0)).number(), 1);
        assert!(Snowflake::at(WallTime(i64::MAX)).number() > 0);
    }
}
