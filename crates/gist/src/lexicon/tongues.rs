//! The words of four languages for days, months and numbers, and for the one who speaks and the one spoken to.

/// What a language calls the things that a summary has to know.
#[derive(Debug)]
pub struct Tongue {
    pub months: [&'static str; 12],
    /// From Monday on.
    pub weekdays: [&'static str; 7],
    /// Days by their distance from today, in so many words.
    pub days: &'static [(&'static [&'static str], i64)],
    pub week: &'static [&'static str],
    pub weekend: &'static [&'static str],
    pub month: &'static [&'static str],
    pub year: &'static [&'static str],
    pub day: &'static [&'static str],
    /// `last`, `next` and `this`, before or after what they speak of.
    pub last: &'static [&'static str],
    pub next: &'static [&'static str],
    pub this: &'static [&'static str],
    /// What stands before `3 days` where they are gone by; English puts `ago` behind.
    pub ago: &'static [&'static [&'static str]],
    /// How "before", "after" and "of" a day are written.
    pub before: &'static str,
    pub after: &'static str,
    pub of: &'static str,
    /// From one to twelve.
    pub numbers: [&'static str; 12],
    pub few: &'static [&'static str],
    /// Other forms of one.
    pub one: &'static [&'static str],
    pub own: &'static [&'static str],
    pub yours: &'static [&'static str],
    pub negations: &'static [&'static str],
    /// Endings of words that describe rather than name.
    pub descriptions: &'static [&'static str],
}

/// Whether a name in small letters is a word; asked of every word of a talk for dozens of names, so it copies nothing.
pub(super) fn is_called(name: &str, lower: &str) -> bool {
    if let (Some(first), Some(head)) = (name.bytes().next(), lower.bytes().next())
        && first.is_ascii()
        && head.is_ascii()
        && !first.eq_ignore_ascii_case(&head)
    {
        return false;
    }
    name.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

pub(super) const ENGLISH: Tongue = Tongue {
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    weekdays: [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ],
    days: &[
        (&["day", "before", "yesterday"], -2),
        (&["day", "after", "tomorrow"], 2),
        (&["yesterday"], -1),
        (&["last", "night"], -1),
        (&["today"], 0),
        (&["tonight"], 0),
        (&["this", "morning"], 0),
        (&["this", "afternoon"], 0),
        (&["this", "evening"], 0),
        (&["tomorrow"], 1),
    ],
    week: &["week", "weeks"],
    weekend: &["weekend", "weekends"],
    month: &["month", "months"],
    year: &["year", "years"],
    day: &["day", "days"],
    // `past` only as in `this past week`: `over the past month` is no month.
    last: &["last"],
    next: &["next", "coming"],
    this: &["this"],
    ago: &[],
    before: "before",
    after: "after",
    of: "of",
    numbers: [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ],
    few: &["few", "couple"],
    one: &["a", "an"],
    own: &[
        "i", "my", "me", "i'm", "i've", "i'd", "i'll", "we", "our", "us", "we're", "we've", "we'll", "myself",
    ],
    yours: &[
        "you", "your", "you're", "you've", "you'll", "you'd", "u", "yours", "yourself",
    ],
    negations: &[],
    descriptions: &["ful", "ous", "ive", "able", "ible", "ly", "ness", "less", "ish"],
};

pub(super) const GERMAN: Tongue = Tongue {
    months: [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    weekdays: [
        "Montag",
        "Dienstag",
        "Mittwoch",
        "Donnerstag",
        "Freitag",
        "Samstag",
        "Sonntag",
    ],
    days: &[
        (&["vorgestern"], -2),
        (&["gestern", "abend"], -1),
        (&["gestern", "morgen"], -1),
        (&["gestern"], -1),
        (&["heute", "morgen"], 0),
        (&["heute", "abend"], 0),
        (&["heute"], 0),
        (&["übermorgen"], 2),
        (&["morgen", "abend"], 1),
    ],
    week: &["woche", "wochen"],
    weekend: &["wochenende", "wochenenden"],
    month: &["monat", "monate", "monaten"],
    year: &["jahr", "jahre", "jahren"],
    day: &["tag", "tage", "tagen"],
    last: &[
        "letzte",
        "letzten",
        "letztes",
        "letzter",
        "vorige",
        "voriges",
        "vorigen",
        "vergangene",
        "vergangenen",
        "vergangenes",
    ],
    next: &[
        "nächste",
        "nächsten",
        "nächstes",
        "nächster",
        "kommende",
        "kommenden",
        "kommendes",
    ],
    this: &["diese", "diesen", "dieses", "dieser"],
    ago: &[&["vor"]],
    before: "vor",
    after: "nach",
    of: "um",
    numbers: [
        "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    ],
    few: &["paar", "einigen", "wenigen"],
    one: &["ein", "eine", "einem", "einer", "einen"],
    own: &[
        "ich", "mein", "meine", "meinem", "meinen", "meiner", "meines", "mir", "mich", "wir", "uns", "unser",
        "unsere", "unseren", "unserem", "unserer",
    ],
    yours: &[
        "du", "dein", "deine", "deinem", "deinen", "deiner", "dir", "dich", "ihr", "euch", "euer", "eure",
    ],
    negations: &[
        "nicht", "kein", "keine", "keinen", "keinem", "keiner", "nie", "niemals", "ohne",
    ],
    descriptions: &[
        "lich", "liche", "lichen", "licher", "liches", "ige", "igen", "iger", "iges", "isch", "ische",
        "ischen", "sam", "bar", "weise",
    ],
};

pub(super) const SPANISH: Tongue = Tongue {
    months: [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    weekdays: [
        "lunes",
        "martes",
        "miércoles",
        "jueves",
        "viernes",
        "sábado",
        "domingo",
    ],
    days: &[
        (&["anteayer"], -2),
        (&["antes", "de", "ayer"], -2),
        (&["pasado", "mañana"], 2),
        (&["ayer"], -1),
        (&["anoche"], -1),
        (&["hoy"], 0),
        (&["esta", "mañana"], 0),
        (&["esta", "tarde"], 0),
        (&["esta", "noche"], 0),
    ],
    week: &["semana", "semanas"],
    weekend: &["finde"],
    month: &["mes", "meses"],
    year: &["año", "años"],
    day: &["día", "días"],
    last: &["pasado", "pasada", "último", "última"],
    next: &["próximo", "próxima"],
    this: &["este", "esta"],
    ago: &[&["hace"]],
    before: "antes de",
    after: "después de",
    of: "de",
    numbers: [
        "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
    ],
    few: &["unos", "unas", "pocos", "pocas", "par"],
    one: &["un", "una"],
    own: &[
        "yo", "mi", "mis", "me", "mí", "mío", "mía", "nos", "nosotros", "nosotras", "nuestra", "nuestro",
        "nuestros", "nuestras", "conmigo", "fui", "soy", "estoy", "tengo", "voy", "hice", "he", "hemos",
        "tuve", "estuve", "fuimos", "vamos", "tenemos", "quiero", "vivo", "trabajo",
    ],
    yours: &[
        "tú", "tu", "tus", "te", "ti", "contigo", "has", "eres", "tienes", "estás", "usted", "ustedes",
        "vosotros", "tuya", "tuyo",
    ],
    negations: &["nunca", "jamás", "sin"],
    descriptions: &[
        "mente", "oso", "osa", "osos", "osas", "able", "ible", "ivo", "iva",
    ],
};

pub(super) const FRENCH: Tongue = Tongue {
    months: [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    weekdays: [
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    ],
    days: &[
        (&["avanthier"], -2),
        (&["avant-hier"], -2),
        (&["hier", "soir"], -1),
        (&["hier"], -1),
        (&["dhier"], -1),
        (&["aujourdhui"], 0),
        (&["ce", "matin"], 0),
        (&["ce", "soir"], 0),
        (&["après-demain"], 2),
        (&["demain"], 1),
    ],
    week: &["semaine", "semaines"],
    weekend: &["week-end", "weekend", "week-ends"],
    month: &["mois"],
    year: &["an", "ans", "année", "années", "lan", "lannée"],
    day: &["jour", "jours"],
    last: &["dernier", "dernière", "passé", "passée"],
    next: &["prochain", "prochaine"],
    this: &["ce", "cette", "cet"],
    ago: &[&["il", "y", "a"], &["y", "a"]],
    before: "avant",
    after: "après",
    of: "de",
    numbers: [
        "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
    ],
    few: &["quelques"],
    one: &["une"],
    own: &[
        "je", "j", "mon", "ma", "mes", "moi", "me", "m", "nous", "notre", "nos",
    ],
    yours: &["tu", "ton", "ta", "tes", "toi", "te", "t", "vous", "votre", "vos"],
    negations: &["pas", "jamais", "sans"],
    descriptions: &["ment", "eux", "euse", "euses", "able", "ible", "if", "ive"],
};
