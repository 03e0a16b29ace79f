//! The machine by tables: what comes in, and what follows.

use serde_json::json;
use vocabulary::Span;

use crate::bench::{Bench, OWN, SSRC, place};
use crate::{CallCommand, CallEnd, CallEvent, CallInput};

#[test]
fn a_call_is_joined_step_by_step() {
    let mut bench = Bench::new();
    bench.open();
    let came = bench.hello();
    assert_eq!(came.ops(), [0]);
    let identify = &came.sent[0]["d"];
    assert_eq!(
        (
            &identify["server_id"],
            &identify["user_id"],
            &identify["session_id"],
            &identify["token"]
        ),
        (&json!("10"), &json!("1"), &json!("session"), &json!("token"))
    );
    assert_eq!(identify["max_dave_protocol_version"], 1);
    let came = bench.ready();
    assert_eq!(
        (came.lines, came.datagrams.len(), came.datagrams[0].len()),
        (1, 1, 74)
    );
    let came = bench.discovered();
    assert_eq!(came.ops(), [1]);
    let data = &came.sent[0]["d"]["data"];
    assert_eq!(
        *data,
        json!({"address": "192.0.2.7", "port": 4000, "mode": "aead_aes256_gcm_rtpsize"})
    );
    let came = bench.described(1);
    assert_eq!(came.events, [CallEvent::Live]);
    assert_eq!(
        came.ops(),
        [5],
        "the server hears its number, though nothing is said"
    );
    assert_eq!(
        came.sent[0]["d"],
        json!({"speaking": 0, "delay": 0, "ssrc": SSRC})
    );
    assert_eq!(
        came.binary.iter().map(|it| it[0]).collect::<Vec<_>>(),
        [26],
        "its key package"
    );
}

#[test]
fn its_address_is_asked_for_again_and_given_up_in_the_end() {
    let mut bench = Bench::new();
    bench.open();
    bench.hello();
    bench.ready();
    let asked: usize = (0..9)
        .map(|_| bench.pass(Span::seconds(1)))
        .map(|came| came.datagrams.iter().filter(|it| it.len() == 74).count())
        .sum();
    assert_eq!(asked, 9);
    assert_eq!(bench.pass(Span::seconds(1)).closes, [4000]);
}

#[test]
fn each_close_code_is_followed_by_what_it_means() {
    enum Then {
        Resume,
        Identify,
        Wait { is_asked: bool },
        End(CallEnd),
    }
    let table = [
        (None, Then::Resume),
        (Some(1006), Then::Resume),
        (Some(4015), Then::Resume),
        (Some(4003), Then::Identify),
        (Some(4006), Then::Wait { is_asked: true }),
        (Some(4009), Then::Wait { is_asked: true }),
        (Some(4014), Then::Wait { is_asked: false }),
        (Some(4004), Then::End(CallEnd::Token)),
        (Some(4017), Then::End(CallEnd::Encryption)),
        (Some(4021), Then::End(CallEnd::TooMany)),
        (Some(4022), Then::End(CallEnd::Over)),
    ];
    for (code, then) in table {
        let mut bench = Bench::live();
        bench.say(json!({"op": 5, "seq": 9, "d": {"user_id": "2", "ssrc": 5, "speaking": 1}}));
        let came = bench.step(CallInput::Closed(code));
        assert_eq!(came.events[0], CallEvent::Interrupted, "{code:?}");
        match then {
            Then::Resume => {
                bench.open();
                let resume = &bench.hello().sent[0];
                let data =
                    json!({"server_id": "10", "session_id": "session", "token": "token", "seq_ack": 9});
                assert_eq!(*resume, json!({"op": 7, "d": data}), "{code:?}");
                let came = bench.say(json!({"op": 9, "d": null}));
                assert_eq!((came.events, came.sent.len()), (vec![CallEvent::Live], 1));
                assert_eq!(bench.call.health().resumes, 1);
            }
            Then::Identify => {
                bench.open();
                let came = bench.hello();
                assert_eq!(came.ops(), [0], "{code:?}");
                assert_eq!(
                    came.events,
                    [CallEvent::Left { user: 2 }],
                    "who is there is told anew"
                );
            }
            Then::Wait { is_asked } => {
                assert!(
                    came.events.contains(&CallEvent::PlaceWanted { is_asked }),
                    "{code:?}"
                );
                assert!(bench.pass(Span::seconds(29)).connects.is_empty(), "{code:?}");
                let came = bench.step(CallInput::Command(CallCommand::Move(place("other.example"))));
                assert_eq!(came.connects, ["other.example"]);
            }
            Then::End(end) => {
                assert!(came.is_ended, "{code:?}");
                assert_eq!(bench.call.health().end, Some(end));
                assert_eq!(bench.call.wake(), None);
            }
        }
    }
}

#[test]
fn a_server_that_nobody_names_ends_the_call() {
    let mut bench = Bench::live();
    bench.step(CallInput::Closed(Some(4014)));
    assert!(bench.pass(Span::seconds(30)).is_ended);
    assert_eq!(bench.call.health().end, Some(CallEnd::NoServer));
}

#[test]
fn a_server_that_does_not_answer_heartbeats_is_dead() {
    let mut bench = Bench::live();
    let (mut beats, mut closes) = (0, Vec::new());
    for _ in 0..45 {
        let came = bench.pass(Span::seconds(1));
        beats += came.sent.iter().filter(|it| it["op"] == 3).count();
        closes.extend(came.closes);
        if let Some(beat) = came.sent.iter().find(|it| it["op"] == 3) {
            assert_eq!(beat["d"]["seq_ack"], 2);
        }
    }
    assert_eq!((beats, closes, bench.call.health().zombies), (1, vec![4000], 1));
}

#[test]
fn a_session_that_cannot_go_on_is_begun_anew_and_then_a_server_is_asked_for() {
    let mut bench = Bench::live();
    let mut tried = Vec::new();
    for _ in 0..6 {
        let came = bench.step(CallInput::Closed(None));
        if came.events.contains(&CallEvent::PlaceWanted { is_asked: true }) {
            tried.push(99);
            break;
        }
        bench.open();
        tried.extend(bench.hello().ops());
    }
    assert_eq!(tried, [7, 7, 0, 0, 0, 99]);
}

#[test]
fn what_is_said_goes_out_sealed_with_silence_after_it() {
    let mut bench = Bench::live();
    let came = bench.step(CallInput::Command(CallCommand::Play(vec![1, 2, 3, 4])));
    assert_eq!(came.sent[0]["d"]["speaking"], 1);
    let mut frames: Vec<Vec<u8>> = came.datagrams.iter().map(|it| Bench::opened(it)).collect();
    let mut last = Vec::new();
    for _ in 0..10 {
        let came = bench.pass(Span(20));
        frames.extend(came.datagrams.iter().map(|it| Bench::opened(it)));
        last.extend(came.sent);
    }
    let silence = vec![0xf8, 0xff, 0xfe];
    assert_eq!(frames[0], [1, 2, 3, 4]);
    assert_eq!(frames[1..], vec![silence; 5]);
    assert_eq!(last.len(), 1);
    assert_eq!(last[0]["d"]["speaking"], 0);
    assert_eq!(bench.call.health().sent, 6);
}

#[test]
fn the_same_key_again_does_not_begin_to_count_anew() {
    let mut bench = Bench::live();
    let number = |packet: &Vec<u8>| packet[packet.len() - 4..].to_vec();
    let first = bench.step(CallInput::Command(CallCommand::Play(vec![1; 4])));
    bench.described(0);
    let second = bench.pass(Span(20));
    assert_ne!(number(&first.datagrams[0]), number(&second.datagrams[0]));
}

#[test]
fn in_a_private_call_nothing_goes_out_in_the_open() {
    let mut bench = Bench::new();
    bench.open();
    bench.hello();
    bench.ready();
    bench.discovered();
    bench.described(1);
    let came = bench.step(CallInput::Command(CallCommand::Play(vec![1; 40])));
    assert_eq!(came.datagrams.len(), 0, "there is no key yet");
    assert_eq!(bench.call.health().unsent_frames, 1);
}

#[test]
fn sound_that_comes_before_its_speakers_name_is_not_lost() {
    let mut bench = Bench::live();
    for sequence in 1..=3 {
        let packet = bench.packet(5, sequence, &[9; 20]);
        assert_eq!(bench.step(CallInput::Datagram(&packet)).events, []);
    }
    let came = bench.say(json!({"op": 5, "d": {"user_id": "2", "ssrc": 5, "speaking": 1}}));
    assert_eq!(
        came.events[..2],
        [
            CallEvent::Joined { user: 2 },
            CallEvent::Speaking {
                user: 2,
                is_speaking: true
            }
        ]
    );
    let sequences = came.events[2..].iter().map(|event| match event {
        CallEvent::Packet(packet) => (packet.user, packet.sequence, packet.opus.len()),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        sequences.collect::<Vec<_>>(),
        [(2, 1, 20), (2, 2, 20), (2, 3, 20)]
    );
}

#[test]
fn comings_and_goings_are_told_once_and_never_its_own() {
    let mut bench = Bench::live();
    let came = bench.say(json!({"op": 11, "d": {"user_ids": ["2", 3, "x", OWN.to_string()]}}));
    assert_eq!(
        came.events,
        [CallEvent::Joined { user: 2 }, CallEvent::Joined { user: 3 }]
    );
    assert_eq!(bench.say(json!({"op": 11, "d": {"user_ids": ["2"]}})).events, []);
    assert_eq!(
        bench.say(json!({"op": 13, "d": {"user_id": "2"}})).events,
        [CallEvent::Left { user: 2 }]
    );
    assert_eq!(bench.say(json!({"op": 13, "d": {"user_id": "2"}})).events, []);
}

#[test]
fn strange_packets_are_counted_and_nothing_else() {
    let mut bench = Bench::live();
    let mut changed = bench.packet(5, 1, &[9; 20]);
    changed[20] ^= 1;
    for packet in [&changed[..], &[0x81, 201, 0, 0], &[1, 2, 3], &[0; 8]] {
        assert_eq!(bench.step(CallInput::Datagram(packet)).events, []);
    }
    let health = bench.call.health();
    assert_eq!((health.unopened, health.strange, health.heard), (1, 1, 0));
}

#[test]
fn leaving_says_so_and_is_the_end() {
    let mut bench = Bench::live();
    let came = bench.step(CallInput::Command(CallCommand::Leave));
    assert_eq!(came.closes, [1000]);
    assert!(came.is_ended);
    assert_eq!(came.events.last(), Some(&CallEvent::Ended(CallEnd::Left)));
    assert!(bench.hello().sent.is_empty());
}

#[test]
fn a_server_that_knows_no_way_to_seal_is_told_plainly() {
    let mut bench = Bench::new();
    bench.open();
    bench.hello();
    let ready =
        json!({"op": 2, "d": {"ssrc": 1, "ip": "127.0.0.1", "port": 1, "modes": ["xsalsa20_poly1305"]}});
    assert!(bench.say(ready).is_ended);
    assert_eq!(bench.call.health().end, Some(CallEnd::NoMode));
}
