//! A form with a file in it, as browsers send it.

use bytes::{BufMut, Bytes, BytesMut};

/// A body of the type `multipart/form-data`.
#[derive(Debug)]
pub(crate) struct Multipart {
    boundary: String,
    body: BytesMut,
}

impl Multipart {
    /// Begins a form; `file` is what will go into it, in which the boundary must not occur.
    pub(crate) fn around(file: &[u8]) -> Self {
        let mut number = file.len() as u64;
        let mut boundary = format!("denizen-{number:016x}");
        while file
            .windows(boundary.len())
            .any(|window| window == boundary.as_bytes())
        {
            number += 1;
            boundary = format!("denizen-{number:016x}");
        }
        Self {
            boundary,
            body: BytesMut::with_capacity(file.len() + 1_024),
        }
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        // What would end a line of the head, or the part, is no value of ours.
        let value = value.replace(['\r', '\n'], " ").replace(&self.boundary, "");
        self.head(&format!("name=\"{name}\""));
        self.body.put_slice(b"\r\n");
        self.body.put_slice(value.as_bytes());
        self.body.put_slice(b"\r\n");
        self
    }

    pub(crate) fn file(mut self, name: &str, file_name: &str, mime: &str, file: &[u8]) -> Self {
        self.head(&format!("name=\"{name}\"; filename=\"{file_name}\""));
        self.body
            .put_slice(format!("Content-Type: {mime}\r\n\r\n").as_bytes());
        self.body.put_slice(file);
        self.body.put_slice(b"\r\n");
        self
    }

    fn head(&mut self, disposition: &str) {
        let head = format!(
            "--{}\r\nContent-Disposition: form-data; {disposition}\r\n",
            self.boundary
        );
        self.body.put_slice(head.as_bytes());
    }

    /// The value of the header `content-type`, and the body.
    pub(crate) fn finish(mut self) -> (String, Bytes) {
        self.body
            .put_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        let mime = format!("multipart/form-data; boundary={}", self.boundary);
        (mime, self.body.freeze())
    }
}

#[cfg(test)]
#[path = "multipart_tests.rs"]
mod tests;
