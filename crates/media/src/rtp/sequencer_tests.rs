use super::*;

fn packet(sequence: u16) -> Packet {
    Packet {
        sequence,
        timestamp: 0,
        marker: false,
        payload: vec![0; 10].into(),
    }
}

/// What comes out, all packets having come at the same moment: the numbers, and -1 for a gap.
fn out_of(sequencer: &mut Sequencer, numbers: &[u16], now: Duration) -> Vec<i32> {
    let mut out = Vec::new();
    for number in numbers {
        sequencer.push(packet(*number));
        while let Some(sequenced) = sequencer.next(now) {
            out.push(match sequenced {
                Sequenced::Packet(packet) => i32::from(packet.sequence),
                Sequenced::Gap => -1,
            });
        }
    }
    out
}

fn out(numbers: &[u16]) -> Vec<i32> {
    out_of(&mut Sequencer::default(), numbers, Duration::ZERO)
}

#[test]
fn packets_in_order_pass_at_once_also_where_the_numbers_begin_anew() {
    assert_eq!(out(&[65534, 65535, 0, 1]), [65534, 65535, 0, 1]);
}

#[test]
fn packets_out_of_order_are_put_in_order_and_repeated_ones_left_out() {
    assert_eq!(out(&[10, 13, 12, 12, 11, 10, 14, 13]), [10, 11, 12, 13, 14]);
    assert_eq!(out(&[65535, 1, 0, 65535, 2]), [65535, 0, 1, 2]);
}

#[test]
fn a_missing_packet_is_waited_for_and_then_told_of() {
    let mut sequencer = Sequencer::default();
    assert_eq!(out_of(&mut sequencer, &[5, 7, 8], Duration::ZERO), [5]);
    let nearly = MAX_WAIT - Duration::from_millis(1);
    assert_eq!(out_of(&mut sequencer, &[9], nearly), [0i32; 0]);
    assert_eq!(out_of(&mut sequencer, &[10], MAX_WAIT), [-1, 7, 8, 9, 10]);
    assert_eq!(out_of(&mut sequencer, &[6, 11], MAX_WAIT), [11]);
}

#[test]
fn no_more_packets_are_held_than_the_limit() {
    let mut numbers: Vec<u16> = vec![0];
    numbers.extend(2..=MAX_HELD_PACKETS as u16 + 2);
    let out = out(&numbers);
    assert_eq!(out[..3], [0, -1, 2]);
    assert_eq!(out.len(), numbers.len() + 1);
}

#[test]
fn a_sender_that_counts_anew_is_followed_and_a_stray_is_not() {
    assert_eq!(out(&[10, 30000, 11, 12]), [10, 11, 12]);
    assert_eq!(out(&[10, 30000, 30001, 30002]), [10, -1, 30001, 30002]);
    assert_eq!(out(&[30000, 30002, 5, 6, 7]), [30000, -1, 6, 7]);
}

#[test]
fn bytes_that_are_held_are_counted_down_again() {
    let mut sequencer = Sequencer::default();
    out_of(&mut sequencer, &[1, 3, 3, 4, 2, 9, 5], Duration::ZERO);
    assert_eq!((sequencer.held.len(), sequencer.held_bytes), (1, 10));
}
