//! Somebody speaks while Denizen does: does it fall silent?

use vocabulary::Span;

use crate::reasons::BargeInReason;

/// Words by which people show that they listen, in many languages; said alone they are no interruption.
const BACKCHANNELS: &str = " mhm mmhm mm mmm hm hmm uh huh uhhuh aha ah oh ok okay yeah yea yes yep yup right sure true cool \
    nice wow really exactly haha ha great good ja jaja genau stimmt klar gut ach na oui ouais \
    d'accord voilà si sí claro vale sì certo giusto ecco sim pois да ага угу так ну tak jasne evet tamam はい うん うんうん ええ \
    そう なるほど へえ 嗯 对 好 是 네 응 그래 ";
/// Words that are one only together.
const PHRASES: [(&str, &str); 8] = [
    ("i", "see"),
    ("got", "it"),
    ("no", "way"),
    ("of", "course"),
    ("ach", "so"),
    ("na", "klar"),
    ("bien", "sûr"),
    ("por", "supuesto"),
];
/// More words than these are no nod.
const BACKCHANNEL_WORDS_MAX: usize = 4;
/// Nobody nods for so long.
const BACKCHANNEL_MAX: Span = Span(2_500);

/// Somebody speaks while Denizen does.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'a> {
    /// For how long so far.
    pub spoken: Span,
    /// For how long it lets itself be spoken over.
    pub limit: Span,
    pub is_listened_to: bool,
    /// Denizen is heard at this moment.
    pub is_heard: bool,
    /// What has been understood of it so far; may be nothing.
    pub partial: &'a str,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BargeIn {
    pub stop: bool,
    pub reason: BargeInReason,
}

/// Decides whether Denizen falls silent.
pub fn decide(overlap: &Overlap<'_>) -> BargeIn {
    let goes_on = |reason| BargeIn { stop: false, reason };
    if !overlap.is_heard {
        return goes_on(BargeInReason::NotSpeaking);
    }
    if !overlap.is_listened_to {
        return goes_on(BargeInReason::NotListenedTo);
    }
    if is_backchannel(overlap.partial) && overlap.spoken < BACKCHANNEL_MAX {
        return goes_on(BargeInReason::Backchannel);
    }
    if overlap.spoken < overlap.limit {
        return goes_on(BargeInReason::TooShort);
    }
    BargeIn {
        stop: true,
        reason: BargeInReason::SpokenOver,
    }
}

/// Whether somebody only shows that they listen. Nothing understood is no sign of that.
pub fn is_backchannel(text: &str) -> bool {
    let folded = text.to_lowercase();
    let words: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let is_nod = |word: &str| BACKCHANNELS.split_whitespace().any(|known| known == word);
    let mut rest = words.as_slice();
    while let [first, after @ ..] = rest {
        rest = match after {
            [second, beyond @ ..] if PHRASES.contains(&(*first, *second)) => beyond,
            _ if is_nod(first) => after,
            _ => return false,
        };
    }
    !words.is_empty() && words.len() <= BACKCHANNEL_WORDS_MAX
}

#[cfg(test)]
#[path = "barge_in_tests.rs"]
mod tests;
