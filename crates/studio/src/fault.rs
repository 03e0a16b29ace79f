//! Why nothing was made, in words that fit into a message.

use runtime::ports::MediaFault;

use crate::service::Service;

/// Longest piece of a service's own words.
const WORDS_CHARACTERS_MAX: usize = 300;

/// Something went wrong.
pub(crate) fn failed(detail: impl Into<String>) -> MediaFault {
    MediaFault {
        detail: detail.into(),
        refused: false,
    }
}

/// The service declined what was wanted.
pub(crate) fn refused(detail: impl Into<String>) -> MediaFault {
    MediaFault {
        detail: detail.into(),
        refused: true,
    }
}

/// The time is over.
pub(crate) fn too_late(service: &Service) -> MediaFault {
    failed(format!(
        "{} took too long; {} is how long it may",
        service.who, service.patience
    ))
}

/// A stranger's words on one line, cut.
pub(crate) fn one_line(text: &str) -> String {
    let spaced: String = text
        .chars()
        .take(4 * WORDS_CHARACTERS_MAX)
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(WORDS_CHARACTERS_MAX) {
        None => line,
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}
