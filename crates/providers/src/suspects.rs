//! Which of several pictures a model did not take: providers rarely say. They are left out one by one, the newest first,
//! and only one whose absence helped is held against it. Where nothing says that it was a picture at all, all are left out
//! at once, and if that helps the newest is in doubt.

use vocabulary::AttachmentId;

/// With more than these, all are left out at once: each try is a request.
const ONE_BY_ONE_MAX: usize = 3;

/// The pictures of a refused question, and what is still to be tried without them.
#[derive(Debug)]
pub(crate) struct Suspects {
    among: usize,
    /// All go at once, and nobody said that it is one of them.
    together: bool,
    /// What is left out next, from the back.
    plans: Vec<Vec<AttachmentId>>,
}

impl Suspects {
    /// Of pictures that were sent, oldest first.
    pub(crate) fn among(sent: Vec<AttachmentId>) -> Self {
        let among = sent.len();
        let mut plans = Vec::new();
        if among > 1 {
            plans.push(sent.clone());
        }
        if among <= ONE_BY_ONE_MAX {
            plans.extend(sent.into_iter().map(|one| vec![one]));
        }
        Self {
            among,
            together: false,
            plans,
        }
    }

    /// Of pictures that were sent, oldest first, which are only ever left out together.
    pub(crate) fn together(sent: Vec<AttachmentId>) -> Self {
        Self {
            among: sent.len(),
            together: true,
            plans: vec![sent],
        }
    }

    /// Whether the server said that it was about them.
    pub(crate) fn are_named(&self) -> bool {
        !self.together
    }

    /// What to leave out next; none where nothing is left to try.
    pub(crate) fn leave_out(&mut self) -> Option<Vec<AttachmentId>> {
        self.plans.pop()
    }

    /// Of what was left out when an answer came, that which is held against the model.
    pub(crate) fn found<'a>(&self, left_out: &'a [AttachmentId]) -> &'a [AttachmentId] {
        // The older ones were mostly answered to before; if not, it is their turn with the next question.
        if self.together {
            return &left_out[left_out.len().saturating_sub(1)..];
        }
        // Of two, where neither alone helped, both are; of more, nobody can tell.
        match left_out.len() == 1 || self.among == 2 {
            true => left_out,
            false => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(pictures: &[&str]) -> (Suspects, Vec<Vec<String>>) {
        let sent = pictures.iter().map(|id| AttachmentId::from(*id)).collect();
        let mut suspects = Suspects::among(sent);
        let plans = std::iter::from_fn(|| suspects.leave_out());
        let plans = plans.map(|plan| plan.iter().map(ToString::to_string).collect());
        let plans = plans.collect();
        (suspects, plans)
    }

    #[test]
    fn the_newest_is_left_out_first_and_all_of_them_last() {
        assert_eq!(tried(&["a"]).1, [["a"]]);
        assert_eq!(tried(&["a", "b"]).1, [vec!["b"], vec!["a"], vec!["a", "b"]]);
        assert_eq!(tried(&["a", "b", "c", "d"]).1, [["a", "b", "c", "d"]]);
        assert!(tried(&[]).1.is_empty());
    }

    #[test]
    fn only_what_is_certainly_to_blame_is_held_against_a_model() {
        let one = [AttachmentId::from("a")];
        let two = [AttachmentId::from("a"), AttachmentId::from("b")];
        assert_eq!(tried(&["a", "b", "c"]).0.found(&one), one);
        assert_eq!(tried(&["a", "b"]).0.found(&two), two);
        assert!(tried(&["a", "b", "c"]).0.found(&two).is_empty());
    }

    #[test]
    fn of_those_left_out_together_it_is_the_newest() {
        let two = [AttachmentId::from("a"), AttachmentId::from("b")];
        let mut suspects = Suspects::together(two.to_vec());
        assert_eq!(suspects.leave_out().as_deref(), Some(&two[..]));
        assert_eq!(suspects.leave_out(), None);
        assert_eq!(suspects.found(&two), &two[1..]);
        assert!(suspects.found(&[]).is_empty());
    }
}
