//! What cues weigh: boosted trees that `tools/train-addressing.py` made, in whole numbers, the same on every machine.
//!
//! The file: `DZF1`, how many cues, how many trees (two bytes), 99 sums at which the score reaches 1 to 99 (four bytes
//! each), and the trees. A tree: how many leaves, its nodes (cue, the most that goes left, left, right, the mean of what
//! is below), its leaves. Numbers are little-endian; a child from 128 on is a leaf.

use super::cues::{COUNT, Cues};

static FILE: &[u8] = include_bytes!("forest.bin");

const STEPS_AT: usize = 7;
const STEPS: usize = 99;
const TREES_AT: usize = STEPS_AT + STEPS * 4;
const NODE: usize = 6;
const LEAF: usize = 2;
const FIRST_LEAF: u8 = 128;

/// What cues come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weight {
    /// 0 to 99: of a hundred such lines so many were meant.
    pub(super) score: u64,
    /// How much each cue moved it.
    pub(super) moved: [i32; COUNT],
}

/// Weighs cues.
pub(super) fn weigh(cues: &Cues) -> Weight {
    weigh_by(FILE, cues)
}

fn weigh_by(file: &[u8], cues: &Cues) -> Weight {
    let mut moved = [0; COUNT];
    let mut sum = 0;
    let mut at = TREES_AT;
    for _ in 0..trees(file) {
        let leaves = usize::from(file[at]);
        let nodes = at + 1;
        let first_leaf = nodes + (leaves - 1) * NODE;
        let mut node = nodes;
        let mut mean = if leaves > 1 { small(file, node + 4) } else { 0 };
        let mut next = if leaves > 1 { 0 } else { FIRST_LEAF };
        let mut cue = None;
        loop {
            let value = if next >= FIRST_LEAF {
                small(file, first_leaf + usize::from(next - FIRST_LEAF) * LEAF)
            } else {
                node = nodes + usize::from(next) * NODE;
                small(file, node + 4)
            };
            if let Some(cue) = cue {
                moved[usize::from(cue)] += value - mean;
            }
            mean = value;
            if next >= FIRST_LEAF {
                break;
            }
            let goes_left = cues.value(file[node]) <= file[node + 1];
            cue = Some(file[node]);
            next = if goes_left { file[node + 2] } else { file[node + 3] };
        }
        sum += mean;
        at = first_leaf + leaves * LEAF;
    }
    let reached = |step: &usize| large(file, STEPS_AT + step * 4) <= sum;
    let score = (0..STEPS).take_while(reached).count() as u64;
    Weight { score, moved }
}

fn trees(file: &[u8]) -> usize {
    usize::from(u16::from_le_bytes([file[5], file[6]]))
}

fn small(file: &[u8], at: usize) -> i32 {
    i32::from(i16::from_le_bytes([file[at], file[at + 1]]))
}

fn large(file: &[u8], at: usize) -> i32 {
    i32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]])
}

#[cfg(test)]
#[path = "forest_tests.rs"]
mod tests;
