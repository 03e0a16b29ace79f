//! Pictures, by the images API of OpenAI and of whoever speaks it.

use runtime::ports::{MadeMedia, MediaFault};
use serde_json::{Value, json};

use crate::answer;
use crate::fault::failed;
use crate::job::Job;
use crate::prices;

/// Has one made.
pub(crate) async fn make(job: &Job<'_>) -> Result<MadeMedia, MediaFault> {
    if job.model.is_empty() {
        return Err(failed(
            "no model may make pictures; initiative.discovery.allowedImageModels names them",
        ));
    }
    if let Some(why) = job.ended() {
        return Err(failed(why));
    }
    let size = size(job.model, job.settings.media.image_size.name());
    let body = body(job.model, &job.prompt, size);
    let request = || job.request_with("/images/generations", &body);
    let answer = job.exchange().json(request, job.answer_bytes_max()).await?;
    let bytes = answer::first_picture(job, &answer).await?;
    let cost = match job.service.is_own {
        true => None,
        false => prices::picture(job.model, size.unwrap_or_default(), &answer),
    };
    job.finish(bytes, cost)
}

fn body(model: &str, prompt: &str, size: Option<&str>) -> Value {
    let mut body = json!({"model": model, "prompt": prompt, "n": 1});
    if let Some(size) = size {
        body["size"] = json!(size);
    }
    // The others either refuse the field or give this anyway.
    if matches!(model, "dall-e-2" | "dall-e-3") {
        body["response_format"] = json!("b64_json");
    }
    body
}

/// The nearest size that a model can do; what is not known can do what is asked for.
fn size<'a>(model: &str, wanted: &'a str) -> Option<&'a str> {
    match (model, wanted) {
        ("dall-e-3", "1024x1536") => Some("1024x1792"),
        ("dall-e-3", "1536x1024") => Some("1792x1024"),
        ("dall-e-3", _) => Some("1024x1024"),
        ("dall-e-2", "512x512") => Some("512x512"),
        ("dall-e-2", _) => Some("1024x1024"),
        (model, "512x512") if model.starts_with("gpt-image") => Some("1024x1024"),
        (model, wanted) if model.starts_with("gpt-image") => Some(wanted),
        (_, "auto") => None,
        (_, wanted) => Some(wanted),
    }
}

#[cfg(test)]
#[path = "images_tests.rs"]
mod tests;
