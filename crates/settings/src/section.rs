//! The declaration macro, and how a declared type reads its value.

use serde_json::Value;

use crate::document::Document;
use crate::knob::{Knob, SettingError};

/// A group of knobs that can be listed and read.
pub(crate) trait Section: Sized {
    fn knobs() -> Vec<Knob>;
    fn read(document: &Document, errors: &mut Vec<SettingError>) -> Self;
}

/// A type a knob can have; called only with values its limits have let through.
pub(crate) trait KnobValue: Sized {
    fn from_value(value: &Value) -> Option<Self>;
}

impl KnobValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl KnobValue for u64 {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_u64()
    }
}

impl KnobValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_f64()
    }
}

impl KnobValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl KnobValue for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        value
            .as_array()?
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect()
    }
}

/// Reads one knob: an explicit value if there is a good one, else the default; a bad one is reported.
pub(crate) fn read_knob<T: KnobValue>(knob: &Knob, document: &Document, errors: &mut Vec<SettingError>) -> T {
    if let Some(value) = document.get(&knob.key) {
        match knob.limits.check(&knob.key, value) {
            Ok(()) => {
                if let Some(read) = T::from_value(value) {
                    return read;
                }
            }
            Err(error) => errors.push(error),
        }
    }
    T::from_value(&knob.default).expect("a test reads every declared default")
}

/// `reply_level` → `replyLevel`: fields are Rust's, keys are public.
pub fn camel_case(field: &str) -> String {
    let mut key = String::with_capacity(field.len());
    let mut upper = false;
    for letter in field.chars() {
        if letter == '_' {
            upper = true;
        } else if upper {
            key.extend(letter.to_uppercase());
            upper = false;
        } else {
            key.push(letter);
        }
    }
    key
}

/// Declares a section of settings: doc, field, type, default, limits, unit, former keys and where it acts in one place.
macro_rules! settings_section {
    (
        $(#[doc = $section_doc:literal])+
        $name:ident at $section:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $kind:ty = $default:expr, $limits:expr
                    $(, unit $unit:ident)? $(, formerly $former:expr)? $(, acts $acts:ident)?;
            )+
        }
    ) => {
        $(#[doc = $section_doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $kind,)+
        }

        impl $crate::section::Section for $name {
            fn knobs() -> Vec<$crate::knob::Knob> {
                const SECTION_DOC: &str = concat!($($section_doc,)+).trim_ascii();
                vec![$($crate::knob::Knob {
                    key: format!("{}.{}", $section, $crate::section::camel_case(stringify!($field))),
                    section: $section,
                    section_doc: SECTION_DOC,
                    doc: concat!($($doc,)+).trim_ascii(),
                    default: serde_json::json!($default),
                    limits: $limits,
                    unit: settings_section!(@unit $($unit)?),
                    former: settings_section!(@former $($former)?),
                    acts: settings_section!(@acts $($acts)?),
                }),+]
            }

            fn read(
                document: &$crate::document::Document,
                errors: &mut Vec<$crate::knob::SettingError>,
            ) -> Self {
                let mut knobs = Self::knobs().into_iter();
                $(let $field = $crate::section::read_knob(
                    &knobs.next().expect("one knob a field"), document, errors);)+
                Self { $($field),+ }
            }
        }
    };
    (@unit) => { $crate::knob::Unit::None };
    (@unit $unit:ident) => { $crate::knob::Unit::$unit };
    (@former) => { &[] };
    (@former $former:expr) => { &$former };
    (@acts) => { $crate::knob::Acts::Deciding };
    (@acts $acts:ident) => { $crate::knob::Acts::$acts };
}

/// The limits of a knob whose type is a choice.
macro_rules! choice_of {
    ($choice:ty) => {
        Limits::Choice {
            options: <$choice>::NAMES,
        }
    };
}

pub(crate) use {choice_of, settings_section};
