//! The request for a reply as suits a small model: the conversation as a short script, what fits the question beside it,
//! one instruction at the end, and an answer in plain words.

use gist::asked::Asked;
use minijinja::context;
use vocabulary::{AskPurpose, ChatRole, ChatTurn, ContentPart, Message, ModelRequest, OutputShape, Span};

use super::reply::{ReplyBrief, choice, images};
use crate::addressing::AddressReason;
use crate::prompt::budget::{Fitted, Keep, Section, fit, place_of};
use crate::prompt::templates::Template;
use crate::prompt::{CHARS_PER_TOKEN, PLAIN_REPLY_TOKENS_MAX, media_of, transcript};
use crate::reply::PLAIN_SILENCE;
use crate::watch::prompt::SCREEN_NOTES_CHARS_MAX;

/// What a small model is given to read at most: more of it makes its answers worse, and slower.
const PROMPT_CHARS_MAX: usize = 8_000;
/// What the templates themselves take.
const WORDING_CHARS: usize = 700;
const LINES_MAX: usize = 14;
const LINES_CHARS_MAX: usize = 2_400;
/// Longest text of one line of the script.
const LINE_TEXT_CHARS_MAX: usize = 500;
/// Longest text of the messages to answer, all together.
const CURRENT_CHARS_MAX: usize = 2_400;
const SUMMARY_CHARS_MAX: usize = 900;
const FACTS_MAX: usize = 5;
const FACTS_CHARS_MAX: usize = 900;
const OLDER_LINES_MAX: usize = 3;
const LOOK_UPS_CHARS_MAX: usize = 700;
const TOOL_RESULTS_CHARS_MAX: usize = 2_400;
/// A small model keeps to what it was told when it is left no choice.
const TEMPERATURE_MAX: f64 = 0.0;

/// How the ids of calls begin that the words of a message have made, and not a model.
pub(in crate::replies) const BY_WORDS: &str = "wished-";

/// Builds the request, whole.
pub(crate) fn plain_request(brief: &ReplyBrief<'_>) -> ModelRequest {
    let llm = &brief.settings.llm;
    let whole = (brief.prompt_tokens as usize * CHARS_PER_TOKEN).min(PROMPT_CHARS_MAX);
    let budget = (whole / brief.budget_divisor.max(1)).saturating_sub(WORDING_CHARS);
    let fitted = fit(&sections(brief, budget), budget);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let system = Template::PlainSystem.render(context! {
        name => transcript::speaker(&brief.settings.identity.name),
        aliases => &brief.settings.identity.aliases,
        room => brief.room,
        persona => text("persona"),
    });
    let words = Template::PlainUser.render(context! {
        date => transcript::date(brief.now),
        time => transcript::clock(brief.now),
        session_summary => text("session_summary"),
        relevant_messages => text("relevant_messages"),
        recent_messages => text("recent_messages"),
        screen_notes => text("screen_notes"),
        recent_lookups => text("recent_lookups"),
        facts => text("facts"),
        tool_results => text("tool_results"),
        question => text("question"),
        made => was_made(brief),
        task => text("current_turn"),
    });
    let mut parts = images(brief);
    parts.extend(brief.frame.map(|screen| screen.picture()));
    parts.push(ContentPart::Text(words));
    let mut turns = vec![ChatTurn {
        role: ChatRole::User,
        parts,
    }];
    // A model that has called something sees its call and the result; what its words have called it is told in words.
    let followup = !brief.tool_turns.is_empty() && !looked_up_by_words(brief);
    if followup {
        turns.extend(brief.tool_turns.iter().cloned());
    }
    ModelRequest {
        purpose: match followup {
            true => AskPurpose::TextReplyFollowup,
            false => AskPurpose::TextReply,
        },
        choice: choice(brief.settings, followup),
        system,
        turns,
        tools: brief.tools.clone(),
        output: OutputShape::Text,
        max_output_tokens: llm.max_output_tokens.min(PLAIN_REPLY_TOKENS_MAX) as u32,
        temperature: llm.temperature.min(TEMPERATURE_MAX),
        deadline: Span::seconds(llm.timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

fn sections(brief: &ReplyBrief<'_>, budget: usize) -> Vec<Section> {
    let asked = asked(brief);
    let persona = Section::new("persona", 95, 600, Keep::Whole)
        .holding([brief.settings.identity.persona.clone()])
        .remarked("identity.persona");
    let summary = Section::new("session_summary", 65, SUMMARY_CHARS_MAX, Keep::Sentences)
        .holding([brief.summary.to_owned()])
        .remarked("what was said before the chat below");
    let older = brief
        .relevant
        .iter()
        .take(OLDER_LINES_MAX)
        .map(|message| format!("({}) {}", transcript::date(message.at), script_line(message)));
    let older = Section::new("relevant_messages", 50, 900, Keep::First)
        .holding(older)
        .remarked("older messages of this room, found by their words and their meaning");
    let lines = script(&brief.window).iter().map(|message| script_line(message));
    let lines = Section::new(
        "recent_messages",
        90,
        LINES_CHARS_MAX.min(budget / 2),
        Keep::Newest,
    )
    .holding(lines)
    .remarked("the newest of the conversation, as a script");
    let notes = Section::new("screen_notes", 72, SCREEN_NOTES_CHARS_MAX / 2, Keep::Newest)
        .holding(brief.screen_notes.to_vec())
        .remarked("what was seen on shared screens");
    let look_ups = Section::new("recent_lookups", 45, LOOK_UPS_CHARS_MAX, Keep::Newest)
        .holding(brief.look_ups.to_vec())
        .remarked("what was looked up out there lately");
    let facts = Section::new("facts", 80, FACTS_CHARS_MAX, Keep::Newest)
        .holding(fitting_facts(brief, &asked))
        .remarked("what is remembered that has to do with the question, best last");
    let results = Section::new("tool_results", 85, TOOL_RESULTS_CHARS_MAX, Keep::Whole)
        .holding(looked_up_by_words(brief).then(|| tool_results(brief.tool_turns)))
        .remarked("what was looked up for this reply");
    let question = Section::new("question", 100, CURRENT_CHARS_MAX + 200, Keep::Whole)
        .holding([question(brief)])
        .remarked("what is to be answered, once more");
    let task = Section::new("current_turn", 100, budget, Keep::Whole)
        .holding([task(brief, stands_above(brief, &asked))])
        .remarked("plain profile: the one instruction");
    vec![
        persona, summary, older, lines, notes, look_ups, facts, question, results, task,
    ]
}

/// What of a window and of older messages that were found stands in a prompt word for word: in the short script less.
pub(crate) fn shown_messages<'m>(
    plain: bool,
    window: &[&'m Message],
    found: &'m [Message],
) -> impl Iterator<Item = &'m Message> {
    let (lines, older) = match plain {
        true => (script(window), OLDER_LINES_MAX),
        false => (window, found.len()),
    };
    lines.iter().copied().chain(found.iter().take(older))
}

/// The newest of the conversation, as many as the script has.
fn script<'w, 'm>(window: &'w [&'m Message]) -> &'w [&'m Message] {
    let mut left = LINES_CHARS_MAX;
    let fits = |message: &&&Message| {
        let line = script_line(message).chars().count();
        left.checked_sub(line).map(|rest| left = rest).is_some()
    };
    let lines = window.iter().rev().take(LINES_MAX).take_while(fits).count();
    &window[window.len() - lines..]
}

/// `Alice: words`, further lines indented so that they cannot pass for somebody's.
fn script_line(message: &Message) -> String {
    let line = transcript::line_within(message, None, LINE_TEXT_CHARS_MAX);
    // Without the time, which small models take for part of what is said.
    match line.split_once("] ") {
        Some((_, rest)) => rest.strip_prefix("[vc] ").unwrap_or(rest).to_owned(),
        None => line,
    }
}

/// Who is answered, by name.
fn author(brief: &ReplyBrief<'_>) -> String {
    let names: Vec<String> = askers(brief).into_iter().map(|(name, _)| name).collect();
    names.join(" and ")
}

/// Who is answered, each with all that they said: mostly one, and several where people talk at once.
fn askers(brief: &ReplyBrief<'_>) -> Vec<(String, String)> {
    let mut askers: Vec<(String, String)> = Vec::new();
    for message in &brief.current {
        let (name, said) = (transcript::speaker(&message.author.name), message.text.trim());
        match askers.iter_mut().find(|(known, _)| *known == name) {
            Some((_, words)) => *words = format!("{words} {said}"),
            None => askers.push((name, said.to_owned())),
        }
    }
    askers
}

/// Whether it is told to answer: where that is owed, and where somebody in an exchange with Denizen asks on. Whom a message
/// is for is told by rules, better than by a small model; it is left the choice where they cannot tell.
fn must_answer(brief: &ReplyBrief<'_>) -> bool {
    let asks = || brief.current.iter().any(|message| message.text.contains('?'));
    brief.required || (brief.address == AddressReason::FollowupPartner && asks())
}

/// The messages to answer, on one line for each who is answered.
fn question(brief: &ReplyBrief<'_>) -> String {
    let askers = askers(brief);
    let each = CURRENT_CHARS_MAX / askers.len().max(1);
    let verb = match () {
        () if looked_up_by_words(brief) => "asked you",
        () if must_answer(brief) => "asks you",
        () => "wrote last",
    };
    let line = |(name, said): &(String, String)| {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{name} {verb}: {}", middle_out(without_name(&said, brief), each))
    };
    askers.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn task(brief: &ReplyBrief<'_>, stands_above: bool) -> String {
    Template::PlainTask.render(context! {
        author => author(brief),
        name => transcript::speaker(&brief.settings.identity.name),
        looked_up => looked_up_by_words(brief),
        made => was_made(brief),
        required => must_answer(brief),
        stands_above,
        silence => PLAIN_SILENCE,
        screen_of => brief.frame.map(|screen| transcript::speaker(screen.shared_by)),
        insist => brief.insist,
    })
}

/// A question without being called by name: a small model takes the name for part of it.
fn without_name<'t>(said: &'t str, brief: &ReplyBrief<'_>) -> &'t str {
    let identity = &brief.settings.identity;
    let mut names = [&identity.name].into_iter().chain(&identity.aliases);
    let called = names.find_map(|name| {
        let head = said.get(..name.len())?;
        let rest = said[name.len()..].strip_prefix([',', ':'])?.trim_start();
        (head.eq_ignore_ascii_case(name) && !rest.is_empty()).then_some(rest)
    });
    called.unwrap_or(said)
}

/// At most so many characters: what a question is about stands at its beginning, and the question at its end.
fn middle_out(text: &str, chars_max: usize) -> String {
    let chars = text.chars().count();
    if chars <= chars_max {
        return text.to_owned();
    }
    let head: String = text.chars().take(chars_max / 3).collect();
    let tail: String = text.chars().skip(chars - chars_max * 2 / 3).collect();
    format!("{head} […] {tail}")
}

fn asked(brief: &ReplyBrief<'_>) -> Asked {
    let said: Vec<&str> = brief
        .current
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    let asker = brief.current.first().map_or("", |message| &message.author.name);
    let identity = &brief.settings.identity;
    let own: Vec<&str> = [&identity.name]
        .into_iter()
        .chain(&identity.aliases)
        .map(String::as_str)
        .collect();
    let others: Vec<&str> = brief
        .window
        .iter()
        .map(|message| message.author.name.as_str())
        .collect();
    Asked::of(&said.join(" "), asker, &own, &others)
}

/// What a fact says, without the day on which it was learnt.
fn told(fact: &str) -> &str {
    let dated = fact.strip_prefix('(').and_then(|fact| fact.split_once(") "));
    dated.map_or(fact, |(_, told)| told)
}

/// The facts that have to do with the question, best last: a small model takes what stands nearest for the answer.
fn fitting_facts(brief: &ReplyBrief<'_>, asked: &Asked) -> Vec<String> {
    let known = brief.user_facts.iter().chain(brief.relevant_facts);
    let fitting = known.filter_map(|fact| Some((asked.fit(told(fact))?, fact)));
    let mut fitting: Vec<_> = fitting.collect();
    fitting.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
    let best = fitting.into_iter().take(FACTS_MAX).rev();
    best.map(|(_, fact)| format!("- {fact}")).collect()
}

/// Whether the answer may stand in what the model is given: something of the question does, or it asks on.
fn stands_above(brief: &ReplyBrief<'_>, asked: &Asked) -> bool {
    let is_current = |message: &Message| brief.current.iter().any(|current| current.id == message.id);
    let lines = script(&brief.window).iter().copied();
    let lines = lines.filter(|message| !is_current(message));
    let lines = lines.chain(brief.relevant.iter().take(OLDER_LINES_MAX));
    let mut lines = lines.flat_map(|message| [message.author.name.as_str(), message.text.as_str()]);
    let noted = brief
        .screen_notes
        .iter()
        .chain(brief.look_ups)
        .map(String::as_str);
    let mut facts = brief.user_facts.iter().chain(brief.relevant_facts);
    brief.frame.is_some()
        || asked.asks_on()
        || lines.any(|line| asked.is_touched_by(line))
        || noted.chain([brief.summary]).any(|text| asked.is_touched_by(text))
        || facts.any(|fact| asked.fit(told(fact)).is_some_and(|fit| fit.is_answer))
}

/// Whether something was looked up because the words of the message ask for it.
fn looked_up_by_words(brief: &ReplyBrief<'_>) -> bool {
    let mut parts = brief.tool_turns.iter().flat_map(|turn| &turn.parts);
    parts.any(|part| matches!(part, ContentPart::ToolResult(result) if result.call_id.starts_with(BY_WORDS)))
}

/// Whether that was a picture to be made or a GIF to be found.
fn was_made(brief: &ReplyBrief<'_>) -> bool {
    let mut parts = brief.tool_turns.iter().flat_map(|turn| &turn.parts);
    let made = |part: &ContentPart| {
        matches!(part, ContentPart::ToolResult(result)
            if result.call_id.starts_with(BY_WORDS) && media_of(&result.name).is_some())
    };
    parts.any(made)
}

/// What tools gave, one after the other.
fn tool_results(turns: &[ChatTurn]) -> String {
    let parts = turns.iter().flat_map(|turn| &turn.parts);
    let results = parts.filter_map(|part| match part {
        ContentPart::ToolResult(result) => Some(result.text.as_str()),
        _ => None,
    });
    results.collect::<Vec<_>>().join("\n")
}
