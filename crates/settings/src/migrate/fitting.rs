//! Taking what fits of a document that comes from elsewhere: what does not is named, and stops nothing else.

use crate::document::Document;
use crate::knob::SettingError;

/// Lays what is given over what is below, without the keys of it that `read` finds wrong; those come back with what is
/// wrong with them. What is wrong below it stays, for `read` to tell of.
pub fn take_what_fits(
    below: &Document,
    mut given: Document,
    read: impl Fn(&Document) -> Result<(), Vec<SettingError>>,
) -> (Document, Vec<SettingError>) {
    let mut left_out = Vec::new();
    loop {
        let mut whole = below.clone();
        whole.lay_over(given.clone());
        let errors = read(&whole).err().unwrap_or_default();
        let mut ours = errors;
        ours.retain(|error| given.reset(&error.key).is_some());
        if ours.is_empty() {
            return (whole, left_out);
        }
        left_out.append(&mut ours);
    }
}

#[cfg(test)]
#[path = "fitting_tests.rs"]
mod tests;
