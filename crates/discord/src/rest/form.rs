//! A form of a message and its files, as Discord takes it: `payload_json`, then `files[0]` and so on.

use bytes::{BufMut, Bytes, BytesMut};
use serde_json::Value;
use vocabulary::text::plain_line;

/// A file that goes with a message.
#[derive(Clone, Debug)]
pub struct FilePart {
    pub name: String,
    /// Such as `image/png`.
    pub mime: String,
    /// For people who cannot see it.
    pub description: String,
    pub bytes: Bytes,
}

const NAME_MAX: usize = 100;

/// The value of the header `content-type`, and the body.
pub(super) fn form(payload: &Value, files: &[FilePart]) -> (String, Bytes) {
    let payload = payload.to_string();
    let boundary = boundary(&payload, files);
    let size: usize = files.iter().map(|file| file.bytes.len() + 512).sum();
    let mut body = BytesMut::with_capacity(size + payload.len() + 512);
    let mut part = |head: &str, content: &[u8]| {
        body.put_slice(format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes());
        body.put_slice(content);
        body.put_slice(b"\r\n");
    };
    part(
        "name=\"payload_json\"\r\nContent-Type: application/json",
        payload.as_bytes(),
    );
    for (index, file) in files.iter().enumerate() {
        let head = format!(
            "name=\"files[{index}]\"; filename=\"{}\"\r\nContent-Type: {}",
            header_text(&file.name),
            header_text(&file.mime)
        );
        part(&head, &file.bytes);
    }
    body.put_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body.freeze())
}

/// What stands in the message about its files.
pub(super) fn listed(files: &[FilePart]) -> Value {
    let files = files.iter().enumerate().map(|(index, file)| {
        let mut entry = serde_json::json!({"id": index, "filename": header_text(&file.name)});
        if !file.description.is_empty() {
            // Discord takes 1,024 characters.
            entry["description"] = plain_line(&file.description, 1_000).into();
        }
        entry
    });
    files.collect()
}

/// Nothing that ends a line, a value or a part.
fn header_text(text: &str) -> String {
    let text = plain_line(text, NAME_MAX).replace(['"', '\\'], "_");
    if text.is_empty() { "file".to_owned() } else { text }
}

/// One that stands nowhere in the content.
fn boundary(payload: &str, files: &[FilePart]) -> String {
    let stands = |mark: &str| {
        let mark = mark.as_bytes();
        let within = |content: &[u8]| content.windows(mark.len()).any(|window| window == mark);
        within(payload.as_bytes()) || files.iter().any(|file| within(&file.bytes))
    };
    let numbers = files.len() as u64..;
    let mut marks = numbers.map(|number| format!("denizen-{number:016x}"));
    marks
        .find(|mark| !stands(mark))
        .expect("some number stands nowhere")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(name: &str, bytes: &'static [u8]) -> FilePart {
        FilePart {
            name: name.to_owned(),
            mime: "image/png".to_owned(),
            description: "a cat".to_owned(),
            bytes: Bytes::from_static(bytes),
        }
    }

    #[test]
    fn a_form_has_the_message_first_and_then_each_file() {
        let (mime, body) = form(&json!({"content": "x"}), &[file("a.png", b"PNG")]);
        assert_eq!(mime, "multipart/form-data; boundary=denizen-0000000000000001");
        assert_eq!(
            std::str::from_utf8(&body).unwrap(),
            "--denizen-0000000000000001\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\
             Content-Type: application/json\r\n\r\n{\"content\":\"x\"}\r\n\
             --denizen-0000000000000001\r\nContent-Disposition: form-data; name=\"files[0]\"; filename=\"a.png\"\r\n\
             Content-Type: image/png\r\n\r\nPNG\r\n--denizen-0000000000000001--\r\n"
        );
        assert_eq!(
            listed(&[file("a.png", b"")]),
            json!([{"id": 0, "filename": "a.png", "description": "a cat"}])
        );
    }

    #[test]
    fn neither_a_name_nor_a_file_ends_a_part() {
        let (mime, body) = form(
            &json!({}),
            &[file("a\"\r\nX: y\r\n\r\n.png", b"--denizen-0000000000000001--")],
        );
        assert!(mime.ends_with('2'), "{mime}");
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(text.contains("filename=\"a_ X: y .png\"\r\n"), "{text}");
        assert_eq!(header_text("\r\n"), "file");
    }
}
