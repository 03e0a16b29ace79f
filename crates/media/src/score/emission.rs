//! Which frames of a stream are emitted: evenly, and no more than so many a second.

use std::time::Duration;

/// Chooses the frames of one stream. Time is cut into equal slots, of each of which the first frame is emitted.
#[derive(Clone, Debug)]
pub struct Emission {
    per_second: f64,
    last: Option<u64>,
}

impl Emission {
    /// So many frames a second at most.
    pub fn new(per_second: f64) -> Self {
        Self {
            per_second,
            last: None,
        }
    }

    /// Whether the frame that is shown at this time is emitted.
    pub fn takes(&mut self, time: Duration) -> bool {
        // A frame that is meant for the very start of a slot may be a little early by rounding.
        let slot = (time.as_secs_f64() * self.per_second + 1e-6) as u64;
        let is_new = self.last.is_none_or(|last| slot > last);
        if is_new {
            self.last = Some(slot);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(frames_per_second: f64, per_second: f64, count: u32) -> Vec<u32> {
        let mut emission = Emission::new(per_second);
        let time = |frame: u32| Duration::from_secs_f64(f64::from(frame) / frames_per_second);
        (0..count).filter(|&frame| emission.takes(time(frame))).collect()
    }

    #[test]
    fn of_thirty_frames_a_second_every_fifteenth_is_taken() {
        assert_eq!(taken(30.0, 2.0, 61), [0, 15, 30, 45, 60]);
    }

    #[test]
    fn the_rate_holds_where_frames_do_not_divide_evenly() {
        assert_eq!(taken(29.97, 2.0, 2997).len(), 200);
        assert_eq!(taken(7.0, 2.0, 700).len(), 200);
    }

    #[test]
    fn a_slower_stream_is_taken_whole() {
        assert_eq!(taken(1.0, 2.0, 5), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_first_frame_is_taken_whenever_it_comes_and_time_that_goes_back_gives_none() {
        let mut emission = Emission::new(2.0);
        assert!(emission.takes(Duration::from_secs(100)));
        assert!(!emission.takes(Duration::from_secs(3)));
        assert!(emission.takes(Duration::from_secs(101)));
    }
}
