//! The order in which people read: rows from top to bottom, and each from left to right.

use runtime::ports::ReadLine;

/// Puts lines in the order of reading. Neighbours whose middles are closer than half a line stand in one row.
pub(crate) fn in_reading_order(mut lines: Vec<ReadLine>) -> Vec<ReadLine> {
    let middle = |line: &ReadLine| line.top + line.height / 2.0;
    lines.sort_by(|left, right| middle(left).total_cmp(&middle(right)));
    let mut ordered: Vec<ReadLine> = Vec::with_capacity(lines.len());
    let mut row: Vec<ReadLine> = Vec::new();
    for line in lines {
        let goes_on = row
            .first()
            .is_some_and(|first| middle(&line) - middle(first) < first.height.min(line.height) / 2.0);
        if !goes_on {
            ordered.append(&mut sorted(&mut row));
        }
        row.push(line);
    }
    ordered.append(&mut sorted(&mut row));
    ordered
}

fn sorted(row: &mut Vec<ReadLine>) -> Vec<ReadLine> {
    row.sort_by(|left, right| left.left.total_cmp(&right.left));
    std::mem::take(row)
}
