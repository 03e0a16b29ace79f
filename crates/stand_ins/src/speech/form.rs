//! A form with a file, taken apart.

use bytes::Bytes;

/// The fields of a form, and its file.
#[derive(Clone, Debug, Default)]
pub struct Form {
    pub fields: Vec<(String, String)>,
    pub file_name: String,
    pub file: Bytes,
}

impl Form {
    /// What a field says; empty where there is none.
    pub fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Samples a second and samples of the file, where it is plain WAV.
    pub fn sound(&self) -> Option<(u32, usize)> {
        let file = &self.file;
        if file.len() < 44 || !file.starts_with(b"RIFF") || &file[8..12] != b"WAVE" {
            return None;
        }
        let rate = u32::from_le_bytes([file[24], file[25], file[26], file[27]]);
        Some((rate, (file.len() - 44) / 2))
    }

    pub(super) fn read(mime: &str, body: &Bytes) -> Self {
        let mut form = Self::default();
        let Some((_, boundary)) = mime.split_once("boundary=") else {
            return form;
        };
        let boundary = format!("--{}", boundary.trim_matches('"'));
        let mut rest: &[u8] = body;
        while let Some(begins) = find(rest, boundary.as_bytes()) {
            rest = &rest[begins + boundary.len()..];
            let Some(head_end) = find(rest, b"\r\n\r\n") else {
                break;
            };
            let head = String::from_utf8_lossy(&rest[..head_end]).into_owned();
            let content = &rest[head_end + 4..];
            let Some(end) = find(content, boundary.as_bytes()) else {
                break;
            };
            let value = &content[..end.saturating_sub(2)];
            let quoted = |name: &str| {
                let (_, behind) = head.split_once(&format!(" {name}=\""))?;
                Some(behind.split('"').next().unwrap_or_default().to_owned())
            };
            let name = quoted("name").unwrap_or_default();
            match quoted("filename") {
                Some(file_name) if name == "file" => {
                    form.file_name = file_name;
                    form.file = Bytes::copy_from_slice(value);
                }
                _ => form
                    .fields
                    .push((name, String::from_utf8_lossy(value).into_owned())),
            }
            rest = content;
        }
        form
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
