//! The language that is spoken, and the few phrases that stand for what cannot be read aloud.

/// A language, by its tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tongue {
    tag: String,
}

/// What is said in place of a link, code and a picture; `{}` stands for the link's host or the picture's description.
struct Phrases {
    link: &'static str,
    code: &'static str,
    picture: &'static str,
    picture_of: &'static str,
    at: &'static str,
    dot: &'static str,
}

const ENGLISH: Phrases = Phrases {
    link: "a link to {}",
    code: "some code",
    picture: "a picture",
    picture_of: "a picture of {}",
    at: "at",
    dot: "dot",
};

const OTHERS: [(&str, Phrases); 6] = [
    (
        "de",
        Phrases {
            link: "ein Link zu {}",
            code: "etwas Code",
            picture: "ein Bild",
            picture_of: "ein Bild: {}",
            at: "ät",
            dot: "Punkt",
        },
    ),
    (
        "fr",
        Phrases {
            link: "un lien vers {}",
            code: "du code",
            picture: "une image",
            picture_of: "une image : {}",
            at: "arobase",
            dot: "point",
        },
    ),
    (
        "es",
        Phrases {
            link: "un enlace a {}",
            code: "algo de código",
            picture: "una imagen",
            picture_of: "una imagen de {}",
            at: "arroba",
            dot: "punto",
        },
    ),
    (
        "it",
        Phrases {
            link: "un link a {}",
            code: "del codice",
            picture: "un'immagine",
            picture_of: "un'immagine: {}",
            at: "chiocciola",
            dot: "punto",
        },
    ),
    (
        "pt",
        Phrases {
            link: "um link para {}",
            code: "algum código",
            picture: "uma imagem",
            picture_of: "uma imagem de {}",
            at: "arroba",
            dot: "ponto",
        },
    ),
    (
        "nl",
        Phrases {
            link: "een link naar {}",
            code: "wat code",
            picture: "een plaatje",
            picture_of: "een plaatje van {}",
            at: "apenstaartje",
            dot: "punt",
        },
    ),
];

/// Of a language without phrases the bare thing is said.
const BARE: Phrases = Phrases {
    link: "{}",
    code: "",
    picture: "",
    picture_of: "{}",
    at: "@",
    dot: ".",
};

impl Default for Tongue {
    fn default() -> Self {
        Self::of("en")
    }
}

impl Tongue {
    /// Of a tag such as `en`, `en-GB` or `pt_BR`; an empty one is English.
    pub fn of(tag: &str) -> Self {
        let tag = tag.trim().to_lowercase().replace('_', "-");
        Self {
            tag: if tag.is_empty() { "en".to_owned() } else { tag },
        }
    }

    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Whether both are one language, whatever the country.
    pub fn is_same_language(&self, other: &Self) -> bool {
        self.base() == other.base()
    }

    pub fn is_english(&self) -> bool {
        self.base() == "en"
    }

    fn base(&self) -> &str {
        self.tag.split('-').next().unwrap_or_default()
    }

    fn phrases(&self) -> &'static Phrases {
        if self.is_english() {
            return &ENGLISH;
        }
        let known = OTHERS.iter().find(|(base, _)| *base == self.base());
        known.map_or(&BARE, |(_, phrases)| phrases)
    }

    pub(super) fn link(&self, host: &str) -> String {
        self.phrases().link.replace("{}", host)
    }

    pub(super) fn code(&self) -> &'static str {
        self.phrases().code
    }

    pub(super) fn picture(&self, description: &str) -> String {
        match description.trim() {
            "" => self.phrases().picture.to_owned(),
            description => self.phrases().picture_of.replace("{}", description),
        }
    }

    pub(super) fn mail(&self, name: &str, host: &str) -> String {
        let phrases = self.phrases();
        let host = host.replace('.', &format!(" {} ", phrases.dot));
        format!("{name} {} {host}", phrases.at)
    }
}
