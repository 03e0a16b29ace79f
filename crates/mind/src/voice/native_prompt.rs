//! What a realtime service is told that thinks for itself: who it is, whom it is with and what was said before, in 5,200
//! characters; and, each time it is asked, whom it answers.
//!
//! What it was told stays as it is while nothing of it changes: a service reads again for less what it has read before. So
//! the time and what was just said stand in what it is told for one answer, which has its room set aside.

use minijinja::context;
use settings::Settings;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, Message, ModelChoice, ModelRequest, OutputShape,
    SectionFate, SectionReport, Span, ToolSpec, WallTime,
};

use super::native::NativeLink;
use super::people::VoicePeople;
use super::prompt::{ROSTER_MAX, addressed, speakers_of};
use super::turn::{VoiceTurn, VoiceTurnKind};
use crate::context::compaction::SUMMARY_CHARS_MAX;
use crate::prompt::budget::{Fitted, Keep, Section, cut_at_sentence, fit, place_of};
use crate::prompt::templates::Template;
use crate::prompt::transcript;

/// A service takes no more instructions than this, with what it is told for one answer.
pub(super) const INSTRUCTIONS_CHARS_MAX: usize = 5_200;
/// Of these, what is set aside for one answer: what was just said comes before everything else.
const TURN_CHARS_MAX: usize = 1_400;
/// Headings and the lines between sections.
const HEADINGS_CHARS: usize = 330;
/// Newest lines that rank above what is known of people.
const NEWEST_LINES: usize = 12;
/// Of what was just said, and of a line from before.
const TRANSCRIPT_CHARS: usize = 420;
const LINE_CHARS: usize = 300;
/// Nobody listens to a lecture; a second of speech takes some twenty tokens.
const OUTPUT_TOKENS_MAX: u32 = 1_200;
/// A service that has said nothing by then says nothing.
const DEADLINE: Span = Span::seconds(60);

/// What a service is told to be is based on.
pub(super) struct StandingBrief<'a> {
    pub room: &'a str,
    pub settings: &'a Settings,
    pub people: &'a VoicePeople,
    pub link: &'a NativeLink,
    pub summary: &'a str,
    pub window: &'a [&'a Message],
}

/// What a service is told to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Standing {
    pub text: String,
    pub sections: Vec<SectionReport>,
}

/// Writes it: the newest turns before what is known of people, that before the summary, and last what is older. Whole
/// lines and sentences only.
pub(super) fn standing(brief: &StandingBrief<'_>) -> Standing {
    let lines = before(brief.window, brief.link.since);
    let (older, newest) = lines.split_at(lines.len().saturating_sub(NEWEST_LINES));
    let sections = [
        Section::new("persona", 95, 1_200, Keep::Whole)
            .holding([brief.settings.identity.persona.clone()])
            .remarked("identity.persona"),
        Section::new("participants", 92, 500, Keep::First)
            .holding([brief.people.roster(ROSTER_MAX).join(", ")])
            .remarked("who is in the voice of the room"),
        Section::new("participant_memory", 70, 1_200, Keep::First)
            .holding(brief.link.memory.clone())
            .remarked("what is remembered of those who are there"),
        Section::new("session_summary", 60, SUMMARY_CHARS_MAX, Keep::Sentences)
            .holding([brief.summary.to_owned()])
            .remarked("what was said before the conversation below"),
        Section::new("older_continuity", 40, 1_600, Keep::Newest)
            .holding(older.to_vec())
            .remarked("what was said before the service began to listen"),
        Section::new("newest_turns", 90, 1_600, Keep::Newest)
            .holding(newest.to_vec())
            .remarked("the newest of what was said before the service began to listen"),
    ];
    let frame = written(brief, &[]).chars().count() + HEADINGS_CHARS;
    let fitted = fit(
        &sections,
        (INSTRUCTIONS_CHARS_MAX - TURN_CHARS_MAX).saturating_sub(frame),
    );
    let text = vocabulary::text::without_marks(&written(brief, &fitted));
    let sections = fitted.into_iter().map(|place| place.report).collect();
    Standing { text, sections }
}

fn written(brief: &StandingBrief<'_>, fitted: &[Fitted]) -> String {
    let text = |name: &str| -> &str { place_of(fitted, name).map_or("", |place| &place.report.text) };
    Template::NativeSystem.render(context! {
        name => transcript::speaker(&brief.settings.identity.name),
        aliases => &brief.settings.identity.aliases,
        room => brief.room.chars().take(100).collect::<String>(),
        persona => text("persona"),
        roster => text("participants"),
        participant_memory => text("participant_memory"),
        session_summary => text("session_summary"),
        older_continuity => text("older_continuity"),
        newest_turns => text("newest_turns"),
    })
}

/// What was said before the service began to listen: the rest it has heard itself, or was told.
fn before(window: &[&Message], since: WallTime) -> Vec<String> {
    let earlier = window.iter().filter(|message| message.at < since);
    earlier.map(|message| line(message, LINE_CHARS)).collect()
}

/// A line of a message, of which so many characters are told at most; what is cut ends with a sentence or a word.
fn line(message: &Message, chars_max: usize) -> String {
    let text = message.text.trim_end();
    if text.chars().count() <= chars_max {
        return transcript::line(message, None);
    }
    let head = cut_at_sentence(text, chars_max);
    let cut = Message {
        text: format!("{head} […]"),
        ..message.clone()
    };
    transcript::line(&cut, None)
}

/// What one answer is based on, beside what the service was told before.
pub(super) struct TurnBrief<'a> {
    pub now: WallTime,
    pub turn: &'a VoiceTurn,
    pub current: Vec<&'a Message>,
    pub relevant_facts: &'a [String],
    pub screen_notes: &'a [String],
    pub tools: Vec<ToolSpec>,
    /// Whose, and which model.
    pub service: &'a str,
    /// What it knows.
    pub known: String,
}

/// The question to a service, as the inspector shows it: what it was told to be, and what it is told for this answer.
pub(super) fn native_request(brief: &TurnBrief<'_>, standing: Standing) -> ModelRequest {
    let sections = [
        Section::new("current_turn", 100, 1_100, Keep::Whole)
            .holding([task(brief)])
            .remarked("what was just said and what is wanted"),
        Section::new("relevant_facts", 66, 700, Keep::First)
            .holding(brief.relevant_facts.to_vec())
            .remarked("what is remembered that fits"),
        Section::new("screen_notes", 63, 500, Keep::Newest)
            .holding(brief.screen_notes.to_vec())
            .remarked("what was seen on shared screens"),
    ];
    let fitted = fit(&sections, TURN_CHARS_MAX - HEADINGS_CHARS);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let hint = Template::NativeTask.render(context! {
        relevant_facts => text("relevant_facts"),
        screen_notes => text("screen_notes"),
        current_turn => text("current_turn"),
    });
    let mut turns = vec![ChatTurn {
        role: ChatRole::User,
        parts: vec![ContentPart::Text(hint)],
    }];
    let tool_turns = &brief.turn.tools.turns;
    turns.extend(tool_turns.iter().cloned());
    let (provider, model) = brief.service.split_once(':').unwrap_or((brief.service, ""));
    let mut sections = standing.sections;
    sections.extend(fitted.into_iter().map(|place| place.report));
    sections.push(unseen(&brief.known));
    ModelRequest {
        purpose: match tool_turns.is_empty() {
            true => AskPurpose::VoiceReply,
            false => AskPurpose::VoiceReplyFollowup,
        },
        choice: ModelChoice {
            provider: provider.to_owned(),
            model: model.to_owned(),
        },
        system: standing.text,
        turns,
        tools: brief.tools.clone(),
        output: OutputShape::Text,
        max_output_tokens: OUTPUT_TOKENS_MAX,
        temperature: 0.0,
        deadline: DEADLINE,
        sections,
    }
}

/// What stands in no request, because the service keeps it.
fn unseen(known: &str) -> SectionReport {
    let characters = known.chars().count();
    SectionReport {
        name: "known_to_service".to_owned(),
        fate: SectionFate::Kept,
        priority: 0,
        wanted_chars: characters,
        kept_chars: characters,
        cap_chars: characters,
        remark: "the service keeps the conversation; what it makes of it cannot be seen".to_owned(),
        text: known.to_owned(),
    }
}

fn task(brief: &TurnBrief<'_>) -> String {
    let share = TRANSCRIPT_CHARS / brief.current.len().max(1);
    let lines = brief.current.iter();
    let lines: Vec<String> = lines.map(|message| line(message, share.max(40))).collect();
    let speakers = speakers_of(&brief.current);
    Template::NativeTurn.render(context! {
        date => transcript::date(brief.now),
        time => transcript::clock(brief.now),
        greeting => brief.turn.kind == VoiceTurnKind::Greeting,
        author => speakers.join(" and "),
        several => speakers.len() > 1,
        current => lines.join("\n"),
        addressed => addressed(brief.turn.admitted),
        insist => brief.turn.insist,
        may_call => !brief.tools.is_empty(),
    })
}

#[cfg(test)]
#[path = "native_prompt_tests.rs"]
mod tests;
