//! Sentences that models trained on subtitles write when nobody speaks.

/// In lower case, without marks. How a transcript begins counts where a phantom ends with `*`.
const PHANTOMS: [&str; 58] = [
    // English
    "thank you",
    "thank you very much",
    "thank you so much",
    "thank you for watching*",
    "thanks for watching*",
    "thank you so much for watching*",
    "thank you for listening",
    "please subscribe*",
    "please like and subscribe*",
    "like and subscribe*",
    "dont forget to like and subscribe*",
    "subscribe to my channel",
    "see you next time",
    "see you in the next video*",
    "bye",
    "bye bye",
    "you",
    "so",
    "the end",
    "music",
    "applause",
    "silence",
    "subtitles by*",
    "transcribed by*",
    "subtitles by the amaraorg community",
    "copyright*",
    // German
    "vielen dank",
    "vielen dank fürs zuschauen*",
    "vielen dank für ihre aufmerksamkeit",
    "untertitel*",
    "untertitelung*",
    "bis zum nächsten mal",
    "das wars für heute*",
    // French
    "merci",
    "merci davoir regardé*",
    "merci davoir regardé cette vidéo*",
    "soustitres*",
    "sous titres*",
    "abonnezvous*",
    // Spanish
    "gracias",
    "gracias por ver el video*",
    "gracias por ver*",
    "subtítulos*",
    "suscríbete*",
    // Portuguese
    "obrigado",
    "obrigado por assistir*",
    "legendas*",
    // Italian, Dutch, Polish
    "grazie per la visione*",
    "sottotitoli*",
    "bedankt voor het kijken*",
    "ondertiteling*",
    "dziękuję za oglądanie*",
    // Russian, Japanese, Chinese, Korean
    "продолжение следует",
    "спасибо за просмотр*",
    "ご視聴ありがとうございました",
    "请不吝点赞*",
    "字幕*",
    "시청해주셔서 감사합니다",
];

/// Whether a transcript is a sentence that models are known to make up.
pub(crate) fn is_phantom(text: &str) -> bool {
    let plain = plain(text);
    PHANTOMS.iter().any(|phantom| match phantom.strip_suffix('*') {
        Some(beginning) => plain.starts_with(beginning),
        None => plain == *phantom,
    })
}

/// Whether a transcript goes round and round: models do that when they have nothing to go by.
pub(crate) fn is_loop(text: &str) -> bool {
    let plain = plain(text);
    let words: Vec<&str> = plain.split(' ').collect();
    (1..=4).any(|length| {
        let repeats = words.len() / length;
        repeats >= 6
            && words
                .chunks(length)
                .take(repeats)
                .all(|chunk| chunk == &words[..length])
    })
}

fn plain(text: &str) -> String {
    let kept: String = text
        .to_lowercase()
        .chars()
        .filter(|character| character.is_alphanumeric() || character.is_whitespace())
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
