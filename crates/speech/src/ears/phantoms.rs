//! Sentences that models trained on subtitles write when nobody speaks.

/// In lower case, without marks. How a transcript begins counts where a phantom ends with `*`.
const PHANTOMS: [&str; 58] = [
    // English
    "thank you for watching*",
    "thanks for watching*",
    "thank you so much for watching*",
    "thank you for listening",
    "please subscribe*",
    "please like and subscribe*",
    "like and subscribe*",
    "dont forget to like and subscribe*",
    "subscribe to my channel",
    "see you in the next video*",
    "the end",
    "music",
    "applause",
    "silence",
    "subtitles by*",
    "transcribed by*",
    "subtitles by the amaraorg community",
    "copyright*",
    // German
    "vielen dank fürs zuschauen*",
    "vielen dank für ihre aufmerksamkeit",
    "untertitel*",
    "untertitelung*",
    "bis zum nächsten mal",
    "das wars für heute*",
    // French
    "merci davoir regardé*",
    "merci davoir regardé cette vidéo*",
    "soustitres*",
    "sous titres*",
    "abonnezvous*",
    // Spanish
    "gracias por ver el video*",
    "gracias por ver*",
    "subtítulos*",
    "suscríbete*",
    // Portuguese
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
    "субтитры*",
    "редактор субтитров*",
    "до новых встреч",
    "спасибо за просмотр*",
    "ご視聴ありがとうございました",
    "请不吝点赞*",
    "谢谢观看*",
    "谢谢大家观看*",
    "明镜与点点*",
    "字幕*",
    "시청해주셔서 감사합니다",
    "구독과 좋아요*",
    "mbc 뉴스*",
    // Turkish, Arabic
    "altyazı mk*",
    "izlediğiniz için teşekkür*",
    "ترجمة نانسي قنقر*",
    "اشتركوا في القناة*",
];

/// Said by people as often as made up, in lower case and without marks.
const COURTESIES: [&str; 22] = [
    "thank you",
    "thank you very much",
    "thank you so much",
    "thanks",
    "thanks for listening",
    "see you next time",
    "bye",
    "bye bye",
    "you",
    "so",
    "okay",
    "vielen dank",
    "danke",
    "merci",
    "gracias",
    "obrigado",
    "grazie",
    "спасибо",
    "谢谢",
    "谢谢大家",
    "ありがとうございました",
    "감사합니다",
];

/// Of what goes round so many rounds are enough.
const ROUNDS_KEPT: usize = 3;

/// What models make up, by how likely somebody says it all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phantom {
    /// One or two words that people do say, too.
    Courtesy,
    /// The end of a film or a video.
    Credits,
    /// The same round and round.
    Loop,
}

/// Whether a transcript is what models are known to make up.
pub(crate) fn phantom(text: &str) -> Option<Phantom> {
    let plain = plain(text);
    if round(&plain).is_some() {
        return Some(Phantom::Loop);
    }
    let known = PHANTOMS.iter().any(|phantom| match phantom.strip_suffix('*') {
        Some(beginning) => plain.starts_with(beginning),
        None => plain == *phantom,
    });
    let is_short = COURTESIES.contains(&plain.as_str());
    match (is_short, known) {
        (true, _) => Some(Phantom::Courtesy),
        (false, true) => Some(Phantom::Credits),
        (false, false) => None,
    }
}

/// What goes round and round, three times; none where it does not.
pub(crate) fn shortened(text: &str) -> Option<String> {
    let length = round(&plain(text))?;
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric));
    let kept: Vec<&str> = words.take(ROUNDS_KEPT * length).collect();
    Some(kept.join(" "))
}

/// How many words a round has, where a transcript is nothing but rounds: models do that when they have nothing to go by, and
/// people who insist.
fn round(plain: &str) -> Option<usize> {
    let words: Vec<&str> = plain.split(' ').collect();
    (1..=4).find(|length| {
        let repeats = words.len() / length;
        repeats >= 6 && words.chunks(*length).all(|chunk| words.starts_with(chunk))
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
