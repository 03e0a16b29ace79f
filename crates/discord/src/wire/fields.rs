//! The fields of a JSON object, each read in every form that servers write it in.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use vocabulary::WallTime;

use super::Snowflake;

/// An object whose fields are asked for one by one. A field that is missing, null or something else altogether is not there.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// Whatever stands there, unless it is null.
    pub fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Whether the field was sent at all, be it as null: in an update, null takes something away.
    pub fn is_sent(self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub fn inner(self, name: &str) -> Option<Fields<'a>> {
        Self::of(self.value(name)?)
    }

    pub fn id(self, name: &str) -> Option<Snowflake> {
        Snowflake::read(self.value(name)?)
    }

    pub fn text(self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A text that says something.
    pub fn words(self, name: &str) -> Option<&'a str> {
        self.text(name).filter(|text| !text.trim().is_empty())
    }

    /// A number that may be written as text, as permissions always are and flags sometimes.
    pub fn number(self, name: &str) -> Option<u64> {
        number(self.value(name)?)
    }

    /// A number that may have a sign, as positions have.
    pub fn signed(self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub fn fraction(self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
        .filter(|number: &f64| number.is_finite())
    }

    /// Whether something is so; what is not said is not so.
    pub fn flag(self, name: &str) -> bool {
        match self.value(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::Number(number)) => number.as_u64() == Some(1),
            Some(Value::String(text)) => text == "true" || text == "1",
            _ => false,
        }
    }

    /// A moment in any form of ISO 8601: with an offset, with `Z`, or with neither, which is UTC.
    pub fn time(self, name: &str) -> Option<WallTime> {
        let text = self.text(name)?;
        let time = text.parse::<Timestamp>().ok().or_else(|| {
            let plain: DateTime = text.parse().ok()?;
            Some(plain.to_zoned(TimeZone::UTC).ok()?.timestamp())
        })?;
        Some(WallTime(time.as_millisecond()))
    }

    /// Items of a list; what is no list has none.
    pub fn list(self, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
        self.value(name).and_then(Value::as_array).into_iter().flatten()
    }

    /// Objects of a list; what is none is left out.
    pub fn objects(self, name: &str) -> impl Iterator<Item = Fields<'a>> + use<'a> {
        self.list(name).filter_map(Fields::of)
    }

    /// Ids of a list, of plain ids or of objects that have one.
    pub fn ids(self, name: &str) -> impl Iterator<Item = Snowflake> + use<'a> {
        self.list(name)
            .filter_map(|value| Snowflake::read(value).or_else(|| Fields::of(value)?.id("id")))
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_servers_write_differently_is_read_alike() {
        let value = json!({
            "public_flags": "64", "flags": 64, "tts": null, "pinned": "true", "burst": 1, "position": -3,
            "roles": ["5", {"id": "6", "name": "x"}, 7, null, []], "name": "  ", "rate": "0.25", "nan": "NaN",
        });
        let fields = Fields::of(&value).expect("an object");
        assert_eq!(fields.number("public_flags"), fields.number("flags"));
        assert!(!fields.flag("tts") && !fields.flag("gone") && fields.flag("pinned") && fields.flag("burst"));
        assert!(fields.is_sent("tts") && !fields.is_sent("gone") && fields.value("tts").is_none());
        let roles: Vec<u64> = fields.ids("roles").map(Snowflake::number).collect();
        assert_eq!(roles, [5, 6, 7]);
        assert_eq!(fields.signed("position"), Some(-3));
        assert_eq!(fields.words("name"), None);
        assert_eq!(fields.fraction("rate"), Some(0.25));
        assert_eq!(fields.fraction("nan"), None);
        assert_eq!(fields.objects("roles").count(), 1);
        assert_eq!(fields.list("name").count(), 0);
    }

    #[test]
    fn times_are_read_with_an_offset_with_a_z_and_with_neither() {
        for text in [
            "2026-11-16T12:00:00.500000+00:00",
            "2026-11-16T12:00:00.5Z",
            "2026-11-16T14:00:00.500+02:00",
            "2026-11-16T12:00:00.500",
        ] {
            let value = json!({ "at": text });
            let at = Fields::of(&value).expect("an object").time("at");
            assert_eq!(at, Some(WallTime(1_794_830_400_500)), "{text}");
        }
        let value = json!({ "at": "yesterday" });
        assert_eq!(Fields::of(&value).expect("an object").time("at"), None);
    }
}
