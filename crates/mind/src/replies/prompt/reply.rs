//! The request for a reply: persona, manners, what is known, the conversation, and the turn at hand.

use gist::asked::asks_of_self;
use minijinja::context;
use settings::Settings;
use vocabulary::{
    AskPurpose, ChatTurn, ContentPart, Message, ModelChoice, ModelRequest, OutputShape, Span, ToolSpec,
    WallTime,
};

use crate::addressing::AddressReason;
use crate::context::compaction::SUMMARY_CHARS_MAX;
use crate::prompt::budget::{Fitted, Keep, Section, fit, place_of};
use crate::prompt::conversation;
use crate::prompt::output;
use crate::prompt::outside::outside_rule;
use crate::prompt::request::{CHARS_PER_TOKEN, inherited, outside_chars, tool_chars};
use crate::prompt::templates::Template;
use crate::prompt::transcript;
use crate::reply::{SILENCE_TOKEN, reply_schema};
use crate::watch::prompt::{SCREEN_NOTES_CHARS_MAX, ScreenShown};

/// What the templates themselves and Denizen's own tools take, whatever is filled in.
const WORDING_CHARS: usize = 1_800;
/// What is said of the turn at hand besides its messages.
const TASK_WORDING_CHARS: usize = 1_400;
/// The turn at hand is shown whole: a room takes messages of 8,000 characters, and so many of them may share a turn.
const CURRENT_TURN_CHARS_MAX: usize = 100_000;
/// What the look-ups of before may take.
const LOOK_UPS_CHARS_MAX: usize = 2_400;
/// Lines of the conversation that rank above facts and summary; older ones rank below.
const NEWEST_LINES: usize = 20;

/// All that a reply is based on.
#[derive(Debug)]
pub(crate) struct ReplyBrief<'a> {
    pub room: &'a str,
    pub now: WallTime,
    pub settings: &'a Settings,
    /// What was said before the window.
    pub summary: &'a str,
    /// The newest messages, oldest first, the ones to answer included.
    pub window: Vec<&'a Message>,
    /// The messages to answer.
    pub current: Vec<&'a Message>,
    /// Older ones that fit, best first.
    pub relevant: &'a [Message],
    /// What is remembered of whom is answered, and what else of it fits; best first.
    pub user_facts: &'a [String],
    pub relevant_facts: &'a [String],
    /// What was looked up out there lately, newest last.
    pub look_ups: &'a [String],
    /// What was seen on shared screens, newest last.
    pub screen_notes: &'a [String],
    /// That they are of a screen which is not in view any more, in words.
    pub screen_over: Option<&'a str>,
    /// The screen as it is now, where the reply has to see it.
    pub frame: Option<ScreenShown<'a>>,
    pub address: AddressReason,
    pub required: bool,
    pub eagerness: u64,
    /// A silence was given where a reply is owed.
    pub insist: bool,
    /// A reaction can be an answer in this room.
    pub reacts: bool,
    /// … and is open to this one.
    pub may_react: bool,
    /// It is not asked for a typed answer, and offered nothing to call.
    pub words_only: bool,
    /// What tools were called and gave, since the turn was opened.
    pub tool_turns: &'a [ChatTurn],
    pub tools: Vec<ToolSpec>,
    /// Tokens that the question may have.
    pub prompt_tokens: u64,
    /// Halved each time a model says that the prompt is too long for it.
    pub budget_divisor: usize,
}

/// Builds the request, whole.
pub(crate) fn reply_request(brief: &ReplyBrief<'_>) -> ModelRequest {
    let llm = &brief.settings.llm;
    let lines = conversation::lines(&brief.window);
    let whole = brief.prompt_tokens as usize * CHARS_PER_TOKEN / brief.budget_divisor.max(1);
    let budget =
        whole.saturating_sub(WORDING_CHARS + outside_chars(&brief.tools) + tool_chars(brief.tool_turns));
    let fitted = fit(&sections(brief, &lines, budget), budget);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let structured = output::is_typed(brief.settings) && !brief.words_only;
    let (may_call, followup) = (!brief.tools.is_empty(), !brief.tool_turns.is_empty());
    let typed = answer_words(true, brief);
    let plain = answer_words(false, brief);
    let system = Template::ReplySystem.render(context! {
        name => transcript::speaker(&brief.settings.identity.name),
        aliases => &brief.settings.identity.aliases,
        room => brief.room,
        manners => Template::Manners.render(context! {}),
        outside_rule => (may_call || followup).then(outside_rule),
        persona => text("persona"),
        session_summary => text("session_summary"),
        answer => if structured { &typed } else { &plain },
    });
    // What changes from reply to reply comes last: providers charge less for a beginning that they have read before.
    let known = Template::ReplyKnown.render(context! {
        participants => text("participants"),
        user_facts => text("user_facts"),
        relevant_facts => text("relevant_facts"),
        screen_notes => text("screen_notes"),
        screen_over => brief.screen_over,
        recent_lookups => text("recent_lookups"),
        relevant_messages => text("relevant_messages"),
    });
    let kept = place_of(&fitted, "recent_messages").map_or(0..0, |place| place.kept.clone());
    let mut last = images(brief);
    last.extend(brief.frame.map(|screen| screen.picture()));
    let task = text("current_turn");
    last.push(ContentPart::Text(match known.as_str() {
        "" => task.to_owned(),
        known => format!("{known}\n\n{task}"),
    }));
    let mut turns = conversation::turns(&brief.window, &lines, kept, last);
    turns.extend(brief.tool_turns.iter().cloned());
    ModelRequest {
        purpose: if followup {
            AskPurpose::TextReplyFollowup
        } else {
            AskPurpose::TextReply
        },
        choice: choice(brief.settings, followup),
        system,
        turns,
        tools: brief.tools.clone(),
        output: match structured {
            true => output::shape(brief.settings, "reply", reply_schema(brief.reacts)).worded(typed, plain),
            false => OutputShape::Text,
        },
        max_output_tokens: llm.max_output_tokens as u32,
        temperature: llm.temperature,
        deadline: Span::seconds(llm.timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

/// What an answer must look like, in words. A small model that is told how to be silent is silent, also where it must not.
fn answer_words(structured: bool, brief: &ReplyBrief<'_>) -> String {
    Template::ReplyAnswer.render(context! {
        structured => structured,
        required => brief.required,
        reacts => brief.reacts,
        silence_token => SILENCE_TOKEN,
    })
}

pub(super) fn choice(settings: &Settings, followup: bool) -> ModelChoice {
    let (own, second) = (&settings.llm, &settings.reply_followup);
    if followup && second.enabled {
        return inherited(&second.provider, &second.model, settings);
    }
    ModelChoice {
        provider: own.provider.to_string(),
        model: own.model.clone(),
    }
}

fn sections(brief: &ReplyBrief<'_>, lines: &[String], budget: usize) -> Vec<Section> {
    let section = |name, priority, cap_chars, keep, items: Vec<String>, remark: &str| Section {
        name,
        priority,
        cap_chars,
        items,
        keep,
        remark: remark.to_owned(),
        cut: Vec::new(),
    };
    let (task, task_cut) = task(brief, budget);
    let persona = Some(brief.settings.identity.persona.clone()).filter(|text| !text.is_empty());
    let relevant: Vec<String> = brief.relevant.iter().map(transcript::dated_line).collect();
    vec![
        section(
            "persona",
            95,
            4_000,
            Keep::Whole,
            persona.into_iter().collect(),
            "identity.persona",
        ),
        section(
            "participants",
            60,
            600,
            Keep::First,
            vec![conversation::participants(&brief.window)],
            "who wrote lately",
        ),
        section(
            "user_facts",
            75,
            1_600,
            Keep::First,
            brief.user_facts.to_vec(),
            "what is remembered of whom is answered",
        ),
        section(
            "relevant_facts",
            70,
            1_600,
            Keep::First,
            brief.relevant_facts.to_vec(),
            "what is remembered that fits",
        ),
        section(
            "screen_notes",
            72,
            SCREEN_NOTES_CHARS_MAX,
            Keep::Newest,
            brief.screen_notes.to_vec(),
            "what was seen on shared screens",
        ),
        section(
            "session_summary",
            65,
            SUMMARY_CHARS_MAX,
            Keep::Sentences,
            Some(brief.summary.to_owned())
                .filter(|text| !text.is_empty())
                .into_iter()
                .collect(),
            "what was said before the conversation below",
        ),
        section(
            "recent_lookups",
            55,
            LOOK_UPS_CHARS_MAX,
            Keep::Newest,
            brief.look_ups.to_vec(),
            "what was looked up out there lately",
        ),
        section(
            "relevant_messages",
            50,
            3_000,
            Keep::First,
            relevant,
            "older messages of this room, found by their words and their meaning",
        )
        .cut_by(brief.relevant.iter().map(transcript::line_cut).collect()),
        section(
            "recent_messages",
            80,
            budget,
            Keep::NewestFirst {
                newest: newest_within(lines, budget / 2),
                older_priority: 62,
            },
            lines.to_vec(),
            "the conversation, newest last",
        )
        .cut_by(conversation::cuts(&brief.window)),
        section(
            "current_turn",
            100,
            CURRENT_TURN_CHARS_MAX,
            Keep::Whole,
            vec![task],
            "the turn at hand and what is wanted",
        )
        .cut_by(vec![task_cut]),
    ]
}

/// How many of the newest lines rank above what is known: a few, and no more than fit into so many characters.
fn newest_within(lines: &[String], chars: usize) -> usize {
    let mut used = 0;
    let newest = lines.iter().rev().take(NEWEST_LINES);
    let within = newest.take_while(|line| {
        used += line.chars().count() + 1;
        used <= chars
    });
    within.count().max(1)
}

/// The turn at hand, and how many characters of its messages had to be left out: none, where the prompt has room for them.
fn task(brief: &ReplyBrief<'_>, budget: usize) -> (String, usize) {
    let author = brief
        .current
        .first()
        .map_or("", |message| message.author.name.as_str());
    let room = budget
        .min(CURRENT_TURN_CHARS_MAX)
        .saturating_sub(TASK_WORDING_CHARS);
    let sizes: Vec<usize> = brief
        .current
        .iter()
        .map(|message| message.text.chars().count())
        .collect();
    let text_chars_max = even_share(&sizes, room);
    let cut = sizes.iter().map(|size| size.saturating_sub(text_chars_max)).sum();
    let lines: Vec<String> = brief
        .current
        .iter()
        .map(|message| conversation::line_within(message, &brief.window, text_chars_max))
        .collect();
    let addressed = match brief.address {
        AddressReason::Direct => "It is addressed to you directly.",
        AddressReason::NameExact | AddressReason::NameAlias => "It names you.",
        AddressReason::FollowupPartner => "It seems to go on with the exchange you two are in.",
        AddressReason::LlmDirectAddress => "It is probably meant for you.",
        AddressReason::LlmDecides => {
            "It is not clearly meant for you: others may be talking among themselves."
        }
    };
    let eagerness = match brief.eagerness {
        0..=20 => "Be reserved here: speak only when it really helps.",
        21..=50 => "Be sparing: join in when you have something good to add.",
        51..=80 => "You are among friends here: join in when you feel like it.",
        _ => "Be lively here: join in freely.",
    };
    let task = Template::ReplyTask.render(context! {
        date => transcript::date(brief.now),
        time => transcript::clock(brief.now),
        author => transcript::speaker(author),
        count => brief.current.len(),
        current => lines.join("\n"),
        addressed => addressed,
        required => brief.required,
        eagerness => eagerness,
        reacts => brief.reacts && !brief.words_only && output::is_typed(brief.settings),
        may_react => brief.may_react && !brief.words_only && output::is_typed(brief.settings),
        insist => brief.insist,
        may_call => !brief.tools.is_empty(),
        name => transcript::speaker(&brief.settings.identity.name),
        screen_of => brief.frame.map(|screen| transcript::speaker(screen.shared_by)),
        of_self => !brief.user_facts.is_empty() && brief.current.iter().any(|message| asks_of_self(&message.text)),
    });
    (task, cut)
}

/// How long each of these may be so that all of them together fit: short ones leave more to long ones.
fn even_share(sizes: &[usize], room: usize) -> usize {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (index, size) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if *size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

/// The newest pictures of the window, oldest first.
pub(super) fn images(brief: &ReplyBrief<'_>) -> Vec<ContentPart> {
    let pictures = brief
        .window
        .iter()
        .rev()
        .flat_map(|message| message.attachments.iter().rev());
    let mut parts: Vec<ContentPart> = pictures
        .filter(|attachment| attachment.is_image())
        .take(brief.settings.context.max_images as usize)
        .map(|attachment| ContentPart::Image {
            id: attachment.id.clone(),
            mime: attachment.mime.clone(),
        })
        .collect();
    parts.reverse();
    parts
}
