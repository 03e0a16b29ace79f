//! What somebody says of themselves, told by somebody else: "I have my keys" becomes "Alice has Alice's keys".
//!
//! English only. Names are repeated instead of pronouns, since nobody's pronouns are known and gems stand alone.

use super::folding::joined;

/// Verbs whose form does not change after a name.
const UNCHANGED: &str = " will would can could should shall must may might did had was were cant cannot couldnt wont wouldnt shouldnt \
    didnt hadnt wasnt went got came saw took made ate bought brought thought felt found gave heard held kept knew left \
    lost met paid put ran said sat sold sent set slept spoke spent stood told understood won wrote woke wore broke \
    chose drove fell forgot grew hid sang swam taught threw became began built caught drew flew fought led lent let hurt \
    cut quit read rode rose sought shot shut stole stuck swore tore to also just really never always still already \
    only even ever then now used no longer currently recently finally usually mostly often sometimes totally absolutely \
    definitely actually particularly ";
/// Words between a name and its verb that leave the verb to be changed.
const BETWEEN: &str = " also just really never always still now no longer currently usually mostly often sometimes totally absolutely \
    definitely actually particularly even only ";

/// The text with the speaker's name instead of `I` and `my`, and the verbs after it to match.
pub(super) fn third_person(text: &str, name: &str) -> String {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let mut told: Vec<String> = Vec::new();
    let mut after_name = false;
    for piece in pieces {
        let core = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        let (head, tail) = around(piece, core);
        let word = joined(core);
        let replaced = match word.as_str() {
            "i" => Some(name.to_owned()),
            "im" if has_apostrophe(core) => Some(format!("{name} is")),
            "ive" => Some(format!("{name} has")),
            "ill" if has_apostrophe(core) || told.is_empty() => Some(format!("{name} will")),
            "id" if has_apostrophe(core) => Some(format!("{name} would")),
            "me" => Some(name.to_owned()),
            "myself" => Some("themselves".to_owned()),
            "my" => Some(format!("{name}'s")),
            "mine" => Some(format!("{name}'s")),
            "we" | "us" => Some(format!("{name} and the others")),
            "were" if has_apostrophe(core) => Some(format!("{name} and the others are")),
            "weve" => Some(format!("{name} and the others have")),
            "our" => Some("their".to_owned()),
            _ if after_name => agreeing(core, &word),
            _ => None,
        };
        after_name =
            word == "i" || (after_name && !word.is_empty() && BETWEEN.contains(&format!(" {word} ")));
        told.push(match replaced {
            Some(words) => format!("{head}{words}{tail}"),
            None => piece.to_owned(),
        });
    }
    told.join(" ")
}

/// The form of a verb after a name; none if it stays.
pub(super) fn agreeing(verb: &str, folded: &str) -> Option<String> {
    Some(match folded {
        "am" => "is".to_owned(),
        "have" => "has".to_owned(),
        "do" => "does".to_owned(),
        "go" => "goes".to_owned(),
        "gotta" => "has to".to_owned(),
        "dont" => "does not".to_owned(),
        "havent" => "has not".to_owned(),
        "aint" => "is not".to_owned(),
        _ if UNCHANGED.contains(&format!(" {folded} ")) || is_past(folded) => return None,
        _ if !verb.chars().all(char::is_alphabetic) || verb.is_empty() => return None,
        _ if ["s", "x", "z", "sh", "ch"]
            .iter()
            .any(|end| folded.ends_with(end)) =>
        {
            format!("{verb}es")
        }
        _ if folded.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|end| folded.ends_with(end)) => {
            format!("{}ies", &verb[..verb.len() - 1])
        }
        _ => format!("{verb}s"),
    })
}

fn is_past(verb: &str) -> bool {
    verb.ends_with("ed")
        && !matches!(
            verb,
            "need" | "feed" | "bleed" | "speed" | "breed" | "shed" | "wed"
        )
}

/// What stands before and after the word in its piece.
fn around<'a>(piece: &'a str, core: &str) -> (&'a str, &'a str) {
    let start = piece.find(core).unwrap_or(0);
    (&piece[..start], &piece[start + core.len()..])
}

fn has_apostrophe(word: &str) -> bool {
    // People also write `im` and `ill`; of these, `im` is no other word.
    word.contains(['\'', '’', '‘', '`', '´']) || word.eq_ignore_ascii_case("im")
}

#[cfg(test)]
#[path = "person_tests.rs"]
mod person_tests;
