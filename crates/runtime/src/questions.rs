//! What a mind asks models under some settings, each question as it will be asked: played out in a room where nobody is.
//! `doctor` tries them.

mod stage;

use std::collections::BTreeMap;

use mind::{Input, MemoryEvent, OperatorWish, RoomEvent};
use settings::Settings;
use vocabulary::{
    AskPurpose, Attachment, AttachmentId, CapturedTurn, ChangeScore, CommunityId, FrameId, Glimpse,
    MediaKind, ModelRequest, OutsideTool, PictureKind, Place, ReplyModel, RoomId, SessionId, Share, ShareId,
    ShareSource, Span, TurnKey, TurnKind,
};

use self::stage::{Stage, author};

const ROOM: &str = "trial";
/// Between two lines.
const PAUSE: Span = Span::seconds(20);
/// Lines that are more than are kept word for word, by a good deal.
const LONG_CONVERSATION: usize = 75;
/// What is said in it, so that there is something to sum up and to remember.
const TALK: [(&str, &str); 4] = [
    ("Robin", "The train to Bern leaves at 17:42 from platform 9."),
    ("Alice", "I have tickets for two, my sister Mara comes along."),
    ("Robin", "I cannot eat nuts, so no cake from the station please."),
    ("Alice", "Fine, we meet under the big clock then."),
];

/// What a mind is told of the world before it asks anything.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    pub reply_model: Option<ReplyModel>,
    /// How many tokens models read, by what they are asked for.
    pub reads: BTreeMap<AskPurpose, u64>,
    pub tools: Vec<OutsideTool>,
    pub media: Vec<MediaKind>,
}

/// The questions that are asked under these settings, one for each purpose that is in use. Pictures in them have ids of
/// their own; whoever asks brings the bytes of a PNG.
pub fn asked_under(settings: &Settings, around: &Surroundings) -> Vec<ModelRequest> {
    let settings = unhindered(settings);
    let mut found: Vec<ModelRequest> = Vec::new();
    for scene in [
        talk,
        unclear,
        long_talk,
        remembering,
        screen,
        thought,
        talk_aloud,
        overheard,
    ] {
        let mut stage = Stage::new(&settings, around);
        scene(&mut stage);
        for request in stage.asked {
            if !found.iter().any(|known| known.purpose == request.purpose) {
                found.push(request);
            }
        }
    }
    found.sort_by_key(|request| request.purpose);
    found
}

/// The same settings without what only says when, where and how often: a question is the same whenever it is asked.
fn unhindered(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    let usual = Settings::default();
    let speaks_by_itself = !settings.replies.discovery_channel_ids.is_empty();
    settings.activity = usual.activity;
    settings.permissions = usual.permissions;
    settings.attention = usual.attention;
    settings.spending_per_day = usual.spending_per_day;
    settings.spending_percent = usual.spending_percent;
    settings.initiative_budget = usual.initiative_budget;
    settings.replies = usual.replies;
    // What it says aloud is an answer; a greeting is a shorter one.
    settings.voice.join_greeting_seconds = 0;
    // Without a channel for them it never has a thought.
    settings.initiative.enabled &= speaks_by_itself;
    settings.replies.discovery_channel_ids = vec![ROOM.to_owned()];
    settings
}

/// Somebody asks something and shows a picture; where tools are on offer, one of them is used.
fn talk(stage: &mut Stage<'_>) {
    for (name, words) in TALK {
        stage.say(name, words);
    }
    let name = stage.settings.identity.name.clone();
    let mut message = stage.message(
        "Alice",
        &format!("{name}, this is a trial: which colour is this?"),
    );
    message.attachments.push(Attachment {
        id: AttachmentId::new("trial-picture"),
        mime: "image/png".to_owned(),
        name: "square.png".to_owned(),
        bytes: 200,
        description: String::new(),
    });
    stage.step(Input::message_arrived(message));
    stage.settle();
}

/// Somebody asks, and nobody knows whom.
fn unclear(stage: &mut Stage<'_>) {
    stage.say("Robin", "does somebody know when the train leaves?");
    stage.say("Alice", "and could somebody say it again?");
}

fn long_talk(stage: &mut Stage<'_>) {
    for (name, words) in TALK.iter().cycle().take(LONG_CONVERSATION) {
        stage.say(name, words);
    }
    let name = stage.settings.identity.name.clone();
    stage.say("Alice", &format!("{name}, when do we meet?"));
}

fn remembering(stage: &mut Stage<'_>) {
    let most = usize::try_from(stage.settings.memory.batch_size).unwrap_or(TALK.len());
    let turns = TALK.iter().cycle().take(most.max(TALK.len())).enumerate();
    let at = stage.now.wall;
    let turns = turns.map(|(number, (name, words))| CapturedTurn {
        id: TurnKey::new(format!("t{number}")),
        place: Place {
            community: CommunityId::home(),
            room: RoomId::new(ROOM),
            private: false,
        },
        session: SessionId::new("trial"),
        number: number as u64 + 1,
        speaker: author(name),
        kind: TurnKind::Typed,
        text: (*words).to_owned(),
        at,
    });
    let turns = turns.collect();
    stage.step(Input::Memory(MemoryEvent::TurnsBuffered { turns }));
    stage.settle();
}

fn screen(stage: &mut Stage<'_>) {
    let share = ShareId::new("trial-share");
    stage.step(Input::share_started(Share {
        share: share.clone(),
        room: RoomId::new(ROOM),
        person: author("Alice").id,
        name: "Alice".to_owned(),
        source: ShareSource::FrameApi,
    }));
    for number in 1..=20 {
        stage.pass(Span::seconds(3));
        let glimpse = Glimpse {
            frame: FrameId(number),
            kind: PictureKind::Png,
            width: 64,
            height: 64,
            change: ChangeScore {
                score: 0.2,
                ema: 0.2,
                scene_cut: number == 10,
                region: None,
            },
        };
        let share = share.clone();
        let seen = RoomEvent::FrameArrived { share, glimpse };
        stage.step(Input::Room(RoomId::new(ROOM), seen));
        stage.settle_for(Span::seconds(3));
    }
}

fn thought(stage: &mut Stage<'_>) {
    for (name, words) in TALK {
        stage.say(name, words);
    }
    if stage.settings.initiative.enabled {
        stage.pass(Span::hours(1));
        stage.step(Input::Operator(OperatorWish::ThinkNow));
        stage.settle();
    }
}

/// Somebody calls it in the voice of the room; where tools are on offer, one of them is used.
fn talk_aloud(stage: &mut Stage<'_>) {
    stage.gather();
    let name = stage.settings.identity.name.clone();
    stage.say_aloud("Alice", &format!("{name}, when does the train leave?"));
}

/// People talk with each other, and then are silent for long.
fn overheard(stage: &mut Stage<'_>) {
    stage.gather();
    stage.say_aloud("Robin", "does somebody know when the train leaves?");
    stage.settle();
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
