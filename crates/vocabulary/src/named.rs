//! Choices from a short list, each with the name under which it is stored, journaled and sent.

/// Declares an enum whose variants are written down by the names beside them: `ALL` of them, `name` and `named`.
#[macro_export]
macro_rules! named {
    (
        $(#[$of_enum:meta])*
        pub enum $Enum:ident { $($(#[$of_variant:meta])* $Variant:ident = $name:literal,)+ }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ::serde::Serialize, ::serde::Deserialize)]
        #[cfg_attr(feature = "describe", derive(::schemars::JsonSchema))]
        $(#[$of_enum])*
        pub enum $Enum {
            $($(#[$of_variant])* #[serde(rename = $name)] $Variant,)+
        }

        impl $Enum {
            /// Every one of them, in order.
            pub const ALL: [$Enum; [$($name),+].len()] = [$($Enum::$Variant),+];

            /// The name under which it is written down.
            pub fn name(self) -> &'static str {
                match self { $($Enum::$Variant => $name,)+ }
            }

            /// The one of that name.
            pub fn named(name: &str) -> Option<$Enum> {
                Self::ALL.into_iter().find(|known| known.name() == name)
            }
        }
    };
}
