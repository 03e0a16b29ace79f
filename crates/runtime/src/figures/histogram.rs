//! How long things take, in buckets.

use vocabulary::Span;

/// Upper ends of the buckets, in milliseconds; beyond them there is one more.
pub const BUCKETS_MS: [u64; 17] = [
    50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 13_000, 20_000, 30_000, 60_000,
    120_000,
];

/// Spans, counted by how long they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Those within each bucket, and not within the one before.
    counts: [u64; BUCKETS_MS.len()],
    beyond: u64,
    sum_ms: u64,
}

impl Histogram {
    pub fn add(&mut self, span: Span) {
        match BUCKETS_MS.iter().position(|end| span.0 <= *end) {
            Some(bucket) => self.counts[bucket] += 1,
            None => self.beyond += 1,
        }
        self.sum_ms = self.sum_ms.saturating_add(span.0);
    }

    /// Adds another one.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.beyond += other.beyond;
        self.sum_ms = self.sum_ms.saturating_add(other.sum_ms);
    }

    /// The upper end of each bucket in milliseconds, and how many are up to it.
    pub fn cumulative(&self) -> impl Iterator<Item = (u64, u64)> {
        let counts = BUCKETS_MS.iter().zip(&self.counts);
        counts.scan(0, |sum, (end, count)| {
            *sum += count;
            Some((*end, *sum))
        })
    }

    pub fn count(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.beyond
    }

    pub fn sum_ms(&self) -> u64 {
        self.sum_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_in_every_bucket_that_it_is_within() {
        let mut histogram = Histogram::default();
        for span in [50, 51, 500_000] {
            histogram.add(Span(span));
        }
        let seen: Vec<(u64, u64)> = histogram.cumulative().take(2).collect();
        assert_eq!(seen, [(50, 1), (100, 2)]);
        assert_eq!(histogram.cumulative().last(), Some((120_000, 2)));
        assert_eq!((histogram.count(), histogram.sum_ms()), (3, 500_101));
    }
}
