//! What English writes short and says long.

/// Symbol, the name of one, the name of several.
pub(super) const UNITS: [(&str, &str, &str); 61] = [
    ("km", "kilometer", "kilometers"),
    ("m", "meter", "meters"),
    ("cm", "centimeter", "centimeters"),
    ("mm", "millimeter", "millimeters"),
    ("µm", "micrometer", "micrometers"),
    ("nm", "nanometer", "nanometers"),
    ("mi", "mile", "miles"),
    ("ft", "foot", "feet"),
    ("yd", "yard", "yards"),
    ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"),
    ("mg", "milligram", "milligrams"),
    ("lb", "pound", "pounds"),
    ("lbs", "pound", "pounds"),
    ("oz", "ounce", "ounces"),
    ("l", "liter", "liters"),
    ("L", "liter", "liters"),
    ("ml", "milliliter", "milliliters"),
    ("mL", "milliliter", "milliliters"),
    ("s", "second", "seconds"),
    ("sec", "second", "seconds"),
    ("secs", "second", "seconds"),
    ("ms", "millisecond", "milliseconds"),
    ("µs", "microsecond", "microseconds"),
    ("ns", "nanosecond", "nanoseconds"),
    ("min", "minute", "minutes"),
    ("mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("hr", "hour", "hours"),
    ("hrs", "hour", "hours"),
    ("KB", "kilobyte", "kilobytes"),
    ("kB", "kilobyte", "kilobytes"),
    ("MB", "megabyte", "megabytes"),
    ("GB", "gigabyte", "gigabytes"),
    ("TB", "terabyte", "terabytes"),
    ("KiB", "kibibyte", "kibibytes"),
    ("MiB", "mebibyte", "mebibytes"),
    ("GiB", "gibibyte", "gibibytes"),
    ("kbps", "kilobit per second", "kilobits per second"),
    ("Mbps", "megabit per second", "megabits per second"),
    ("Gbps", "gigabit per second", "gigabits per second"),
    ("MB/s", "megabyte per second", "megabytes per second"),
    ("GB/s", "gigabyte per second", "gigabytes per second"),
    ("Hz", "hertz", "hertz"),
    ("kHz", "kilohertz", "kilohertz"),
    ("MHz", "megahertz", "megahertz"),
    ("GHz", "gigahertz", "gigahertz"),
    ("W", "watt", "watts"),
    ("kW", "kilowatt", "kilowatts"),
    ("kWh", "kilowatt hour", "kilowatt hours"),
    ("mAh", "milliamp hour", "milliamp hours"),
    ("V", "volt", "volts"),
    ("fps", "frame per second", "frames per second"),
    ("FPS", "frame per second", "frames per second"),
    ("px", "pixel", "pixels"),
    ("km/h", "kilometer per hour", "kilometers per hour"),
    ("kph", "kilometer per hour", "kilometers per hour"),
    ("mph", "mile per hour", "miles per hour"),
    ("m/s", "meter per second", "meters per second"),
    ("dB", "decibel", "decibels"),
    ("hp", "horsepower", "horsepower"),
];

/// Units that are also words or letters: only directly behind a number, without a blank.
pub(super) const ONLY_ATTACHED: [&str; 8] = ["m", "g", "l", "s", "h", "V", "W", "L"];

/// Words after which `90s` is a decade, and not a time.
pub(super) const BEFORE_DECADES: [&str; 6] = ["the", "early", "mid", "late", "those", "since"];

/// Words after which `5m` is a time, and not a length.
pub(super) const BEFORE_MINUTES: [&str; 3] = ["in", "every", "last"];

/// Degrees are written in several ways.
pub(super) const DEGREES: [(&str, &str); 5] = [
    ("°C", "celsius"),
    ("°F", "fahrenheit"),
    ("℃", "celsius"),
    ("℉", "fahrenheit"),
    ("°", ""),
];

/// Sign, the name of one, the name of several, the name of a hundredth.
pub(super) const CURRENCIES: [(&str, &str, &str, &str); 6] = [
    ("$", "dollar", "dollars", "cent"),
    ("€", "euro", "euros", "cent"),
    ("£", "pound", "pounds", "penny"),
    ("¥", "yen", "yen", ""),
    ("₹", "rupee", "rupees", "paisa"),
    ("₿", "bitcoin", "bitcoin", ""),
];

/// Codes behind an amount: `20 EUR`.
pub(super) const CURRENCY_CODES: [(&str, &str); 6] = [
    ("USD", "$"),
    ("EUR", "€"),
    ("GBP", "£"),
    ("JPY", "¥"),
    ("INR", "₹"),
    ("BTC", "₿"),
];

/// In lower case, with the full stop where it belongs to the word.
pub(super) const ABBREVIATIONS: [(&str, &str); 43] = [
    ("e.g.", "for example"),
    ("e.g", "for example"),
    ("eg.", "for example"),
    ("i.e.", "that is"),
    ("i.e", "that is"),
    ("ie.", "that is"),
    ("etc.", "et cetera"),
    ("etc", "et cetera"),
    ("vs.", "versus"),
    ("vs", "versus"),
    ("approx.", "approximately"),
    ("a.k.a.", "also known as"),
    ("aka", "also known as"),
    ("dr.", "Doctor"),
    ("mr.", "Mister"),
    ("mrs.", "Missus"),
    ("ms.", "Miss"),
    ("prof.", "Professor"),
    ("jr.", "Junior"),
    ("sr.", "Senior"),
    ("no.", "number"),
    ("fig.", "figure"),
    ("dept.", "department"),
    ("govt.", "government"),
    ("w/", "with"),
    ("w/o", "without"),
    ("btw", "by the way"),
    ("imo", "in my opinion"),
    ("imho", "in my humble opinion"),
    ("tbh", "to be honest"),
    ("idk", "I don't know"),
    ("afaik", "as far as I know"),
    ("iirc", "if I recall correctly"),
    ("fyi", "for your information"),
    ("asap", "as soon as possible"),
    ("tl;dr", "in short"),
    ("tldr", "in short"),
    ("rn", "right now"),
    ("ngl", "not gonna lie"),
    ("brb", "be right back"),
    ("c++", "C plus plus"),
    ("c#", "C sharp"),
    ("f#", "F sharp"),
];

/// Symbols that stand alone.
pub(super) const SYMBOLS: [(&str, &str); 23] = [
    ("&", "and"),
    ("+", "plus"),
    ("=", "equals"),
    ("==", "equals"),
    ("!=", "is not"),
    ("≠", "is not"),
    ("@", "at"),
    ("%", "percent"),
    ("<", "is less than"),
    (">", "is greater than"),
    ("<=", "is at most"),
    (">=", "is at least"),
    ("≤", "is at most"),
    ("≥", "is at least"),
    ("≈", "is about"),
    ("×", "times"),
    ("÷", "divided by"),
    ("->", "to"),
    ("=>", "to"),
    ("→", "to"),
    ("-", ","),
    ("–", ","),
    ("—", ","),
];

pub(super) const MONTHS: [(&str, &str); 12] = [
    ("jan", "January"),
    ("feb", "February"),
    ("mar", "March"),
    ("apr", "April"),
    ("may", "May"),
    ("jun", "June"),
    ("jul", "July"),
    ("aug", "August"),
    ("sep", "September"),
    ("oct", "October"),
    ("nov", "November"),
    ("dec", "December"),
];

/// Words after which four digits are a year.
pub(super) const BEFORE_YEARS: [&str; 23] = [
    "in", "since", "of", "from", "until", "till", "by", "year", "before", "after", "around", "during",
    "circa", "early", "mid", "late", "summer", "spring", "autumn", "fall", "winter", "back", "©",
];
