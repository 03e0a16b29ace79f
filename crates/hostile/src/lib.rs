//! What a stranger may send: real samples that were damaged, by bytes and by the parts of a JSON document. For property
//! tests of everything that reads foreign bytes; `make test` runs some cases of each, `make fuzz` many.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// How many cases are tried: `quick`, or what `PROPTEST_CASES` says.
pub fn cases(quick: u32) -> ProptestConfig {
    match std::env::var("PROPTEST_CASES") {
        Ok(_) => ProptestConfig::default(),
        Err(_) => ProptestConfig::with_cases(quick),
    }
}

/// Something done to bytes: where, what, how far, and with which byte.
type Wound = (usize, u8, usize, u8);

/// Bytes of the samples with some wounds: flipped, cut, repeated, moved, or grown together with another sample.
pub fn wounded(samples: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let wounds = vec((any::<usize>(), 0..9_u8, 1..64_usize, any::<u8>()), 1..10);
    let other = select(samples.clone());
    (select(samples), other, wounds).prop_map(|(mut bytes, other, wounds)| {
        for wound in wounds {
            hurt(&mut bytes, &other, wound);
        }
        bytes
    })
}

/// The same as text; what is no UTF-8 any more becomes a replacement character.
pub fn wounded_text(samples: &[&str]) -> impl Strategy<Value = String> + use<> {
    let samples = samples.iter().map(|sample| sample.as_bytes().to_vec()).collect();
    wounded(samples).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn hurt(bytes: &mut Vec<u8>, other: &[u8], (at, kind, length, byte): Wound) {
    if bytes.is_empty() {
        return;
    }
    let at = at % bytes.len();
    let end = (at + length).min(bytes.len());
    match kind {
        0 => bytes[at] ^= 1 << (byte % 8),
        1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'<', b'"', b'\\'][usize::from(byte % 8)],
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..end)),
        4 => {
            let piece = bytes[at..end].repeat(usize::from(byte % 16));
            drop(bytes.splice(at..at, piece));
        }
        5 => bytes[at..end].fill(byte),
        6 => bytes[at..end].reverse(),
        7 => {
            let from = usize::from(byte) * other.len() / 256;
            drop(bytes.splice(at..end, other[from..].iter().copied().take(length)));
        }
        // A number in some byte order becomes a large one.
        _ => {
            let end = (at + 4).min(bytes.len());
            bytes[at..end].fill(0xff);
        }
    }
}

/// Documents with some parts replaced by something else altogether, or gone.
pub fn mangled(samples: Vec<Value>) -> impl Strategy<Value = Value> {
    let changes = vec((any::<usize>(), 0..16_usize), 1..6);
    (select(samples), changes).prop_map(|(mut document, changes)| {
        for (at, with) in changes {
            let parts = count(&document);
            replace(&mut document, &mut (at % parts), with);
        }
        document
    })
}

/// How many parts a document has, itself among them.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Replaces the part of a number; whether it was found.
fn replace(value: &mut Value, number: &mut usize, with: usize) -> bool {
    if *number == 0 {
        *value = other_than(value, with);
        return true;
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace(item, number, with)),
        Value::Object(fields) => fields.values_mut().any(|field| replace(field, number, with)),
        _ => false,
    }
}

fn other_than(value: &Value, with: usize) -> Value {
    match with {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(i64::MIN),
        5 => json!(1e308),
        6 => json!(0),
        7 => json!(""),
        8 => json!("a\u{0}b\u{202e}💥"),
        9 => json!([]),
        10 => json!({}),
        11 => json!([value]),
        12 => json!({ "body": value }),
        13 => json!(value.to_string()),
        14 => json!([value, value]),
        _ => json!("x".repeat(2_000)),
    }
}
