//! Checks of single fields; a refusal names the field, what was given, and what it takes.

use crate::refusal::Refusal;

/// Words: some, not too many, and nothing that no text holds.
pub(crate) fn text(field: &str, given: &str, most: usize) -> Result<(), Refusal> {
    let length = given.chars().count();
    if given.trim().is_empty() {
        return Err(refuse(
            field,
            "is empty",
            &format!("Give 1 to {most} characters."),
        ));
    }
    if length > most {
        return Err(refuse(
            field,
            &format!("has {length} characters, more than {most}"),
            "Send it in parts.",
        ));
    }
    if given.contains('\0') {
        return Err(refuse(
            field,
            "holds a NUL character",
            "Remove it and send again.",
        ));
    }
    Ok(())
}

/// A name that goes into ids and addresses: no spaces, nothing invisible.
pub(crate) fn name(field: &str, given: &str, most: usize) -> Result<(), Refusal> {
    let length = given.chars().count();
    if length == 0 || length > most {
        return Err(refuse(
            field,
            &format!("has {length} characters"),
            &format!("Give 1 to {most}."),
        ));
    }
    match given
        .chars()
        .find(|letter| letter.is_whitespace() || letter.is_control())
    {
        Some(bad) => Err(refuse(
            field,
            &format!("is “{}” and holds {bad:?}", given.escape_debug()),
            "Use letters, digits and signs like - _ . / : without spaces.",
        )),
        None => Ok(()),
    }
}

/// What people are called: spaces are fine.
pub(crate) fn person(field: &str, given: &str, most: usize) -> Result<(), Refusal> {
    let length = given.trim().chars().count();
    if length == 0 || length > most {
        return Err(refuse(
            field,
            &format!("has {length} characters"),
            &format!("Give 1 to {most}."),
        ));
    }
    if given.chars().any(char::is_control) {
        return Err(refuse(
            field,
            "holds a control character",
            "Remove it and send again.",
        ));
    }
    Ok(())
}

/// A number from 0 to 1.
pub(crate) fn share(field: &str, given: f64) -> Result<(), Refusal> {
    if (0.0..=1.0).contains(&given) {
        return Ok(());
    }
    Err(refuse(
        field,
        &format!("is {given}, and it must be from 0 to 1"),
        "Give a number in that range.",
    ))
}

/// A list that is not too long.
pub(crate) fn count(field: &str, given: usize, most: usize) -> Result<(), Refusal> {
    if given <= most {
        return Ok(());
    }
    Err(refuse(
        field,
        &format!("has {given} items, more than {most}"),
        "Send fewer at once.",
    ))
}

pub(crate) fn refuse(field: &str, problem: &str, remedy: &str) -> Refusal {
    Refusal::unprocessable("invalid_field", format!("{field} {problem}. {remedy}"))
}
