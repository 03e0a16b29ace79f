//! Knobs that are gone. A document that still sets one starts as before; `denizen settings migrate` takes it out.

/// Former keys, and why they are gone.
pub(crate) const RETIRED: &[(&str, &str)] = &[(
    "voice.streamWatch.nativeDiscordPreferredStreamType",
    "nothing read it: a sharer has one stream",
)];

/// Whether a knob of that key is gone.
pub(super) fn is_retired(key: &str) -> bool {
    RETIRED.iter().any(|(retired, _)| *retired == key)
}
