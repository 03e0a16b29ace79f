//! Numbers as English words.

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const SCALES: [(u64, &str); 5] = [
    (1_000_000_000_000_000, "quadrillion"),
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];

/// Beyond this a number is read digit by digit.
const CARDINAL_MAX: u64 = 999_999_999_999_999_999;

/// A whole number.
pub(super) fn cardinal(number: u64) -> String {
    let mut parts = Vec::new();
    let mut rest = number;
    for (scale, name) in SCALES {
        if rest >= scale {
            parts.push(format!("{} {name}", below_thousand(rest / scale)));
            rest %= scale;
        }
    }
    if rest > 0 || parts.is_empty() {
        parts.push(below_thousand(rest));
    }
    parts.join(" ")
}

fn below_thousand(number: u64) -> String {
    let number = number.min(999) as usize;
    match (number / 100, number % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", SMALL[hundreds]),
        (hundreds, rest) => format!("{} hundred {}", SMALL[hundreds], below_hundred(rest)),
    }
}

fn below_hundred(number: usize) -> String {
    match (number / 10, number % 10) {
        (0 | 1, _) => SMALL[number].to_owned(),
        (tens, 0) => TENS[tens].to_owned(),
        (tens, ones) => format!("{}-{}", TENS[tens], SMALL[ones]),
    }
}

/// First, second, twenty-third.
pub(super) fn ordinal(number: u64) -> String {
    let words = cardinal(number);
    let cut = words.rfind([' ', '-']).map_or(0, |place| place + 1);
    let (head, last) = words.split_at(cut);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        last => match last.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{last}th"),
        },
    };
    format!("{head}{last}")
}

/// Digit by digit.
pub(super) fn digits(text: &str) -> String {
    let words: Vec<&str> = text
        .chars()
        .filter_map(|character| character.to_digit(10))
        .map(|digit| SMALL[digit as usize])
        .collect();
    words.join(" ")
}

/// A year: nineteen eighty-four, two thousand five, twenty twenty-six.
pub(super) fn year(year: u64) -> String {
    let (century, rest) = (year / 100, (year % 100) as usize);
    match (century, rest) {
        (20, 0..=9) => cardinal(year),
        (century, 0) if century % 10 != 0 => format!("{} hundred", below_hundred(century as usize)),
        (10, _) => cardinal(year),
        (century, rest @ 1..=9) => format!("{} oh {}", below_hundred(century as usize), SMALL[rest]),
        (century, rest) if rest > 0 => {
            format!("{} {}", below_hundred(century as usize), below_hundred(rest))
        }
        _ => cardinal(year),
    }
}

/// A number that was read from its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    negative: bool,
    whole: String,
    fraction: Option<String>,
}

impl Number {
    /// Reads `12`, `-3`, `1,234,567` and `3.14`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix(['-', '−']) {
            Some(text) => (true, text),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let whole = if whole.contains(',') {
            let groups: Vec<&str> = whole.split(',').collect();
            let fits = groups.iter().enumerate().all(|(place, group)| {
                is_digits(group)
                    && if place == 0 {
                        group.len() <= 3
                    } else {
                        group.len() == 3
                    }
            });
            fits.then(|| groups.concat())?
        } else if whole.is_empty() && fraction.is_some() {
            "0".to_owned()
        } else {
            is_digits(whole).then(|| whole.to_owned())?
        };
        if let Some(fraction) = fraction
            && !is_digits(fraction)
        {
            return None;
        }
        Some(Self {
            negative,
            whole,
            fraction: fraction.map(str::to_owned),
        })
    }

    pub(super) fn is_one(&self) -> bool {
        self.whole == "1" && self.fraction.is_none() && !self.negative
    }

    pub(super) fn sign(&self) -> &'static str {
        if self.negative { "minus " } else { "" }
    }

    pub(super) fn fraction(&self) -> Option<&str> {
        self.fraction.as_deref()
    }

    /// Its value without sign and fraction, where there is neither.
    pub(super) fn plain(&self) -> Option<u64> {
        if self.negative || self.fraction.is_some() {
            return None;
        }
        self.whole.parse().ok()
    }

    pub(super) fn whole_words(&self) -> String {
        // Numbers of accounts and telephones begin with a nought or are long.
        let is_code = (self.whole.len() > 1 && self.whole.starts_with('0')) || self.whole.len() > 12;
        match self.whole.parse::<u64>() {
            Ok(value) if !is_code && value <= CARDINAL_MAX => cardinal(value),
            _ => digits(&self.whole),
        }
    }

    pub(super) fn words(&self) -> String {
        let (sign, whole) = (self.sign(), self.whole_words());
        match &self.fraction {
            Some(fraction) => format!("{sign}{whole} point {}", digits(fraction)),
            None => format!("{sign}{whole}"),
        }
    }
}
