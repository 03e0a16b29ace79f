//! What a model is asked for in the voice of a room: what to say, and whether to say anything.

use minijinja::context;
use settings::Settings;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, Glimpse, Message, MessageId, ModelRequest, Moment, Now,
    OutputShape, Span, ToolSpec,
};

use super::VoiceContext;
use super::people::VoicePeople;
use super::session::VoiceSession;
use super::thoughts::ThoughtBrief;
use super::turn::{VoiceTurn, VoiceTurnKind};
use crate::admission::VoiceAdmissionReason;
use crate::admission::voice::VoiceQuestion;
use crate::context::compaction::SUMMARY_CHARS_MAX;
use crate::prompt::budget::{Fitted, Keep, Section, fit, place_of};
use crate::prompt::conversation;
use crate::prompt::outside::outside_rule;
use crate::prompt::request::{CHARS_PER_TOKEN, inherited, outside_chars, tool_chars};
use crate::prompt::templates::Template;
use crate::prompt::transcript;
use crate::reply::SILENCE_TOKEN;
use crate::watch::prompt::{SCREEN_NOTES_CHARS_MAX, ScreenShown};

/// People who are told of.
pub(super) const ROSTER_MAX: usize = 12;
/// What is shown of what was just said.
const TRANSCRIPT_CHARS_MAX: usize = 1_200;
/// What the templates take.
const WORDING_CHARS: usize = 2_400;
/// Lines of the conversation that rank above what is known.
const NEWEST_LINES: usize = 50;
/// What is shown of older messages that fit.
const RELEVANT_CHARS_MAX: usize = 1_500;
/// Nobody listens to a lecture.
const OUTPUT_TOKENS_MAX: u64 = 400;
/// What the classifier sees: so many turns of so many characters, and so much of what was just said.
const DECISION_TURNS: usize = 8;
const DECISION_LINE_CHARS: usize = 220;
/// When it was said, that it was spoken, and that something is left out.
const DECISION_MARKS_CHARS: usize = 20;
const DECISION_TRANSCRIPT_CHARS: usize = 420;
/// People wait in silence for it.
const DECISION_DEADLINE: Span = Span(3_000);

/// What is wanted: an answer or a hello, or a thought of its own.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    Turn(&'a VoiceTurn),
    Thought(ThoughtBrief<'a>),
}

impl<'a> Asked<'a> {
    fn turn(self) -> Option<&'a VoiceTurn> {
        match self {
            Asked::Turn(turn) => Some(turn),
            Asked::Thought(_) => None,
        }
    }
}

/// All that something to say is based on.
pub(super) struct VoiceBrief<'a> {
    pub room: &'a str,
    pub now: Now,
    pub settings: &'a Settings,
    pub summary: &'a str,
    pub window: Vec<&'a Message>,
    pub current: Vec<&'a Message>,
    pub asked: Asked<'a>,
    pub people: &'a VoicePeople,
    pub session: &'a VoiceSession,
    /// When its own words were last heard.
    pub last_heard: Option<Moment>,
    pub user_facts: &'a [String],
    pub relevant_facts: &'a [String],
    /// Older messages of the room that fit.
    pub relevant: &'a [Message],
    pub screen_notes: &'a [String],
    /// The screen, where the model wanted to look.
    pub screen: Option<(Glimpse, &'a str)>,
    pub tools: Vec<ToolSpec>,
    /// Tokens that the question may have.
    pub prompt_tokens: u64,
}

/// The request for what to say.
pub(super) fn voice_request(brief: &VoiceBrief<'_>) -> ModelRequest {
    let (llm, turn) = (&brief.settings.llm, brief.asked.turn());
    let lines = conversation::lines(&brief.window);
    let tool_turns = turn.map_or(&[][..], |turn| &turn.tools.turns);
    let whole = brief.prompt_tokens as usize * CHARS_PER_TOKEN;
    let budget = whole.saturating_sub(WORDING_CHARS + outside_chars(&brief.tools) + tool_chars(tool_turns));
    let fitted = fit(&sections(brief, &lines, budget), budget);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let (may_call, followup) = (!brief.tools.is_empty(), !tool_turns.is_empty());
    let system = Template::VoiceSystem.render(context! {
        name => transcript::speaker(&brief.settings.identity.name),
        aliases => &brief.settings.identity.aliases,
        room => brief.room,
        manners => Template::Manners.render(context! {}),
        outside_rule => (may_call || followup).then(outside_rule),
        persona => text("persona"),
        session_summary => text("session_summary"),
        silence_token => SILENCE_TOKEN,
        required => turn.is_some_and(|turn| turn.required),
        thinks => turn.is_none(),
    });
    let known = Template::VoiceKnown.render(context! {
        roster => text("participants"),
        movements => text("membership"),
        user_facts => text("user_facts"),
        relevant_facts => text("relevant_facts"),
        relevant_messages => text("relevant_messages"),
        screen_notes => text("screen_notes"),
        sounds => text("sounds"),
    });
    let kept = place_of(&fitted, "recent_messages").map_or(0..0, |place| place.kept.clone());
    let screen = brief.screen.as_ref();
    let picture = screen.map(|(glimpse, shared_by)| ScreenShown { shared_by, glimpse }.picture());
    let mut last: Vec<ContentPart> = picture.into_iter().collect();
    last.push(ContentPart::Text(match known.as_str() {
        "" => text("current_turn").to_owned(),
        known => format!("{known}\n\n{}", text("current_turn")),
    }));
    let mut turns = conversation::turns(&brief.window, &lines, kept, last);
    turns.extend(tool_turns.iter().cloned());
    let voice = &brief.settings.voice_generation;
    ModelRequest {
        purpose: match brief.asked {
            Asked::Thought(_) => AskPurpose::VoiceThought,
            Asked::Turn(_) if followup => AskPurpose::VoiceReplyFollowup,
            Asked::Turn(_) => AskPurpose::VoiceReply,
        },
        choice: inherited(&voice.provider, &voice.model, brief.settings),
        system,
        turns,
        tools: brief.tools.clone(),
        output: match brief.asked {
            Asked::Thought(thought) => thought.shape(brief.settings),
            // Sentences are said while the next are written.
            Asked::Turn(_) => OutputShape::Text,
        },
        max_output_tokens: llm.max_output_tokens.min(OUTPUT_TOKENS_MAX) as u32,
        temperature: llm.temperature,
        deadline: Span::seconds(llm.timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

fn sections(brief: &VoiceBrief<'_>, lines: &[String], budget: usize) -> Vec<Section> {
    let persona = &brief.settings.identity.persona;
    let newest = lines.len().min(NEWEST_LINES);
    let summary = Some(brief.summary.to_owned());
    vec![
        Section::new("persona", 95, 4_000, Keep::Whole)
            .holding([persona.clone()])
            .remarked("identity.persona"),
        Section::new("participants", 85, 800, Keep::First)
            .holding([brief.people.roster(ROSTER_MAX).join(", ")])
            .remarked("who is in the voice of the room"),
        Section::new("membership", 58, 600, Keep::Newest)
            .holding(brief.people.movements(brief.now.wall))
            .remarked("who came and went"),
        Section::new("user_facts", 75, 1_800, Keep::First)
            .holding(brief.user_facts.to_vec())
            .remarked("what is remembered of whom is answered"),
        Section::new("relevant_facts", 70, 1_800, Keep::First)
            .holding(brief.relevant_facts.to_vec())
            .remarked("what is remembered that fits"),
        Section::new("relevant_messages", 50, RELEVANT_CHARS_MAX, Keep::First)
            .holding(brief.relevant.iter().map(transcript::dated_line))
            .remarked("older messages of this room, found by their words and their meaning"),
        Section::new("screen_notes", 72, SCREEN_NOTES_CHARS_MAX, Keep::Newest)
            .holding(brief.screen_notes.to_vec())
            .remarked("what was seen on shared screens"),
        Section::new("sounds", 40, 600, Keep::First)
            .holding([brief.session.sounds.join(", ")])
            .remarked("short sounds that it may play"),
        Section::new("session_summary", 65, SUMMARY_CHARS_MAX, Keep::Sentences)
            .holding(summary)
            .remarked("what was said before the conversation below"),
        Section {
            items: lines.to_vec(),
            cut: conversation::cuts(&brief.window),
            ..Section::new(
                "recent_messages",
                80,
                budget,
                Keep::NewestFirst {
                    newest,
                    older_priority: 62,
                },
            )
        }
        .remarked("the conversation, newest last"),
        Section::new(
            "current_turn",
            100,
            TRANSCRIPT_CHARS_MAX + WORDING_CHARS,
            Keep::Whole,
        )
        .holding([match brief.asked {
            Asked::Turn(turn) => task(turn, brief),
            Asked::Thought(thought) => thought.task(brief),
        }])
        .remarked("what was just said and what is wanted"),
    ]
}

/// What was just said, by whom, and what is wanted.
fn task(turn: &VoiceTurn, brief: &VoiceBrief<'_>) -> String {
    let now = brief.now;
    // What is short leaves its room to what is long.
    let chars = |message: &&Message| message.text.chars().count();
    let mut lengths: Vec<usize> = brief.current.iter().map(chars).collect();
    lengths.sort_unstable();
    let (mut room, mut share) = (TRANSCRIPT_CHARS_MAX, TRANSCRIPT_CHARS_MAX);
    for (place, length) in lengths.iter().enumerate() {
        share = room / (lengths.len() - place);
        room -= share.min(*length);
    }
    let lines: Vec<String> = brief
        .current
        .iter()
        .map(|message| transcript::line_within(message, None, share))
        .collect();
    let speakers = speakers_of(&brief.current);
    let eagerness = match brief.settings.voice.reply_eagerness {
        0..=20 => "Be reserved: speak only when it really helps.",
        21..=50 => "Be sparing: speak when you have something good to add.",
        51..=80 => "You are among friends: join in when you feel like it.",
        _ => "Be lively: join in freely.",
    };
    let minutes = |since: Moment| now.moment.since(since).0 / 60_000;
    Template::VoiceTask.render(context! {
        date => transcript::date(now.wall),
        time => transcript::clock(now.wall),
        greeting => turn.kind == VoiceTurnKind::Greeting,
        author => speakers.join(" and "),
        several => speakers.len() > 1,
        current => lines.join("\n"),
        addressed => addressed(turn.admitted),
        required => turn.required,
        eagerness => eagerness,
        insist => turn.insist,
        may_call => !brief.tools.is_empty(),
        in_for => brief.session.since().map(minutes),
        just_joined => brief.session.is_in_greeting_window(&brief.settings.voice, now.moment),
        own_words => brief.last_heard.map(|heard| now.moment.since(heard).0 / 1_000),
        people => brief.people.roster(ROSTER_MAX).join(", "),
    })
}

/// Whoever said something of it, once each.
pub(super) fn speakers_of(messages: &[&Message]) -> Vec<String> {
    let mut speakers: Vec<String> = Vec::new();
    for message in messages {
        let name = transcript::speaker(&message.author.name);
        if !speakers.contains(&name) {
            speakers.push(name);
        }
    }
    speakers
}

/// How what was said is addressed, as a model is told.
pub(super) fn addressed(admitted: VoiceAdmissionReason) -> &'static str {
    match admitted {
        VoiceAdmissionReason::DirectAddressFastPath => "It is addressed to you directly.",
        VoiceAdmissionReason::DirectAddressWakePing => {
            "They only called your name. Answer with a word or two that you listen."
        }
        VoiceAdmissionReason::FocusedSpeakerFollowup | VoiceAdmissionReason::BotRecentReplyFollowup => {
            "It seems to go on with the exchange you two are in."
        }
        VoiceAdmissionReason::AloneWithDenizen => "Nobody else is there, so it is probably meant for you.",
        _ => "It is not clearly meant for you: others may be talking among themselves.",
    }
}

/// What may be a call, and is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecisionCues {
    pub near_name: bool,
    pub spoken_of: bool,
}

/// The small question whether to say anything.
pub(super) fn decision_request(
    current: &[MessageId],
    roster: &[String],
    cues: DecisionCues,
    question: &VoiceQuestion<'_>,
    context: &VoiceContext<'_>,
    settings: &Settings,
) -> ModelRequest {
    // What is left out of a long line is marked, as everywhere; its end mostly says what it comes to.
    let within = |message: &Message| -> String {
        let around = message.author.name.chars().count() + DECISION_MARKS_CHARS;
        let words = DECISION_LINE_CHARS.saturating_sub(around);
        transcript::line_within(message, None, words.max(DECISION_LINE_CHARS / 2))
    };
    let newest = context.log.log().verbatim().map(|said| &said.message);
    let earlier = newest.len().saturating_sub(DECISION_TURNS + current.len());
    let mut before: Vec<String> = newest
        .skip(earlier)
        .filter(|message| !current.contains(&message.id))
        .map(within)
        .collect();
    before.drain(..before.len().saturating_sub(DECISION_TURNS));
    // The newest words whole, and of what came before as much as there is room for.
    let mut room = DECISION_TRANSCRIPT_CHARS;
    let mut said: Vec<String> = Vec::new();
    for message in current.iter().rev().filter_map(|id| context.log.log().find(id)) {
        if room > 0 {
            said.insert(0, transcript::line_within(message, None, room));
        }
        room = room.saturating_sub(message.text.chars().count());
    }
    let sections = [
        Section::new(
            "recent_messages",
            50,
            DECISION_TURNS * DECISION_LINE_CHARS,
            Keep::Newest,
        )
        .holding(before),
        Section::new("current_turn", 100, DECISION_TRANSCRIPT_CHARS * 2, Keep::Newest).holding(said),
        Section::new("participants", 60, 600, Keep::First).holding([roster.join(", ")]),
    ];
    let fitted = fit(&sections, usize::MAX);
    let name = transcript::speaker(&settings.identity.name);
    let decision = &settings.voice_decision;
    let task = Template::VoiceDecisionTask.render(context! {
        name => &name,
        transcript => &fitted[0].report.text,
        current => &fitted[1].report.text,
        roster => &fitted[2].report.text,
        near_name => cues.near_name,
        spoken_of => cues.spoken_of,
        names_somebody_else => question.names_somebody_else,
        eagerness => question.eagerness,
        own_words => question.since_own_words.map(|since| since.0 / 1_000),
    });
    ModelRequest {
        purpose: AskPurpose::VoiceReplyDecision,
        choice: inherited(&decision.provider, &decision.model, settings),
        system: Template::VoiceDecisionSystem.render(context! {
            name => &name,
            aliases => &settings.identity.aliases,
            extra => decision.prompt.trim(),
        }),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Text(task)],
        }],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 16,
        temperature: 0.0,
        deadline: DECISION_DEADLINE,
        sections: fitted.into_iter().map(|place| place.report).collect(),
    }
}
