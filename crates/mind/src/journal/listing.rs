//! How the list of journal events becomes a type with names, and a manual.

use serde::Serialize;

/// What one kind of journal line means, for the manual.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct EventDoc {
    pub name: &'static str,
    pub meaning: &'static str,
    pub fields: &'static [&'static str],
    /// Whether fields are written as they stand here, as the document that named them does.
    #[serde(skip)]
    pub verbatim_fields: bool,
}

macro_rules! journal_events {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:literal $(as $case:literal)? { $($field:ident: $kind:ty,)* }
    )+) => {
        /// One named thing that was noticed, decided or done.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "name", content = "data", rename_all_fields = "camelCase")]
        pub enum JournalEvent {
            $($(#[doc = $doc])+ #[serde(rename = $name $(, rename_all = $case)?)] $variant { $($field: $kind,)* },)+
        }

        impl JournalEvent {
            /// The stable name.
            pub fn name(&self) -> &'static str {
                match self { $(JournalEvent::$variant { .. } => $name,)+ }
            }
        }

        /// Every event with its meaning, in the order of the manual.
        pub fn event_docs() -> &'static [EventDoc] {
            const DOCS: &[EventDoc] = &[$(EventDoc {
                name: $name,
                meaning: concat!($($doc,)+).trim_ascii(),
                fields: &[$(stringify!($field)),*],
                verbatim_fields: journal_events!(@verbatim $($case)?),
            },)+];
            DOCS
        }
    };
    (@verbatim) => { false };
    (@verbatim $case:literal) => { true };
}

pub(super) use journal_events;
