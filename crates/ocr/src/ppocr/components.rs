//! Islands in a map of probabilities: each is a line of text, shrunk.

use crate::plane::Area;

/// A pixel from here on belongs to some text.
const LAND_FROM: f32 = 0.3;
/// An island must be this likely on the whole.
const LIKELY_FROM: f32 = 0.55;
/// Smaller islands are specks.
const SIDE_MIN: usize = 3;
/// The network was taught text that is shrunk; so much of it has to be put back, as part of area over outline.
const GROWN_BY: f32 = 1.6;

/// A piece of a row that is all land.
struct Stretch {
    row: usize,
    start: usize,
    end: usize,
    island: usize,
}

#[derive(Clone, Copy)]
struct Island {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    sum: f32,
    count: usize,
}

/// Where text stands in a map of this width, most likely first no order at all.
pub(super) fn areas(map: &[f32], width: usize) -> Vec<Area> {
    if width == 0 {
        return Vec::new();
    }
    let mut parents: Vec<usize> = Vec::new();
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut above, mut first_of_row) = (0..0, 0);
    for (row, levels) in map.chunks_exact(width).enumerate() {
        for (start, end) in land(levels) {
            let island = parents.len();
            parents.push(island);
            // Corners count as touching.
            for upper in &stretches[above.clone()] {
                if upper.start <= end && start <= upper.end {
                    join(&mut parents, upper.island, island);
                }
            }
            stretches.push(Stretch {
                row,
                start,
                end,
                island,
            });
        }
        above = first_of_row..stretches.len();
        first_of_row = stretches.len();
    }
    let mut islands: Vec<Option<Island>> = vec![None; parents.len()];
    for stretch in &stretches {
        let root = root(&mut parents, stretch.island);
        let sum: f32 = map[stretch.row * width + stretch.start..stretch.row * width + stretch.end]
            .iter()
            .sum();
        let island = islands[root].get_or_insert(Island {
            left: stretch.start,
            right: stretch.end,
            top: stretch.row,
            bottom: stretch.row + 1,
            sum: 0.0,
            count: 0,
        });
        island.left = island.left.min(stretch.start);
        island.right = island.right.max(stretch.end);
        island.bottom = stretch.row + 1;
        island.sum += sum;
        island.count += stretch.end - stretch.start;
    }
    islands.into_iter().flatten().filter_map(Island::grown).collect()
}

impl Island {
    /// The text of which this is the shrunken shape, if it is one.
    fn grown(self) -> Option<Area> {
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        let likely = self.sum / self.count as f32;
        if width < SIDE_MIN || height < SIDE_MIN || likely < LIKELY_FROM {
            return None;
        }
        let (width, height) = (width as f32, height as f32);
        let more = width * height * GROWN_BY / (2.0 * (width + height));
        Some(Area {
            left: self.left as f32 - more,
            top: self.top as f32 - more,
            width: width + 2.0 * more,
            height: height + 2.0 * more,
        })
    }
}

/// The pieces of a row that are land, each as start and end.
fn land(levels: &[f32]) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut start = None;
    for (column, level) in levels.iter().enumerate() {
        match (start, *level >= LAND_FROM) {
            (None, true) => start = Some(column),
            (Some(begun), false) => {
                pieces.push((begun, column));
                start = None;
            }
            _ => {}
        }
    }
    pieces.extend(start.map(|begun| (begun, levels.len())));
    pieces
}

fn root(parents: &mut [usize], mut island: usize) -> usize {
    while parents[island] != island {
        parents[island] = parents[parents[island]];
        island = parents[island];
    }
    island
}

fn join(parents: &mut [usize], left: usize, right: usize) {
    let (left, right) = (root(parents, left), root(parents, right));
    parents[left.max(right)] = left.min(right);
}
