//! Clips, by the videos API of OpenAI and of whoever speaks it: a job is started, watched, and its result fetched.

use reqwest::Method;
use runtime::ports::{MadeMedia, MediaFault};
use serde_json::{Value, json};

use crate::answer::unexpected;
use crate::complaint;
use crate::exchange::Content;
use crate::fault::failed;
use crate::job::Job;
use crate::prices;

/// Largest account of how a job stands.
const JOB_BYTES_MAX: usize = 256 * 1024;

/// Has one made.
pub(crate) async fn make(job: &Job<'_>) -> Result<MadeMedia, MediaFault> {
    if job.model.is_empty() {
        return Err(failed(
            "no model may make clips; initiative.discovery.allowedVideoModels names them",
        ));
    }
    if let Some(why) = job.ended() {
        return Err(failed(why));
    }
    let seconds = seconds(job.model, job.settings.media.video_seconds);
    let body = body(job.model, &job.prompt, seconds);
    let start = || job.request_with("/videos", &body);
    let started = job.exchange().json(start, JOB_BYTES_MAX).await?;
    let id = id(&started).ok_or_else(|| unexpected(job))?;
    until_done(job, &id, started).await?;
    let path = format!("/videos/{id}/content");
    let content = || job.request(Method::GET, &path);
    let bytes = match job.exchange().content(content, job.bytes_max()).await? {
        Content::Here(bytes) => bytes,
        Content::At(address) => job.fetch(&address).await?,
    };
    let cost = match job.service.is_own {
        true => None,
        false => prices::clip(job.model, seconds),
    };
    job.finish(bytes, cost)
}

async fn until_done(job: &Job<'_>, id: &str, mut state: Value) -> Result<(), MediaFault> {
    let path = format!("/videos/{id}");
    let mut pause = job.pace.poll;
    loop {
        match state["status"].as_str() {
            Some("completed") => return Ok(()),
            Some("failed" | "cancelled" | "canceled") => {
                return Err(complaint::job_fault(&job.service, &state["error"]));
            }
            // Some call it otherwise while it goes on, and all of them name it.
            Some(_) => {}
            None => return Err(unexpected(job)),
        }
        job.wait(pause).await?;
        pause = (pause * 3 / 2).min(job.pace.longest_poll);
        let look = || job.request(Method::GET, &path);
        state = job.exchange().json(look, JOB_BYTES_MAX).await?;
    }
}

fn body(model: &str, prompt: &str, seconds: u64) -> Value {
    let mut body = json!({"model": model, "prompt": prompt, "seconds": seconds.to_string()});
    if is_sora(model) {
        body["size"] = json!("1280x720");
    }
    body
}

/// OpenAI's models do three lengths; the next longer one is taken.
fn seconds(model: &str, wanted: u64) -> u64 {
    match wanted {
        wanted if !is_sora(model) => wanted,
        0..=4 => 4,
        5..=8 => 8,
        _ => 12,
    }
}

fn is_sora(model: &str) -> bool {
    model.starts_with("sora")
}

/// The job's name, which becomes part of an address.
fn id(started: &Value) -> Option<String> {
    let id = started["id"].as_str()?;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    (!id.is_empty() && id.len() <= 200 && id.chars().all(is_plain)).then(|| id.to_owned())
}

#[cfg(test)]
#[path = "videos_tests.rs"]
mod tests;
