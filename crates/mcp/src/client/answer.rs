//! What a tool gave, as text for a model.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use super::plain;

const ANSWER_CHARACTERS_MAX: usize = 8_000;

/// The text of a result; an error where the tool says that it failed.
pub(crate) fn text(result: CallToolResult) -> Result<String, String> {
    let failed = result.is_error.unwrap_or(false);
    let parts: Vec<String> = result
        .content
        .iter()
        .map(part)
        .filter(|part| !part.is_empty())
        .collect();
    let has_text = result.content.iter().any(is_text);
    let mut text = parts.join("\n");
    if !has_text && let Some(data) = result.structured_content.filter(|data| !data.is_null()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&data.to_string());
    }
    let text = shorten(&plain::lines(&text));
    match (failed, text.is_empty()) {
        (false, false) => Ok(text),
        (false, true) => Ok("[the tool gave nothing back]".to_owned()),
        (true, false) => Err(text),
        (true, true) => Err("the tool failed and does not say why".to_owned()),
    }
}

fn is_text(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text(text) => !text.text.trim().is_empty(),
        ContentBlock::Resource(resource) => !resource.get_text().trim().is_empty(),
        _ => false,
    }
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => not_shown("image", &image.data),
        ContentBlock::Audio(audio) => not_shown("sound", &audio.data),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                not_shown(&format!("resource {}", plain::paragraph(uri, 200)), blob)
            }
            _ => "[a resource that cannot be shown]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => {
            format!(
                "[link to {}: {}]",
                plain::paragraph(&link.name, 100),
                plain::paragraph(&link.uri, 500)
            )
        }
        _ => "[something that cannot be shown]".to_owned(),
    }
}

fn not_shown(what: &str, base64: &str) -> String {
    let bytes = base64.len() / 4 * 3;
    match bytes {
        0..1024 => format!("[{what}, {bytes} bytes, not shown]"),
        _ => format!("[{what}, {} kB, not shown]", bytes.div_ceil(1024)),
    }
}

/// Cuts at the limit and says so.
fn shorten(text: &str) -> String {
    let text = text.trim();
    let characters = text.chars().count();
    if characters <= ANSWER_CHARACTERS_MAX {
        return text.to_owned();
    }
    let remark = format!("\n[cut: the whole has {characters} characters]");
    let room = ANSWER_CHARACTERS_MAX - remark.chars().count();
    let kept: String = text.chars().take(room).collect();
    format!("{kept}{remark}")
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
