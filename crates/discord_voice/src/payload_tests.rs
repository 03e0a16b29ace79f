//! Messages as Discord and others write them.

use super::*;

#[test]
fn messages_are_read_in_either_way_of_writing_numbers() {
    let hello = read(r#"{"op": 8, "d": {"v": 8, "heartbeat_interval": 13750.0}}"#);
    assert_eq!(
        hello,
        Some((
            Heard::Hello {
                interval: Some(13_750)
            },
            None
        ))
    );
    let speaking = Heard::Speaking {
        user: 7,
        ssrc: 5,
        is_speaking: Some(true),
    };
    for text in [
        r#"{"op": 5, "seq": 3, "d": {"speaking": 1, "ssrc": 5, "user_id": "7"}}"#,
        r#"{"op": "5", "seq": "3", "d": {"speaking": true, "ssrc": "5", "user_id": 7}}"#,
        r#"{"op": 5, "seq": 3, "d": {"speaking": 5, "ssrc": 5, "user_id": "7", "delay": 0}}"#,
    ] {
        assert_eq!(read(text), Some((speaking.clone(), Some(3))), "{text}");
    }
    let quiet = read(r#"{"op": 5, "d": {"speaking": 0, "ssrc": 5, "user_id": "7"}}"#);
    assert!(matches!(
        quiet,
        Some((
            Heard::Speaking {
                is_speaking: Some(false),
                ..
            },
            None
        ))
    ));
}

#[test]
fn a_ready_names_the_line_and_the_best_way_to_seal() {
    let text = r#"{"op": 2, "seq": 1, "d": {"ssrc": 9, "ip": "192.0.2.1", "port": 50001, "modes": ["x", "aead_xchacha20_poly1305_rtpsize"]}}"#;
    let Some((Heard::Ready { ssrc, address, mode }, Some(1))) = read(text) else {
        panic!("not read");
    };
    assert_eq!(
        (ssrc, address.to_string().as_str(), mode),
        (9, "192.0.2.1:50001", Some(TransportMode::XChaCha20Poly1305))
    );
    for wrong in [
        r#""ip": "host""#,
        r#""port": 0"#,
        r#""port": 70000"#,
        r#""modes": 1"#,
    ] {
        let key = wrong.split(':').next().expect("a key");
        let mut data: Value = serde_json::from_str(text).expect("JSON");
        let changed: Value = serde_json::from_str(&format!("{{{wrong}}}")).expect("JSON");
        let key = key.trim_matches('"');
        data["d"][key] = changed[key].clone();
        assert_eq!(read(&data.to_string()), None, "{wrong}");
    }
}

#[test]
fn a_key_has_32_bytes() {
    let session = |key: Value| {
        read(
            &json!({"op": 4, "d": {"mode": "aead_aes256_gcm_rtpsize", "secret_key": key, "dave_protocol_version": 1}})
                .to_string(),
        )
    };
    assert!(session(json!(vec![255; 32])).is_some());
    for wrong in [
        json!(vec![1; 31]),
        json!(vec![256; 32]),
        json!("key"),
        Value::Null,
    ] {
        assert_eq!(session(wrong), None);
    }
}

#[test]
fn what_nobody_needs_is_read_for_its_number() {
    assert_eq!(
        read(r#"{"op": 18, "seq": 9, "d": {"flags": 0}}"#),
        Some((Heard::Other, Some(9)))
    );
    assert_eq!(read(r#"{"op": 2}"#), None);
    assert_eq!(read("[]"), None);
    assert_eq!(read("}"), None);
}

#[test]
fn bytes_have_a_number_a_kind_and_the_rest() {
    assert_eq!(
        read_binary(&[1, 2, 25, 7, 7]),
        Some((Some(GroupMessage::ExternalSender(&[7, 7])), 0x0102))
    );
    let proposals = GroupMessage::Proposals {
        is_revoked: false,
        proposals: &[9],
    };
    assert_eq!(read_binary(&[0, 3, 27, 0, 9]), Some((Some(proposals), 3)));
    let commit = GroupMessage::Commit {
        transition: 0x0a0b,
        commit: &[5],
    };
    assert_eq!(read_binary(&[0, 4, 29, 10, 11, 5]), Some((Some(commit), 4)));
    assert_eq!(
        read_binary(&[0, 5, 99, 1]),
        Some((None, 5)),
        "an unknown kind still counts"
    );
    for cut in [
        &[][..],
        &[0],
        &[0, 1],
        &[0, 1, 27],
        &[0, 1, 29, 0],
        &[0, 1, 30, 0],
    ] {
        assert_eq!(read_binary(cut), None, "{cut:?}");
    }
}
