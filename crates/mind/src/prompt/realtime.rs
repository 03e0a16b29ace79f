//! Instructions for a realtime voice session: everything it may know, in 5,200 characters, by priority.

use vocabulary::SectionReport;

use crate::prompt::budget::{Keep, Section, cut_at_sentence, fit};

/// A realtime session takes no more instructions than this.
pub const INSTRUCTIONS_CHARS_MAX: usize = 5_200;
/// Newest turns that outrank what is known about people.
const NEWEST_TURNS: usize = 12;

/// Longest line of what was said or is known; a longer one is cut, so that it does not cost the whole section.
const LINE_CHARS_MAX: usize = 1_200;

/// What a realtime session may know.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealtimeBrief<'a> {
    pub persona: &'a str,
    pub participant_memory: &'a [String],
    pub summary: &'a str,
    /// Turns word for word, each naming its speaker, oldest first.
    pub verbatim: &'a [String],
    pub current_turn: &'a str,
}

/// The instructions, and what became of each section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instructions {
    pub text: String,
    pub sections: Vec<SectionReport>,
}

/// Headings of the sections, in the order they stand.
const HEADINGS: [(&str, &str); 6] = [
    ("persona", ""),
    ("participant_memory", "What you know about the people here:"),
    ("session_summary", "Session conversation summary:"),
    ("older_continuity", "Earlier in this conversation:"),
    ("newest_turns", "Just now:"),
    ("current_turn", "Being said:"),
];
/// Room for the headings and the lines between sections.
const FRAME_CHARS: usize = 160;

/// Builds them: current turn > newest turns > participant memory > summary > older turns, whole sentences and lines only.
pub fn realtime_instructions(brief: &RealtimeBrief<'_>) -> Instructions {
    let section = |name, priority, cap_chars, keep, items: Vec<String>| Section {
        name,
        priority,
        cap_chars,
        items: items.into_iter().filter(|item| !item.is_empty()).collect(),
        keep,
        remark: String::new(),
    };
    let lines = |lines: &[String]| -> Vec<String> {
        let cut = lines.iter().map(|line| cut_at_sentence(line, LINE_CHARS_MAX));
        cut.map(str::to_owned).collect()
    };
    let (older, newest) = brief
        .verbatim
        .split_at(brief.verbatim.len().saturating_sub(NEWEST_TURNS));
    let sections = [
        section("persona", 95, 1_200, Keep::Whole, vec![brief.persona.to_owned()]),
        section(
            "participant_memory",
            70,
            1_600,
            Keep::First,
            lines(brief.participant_memory),
        ),
        section(
            "session_summary",
            60,
            1_200,
            Keep::Sentences,
            vec![brief.summary.to_owned()],
        ),
        section("older_continuity", 40, 2_000, Keep::Newest, lines(older)),
        section("newest_turns", 90, 2_400, Keep::Newest, lines(newest)),
        section(
            "current_turn",
            100,
            1_200,
            Keep::Whole,
            vec![brief.current_turn.to_owned()],
        ),
    ];
    let fitted = fit(&sections, INSTRUCTIONS_CHARS_MAX - FRAME_CHARS);
    let mut parts = Vec::new();
    for (place, (name, heading)) in fitted.iter().zip(HEADINGS) {
        debug_assert_eq!(place.report.name, name);
        match (place.report.text.as_str(), heading) {
            ("", _) => {}
            (text, "") => parts.push(text.to_owned()),
            (text, heading) => parts.push(format!("{heading}\n{text}")),
        }
    }
    Instructions {
        text: parts.join("\n\n"),
        sections: fitted.into_iter().map(|place| place.report).collect(),
    }
}
