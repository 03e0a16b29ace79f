//! What a running Denizen wants of a shared screen, by its settings.

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::client::Client;

#[derive(Clone, Debug)]
pub struct Limits {
    pub max_width: usize,
    /// 1 to 100.
    pub quality: u8,
    pub max_frame_bytes: usize,
    max_frames_per_minute: f64,
    max_frames_per_second: f64,
}

#[derive(Deserialize)]
struct Settings {
    knobs: Vec<Knob>,
}

#[derive(Deserialize)]
struct Knob {
    key: String,
    value: Value,
}

impl Limits {
    pub async fn of(client: &Client) -> anyhow::Result<Self> {
        let settings: Settings = client.get("/api/settings").await?;
        let number = |name: &str| {
            let key = format!("voice.streamWatch.{name}");
            let knob = settings.knobs.iter().find(|knob| knob.key == key);
            knob.and_then(|knob| knob.value.as_f64())
                .with_context(|| format!("the Denizen there has no setting {key}: it is of another version"))
        };
        Ok(Self {
            max_width: number("sharePageMaxWidthPx")? as usize,
            quality: (number("sharePageJpegQuality")? * 100.0).round() as u8,
            max_frame_bytes: number("maxFrameBytes")? as usize,
            max_frames_per_minute: number("maxFramesPerMinute")?,
            max_frames_per_second: number("nativeDiscordMaxFramesPerSecond")?,
        })
    }

    /// As often as frames are wanted, and a little less often than they are refused.
    pub fn frames_per_second(&self) -> f64 {
        self.max_frames_per_second
            .min(self.max_frames_per_minute * 0.97 / 60.0)
    }
}
