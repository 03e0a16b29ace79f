//! What a small model is asked in the voice of a room: the short script that it is asked with in text, for one line of
//! which only its own is said.

use vocabulary::{AskPurpose, Message, ModelRequest};

use super::prompt::VoiceBrief;
use super::turn::VoiceTurn;
use crate::addressing::AddressReason;
use crate::prompt::Profile;
use crate::prompt::request::inherited;
use crate::replies::prompt::{ReplyBrief, plain_request};
use crate::step_context::StepContext;

/// Whether whoever talks is a small model.
pub(super) fn is_plain(step: &StepContext<'_>) -> bool {
    let voice = &step.settings.voice_generation;
    Profile::of_purpose(AskPurpose::VoiceReply, &voice.provider, &voice.model, step) != Profile::Full
}

/// What it is told to answer: all that whoever called it has said, and else what whom it answers has. The rest is in the
/// script; a small model would take it for theirs.
fn asked<'a>(brief: &VoiceBrief<'a>, turn: &VoiceTurn) -> Vec<&'a Message> {
    let answered = turn.answered().map(|utterance| &utterance.person);
    let is_asker = |message: &&&Message| {
        let person = &message.author.id;
        let mut own = turn.utterances.iter().filter(|said| said.person == *person);
        Some(person) == answered || own.any(|said| said.direct)
    };
    brief.current.iter().filter(is_asker).copied().collect()
}

/// The request for what to say.
pub(super) fn plain_voice_request(brief: &VoiceBrief<'_>, turn: &VoiceTurn) -> ModelRequest {
    let settings = brief.settings;
    let text = ReplyBrief {
        room: brief.room,
        now: brief.now.wall,
        settings,
        summary: brief.summary,
        window: brief.window.clone(),
        current: asked(brief, turn),
        relevant: brief.relevant,
        user_facts: brief.user_facts,
        relevant_facts: brief.relevant_facts,
        look_ups: &[],
        screen_notes: brief.screen_notes,
        screen_over: None,
        frame: None,
        address: match turn.is_exchange() {
            true => AddressReason::FollowupPartner,
            false => AddressReason::LlmDecides,
        },
        required: turn.required,
        eagerness: settings.voice.reply_eagerness,
        insist: turn.insist,
        reacts: false,
        may_react: false,
        words_only: false,
        tool_turns: &[],
        tools: Vec::new(),
        prompt_tokens: brief.prompt_tokens,
        budget_divisor: 1,
    };
    let voice = &settings.voice_generation;
    ModelRequest {
        purpose: AskPurpose::VoiceReply,
        choice: inherited(&voice.provider, &voice.model, settings),
        ..plain_request(&text)
    }
}
