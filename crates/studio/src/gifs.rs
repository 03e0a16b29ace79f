//! GIFs, found by those who collect them.

use runtime::ports::{MadeMedia, MediaFault};
use serde_json::Value;

use crate::answer::unexpected;
use crate::fault::failed;
use crate::job::Job;
use crate::service::Api;

/// Finds that are asked for.
const FINDS: &str = "10";

/// Finds that are tried where the ones before would not do.
const TRIES: usize = 3;

/// Largest list of finds.
const LIST_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Longest question that Giphy takes.
const QUESTION_CHARACTERS_MAX: usize = 50;

/// Finds one.
pub(crate) async fn find(job: &Job<'_>) -> Result<MadeMedia, MediaFault> {
    let question = question(&job.prompt);
    let search = || match job.service.api {
        Api::Tenor => job.question(
            "/v2/search",
            &[
                ("key", job.service.key().unwrap_or_default()),
                ("q", question),
                ("limit", FINDS),
                ("contentfilter", "medium"),
                ("media_filter", "mediumgif,gif,tinygif,mp4"),
            ],
        ),
        _ => job.question(
            "/v1/gifs/search",
            &[
                ("api_key", job.service.key().unwrap_or_default()),
                ("q", question),
                ("limit", FINDS),
                ("rating", "pg-13"),
            ],
        ),
    };
    let answer = job.exchange().json(search, LIST_BYTES_MAX).await?;
    let finds = match job.service.api {
        Api::Tenor => &answer["results"],
        _ => &answer["data"],
    };
    let finds = finds.as_array().ok_or_else(|| unexpected(job))?;
    let addresses = finds
        .iter()
        .filter_map(|find| address(job.service.api, find, job.bytes_max()));
    let mut last = failed(format!("{} found no GIF for that", job.service.who));
    for address in addresses.take(TRIES) {
        let fetched = job.fetch(&address).await;
        match fetched.and_then(|bytes| job.finish(bytes, Some(0))) {
            Ok(made) => return Ok(made),
            Err(fault) => last = fault,
        }
    }
    Err(last)
}

/// The address of a rendition that is small enough. A GIF before a clip: it plays by itself wherever pictures are shown.
fn address(api: Api, find: &Value, bytes_max: usize) -> Option<String> {
    let renditions: [(&Value, &str, &str); 4] = match api {
        Api::Tenor => {
            let formats = &find["media_formats"];
            ["mediumgif", "gif", "tinygif", "mp4"].map(|name| (&formats[name], "url", "size"))
        }
        _ => {
            let images = &find["images"];
            [
                (&images["downsized"], "url", "size"),
                (&images["fixed_height"], "url", "size"),
                (&images["fixed_height_small"], "url", "size"),
                (&images["downsized_small"], "mp4", "mp4_size"),
            ]
        }
    };
    let suits = |(rendition, url, size): &(&Value, &str, &str)| {
        let url: &str = rendition[*url].as_str().filter(|url| !url.is_empty())?;
        // Where the size is not said, the fetch has the last word.
        (bytes(&rendition[*size]).unwrap_or(0) <= bytes_max as u64).then(|| url.to_owned())
    };
    renditions.iter().find_map(suits)
}

/// Giphy writes numbers as text.
fn bytes(size: &Value) -> Option<u64> {
    size.as_u64().or_else(|| size.as_str()?.parse().ok())
}

/// As many whole words as fit.
fn question(prompt: &str) -> &str {
    match prompt.char_indices().nth(QUESTION_CHARACTERS_MAX) {
        None => prompt,
        Some((end, _)) => {
            let cut = &prompt[..end];
            cut.rsplit_once(' ').map_or(cut, |(words, _)| words)
        }
    }
}

#[cfg(test)]
#[path = "gifs_tests.rs"]
mod tests;
