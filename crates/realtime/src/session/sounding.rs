//! Sound that a service sends: of which text it is, and when it says more than was asked for.

use vocabulary::Moment;

use super::{Output, Session};

impl Session {
    pub(super) fn sounded(
        &mut self,
        now: Moment,
        response: Option<&str>,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
        out: &mut Vec<Output>,
    ) {
        let rate = self.brief.speaks_at();
        let Some(sounded) = self.mouth.sounded(now, response, samples, marks, rate) else {
            return;
        };
        self.connection.worked();
        out.push(Output::Sound {
            number: sounded.number,
            samples: sounded.samples,
            marks: sounded.marks,
        });
        if let Some((said, commands)) = self.mouth.runaway(rate) {
            self.send(commands, out);
            self.said(Some(said), out);
        }
    }
}
