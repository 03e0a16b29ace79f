//! Whatever a server sends is read without a panic.

use proptest::prelude::*;
use serde_json::json;

use super::Fields;

proptest! {
    #![proptest_config(hostile::cases(200))]

    #[test]
    fn mangled_fields_are_read_without_a_panic(
        value in hostile::mangled(vec![json!({"a": "2026-11-16T12:00:00Z", "b": ["1", {"id": 2}], "c": {"a": "7"}})]),
    ) {
        if let Some(fields) = Fields::of(&value) {
            for name in ["a", "b", "c", "d"] {
                let _ = (fields.id(name), fields.number(name), fields.signed(name), fields.time(name));
                let _ = (fields.flag(name), fields.words(name), fields.fraction(name), fields.inner(name).is_some());
                let _ = (fields.ids(name).count(), fields.objects(name).count());
            }
        }
    }
}
