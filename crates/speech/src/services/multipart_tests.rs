use super::*;

#[test]
fn a_form_has_its_fields_and_its_file() {
    let (mime, body) = Multipart::around(b"RIFF")
        .field("model", "whisper-1")
        .file("file", "clip.wav", "audio/wav", b"RIFF")
        .finish();
    assert_eq!(mime, "multipart/form-data; boundary=denizen-0000000000000004");
    assert_eq!(
        std::str::from_utf8(&body).unwrap(),
        "--denizen-0000000000000004\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper-1\r\n\
         --denizen-0000000000000004\r\nContent-Disposition: form-data; name=\"file\"; filename=\"clip.wav\"\r\n\
         Content-Type: audio/wav\r\n\r\nRIFF\r\n--denizen-0000000000000004--\r\n"
    );
}

#[test]
fn neither_a_file_nor_a_value_can_end_a_part() {
    let mut file = b"denizen-0000000000000018".to_vec();
    assert_eq!(file.len(), 0x18);
    let (mime, _) = Multipart::around(&file).finish();
    assert!(mime.ends_with("denizen-0000000000000019"), "{mime}");
    file.clear();
    let (_, body) = Multipart::around(&file)
        .field("prompt", "a\r\n--denizen-0000000000000000--\r\nb")
        .finish();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(text.contains("\r\n\r\na  ----  b\r\n"), "{text}");
}
