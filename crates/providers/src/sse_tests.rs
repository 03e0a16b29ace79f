use super::*;

fn parse(chunks: &[&[u8]]) -> Vec<(String, String)> {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events).expect("small enough");
    }
    parser.finish(&mut events);
    events.into_iter().map(|event| (event.name, event.data)).collect()
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
        .collect()
}

#[test]
fn events_are_the_same_with_every_kind_of_line_end() {
    let expected = named(&[("a", "1\n2"), ("", "3")]);
    let text = "event: a\ndata: 1\ndata: 2\n\ndata: 3\n\n";
    assert_eq!(parse(&[text.as_bytes()]), expected);
    assert_eq!(parse(&[text.replace('\n', "\r\n").as_bytes()]), expected);
    assert_eq!(parse(&[text.replace('\n', "\r").as_bytes()]), expected);
}

#[test]
fn a_stream_cut_at_any_byte_gives_the_same_events() {
    let text =
        "\u{feff}: hello\r\nevent: message\r\ndata: {\"t\":\"Grüße 🦀\"}\r\n\r\ndata:x\r\n\r\n".as_bytes();
    let expected = named(&[("message", "{\"t\":\"Grüße 🦀\"}"), ("", "x")]);
    for cut in 0..=text.len() {
        assert_eq!(parse(&[&text[..cut], &text[cut..]]), expected, "cut at {cut}");
    }
    let single: Vec<&[u8]> = text.chunks(1).collect();
    assert_eq!(parse(&single), expected);
}

#[test]
fn the_last_event_counts_without_an_empty_line_after_it() {
    assert_eq!(
        parse(&[b"data: 1\n\ndata: [DONE]"]),
        named(&[("", "1"), ("", "[DONE]")])
    );
    assert_eq!(parse(&[b"data: 1\n"]), named(&[("", "1")]));
}

#[test]
fn comments_ids_and_events_without_data_are_passed_over() {
    assert_eq!(
        parse(&[b": ping\n\nid: 4\nretry: 100\n\nevent: lonely\n\ndata: 1\n\n"]),
        named(&[("", "1")])
    );
}

#[test]
fn trouble_in_a_field_of_its_own_is_an_error_event() {
    assert_eq!(
        parse(&[b"error: {\"code\":500}\n\n"]),
        named(&[("error", "{\"code\":500}")])
    );
}

#[test]
fn an_event_without_end_is_refused() {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    let piece = vec![b'x'; EVENT_BYTES_MAX / 2];
    parser.push(b"data: ", &mut events).expect("small");
    parser.push(&piece, &mut events).expect("still small enough");
    assert_eq!(parser.push(&piece, &mut events), Err(EventTooLarge));

    let mut parser = SseParser::default();
    let line = [b"data: ", vec![b'y'; 1000].as_slice(), b"\n"].concat();
    assert!(
        (0..2000).any(|_| parser.push(&line, &mut events).is_err()),
        "many data lines are one event too"
    );
}

mod hostile_streams {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Event, SseParser};

    const SAMPLES: [&str; 3] = [
        "\u{feff}event: message_start\r\ndata: {\"type\": \"message_start\"}\r\n\r\n: ping\r\rdata: one\ndata:two\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Grüße, 🌍\"}}]}\n\ndata: [DONE]\n\n",
        "id: 7\nretry: 10\nevent:\ndata\n\ndata:\n\nevent: x\n\n",
    ];

    fn read<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Vec<Event> {
        let (mut parser, mut events) = (SseParser::default(), Vec::new());
        for chunk in chunks {
            parser.push(chunk, &mut events).expect("small enough");
        }
        parser.finish(&mut events);
        events
    }

    proptest! {
        #![proptest_config(hostile::cases(300))]

        #[test]
        fn a_stream_says_the_same_however_it_is_cut(
            text in hostile::wounded(SAMPLES.map(|sample| sample.as_bytes().to_vec()).to_vec()),
            cuts in vec(1..40_usize, 1..60),
        ) {
            let mut rest = text.as_slice();
            let pieces = cuts.iter().cycle().map_while(|length| {
                let (piece, after) = rest.split_at(rest.len().min(*length));
                rest = after;
                (!piece.is_empty()).then_some(piece)
            });
            let pieces: Vec<&[u8]> = pieces.collect();
            prop_assert_eq!(read(pieces.into_iter()), read(std::iter::once(text.as_slice())));
        }
    }
}
