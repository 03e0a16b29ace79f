//! Whether a model that was to read a text aloud has read that text.

/// Of the words of the text, so many in a hundred must be said, and not much besides.
const KEPT_PERCENT: usize = 60;
const ADDED_MAX: usize = 4;

/// Whether what was said is something else than the text. Where the service does not tell what it said, it is not.
pub(crate) fn departs(text: &str, said: &str) -> bool {
    let (wanted, said) = (words(text), words(said));
    if said.is_empty() || wanted.is_empty() {
        return false;
    }
    // Numbers are written out in one and not in the other: a short text says little.
    let kept = wanted.iter().filter(|word| said.contains(word)).count();
    let is_kept = kept * 100 >= wanted.len() * KEPT_PERCENT;
    !is_kept || said.len() > wanted.len() * 2 + ADDED_MAX
}

fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::departs;

    #[test]
    fn an_answer_is_no_reading() {
        let text = "It is half past three, and the kettle is on.";
        let cases = [
            ("It is half past three and the kettle is on", false),
            ("it's half past 3, and the kettle is on!", false),
            ("", false),
            (
                "Sure! I can help you with that. What would you like to know about the time?",
                true,
            ),
            (
                "It is half past three, and the kettle is on. By the way, did you know that tea was first drunk in China, and that it came to Europe with merchants?",
                true,
            ),
        ];
        for (said, expected) in cases {
            assert_eq!(departs(text, said), expected, "{said}");
        }
    }
}
