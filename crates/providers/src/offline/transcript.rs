//! Reads the conversation back out of a prompt: lines such as `[12:03] Alice: text`, whatever stands around them.

use vocabulary::{AskPurpose, ChatRole, ContentPart, ModelRequest};

use super::recollection::{self, Fact};
use super::seen::{self, Seen};

const STAMP_CHARS_MAX: usize = 40;
const NAME_CHARS_MAX: usize = 60;
/// What stands before the name of whoever spoke, and did not write.
const SPOKEN: &str = "[vc]";
const NAME_IF_NONE: &str = "Denizen";

/// Somebody's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Utterance {
    pub(super) who: Speaker,
    /// As the prompt wrote it.
    pub(super) at: String,
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Person(String),
    /// Somebody whose name the prompt does not give.
    Somebody,
    Own,
}

/// The conversation, oldest first, and what the prompt says about it.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) lines: Vec<Utterance>,
    /// What is remembered of other days.
    pub(super) facts: Vec<Fact>,
    /// What was seen last on a shared screen.
    pub(super) seen: Option<Seen>,
    /// From here on: the messages to answer.
    pub(super) newest: usize,
    pub(super) reply_required: Option<bool>,
    /// Whether whoever wrote is in an exchange with it.
    pub(super) follows_up: bool,
    /// The running summary of what was said before.
    pub(super) summary: String,
    pub(super) own_name: String,
    /// What it answers is spoken.
    pub(super) aloud: bool,
}

impl Scene {
    pub(super) fn read(request: &ModelRequest) -> Self {
        let mut reader = Reader {
            own_name: own_name(&request.system),
            aloud: matches!(
                request.purpose,
                AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup
            ),
            ..Reader::default()
        };
        (reader.facts, reader.older) = recollection::read(request);
        reader.seen = seen::read(request);
        let mut sections = request.sections.iter();
        let summary = sections.find(|section| section.name == "session_summary");
        reader.summary = summary.map_or_else(String::new, |section| section.text.clone());
        // What stands in the system prompt is from further back.
        reader.read_text(&request.system, Recency::Older);
        for turn in &request.turns {
            for part in &turn.parts {
                match (turn.role, part) {
                    (ChatRole::User, ContentPart::Text(text)) => reader.read_user(text),
                    (ChatRole::Assistant, ContentPart::Text(text)) => reader.read_own(text),
                    (_, ContentPart::ToolResult(result)) => {
                        reader.read_text(&result.text, Recency::Older);
                    }
                    _ => {}
                }
            }
        }
        reader.into_scene()
    }

    /// Whoever wrote last.
    pub(super) fn asker(&self) -> Option<&str> {
        self.lines.get(self.newest).and_then(|line| line.who.name())
    }

    /// What was said before the newest messages.
    pub(super) fn before(&self) -> &[Utterance] {
        &self.lines[..self.newest]
    }

    pub(super) fn newest_lines(&self) -> &[Utterance] {
        &self.lines[self.newest..]
    }
}

impl Speaker {
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Speaker::Person(name) => Some(name),
            Speaker::Somebody | Speaker::Own => None,
        }
    }
}

/// Where in time a line of the prompt belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recency {
    Older,
    Recent,
    /// To be answered; such a line may stand among the recent ones as well.
    Current,
}

#[derive(Default)]
struct Reader {
    facts: Vec<Fact>,
    seen: Option<Seen>,
    older: Vec<Utterance>,
    recent: Vec<Utterance>,
    current: Vec<Utterance>,
    reply_required: Option<bool>,
    follows_up: bool,
    summary: String,
    own_name: String,
    aloud: bool,
}

impl Reader {
    fn list(&mut self, recency: Recency) -> &mut Vec<Utterance> {
        match recency {
            Recency::Older => &mut self.older,
            Recency::Recent => &mut self.recent,
            Recency::Current => &mut self.current,
        }
    }

    fn read_user(&mut self, text: &str) {
        if self.read_text(text, Recency::Recent) {
            return;
        }
        let said: Vec<&str> = text.lines().filter(|line| marker(line).is_none()).collect();
        let said = said.join("\n").trim().to_owned();
        let aside = said.starts_with('(') && said.ends_with(')');
        if !said.is_empty() && !aside {
            self.recent.push(Utterance {
                who: Speaker::Somebody,
                at: String::new(),
                text: said,
            });
        }
    }

    fn read_own(&mut self, text: &str) {
        // An earlier answer may stand there as it was given, with its wrapping.
        let unwrapped = serde_json::from_str::<serde_json::Value>(text)
            .ok()
            .and_then(|value| Some(value.get("text")?.as_str()?.to_owned()));
        self.recent.push(Utterance {
            who: Speaker::Own,
            at: String::new(),
            text: unwrapped.unwrap_or_else(|| text.to_owned()),
        });
    }

    /// Takes in every line that looks like a message; says whether there was one.
    fn read_text(&mut self, text: &str, usual: Recency) -> bool {
        let mut recency = usual;
        let mut found = false;
        let mut open = false;
        for line in text.lines() {
            if let Some(required) = marker(line) {
                self.reply_required = Some(required);
                open = false;
            } else if let Some(message) = self.message(line) {
                self.list(recency).push(message);
                (found, open) = (true, true);
            } else if open && line.starts_with("  ") {
                if let Some(last) = self.list(recency).last_mut() {
                    last.text.push('\n');
                    last.text.push_str(line.trim());
                }
            } else if !line.trim().is_empty() {
                self.follows_up |= line.contains("go on with the exchange");
                recency = place_after(line, usual);
                open = false;
            }
        }
        found
    }

    fn message(&self, line: &str) -> Option<Utterance> {
        let line = line.trim_start_matches(['-', '*', '>']).trim_start_matches(' ');
        let (day, line) = match line.strip_prefix('(').and_then(|rest| rest.split_once(") [")) {
            Some((day, rest)) => (day, rest),
            None => ("", line.strip_prefix('[')?),
        };
        let (stamp, rest) = line.split_once(']')?;
        let (name, text) = rest.split_once(':')?;
        let name = name.trim().trim_start_matches(SPOKEN);
        let name = name.split(" (").next().unwrap_or(name).trim();
        let stamped = stamp.chars().any(|c| c.is_ascii_digit()) && stamp.chars().count() <= STAMP_CHARS_MAX;
        if !stamped || name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
            return None;
        }
        Some(Utterance {
            who: if name.eq_ignore_ascii_case(&self.own_name) {
                Speaker::Own
            } else {
                Speaker::Person(name.to_owned())
            },
            at: format!("{day} {}", stamp.trim()).trim().to_owned(),
            text: without_addressee(text.trim()).to_owned(),
        })
    }

    fn into_scene(self) -> Scene {
        let (mut recent, mut current) = (self.recent, self.current);
        // Among the recent ones a long message is shortened.
        let is_current = |line: &Utterance| {
            current.iter().any(|other| {
                line == other
                    || (line.text.contains("[…]") && (&line.who, &line.at) == (&other.who, &other.at))
            })
        };
        recent.retain(|line| !is_current(line));
        if current.is_empty() {
            // Own words after the last message would be a reply that is already made.
            while recent.last().is_some_and(|line| line.who == Speaker::Own) {
                recent.pop();
            }
            current.extend(recent.pop());
        }
        let mut lines: Vec<Utterance> = Vec::new();
        for line in self.older {
            // A message that was looked up may also be among the recent ones.
            let known = lines.iter().chain(&recent).chain(&current);
            if !known
                .into_iter()
                .any(|seen| seen.who == line.who && seen.text == line.text)
            {
                lines.push(line);
            }
        }
        lines.extend(recent);
        let newest = lines.len();
        lines.extend(current);
        Scene {
            lines,
            seen: self.seen,
            facts: self.facts,
            newest,
            reply_required: self.reply_required,
            follows_up: self.follows_up,
            summary: self.summary,
            own_name: self.own_name,
            aloud: self.aloud,
        }
    }
}

/// A heading tells whether what follows is of now, of lately or of long ago.
fn place_after(heading: &str, usual: Recency) -> Recency {
    let heading = heading.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| heading.contains(word));
    match usual {
        Recency::Older => Recency::Older,
        _ if says(&["looking at", "newest message"]) => Recency::Current,
        _ if says(&["older", "relevant", "remember", "seen on", "looked up"]) => Recency::Older,
        _ => Recency::Recent,
    }
}

/// `(to Bob) words` is what Bob was told.
fn without_addressee(text: &str) -> &str {
    match text.strip_prefix("(to ").and_then(|rest| rest.split_once(") ")) {
        Some((_, words)) => words,
        None => text,
    }
}

/// Reads `Reply required: yes` or `no`.
fn marker(line: &str) -> Option<bool> {
    let line = line.trim().to_lowercase();
    let value = line.strip_prefix("reply required:")?.trim().trim_end_matches('.');
    match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// The name the prompt gives to whoever reads it, or speaks of.
fn own_name(system: &str) -> String {
    let in_front = system.split_once(" is one of the people").map(|(before, _)| {
        let start = before.rfind(['.', '\n']).map_or(0, |at| at + 1);
        &before[start..]
    });
    let behind = ["Your name is ", "You are called ", "You are "]
        .iter()
        .find_map(|opening| {
            let (_, rest) = system.split_once(opening)?;
            let name = &rest[..rest.find([',', '.', '\n']).unwrap_or(rest.len())];
            // "You are a thoughtful member" names nobody.
            let names =
                rest[name.len()..].starts_with(", one of the people") || name.starts_with(char::is_uppercase);
            names.then_some(name)
        });
    in_front
        .or(behind)
        .map(str::trim)
        .filter(|name| !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX)
        .unwrap_or(NAME_IF_NONE)
        .to_owned()
}
