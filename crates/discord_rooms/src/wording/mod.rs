//! What people read on Discord, in their own language: every phrase in every language, in one table.

mod answers;
mod offered;

pub(crate) use answers::Phrase;
pub(crate) use offered::Offered;

/// A language that there are words in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    #[default]
    English,
    German,
    Spanish,
    French,
}

/// The same in every language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    pub en: &'static str,
    pub de: &'static str,
    pub es: &'static str,
    pub fr: &'static str,
}

impl Language {
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::Spanish, Self::French];

    /// The one that somebody's app is set to, such as `de` or `es-419`; English where there are no words in it.
    pub fn of(locale: Option<&str>) -> Self {
        match locale.unwrap_or_default().split('-').next() {
            Some("de") => Self::German,
            Some("es") => Self::Spanish,
            Some("fr") => Self::French,
            _ => Self::English,
        }
    }

    /// A phrase, without anything to be filled in.
    pub fn say(self, phrase: Phrase) -> String {
        self.tell(phrase, &[])
    }

    /// A phrase, with what stands for its `{names}`. What is filled in is not looked at again.
    pub fn tell(self, phrase: Phrase, with: &[(&str, &str)]) -> String {
        let mut told = String::new();
        let mut rest = phrase.wording().in_language(self);
        while let Some(start) = rest.find('{') {
            let (before, from) = rest.split_at(start);
            told.push_str(before);
            let end = from.find('}').map_or(from.len(), |end| end + 1);
            let name = from[..end].trim_matches(['{', '}']);
            let given = with.iter().find(|(known, _)| *known == name);
            told.push_str(given.map_or(&from[..end], |(_, given)| given));
            rest = &from[end..];
        }
        told.push_str(rest);
        told
    }
}

impl Wording {
    pub fn in_language(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::German => self.de,
            Language::Spanish => self.es,
            Language::French => self.fr,
        }
    }

    /// In the languages other than English, by Discord's names for them.
    pub fn elsewhere(&self) -> [(&'static str, &'static str); 4] {
        [
            ("de", self.de),
            ("es-ES", self.es),
            ("es-419", self.es),
            ("fr", self.fr),
        ]
    }
}

/// Declares phrases: a name, and its words in each language. One that lacks a language does not compile.
macro_rules! phrases {
    ($(#[$meta:meta])* $list:ident { $($name:ident { $($language:ident: $words:literal,)+ })+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $list { $($name,)+ }

        impl $list {
            #[cfg(test)]
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            pub fn wording(self) -> $crate::wording::Wording {
                match self { $(Self::$name => $crate::wording::Wording { $($language: $words,)+ },)+ }
            }
        }
    };
}
use phrases;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn places(words: &str) -> BTreeSet<&str> {
        let pieces = words.split('{').skip(1);
        pieces.filter_map(|piece| piece.split('}').next()).collect()
    }

    #[test]
    fn every_language_has_every_phrase_with_the_same_places_to_fill_in() {
        for phrase in Phrase::ALL {
            let wording = phrase.wording();
            for language in Language::ALL {
                let words = wording.in_language(language);
                assert!(!words.trim().is_empty(), "{phrase:?} in {language:?}");
                assert_eq!(places(words), places(wording.en), "{phrase:?} in {language:?}");
            }
            for other in [wording.de, wording.es, wording.fr] {
                assert_ne!(other, wording.en, "{phrase:?} is not translated");
            }
        }
    }

    #[test]
    fn names_and_descriptions_are_as_discord_takes_them() {
        for offered in Offered::ALL {
            let wording = offered.wording();
            for language in Language::ALL {
                let words = wording.in_language(language);
                let letters = words.chars().count();
                assert!(
                    (1..=100).contains(&letters),
                    "{offered:?} in {language:?}: {letters}"
                );
                if offered.is_name() {
                    let is_letter = |letter: char| letter.is_lowercase() || letter == '_' || letter == '-';
                    assert!(letters <= 32 && words.chars().all(is_letter), "{words}");
                }
            }
        }
    }

    #[test]
    fn what_is_filled_in_is_taken_as_it_is() {
        let told = Language::German.tell(Phrase::KeyIs, &[("key", "a.b"), ("value", "{key}")]);
        assert_eq!(told, "`a.b` ist `{key}`.");
        for (locale, language) in [
            (Some("de"), Language::German),
            (Some("es-419"), Language::Spanish),
            (Some("fr"), Language::French),
            (Some("en-GB"), Language::English),
            (Some("pt-BR"), Language::English),
            (None, Language::English),
        ] {
            assert_eq!(Language::of(locale), language, "{locale:?}");
        }
    }

    #[test]
    fn commands_are_named_as_they_are_offered_in_the_language() {
        for language in Language::ALL {
            let said = |offered: &Offered| offered.wording().in_language(language);
            let offered: BTreeSet<&str> = Offered::ALL.iter().filter(|o| o.is_name()).map(said).collect();
            for phrase in Phrase::ALL {
                let words = phrase.wording().in_language(language);
                for named in words.split("`/denizen ").skip(1) {
                    let named = named.split([' ', '`']).next().unwrap_or_default();
                    assert!(offered.contains(named), "{phrase:?} in {language:?}: {named}");
                }
            }
            // An hour more is what the command does without it.
            let off = said(&Offered::QuietOff).split(':').next().unwrap_or_default();
            for phrase in [Phrase::QuietUntil, Phrase::QuietForGood] {
                let words = phrase.wording().in_language(language);
                assert!(words.contains(&format!("`for: {}`", off.trim())), "{words}");
            }
        }
    }
}
