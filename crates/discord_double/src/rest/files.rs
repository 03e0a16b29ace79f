//! Files: forms that bring them, messages that keep them, and giving them back.

use bytes::Bytes;
use serde_json::{Value, json};

use super::answer::{Call, Upload};
use crate::ids::{Id, id_of};
use crate::world::{StoredFile, World};

/// Reads a form: its JSON part and its files. `None` where it is none.
pub fn read_form(kind: &str, bytes: &Bytes) -> Option<(Value, Vec<Upload>)> {
    let boundary = kind
        .split("boundary=")
        .nth(1)?
        .split(';')
        .next()?
        .trim_matches('"');
    let fence = format!("--{boundary}");
    let (mut body, mut files) = (json!({}), Vec::new());
    let mut rest = position(bytes, fence.as_bytes(), 0)? + fence.len();
    while !bytes[rest..].starts_with(b"--") {
        let end = position(bytes, format!("\r\n{fence}").as_bytes(), rest)?;
        let split = position(bytes, b"\r\n\r\n", rest)?;
        let head = String::from_utf8_lossy(&bytes[rest..split]).into_owned();
        let content = bytes.slice((split + 4).min(end)..end);
        let name = attribute(&head, "name=").unwrap_or_default();
        match attribute(&head, "filename=") {
            Some(filename) => files.push(Upload {
                number: name
                    .trim_start_matches("files[")
                    .trim_end_matches(']')
                    .parse()
                    .unwrap_or(0),
                kind: declared(&head).unwrap_or_else(|| guessed(&filename).to_owned()),
                name: filename,
                bytes: content,
            }),
            None if name == "payload_json" => body = serde_json::from_slice(&content).ok()?,
            None => body[name] = json!(String::from_utf8_lossy(&content)),
        }
        rest = end + 2 + fence.len();
        if rest + 2 > bytes.len() {
            return None;
        }
    }
    Some((body, files))
}

fn position(bytes: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let found = bytes
        .get(from..)?
        .windows(wanted.len())
        .position(|window| window == wanted)?;
    Some(found + from)
}

/// The value behind ` name=` in the head of a part.
fn attribute(head: &str, key: &str) -> Option<String> {
    let at = head
        .find(&format!(" {key}"))
        .or_else(|| head.find(&format!(";{key}")))?;
    let value = &head[at + 1 + key.len()..];
    let quoted = value.strip_prefix('"').and_then(|rest| rest.split('"').next());
    Some(
        quoted
            .unwrap_or_else(|| value.split([';', '\r']).next().unwrap_or_default())
            .to_owned(),
    )
}

fn declared(head: &str) -> Option<String> {
    let line = head
        .lines()
        .find(|line| line.to_lowercase().starts_with("content-type:"))?;
    let kind = line.split_once(':')?.1.trim().to_owned();
    (kind != "application/octet-stream").then_some(kind)
}

fn guessed(name: &str) -> &'static str {
    match name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_lowercase()
        .as_str()
    {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "txt" => "text/plain; charset=utf-8",
        "ogg" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}

/// Keeps the files of a request and writes them as attachments.
pub fn keep(world: &mut World, call: &Call, channel: Id) -> Vec<Value> {
    let told = call.body["attachments"].as_array().cloned().unwrap_or_default();
    let mut kept = Vec::new();
    for upload in &call.files {
        let described = told.iter().find(|it| id_of(&it["id"]) == Some(upload.number));
        let name = described
            .and_then(|it| it["filename"].as_str())
            .unwrap_or(&upload.name)
            .to_owned();
        let file = StoredFile {
            name,
            kind: upload.kind.clone(),
            bytes: upload.bytes.clone(),
        };
        let description = described.and_then(|it| it["description"].as_str());
        kept.push(store(world, channel, file, description));
    }
    kept
}

/// Keeps one file and writes it as an attachment.
pub fn store(world: &mut World, channel: Id, file: StoredFile, description: Option<&str>) -> Value {
    let id = world.ids.fresh();
    let name: String = file
        .name
        .chars()
        .map(|it| {
            if it.is_alphanumeric() || "._-".contains(it) {
                it
            } else {
                '_'
            }
        })
        .collect();
    let url = format!("http://{}/attachments/{channel}/{id}/{name}", world.address);
    let mut written = json!({"id": id.to_string(), "filename": name, "size": file.bytes.len(), "url": url,
        "proxy_url": url, "content_type": file.kind});
    if let Some((width, height)) = size_of_png(&file.bytes) {
        written["width"] = json!(width);
        written["height"] = json!(height);
    }
    if let Some(description) = description {
        written["description"] = json!(description);
    }
    world.files.insert(id, file);
    written
}

fn size_of_png(bytes: &[u8]) -> Option<(u32, u32)> {
    bytes.starts_with(b"\x89PNG").then_some(())?;
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read() {
        let form = "--B\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n{\"content\":\"x\"}\r\n--B\r\n\
            Content-Disposition: form-data; name=\"files[2]\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\
            one\r\ntwo\r\n--B--\r\n";
        let (body, files) = read_form("multipart/form-data; boundary=B", &Bytes::from(form)).expect("a form");
        assert_eq!(body, json!({"content": "x"}));
        let [file] = files.as_slice() else {
            panic!("one file")
        };
        assert_eq!(
            (file.number, file.name.as_str(), file.kind.as_str()),
            (2, "a.txt", "text/plain")
        );
        assert_eq!(file.bytes.as_ref(), b"one\r\ntwo");
    }

    #[test]
    fn a_form_that_breaks_off_is_none() {
        for broken in [
            "",
            "--B",
            "--B\r\nContent-Disposition: form-data; name=\"x\"",
            "--B\r\n\r\nx\r\n--B",
        ] {
            assert!(
                read_form("multipart/form-data; boundary=B", &Bytes::from(broken)).is_none(),
                "{broken}"
            );
        }
    }
}
