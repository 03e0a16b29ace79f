//! Where in a catalogue something stands, for whoever has to correct it.

/// The line in which a key stands, as people write such files: a value below the heading of its table, or the heading.
pub(super) fn line_of(text: &str, key: &str) -> Option<usize> {
    let wanted = segments(key);
    let mut heading: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(inner) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            heading = segments(inner);
            if heading == wanted {
                return Some(number + 1);
            }
            continue;
        }
        let Some((name, _)) = line.split_once('=') else {
            continue;
        };
        let mut place = heading.clone();
        place.extend(segments(name));
        if place == wanted {
            return Some(number + 1);
        }
    }
    None
}

/// The parts of a dotted key, without their quotes.
fn segments(key: &str) -> Vec<String> {
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for letter in key.trim().chars() {
        match letter {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}
