//! `denizen watch`: plays a video as a shared screen to a running Denizen, and tells what it makes of it.

mod limits;
mod player;
mod telling;

#[cfg(test)]
mod player_tests;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use media::file::VideoFile;
use tokio::time::{Instant, sleep, sleep_until};

use self::limits::Limits;
use self::player::{Encoder, Player};
use self::telling::{Telling, View, clock};
use super::block_on;
use super::memory::Address;
use super::progress::{Busy, Progress};
use super::score::positive;
use crate::client::{Client, Link, Refused};

/// How often Denizen is asked what is new.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// How long notes and comments that are under way at the end are waited for.
const LAST_WORDS: Duration = Duration::from_secs(90);
/// How often in a row Denizen may fail to say what is new.
const MAX_FAILURES: u32 = 5;
const MUCH_TOO_LATE: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub struct WatchOptions {
    /// A video, a folder of pictures, or a file:// address. .y4m, .h264 and .mp4 with H.264 are read as they are, everything else through ffmpeg.
    file: String,
    #[command(flatten)]
    address: Address,
    /// The room to share it in.
    #[arg(long, default_value = "lounge")]
    room: String,
    /// Who shares it, as they are called in the room.
    #[arg(long, default_value = "Player")]
    name: String,
    /// How fast it is played: 2 is twice as fast. Frames are sent as often as ever.
    #[arg(long, value_parser = positive, default_value_t = 1.0)]
    speed: f64,
    /// Frames a second of what does not say it: a folder of pictures, plain H.264.
    #[arg(long, value_parser = positive, default_value_t = 30.0)]
    rate: f64,
}

pub fn run(data: &Path, community: Option<&str>, options: &WatchOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(play(data, community, options))?;
    Ok(ExitCode::SUCCESS)
}

async fn play(data: &Path, community: Option<&str>, options: &WatchOptions) -> anyhow::Result<()> {
    let client = Client::somewhere(data, options.address.url.as_deref())
        .await?
        .in_community(community);
    client.greet().await?;
    let limits = Limits::of(&client).await?;
    let before: View = client.watch(&options.room).await?;
    let video = VideoFile::open(&options.file, options.rate)?;
    let link = client.share_screen(&options.room, &options.name, "file").await?;
    let player = Player::start(
        video,
        limits.frames_per_second() / options.speed,
        Encoder::new(&limits),
    );
    let show = Show {
        client: &client,
        link: &link,
        options,
        progress: Played::default(),
        told: RefCell::new((!stdout().is_terminal()).then(|| Progress::new("seconds played"))),
    };
    let telling = RefCell::new(Telling::new(before));
    println!(
        "playing {} as {}’s screen in {}",
        options.file, options.name, options.room
    );
    let ended = tokio::select! {
        ended = show.to_its_end(player, &telling) => ended,
        Err(error) = show.tell(&telling) => Err(error),
        _ = tokio::signal::ctrl_c() => Ok(()),
    };
    if let Some(told) = show.told.take() {
        told.done();
    }
    // It may be over already, ended by somebody in the room or with Denizen itself.
    let _ = client.end_share(&link).await;
    let _ = show.look(&telling).await;
    println!("{}\n{}", show.progress.words(), telling.borrow().totals());
    ended
}

/// A video that is being played.
struct Show<'a> {
    client: &'a Client,
    link: &'a Link,
    options: &'a WatchOptions,
    progress: Played,
    /// Lines on the same terminal are progress enough.
    told: RefCell<Option<Progress>>,
}

impl Show<'_> {
    /// Sends the frames when it is their time, then lets Denizen finish what it is at.
    async fn to_its_end(&self, mut player: Player, telling: &RefCell<Telling>) -> anyhow::Result<()> {
        let mut began = Instant::now();
        // What a frame that was refused had to tell, the next one tells.
        let mut untold = 0.0_f64;
        while let Some(frame) = player.next().await? {
            let due = began + frame.time.div_f64(self.options.speed);
            sleep_until(due).await;
            // What comes late makes the rest late, rather than having it sent in a rush.
            let late = due.elapsed();
            if late > MUCH_TOO_LATE {
                began += late;
            }
            self.progress.at.set(frame.time);
            if let Some(told) = self.told.borrow_mut().as_mut() {
                told.at(frame.time.as_secs() as usize, None);
            }
            let peak = untold.max(frame.peak);
            match self.client.bring_frame(self.link, frame.jpeg, peak).await {
                Ok(taken) => {
                    untold = 0.0;
                    self.progress.sent.set(self.progress.sent.get() + 1);
                    telling.borrow_mut().frame(taken, frame.time);
                }
                Err(error) => {
                    untold = peak;
                    self.refused(error)?;
                }
            }
        }
        self.last_words(telling).await;
        Ok(())
    }

    /// Waits for what is still being made of the last frames, by looks that are newer than they are.
    async fn last_words(&self, telling: &RefCell<Telling>) {
        let patience = Instant::now() + LAST_WORDS;
        let busy = Busy::with("waiting for what is still being written or said of it");
        loop {
            let looked = self.look(telling).await;
            let is_over = looked.is_ok() && !telling.borrow().is_at_it();
            if is_over || Instant::now() >= patience {
                return drop(busy);
            }
            sleep(LOOK_EVERY).await;
        }
    }

    /// A frame that is refused is no reason to stop, unless there is no share any more.
    fn refused(&self, error: anyhow::Error) -> anyhow::Result<()> {
        let refused = error.downcast::<Refused>()?;
        if refused.code == "session_not_found" {
            anyhow::bail!("the share was ended from the room, or was lost");
        }
        let mut counts = self.progress.refused.borrow_mut();
        let count = counts.entry(refused.code.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            eprintln!(
                "{}  a frame was refused: {refused}",
                clock(self.progress.at.get())
            );
        }
        Ok(())
    }

    /// Tells what is new, for as long as it is let. Denizen may be too busy to answer now and then.
    async fn tell(&self, telling: &RefCell<Telling>) -> anyhow::Result<()> {
        let mut failures = 0;
        loop {
            sleep(LOOK_EVERY).await;
            match self.look(telling).await {
                Ok(()) => failures = 0,
                Err(error) if failures == MAX_FAILURES => return Err(error),
                Err(_) => failures += 1,
            }
        }
    }

    async fn look(&self, telling: &RefCell<Telling>) -> anyhow::Result<()> {
        let view: View = self.client.watch(&self.options.room).await?;
        for line in telling.borrow_mut().take(view, self.progress.at.get()) {
            println!("{line}");
        }
        Ok(())
    }
}

/// How far a video has come, and how its frames fared.
#[derive(Default)]
struct Played {
    at: Cell<Duration>,
    sent: Cell<u64>,
    refused: RefCell<BTreeMap<String, u64>>,
}

impl Played {
    fn words(&self) -> String {
        let refused = self.refused.borrow();
        let mut words = format!(
            "played up to {}: {} frames taken, {} refused",
            clock(self.at.get()),
            self.sent.get(),
            refused.values().sum::<u64>()
        );
        if !refused.is_empty() {
            let reasons = refused.iter().map(|(reason, count)| format!("{reason} {count}"));
            words.push_str(&format!(" ({})", reasons.collect::<Vec<_>>().join(", ")));
        }
        words
    }
}
