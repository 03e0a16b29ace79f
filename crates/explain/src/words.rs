//! The words the sentences are made of: lengths of time, counts, and a phrase for every reason.

use mind::addressing::AddressReason;
use mind::admission::AdmissionReason;
use mind::reasons::{AgainRefusal, CommandHold, DropReason, RoomEnding};
use mind::reply::SkipReason;
use settings::ModelKeys;
use vocabulary::text::counted;
use vocabulary::{AskFailureKind, AskId, AskPurpose, Span};

/// What came too late.
pub(super) fn discarded(ask: AskId) -> String {
    format!("An answer came that nobody waited for any more (call {ask}); it was thrown away.")
}

/// `450 ms`, `3.2 s`, `2 min 5 s`, `1 h 3 min`.
pub(super) fn span(span: Span) -> String {
    let ms = span.0;
    let seconds = ms / 1_000;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..10_000 => format!("{seconds}.{} s", ms % 1_000 / 100),
        10_000..60_000 => format!("{seconds} s"),
        60_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Names one after the other, or that there are none.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    }
}

/// Millionths of a dollar as people read money.
pub(super) fn dollars(micro: u64) -> String {
    format!("${}.{:06}", micro / 1_000_000, micro % 1_000_000)
}

pub(super) fn percent(fraction: f64) -> String {
    format!("{:.0} %", fraction * 100.0)
}

/// A model as the start of a sentence; before it is asked, only the choice may be known.
pub(super) fn model(provider: &str, model: &str) -> String {
    match (provider, model) {
        ("auto" | "", "") => "The model in use".to_owned(),
        (provider, "") => format!("The usual model of {provider}"),
        (provider, model) => format!("{provider} {model}"),
    }
}

/// That somebody wrote something.
pub(super) fn received(author_name: &str, characters: usize, images: usize) -> String {
    let pictures = (images > 0).then(|| format!(" and {}", counted(images, "picture")));
    let written = counted(characters, "character");
    format!("{author_name} wrote {written}{}.", pictures.unwrap_or_default())
}

/// What a model was asked for, to follow "asked".
pub(super) fn purpose(purpose: AskPurpose) -> &'static str {
    match purpose {
        AskPurpose::TextReply => "for a reply",
        AskPurpose::TextReplyFollowup => "for a reply with what the tools gave",
        AskPurpose::AddressClassifier => "whether the message was meant for Denizen",
        AskPurpose::ContextCompaction => "for a summary of what was said earlier",
        AskPurpose::GemExtraction => "what of the conversation is worth remembering",
        AskPurpose::ScreenNote => "what is to be seen on the shared screen",
        AskPurpose::ScreenCommentary => "whether something is worth saying about the shared screen",
        AskPurpose::AmbientThought => "what it is thinking by itself",
        AskPurpose::VoiceReply => "what to say",
        AskPurpose::VoiceReplyFollowup => "what to say with what the tools gave",
        AskPurpose::VoiceReplyDecision => "whether to say something",
        AskPurpose::VoiceThought => "what to say into the silence",
    }
}

/// What somebody waited for behind somebody else's reply.
pub(super) fn held_up(took: Span, kind: Option<AskFailureKind>, retry_in: Option<Span>) -> String {
    let behind = "It waited behind a reply to somebody else, for which the model";
    match (kind, retry_in) {
        (None, _) => format!("{behind} took {} to answer.", span(took)),
        (Some(kind), None) => format!(
            "{behind} was waited for {} in vain: {}.",
            span(took),
            failure(kind)
        ),
        (Some(kind), Some(delay)) => format!(
            "{behind} was waited for {} in vain: {}. It is asked again for that one in {}.",
            span(took),
            failure(kind),
            span(delay)
        ),
    }
}

/// That an answer was cut, and the settings that give it more room.
pub(super) fn cut(purpose: AskPurpose, tokens: u64) -> String {
    let keys = ModelKeys::of(purpose);
    let more = match (keys.cap, purpose) {
        (None, _) => String::new(),
        (Some(cap), AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup | AskPurpose::VoiceThought) => {
            format!("raise {cap} where it is what binds, or ")
        }
        (Some(cap), AskPurpose::TextReply | AskPurpose::TextReplyFollowup) => {
            format!("raise {cap} (or set llm.profile to full, where a small model is asked plainly), or ")
        }
        (Some(cap), _) => format!("raise {cap}, or "),
    };
    format!(
        "It was cut at its cap of {tokens} tokens, thoughts included: {more}lower {} where it thinks.",
        keys.effort
    )
}

/// Why an ask failed, to follow "because".
pub(super) fn failure(kind: AskFailureKind) -> &'static str {
    match kind {
        AskFailureKind::TimedOut => "it took too long",
        AskFailureKind::RateLimited => "the provider asked for fewer requests",
        AskFailureKind::Refused => "the provider declined for safety",
        AskFailureKind::Unreachable => "the provider could not be reached",
        AskFailureKind::ServerError => "the provider was reached and has trouble of its own",
        AskFailureKind::NoFirstByte => "the provider took the question and sent nothing",
        AskFailureKind::StreamStalled => "the answer began and stood still",
        AskFailureKind::BudgetSpent => "nothing is left of what may be spent today",
        AskFailureKind::Malformed => "the answer could not be understood",
        AskFailureKind::ContextTooLong => "the prompt was too long for the model",
        AskFailureKind::QuotaSpent => "the account at the provider has no credit or quota left",
        AskFailureKind::EmptyAnswer => "it answered without a word",
        AskFailureKind::OutOfRoom => "it wrote all that it may without a word to say",
        AskFailureKind::Rejected => "the provider rejected the request",
        AskFailureKind::KeyRefused => "the provider does not accept the key",
        AskFailureKind::RegionRefused => "the provider does not answer from this country",
        AskFailureKind::UnknownModel => "the provider has no such model for this key",
        AskFailureKind::Interrupted => "the process ended while it was under way",
        AskFailureKind::Unavailable => "nothing that is set up here can do this",
    }
}

/// How a message was addressed, as the start of a sentence. The rule that spoke says more than the reason.
pub(super) fn address(reason: AddressReason, rule: &str) -> &'static str {
    match reason {
        AddressReason::Direct if rule == "reply_to_denizen" => "It replies to a message of Denizen's",
        AddressReason::Direct if rule == "platform_mention" => "It mentions Denizen",
        AddressReason::Direct => "It mentions Denizen or replies to a message of Denizen's",
        AddressReason::NameExact => "Denizen was called by name",
        AddressReason::NameAlias => "Denizen was called by one of its other names",
        AddressReason::FollowupPartner if rule == "seems_meant_for_denizen" => {
            "It calls nobody, and seems meant for Denizen"
        }
        AddressReason::FollowupPartner => {
            "Its author is in an exchange with Denizen and addressed nobody else"
        }
        AddressReason::LlmDirectAddress => "The classifier took it as meant for Denizen",
        AddressReason::LlmDecides => "Not addressed to Denizen",
    }
}

/// What the gate decided and why, as a whole sentence.
pub(super) fn admission(reason: AdmissionReason, how: AddressReason, rule: &str, eagerness: u64) -> String {
    match reason {
        AdmissionReason::Forced => format!("{}, so a reply is owed.", address(how, rule)),
        AdmissionReason::Addressed => format!(
            "{}, so a reply is attempted; the model may still stay silent.",
            address(how, rule)
        ),
        AdmissionReason::RecentWindow => format!(
            "Not addressed to Denizen, but Denizen is part of the conversation, so the model decides whether to join in (eagerness {eagerness} of 100)."
        ),
        AdmissionReason::JoinsBurst => {
            "It goes on from what its author has just said to Denizen, so both are answered together.".into()
        }
        AdmissionReason::OperatorWish => {
            "Whoever looks after Denizen wants it answered, so a reply is owed.".into()
        }
        AdmissionReason::AskClassifier => {
            "It is unclear whether it was meant for Denizen, so the classifier is asked.".into()
        }
        AdmissionReason::MayNotWrite => {
            "Denizen may read this room and not write in it, so no model was asked. Give it the permission to send messages there.".into()
        }
        AdmissionReason::Quiet => {
            "Somebody wants nothing said in this room for a while (`/quiet`), so no model was asked.".into()
        }
        AdmissionReason::ChannelNotAllowed => {
            "This room is not among those Denizen may reply in (permissions.replies.allowedChannelIds), so no model was asked.".into()
        }
        AdmissionReason::ChannelBlocked => {
            "Denizen may not reply in this room (permissions.replies.blockedChannelIds), so no model was asked.".into()
        }
        AdmissionReason::UserNotAllowed => {
            "Its author is not among those Denizen may reply to (permissions.replies.allowedUserIds), so no model was asked.".into()
        }
        AdmissionReason::UserBlocked => {
            "Denizen may not reply to its author (permissions.replies.blockedUserIds), so no model was asked.".into()
        }
        AdmissionReason::InitiativeRepliesOff => {
            "Not addressed to Denizen, and joining in unasked is switched off here, so no model was asked.".into()
        }
        AdmissionReason::MeantForSomebodyElse if rule == "replied_to_somebody_else" => {
            "It replies to a message of somebody else's, so no model was asked.".into()
        }
        AdmissionReason::MeantForSomebodyElse => {
            "Its author says by name that it is for somebody else, so no model was asked.".into()
        }
        AdmissionReason::NotInRecentWindow => {
            "Not addressed to Denizen, and Denizen had said nothing in the last few messages, so no model was asked.".into()
        }
    }
}

/// That it waits for a reply in the making, too.
pub(super) fn behind(reply: Option<bool>) -> &'static str {
    reply
        .filter(|behind| *behind)
        .map_or("", |_| ", and for a reply in the making")
}

/// Why no reply was made, as a whole sentence.
pub(super) fn skip(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::LlmSkip => "The model was asked and chose to stay silent.",
        SkipReason::EmptyReply => "The model was asked and gave nothing to say.",
        SkipReason::EmptyReplyAfterMedia => {
            "The model answered with media only, and nothing to say was left without them."
        }
        SkipReason::Refused => "The model declined to answer for safety.",
        SkipReason::NotAdmitted => "The gate let no reply be attempted when the message arrived.",
        SkipReason::NoLongerAdmitted => {
            "The message was let in at first, but the room had moved on when the model was about to be asked."
        }
        SkipReason::NotAddressed => "The classifier thought it was not meant for Denizen.",
        SkipReason::HourlyCap => {
            "Denizen has written as much in this room as it may in an hour (activity.maxMessagesPerHour)."
        }
        SkipReason::QueueFull => "Too many messages were waiting for a reply already.",
        SkipReason::MessageDeleted => "Every message it would have answered was taken back.",
        SkipReason::ModelFailed => "The model could not be had, and the tries are used up.",
        SkipReason::BudgetSpent => {
            "What may be spent on models today does not allow for it, so none was asked."
        }
        SkipReason::ModelResting => "The model is left alone for a while, so no answer was to be had.",
        SkipReason::SendFailed => "The reply could not be put into the room, and the tries are used up.",
        SkipReason::RoomEnded => "The room is gone.",
        SkipReason::Quiet => "Somebody wants nothing said in this room for a while (`/quiet`).",
        SkipReason::ReactionNotOpen => "The model wanted to react with an emoji, which it could not here.",
    }
}

/// What became of an operator's wish to have a message answered, as a whole sentence.
pub(super) fn requested(refused: Option<AgainRefusal>) -> &'static str {
    match refused {
        None => "Whoever looks after Denizen asked for a reply to it.",
        Some(AgainRefusal::NotInConversation) => {
            "Whoever looks after Denizen asked for a reply to it, and it does not stand in the conversation any more."
        }
        Some(AgainRefusal::NotByAPerson) => {
            "Whoever looks after Denizen asked for a reply to it, and no person wrote it."
        }
        Some(AgainRefusal::Waiting) => {
            "Whoever looks after Denizen asked for a reply to it while it was waiting for one."
        }
        Some(AgainRefusal::BeingAnswered) => {
            "Whoever looks after Denizen asked for a reply to it while one was being made."
        }
    }
}

/// That a command is carried out; what it said may be forgotten with whoever typed it.
pub(super) fn command_taken(command: &str) -> String {
    if command.is_empty() {
        return "It was a command, which was carried out; what it said is forgotten.".to_owned();
    }
    format!("It is the command {command}, which is carried out.")
}

/// Why a command was not carried out.
pub(super) fn command_held(command: &str, reason: CommandHold) -> String {
    let command = if command.is_empty() {
        "a command".to_owned()
    } else {
        format!("the command {command}")
    };
    match reason {
        CommandHold::Unconfirmed => {
            format!(
                "It is {command}: nothing is gone yet, its author was asked for a yes within two minutes."
            )
        }
        CommandHold::NothingToConfirm => {
            format!("It is {command}, and there was nothing to say yes to: nothing is gone.")
        }
        CommandHold::QuietNotPermitted => {
            format!("It is {command}, which only whoever runs Denizen may use here (permissions.quieting).")
        }
        CommandHold::Unclear => format!("It is {command}, and does not say for how long."),
        CommandHold::NotPermitted => {
            format!(
                "It is {command}, which only whoever runs Denizen may use here (permissions.forgetting): nothing is gone."
            )
        }
    }
}

/// Why a message could not lead to a reply, as a whole sentence.
pub(super) fn dropped(reason: DropReason) -> &'static str {
    match reason {
        DropReason::Duplicate => "This message had been taken in before, so it was not looked at twice.",
        DropReason::OwnMessage => "Denizen wrote it, and does not answer itself.",
        DropReason::OtherBot => "Another program wrote it; such messages are read and never answered.",
        DropReason::UncalledByBot => {
            "Another program wrote it and did not call Denizen by name, mention or reply, so it was only read."
        }
        DropReason::BotLimit => {
            "Another program called Denizen, which has answered programs here often enough for now (activity.maxBotReplies, activity.botPauseMinutes)."
        }
        DropReason::Missed => {
            "It was written while Denizen was away and did not call it: it is part of what was said."
        }
        DropReason::MissedTooLongAgo => {
            "It called Denizen while it was away, more than six hours ago: nobody waits for an answer any more."
        }
        DropReason::MissedTooMany => {
            "It called Denizen while it was away; only the last two calls of a room are answered then, and there were newer ones."
        }
    }
}

/// Adds what is known beyond the sentence, if anything, with one full stop at the end.
pub(super) fn with_detail(text: &str, detail: &str) -> String {
    let detail = detail.trim().trim_end_matches('.');
    if detail.is_empty() {
        text.to_owned()
    } else {
        format!("{text} {}.", upper_first(detail))
    }
}

pub(super) fn lower_first(text: &str) -> String {
    // Names stay as they are; every other sentence here starts with a plain word.
    if text.starts_with("Denizen") {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What was heard of somebody, with the times that were measured: words that came without sound have none.
pub(super) fn utterance(name: &str, characters: usize, spoken: Span, silence: Span, took: Span) -> String {
    let words = counted(characters, "character");
    match (silence, took) {
        (Span::ZERO, Span::ZERO) => format!("{name} said {words} in words, without sound."),
        (_, Span::ZERO) => format!("{name} spoke for {}; {words} were understood.", span(spoken)),
        _ => format!(
            "{name} spoke for {}; {words} were understood in {}.",
            span(spoken),
            span(took)
        ),
    }
}

/// Why a room is not known any more, as a whole sentence.
pub(super) fn room_ended(because: RoomEnding) -> &'static str {
    match because {
        RoomEnding::Gone => "The room is gone.",
        RoomEnding::TooManyRooms => "There are too many rooms, and this one was quiet for longest.",
    }
}

/// Which piece of what was said a line is about.
pub(super) fn part_of(part: usize, parts: usize) -> String {
    match parts {
        0 | 1 => "The message".into(),
        _ => format!("Part {part} of {parts}"),
    }
}

/// That an author changed a message, and when.
pub(super) fn changed(did: &str, while_waiting: bool, while_answering: bool) -> String {
    let when = match (while_waiting, while_answering) {
        (_, true) => " while Denizen was answering it",
        (true, false) => " while it waited for a reply",
        (false, false) => "",
    };
    format!("Its author {did} the message{when}.")
}
