use super::*;

/// A file with one tree: the first cue up to 3 is a no, beyond it the second up to 7 a maybe, and else a yes.
fn small_file() -> Vec<u8> {
    let mut file = b"DZF1".to_vec();
    file.push(COUNT as u8);
    file.extend(1_u16.to_le_bytes());
    for step in 1..=99_i32 {
        file.extend((step * 10).to_le_bytes());
    }
    file.push(3);
    for (cue, most, left, right, mean) in [(0, 3, 128, 1, 400_i16), (1, 7, 129, 130, 600)] {
        file.extend([cue, most, left, right]);
        file.extend(mean.to_le_bytes());
    }
    for leaf in [-100_i16, 500, 900] {
        file.extend(leaf.to_le_bytes());
    }
    file
}

fn weight(first: u8, second: u8) -> Weight {
    let mut values = [0; COUNT];
    (values[0], values[1]) = (first, second);
    weigh_by(&small_file(), &Cues::from_values(values))
}

#[test]
fn a_walk_ends_at_a_leaf_and_says_which_cue_moved_it() {
    let no = weight(3, 9);
    assert_eq!((no.score, no.moved[0], no.moved[1]), (0, -500, 0));
    let maybe = weight(4, 7);
    assert_eq!((maybe.score, maybe.moved[0], maybe.moved[1]), (50, 200, -100));
    let yes = weight(4, 8);
    assert_eq!((yes.score, yes.moved[0], yes.moved[1]), (90, 200, 300));
}

#[test]
fn the_trees_of_the_product_are_whole() {
    assert_eq!((&FILE[..4], usize::from(FILE[4])), (&b"DZF1"[..], COUNT));
    assert!(FILE.len() <= 56_000 && trees(FILE) > 100);
    let steps: Vec<i32> = (0..STEPS).map(|step| large(FILE, STEPS_AT + step * 4)).collect();
    assert!(steps.is_sorted());
    let mut at = TREES_AT;
    for _ in 0..trees(FILE) {
        let leaves = usize::from(FILE[at]);
        assert!((1..=usize::from(FIRST_LEAF)).contains(&leaves));
        for node in 0..leaves - 1 {
            let node_at = at + 1 + node * NODE;
            assert!(usize::from(FILE[node_at]) < COUNT);
            for child in [FILE[node_at + 2], FILE[node_at + 3]].map(usize::from) {
                // Children come after their parents, so every walk ends.
                let is_node = child > node && child < leaves - 1;
                assert!(is_node || (128..128 + leaves).contains(&child), "{child}");
            }
        }
        at += 1 + (leaves - 1) * NODE + leaves * LEAF;
    }
    assert_eq!(at, FILE.len());
}

#[test]
fn whatever_the_cues_are_they_come_to_a_score() {
    for value in 0..=u8::MAX {
        assert!(weigh(&Cues::from_values([value; COUNT])).score <= 99);
    }
}
