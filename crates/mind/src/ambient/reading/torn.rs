//! An object that was cut off, or is broken in a way that models break objects: line ends inside strings, a comma too
//! many. Of its members those count that are whole.

use serde_json::{Map, Value};

/// Ends tried before giving up.
const TRIES_MAX: usize = 24;

/// What can be read of the first object that has an action.
pub(super) fn mended(answer: &str) -> Option<Map<String, Value>> {
    let opens = answer.match_indices('{').take(TRIES_MAX);
    let mut bodies = opens.map(|(at, _)| &answer[at..]);
    bodies.find_map(|body| {
        let object = whole_members(body)?;
        let has_action = object.keys().any(|key| key.eq_ignore_ascii_case("action"));
        has_action.then_some(object)
    })
}

/// The members of the object that `body` begins with, up to the last that is whole.
fn whole_members(body: &str) -> Option<Map<String, Value>> {
    let Scanned { text, ends } = scan(body);
    let ends = ends.iter().rev().take(TRIES_MAX);
    ends.filter_map(|&end| serde_json::from_str(&format!("{}}}", &text[..end])).ok())
        .next()
}

struct Scanned {
    /// The object with the control characters inside its strings escaped.
    text: String,
    /// Where a member may be whole, in `text`, from the first to the last.
    ends: Vec<usize>,
}

fn scan(body: &str) -> Scanned {
    let mut text = String::with_capacity(body.len() + 16);
    let mut ends = Vec::new();
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for letter in body.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '\n' if in_string => {
                text.push_str("\\n");
                continue;
            }
            letter if in_string && letter.is_control() => {
                text.push(' ');
                continue;
            }
            _ if in_string => {}
            '{' | '[' => depth += 1,
            ',' if depth == 1 => ends.push(text.len()),
            '}' | ']' => {
                if depth == 1 {
                    ends.push(text.len());
                    return Scanned { text, ends };
                }
                depth -= 1;
            }
            _ => {}
        }
        text.push(letter);
    }
    // It ends behind a member that is whole, and only the brace is missing.
    if !in_string && depth == 1 {
        ends.push(text.len());
    }
    Scanned { text, ends }
}
