//! `${NAME}` in the configuration stands for a variable of the environment.

/// Puts variables in, and keeps what was put in so that it can be kept out of sight.
pub(crate) fn fill(
    text: &str,
    environment: &dyn Fn(&str) -> Option<String>,
    taken: &mut Vec<String>,
) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        filled.push_str(&rest[..start]);
        let inside = &rest[start + 2..];
        let Some(end) = inside.find('}') else {
            return Err("has a ${ without its }".to_owned());
        };
        let (name, instead) = match inside[..end].split_once(":-") {
            Some((name, instead)) => (name, Some(instead)),
            None => (&inside[..end], None),
        };
        if !is_variable(name) {
            return Err(format!(
                "has ${{…}} without the name of a variable in it (letters, digits and _, {} characters were found)",
                name.chars().count()
            ));
        }
        match (environment(name).filter(|value| !value.is_empty()), instead) {
            (Some(value), _) => {
                filled.push_str(&value);
                taken.push(value);
            }
            (None, Some(instead)) => filled.push_str(instead),
            (None, None) => {
                return Err(format!(
                    "wants the variable {name}, which the environment does not have. Set it before Denizen starts, or write ${{{name}:-something}}"
                ));
            }
        }
        rest = &inside[end + 1..];
    }
    filled.push_str(rest);
    Ok(filled)
}

fn is_variable(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|next| next.is_ascii_alphanumeric() || next == '_')
}

#[cfg(test)]
#[path = "substitution_tests.rs"]
mod tests;
