//! Its own thoughts as a test wants them shown.

use std::sync::{Arc, Mutex};

use mind::ambient::view::AmbientView;
use mind::{Genesis, Mind};
use settings::Settings;
use tokio::sync::oneshot;
use vocabulary::{CommunityId, Moment, Now, PersonId, WallTime};

/// What is shown of its own thoughts. Cheap to clone; all clones show the same.
#[derive(Clone, Debug)]
pub struct AmbientShown(Arc<Mutex<AmbientView>>);

impl AmbientShown {
    /// What a mind shows to which nothing has happened.
    pub(super) fn of_a_new_mind(community: &CommunityId, denizen: &PersonId) -> Self {
        let mind = Mind::new(Genesis::first(community.clone(), denizen.clone(), 0));
        let now = Now {
            moment: Moment(0),
            wall: WallTime(0),
        };
        Self(Arc::new(Mutex::new(mind.ambient(now, &Settings::default()))))
    }

    /// Changes what is shown from now on.
    pub fn change(&self, change: impl FnOnce(&mut AmbientView)) {
        change(&mut self.0.lock().expect("a test that panics here has failed already"));
    }

    pub(super) fn show(&self, answer: oneshot::Sender<AmbientView>) {
        let view = self.0.lock().expect("a test that panics here has failed already");
        // Nobody waiting any more is no error.
        let _ = answer.send(view.clone());
    }
}
