//! `denizen say`: plays recordings into the voice of a room as people's microphones, and tells what came of it.

mod arriving;
mod hearing;
mod recordings;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use mind::{JournalEntry, JournalEvent};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tokio_tungstenite::tungstenite::Message;
use vocabulary::MessageId;
use vocabulary::text::one_line;

use self::hearing::Heard;
use self::recordings::Recording;
use super::block_on;
use super::memory::Address;
use super::score::positive;
use crate::client::{Client, VoiceSocket, enter_voice, segment};

/// The longest that what is under way at the end is waited for: a reply of a model in the house has five minutes.
const LAST_WORDS: Duration = Duration::from_secs(330);
/// The longest that the words of one recording are waited for, before the next is played after it.
const WORDS_WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// Who comes into a room says hello within this, or not.
const HELLO_WITHIN: Duration = Duration::from_millis(2_500);
/// The line that no words come of something.
const MISSED: &str = "voice_utterance_missed";
/// Lines of the journal that tell what was made of what was said.
const LINES: [&str; 9] = [
    MISSED,
    "voice_utterance_ignored",
    "voice_turn_addressing",
    "voice_answer_heard",
    "voice_barge_in_decided",
    "voice_speech_failed",
    "voice_turn_ended",
    "voice_session_started",
    "voice_session_ended",
];

#[derive(Debug, Args)]
pub struct SayOptions {
    /// Recordings, as WAV files; each is the microphone of one person.
    #[arg(required = true, value_name = "FILE.wav")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    address: Address,
    /// The room to talk in.
    #[arg(long, default_value = "lounge")]
    room: String,
    /// Who says a file, as they are called in the room; once for each file, in their order. Called like the file if left out.
    #[arg(long = "as", value_name = "NAME")]
    names: Vec<String>,
    /// Play one after the other, each when it has been quiet for a while, instead of all at once.
    #[arg(long)]
    in_turn: bool,
    /// Seconds of quiet after which nothing more is expected.
    #[arg(long, value_parser = positive, default_value_t = 6.0, value_name = "SECONDS")]
    silence: f64,
    /// Keep what it answered aloud, as a WAV file.
    #[arg(long, value_name = "FILE.wav")]
    save: Option<PathBuf>,
}

pub fn run(data: &Path, community: Option<&str>, options: &SayOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let recordings = recordings::read(&options.files, &options.names)?;
    block_on(async {
        let client = Client::somewhere(data, options.address.url.as_deref()).await?;
        talk(&client.in_community(community), options, recordings).await
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Somebody in the voice of the room.
struct Speaker {
    name: String,
    /// What they have to say, each with the place in which it is said where that is done in turn.
    recordings: VecDeque<(usize, Recording)>,
    microphone: SplitSink<VoiceSocket, Message>,
}

/// What all of them heard, and when something last happened.
struct Shared {
    heard: Mutex<(Heard, Instant)>,
    /// When the first was told of.
    began: OnceLock<Instant>,
}

impl Shared {
    fn heard(&self) -> MutexGuard<'_, (Heard, Instant)> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn happened(&self) {
        self.heard().1 = Instant::now();
    }

    fn tell(&self, line: &str) {
        let at = self.began.get_or_init(Instant::now).elapsed();
        println!("{:>3}.{:01} s  {line}", at.as_secs(), at.subsec_millis() / 100);
    }

    /// Until more was heard to its end than so much, or nothing is to be expected of it any more.
    async fn is_understood(&self, before: usize) {
        let patience = Instant::now() + WORDS_WITHIN;
        let is_heard_out = || {
            let heard = self.heard();
            !heard.0.is_listening() && heard.0.understood() > before
        };
        while Instant::now() < patience && !is_heard_out() {
            sleep(LOOK_EVERY).await;
        }
    }

    /// Until nothing has happened for a while.
    async fn is_quiet(&self, quiet: Duration) {
        let patience = Instant::now() + LAST_WORDS.max(quiet);
        while Instant::now() < patience {
            let (is_answering, since) = {
                let heard = self.heard();
                (heard.0.is_answering(), heard.1.elapsed())
            };
            if !is_answering && since >= quiet {
                return;
            }
            sleep(LOOK_EVERY).await;
        }
        eprintln!("an answer is still being made after so long; it is not waited for any more");
    }
}

async fn talk(client: &Client, options: &SayOptions, recordings: Vec<Recording>) -> anyhow::Result<()> {
    client.greet().await?;
    let room = &options.room;
    let path = format!("/api/rooms/{}/voice", segment(room));
    let journal = Journal::from_now_on(client, room).await;
    let shared = Arc::new(Shared {
        heard: Mutex::new((Heard::default(), Instant::now())),
        began: OnceLock::new(),
    });
    let mut readers = JoinSet::new();
    let mut speakers: Vec<Speaker> = Vec::new();
    for (turn, recording) in recordings.into_iter().enumerate() {
        if let Some(known) = speakers.iter_mut().find(|speaker| speaker.name == recording.name) {
            known.recordings.push_back((turn, recording));
            continue;
        }
        let socket = enter_voice(client, room, &recording.name).await?;
        let (microphone, sound) = socket.split();
        // One of them tells; all of them hear the same.
        readers.spawn(listen(sound, shared.clone(), speakers.is_empty()));
        speakers.push(Speaker {
            name: recording.name.clone(),
            recordings: VecDeque::from([(turn, recording)]),
            microphone,
        });
    }
    let is_new = arriving::come_in(client, &path, || shared.heard().0.is_in).await?;
    if is_new {
        // Its hello would be spoken over, or speak over what is said.
        shared.happened();
        shared.is_quiet(HELLO_WITHIN).await;
    }
    let telling = journal.tell(&shared);
    let quiet = Duration::from_secs_f64(options.silence);
    let playing = play(speakers, &shared, options.in_turn.then_some(quiet));
    let playing = async {
        let speakers = playing.await?;
        shared.is_quiet(quiet).await;
        anyhow::Ok(speakers)
    };
    tokio::select! {
        played = playing => drop(played?),
        () = telling => {}
        Some(Ok(ended)) = readers.join_next() => ended?,
        _ = tokio::signal::ctrl_c() => {}
    }
    journal.look(&shared).await;
    if let Some(file) = &options.save {
        let voice = std::mem::take(&mut shared.heard().0.voice);
        std::fs::write(file, audio::wav::write(&voice, audio::RATE))
            .with_context(|| format!("{} cannot be written", file.display()))?;
        let seconds = voice.len() as f64 / f64::from(audio::RATE);
        println!("kept {seconds:.1} s of its voice in {}", file.display());
    }
    Ok(())
}

/// Plays everything, all at once or one after the other; whoever played stays.
async fn play(
    mut speakers: Vec<Speaker>,
    shared: &Shared,
    in_turn: Option<Duration>,
) -> anyhow::Result<Vec<Speaker>> {
    if let Some(quiet) = in_turn {
        let next = |speaker: &Speaker| speaker.recordings.front().map_or(usize::MAX, |(turn, _)| *turn);
        while let Some(speaker) = speakers.iter_mut().min_by_key(|speaker| next(speaker))
            && !speaker.recordings.is_empty()
        {
            let before = shared.heard().0.understood();
            speak(speaker, shared, 1).await?;
            if !shared.heard().0.is_unheard(&speaker.name) {
                shared.is_understood(before).await;
            }
            shared.is_quiet(quiet).await;
        }
    } else {
        let all = speakers
            .iter_mut()
            .map(|speaker| speak(speaker, shared, usize::MAX));
        futures_util::future::try_join_all(all).await?;
    }
    Ok(speakers)
}

/// Says so many of what somebody has to say, in real time.
async fn speak(speaker: &mut Speaker, shared: &Shared, count: usize) -> anyhow::Result<()> {
    let Speaker {
        name,
        recordings,
        microphone,
    } = speaker;
    let mut ticks = interval(Duration::from_millis(20));
    // What comes late makes the rest late: a microphone does not catch up.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for (_, recording) in recordings.drain(..count.min(recordings.len())) {
        let seconds = recording.milliseconds() as f64 / 1_000.0;
        shared.tell(&format!("speaks   {name}, for {seconds:.1} s"));
        if shared.heard().0.is_unheard(name) {
            let why = "does not want to be listened to, so no words come of it: `/listen on` in the text changes that";
            shared.tell(&format!("unheard  {name} {why}"));
        }
        for frame in recording.frames() {
            ticks.tick().await;
            let sent = microphone.send(Message::Binary(frame.into())).await;
            sent.context("the socket was closed while somebody spoke")?;
        }
        shared.happened();
    }
    Ok(())
}

async fn listen(mut sound: SplitStream<VoiceSocket>, shared: Arc<Shared>, tells: bool) -> anyhow::Result<()> {
    while let Some(message) = sound.next().await {
        match message.context("the socket broke")? {
            Message::Binary(bytes) if tells => shared.heard().0.sound(&bytes),
            Message::Text(text) if tells => {
                let (line, is_news) = shared.heard().0.event(&text);
                if is_news {
                    shared.happened();
                }
                if let Some(line) = line {
                    shared.tell(&line);
                }
            }
            Message::Close(_) => break,
            _ => {}
        }
    }
    bail!(
        "the socket was closed from the other side: Denizen was stopped, or the same name came in elsewhere"
    )
}

/// The message that a line says was put into the room.
fn written(event: &JournalEvent) -> Option<&MessageId> {
    match event {
        JournalEvent::SentReply { message, .. } | JournalEvent::SentMessage { message, .. } => Some(message),
        _ => None,
    }
}

/// The journal of the room, from when everything began; none where it may not be read.
struct Journal<'a> {
    client: &'a Client,
    room: &'a str,
    after: Mutex<Option<u64>>,
}

impl<'a> Journal<'a> {
    async fn from_now_on(client: &'a Client, room: &'a str) -> Self {
        let newest: anyhow::Result<Value> = client.get("/api/journal?newest=true&limit=1").await;
        let after = newest.ok().and_then(|page| page["next"].as_u64());
        if after.is_none() {
            eprintln!("why it answers or not is for administrators to read");
        }
        Self {
            client,
            room,
            after: Mutex::new(after),
        }
    }

    /// Tells what it says, for as long as it is let.
    async fn tell(&self, shared: &Shared) {
        loop {
            sleep(LOOK_EVERY).await;
            self.look(shared).await;
        }
    }

    async fn look(&self, shared: &Shared) {
        let Some(after) = *self.after() else { return };
        let path = format!("/api/journal?after={after}&room={}&limit=500", segment(self.room));
        // One that is too busy to answer is asked again.
        let Ok(page) = self.client.get::<Value>(&path).await else {
            return;
        };
        *self.after() = page["next"].as_u64().or(Some(after));
        for entry in page["entries"].as_array().into_iter().flatten() {
            let Ok(entry) = serde_json::from_value::<JournalEntry>(entry.clone()) else {
                continue;
            };
            let sentence = shared.heard().0.line(&entry);
            if LINES.contains(&entry.event.name()) {
                shared.happened();
                if entry.event.name() == MISSED {
                    shared.heard().0.missed();
                }
                shared.tell(&format!("decided  {sentence}"));
            }
            if let Some(message) = written(&entry.event) {
                shared.happened();
                self.tell_written(message, shared).await;
            }
        }
    }

    /// What it wrote into the room instead of saying it.
    async fn tell_written(&self, message: &MessageId, shared: &Shared) {
        let path = format!("/api/why/{}", segment(message.as_str()));
        // That it listens is told to people in the text; whoever plays recordings knows.
        if let Ok(why) = self.client.get::<Value>(&path).await
            && why["message"]["sign"] != true
        {
            let text = why["message"]["text"].as_str().unwrap_or_default();
            shared.tell(&format!("wrote    {}  [{message}]", one_line(text)));
        }
    }

    fn after(&self) -> MutexGuard<'_, Option<u64>> {
        self.after.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
