//! What a service says when it says no.

use serde_json::Value;

/// The codes and the words of a refusal, in whatever shape it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaint {
    codes: String,
    message: String,
}

impl Complaint {
    /// Of a body, in which it stands under the first of these names that is there, or bare.
    pub fn read(body: &[u8], names: &[&str]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            // A page of a proxy; nobody wants to read that in a message.
            return Self::default();
        };
        let named = names.iter().map(|name| &value[*name]);
        Self::of(named.into_iter().find(|error| !error.is_null()).unwrap_or(&value))
    }

    /// Of an error by itself; of a list of them, the first is enough.
    pub fn of(error: &Value) -> Self {
        let error = error.get(0).unwrap_or(error);
        let codes = ["code", "type", "status"].iter();
        let codes = codes.filter_map(|key| error[*key].as_str());
        let mut words = ["message", "msg", "detail"].iter();
        let message = words.find_map(|key| error[*key].as_str());
        Self {
            codes: codes.collect::<Vec<_>>().join(" ").to_lowercase(),
            message: message.or(error.as_str()).unwrap_or_default().to_owned(),
        }
    }

    /// The same with its words made fit to be shown.
    pub fn with_words(mut self, shown: impl FnOnce(&str) -> String) -> Self {
        self.message = shown(&self.message);
        self
    }

    /// Its words, to be put behind a sentence of ours; nothing where it has none.
    pub fn words(&self) -> String {
        match self.message.is_empty() {
            true => String::new(),
            false => format!(": {}", self.message.trim_end_matches('.')),
        }
    }

    /// Whether a code of it has one of these in it.
    pub fn is_about(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.codes.contains(sign))
    }
}

/// What to do about a key that is in this variable, or would be.
pub fn key_remedy(variable: &str, has_key: bool) -> String {
    match has_key {
        true => format!("Check {variable}, and start Denizen again after a change"),
        false => format!("Set {variable} and start Denizen again"),
    }
}

/// How long a service wants to be left alone, as it says in `Retry-After`.
pub fn wait_wanted(retry_after: Option<&str>) -> String {
    match retry_after.and_then(|text| text.trim().parse::<u64>().ok()) {
        Some(seconds) => format!("; it wants to be left alone for {seconds} s"),
        None => "; try again later, or less often".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Complaint;

    #[test]
    fn refusals_of_every_shape_are_read() {
        for (body, words, money) in [
            (
                json!({"error": {"code": "insufficient_quota", "message": "No money."}}),
                ": No money",
                true,
            ),
            (
                json!({"detail": {"status": "quota_exceeded", "message": "Used up"}}),
                ": Used up",
                true,
            ),
            (
                json!({"detail": [{"type": "missing", "msg": "field required"}]}),
                ": field required",
                false,
            ),
            (json!({"error": "no such model"}), ": no such model", false),
            (json!({"message": "bare"}), ": bare", false),
            (json!({}), "", false),
        ] {
            let complaint = Complaint::read(body.to_string().as_bytes(), &["error", "detail"]);
            assert_eq!(complaint.words(), words, "{body}");
            assert_eq!(complaint.is_about(&["quota"]), money, "{body}");
        }
        assert_eq!(Complaint::read(b"<html>", &["error"]), Complaint::default());
    }
}
