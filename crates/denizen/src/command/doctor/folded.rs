//! Text for a narrow terminal: lines are broken between words, and what goes on below is indented.

/// How much further a line is indented that goes on.
const HANGING: usize = 4;

/// The same text in lines of at most so many columns, as far as its words allow.
pub fn folded(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|columns| *columns > 0) else {
        return text.to_owned();
    };
    let mut told = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        told.push_str(&fold(line, columns));
        told.push_str(end);
    }
    told
}

fn fold(line: &str, columns: usize) -> String {
    if shown(line) <= columns {
        return line.to_owned();
    }
    let words = line.trim_start();
    let indent = line.len() - words.len();
    let hanging = " ".repeat((indent + HANGING).min(columns / 2));
    let mut told = line[..indent].to_owned();
    let mut column = indent;
    for (number, word) in words.split(' ').enumerate() {
        let width = shown(word);
        if number > 0 && column + 1 + width > columns {
            told.truncate(told.trim_end_matches(' ').len());
            told.push('\n');
            told.push_str(&hanging);
            column = hanging.len();
        } else if number > 0 {
            told.push(' ');
            column += 1;
        }
        told.push_str(word);
        column += width;
    }
    told
}

/// The columns that a text takes: colours take none.
fn shown(text: &str) -> usize {
    let mut columns = 0;
    let mut is_colour = false;
    for letter in text.chars() {
        match (is_colour, letter) {
            (false, '\u{1b}') => is_colour = true,
            (true, 'm') => is_colour = false,
            (true, _) => {}
            (false, _) => columns += 1,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn long_lines_are_broken_between_words_and_go_on_further_in() {
        let text = "ok  storage: schema 4, every page of it is in order\n    → nothing is to be done about that at all\n";
        let told = folded(text, Some(24));
        assert_eq!(
            told,
            "ok  storage: schema 4,\n    every page of it is\n    in order\n    → nothing is to be\n        done about that\n        at all\n"
        );
        assert!(told.lines().all(|line| line.chars().count() <= 24), "{told}");
        assert_eq!(folded(text, None), text);
        assert_eq!(folded(text, Some(200)), text);
    }

    #[test]
    fn colours_take_no_room_and_a_word_that_is_too_long_stands_alone() {
        let coloured = "\u{1b}[32mok \u{1b}[0m fine here";
        assert_eq!(folded(coloured, Some(14)), coloured);
        assert_eq!(
            folded("see http://127.0.0.1:8787/v1 now", Some(10)),
            "see\n    http://127.0.0.1:8787/v1\n    now"
        );
    }
}
