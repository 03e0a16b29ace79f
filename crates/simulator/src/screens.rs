//! Shared screens in a simulated world: who shares, whose frames the mind wants, and what a frame scores.

use std::collections::BTreeMap;

use mind::{Input, RoomEvent};
use vocabulary::{
    ChangeScore, FrameId, Glimpse, PersonId, PictureKind, RoomId, Share, ShareEnd, ShareId, ShareSource,
};

/// How much the newest frame counts in the smoothed score, as where real frames are scored.
const EMA_ALPHA: f64 = 0.35;

/// What somebody does with a screen.
#[derive(Clone, Debug, PartialEq)]
pub enum ScreenDeed {
    Share(ShareSource),
    Stop(ShareEnd),
    /// A picture comes in, this much different from the last one.
    Frame {
        score: f64,
        scene_cut: bool,
    },
    /// Somebody chooses this screen to be watched.
    Choose,
    /// Somebody chooses that nobody's is.
    ChooseNobody,
}

/// The screens of a world.
#[derive(Clone, Debug, Default)]
pub struct Screens {
    shares: BTreeMap<(RoomId, PersonId), Open>,
    watched: BTreeMap<RoomId, ShareId>,
    shares_so_far: u64,
    frames_so_far: FrameId,
}

#[derive(Clone, Debug)]
struct Open {
    share: ShareId,
    ema: f64,
}

impl Screens {
    /// What the mind hears of a deed; nothing where nothing comes of it, such as of a frame that nobody wants.
    pub fn carry_out(
        &mut self,
        room: &RoomId,
        person: &PersonId,
        name: &str,
        deed: &ScreenDeed,
    ) -> Option<Input> {
        let key = (room.clone(), person.clone());
        match deed {
            ScreenDeed::Share(source) => {
                self.shares_so_far += 1;
                let share = ShareId::new(format!("share-{}", self.shares_so_far));
                let open = Open {
                    share: share.clone(),
                    ema: 0.0,
                };
                self.shares.insert(key, open);
                Some(Input::share_started(Share {
                    share,
                    room: room.clone(),
                    person: person.clone(),
                    name: name.to_owned(),
                    source: *source,
                }))
            }
            ScreenDeed::Stop(reason) => {
                let open = self.shares.remove(&key)?;
                Some(Input::Room(
                    room.clone(),
                    RoomEvent::ShareEnded {
                        share: open.share,
                        reason: *reason,
                    },
                ))
            }
            ScreenDeed::Frame { score, scene_cut } => {
                let open = self.shares.get_mut(&key)?;
                if self.watched.get(room) != Some(&open.share) {
                    return None;
                }
                open.ema += EMA_ALPHA * (score - open.ema);
                Some(Input::Room(
                    room.clone(),
                    RoomEvent::FrameArrived {
                        share: open.share.clone(),
                        glimpse: Glimpse {
                            frame: self.frames_so_far.take_next(),
                            kind: PictureKind::Jpeg,
                            width: 1280,
                            height: 720,
                            change: ChangeScore {
                                score: *score,
                                ema: open.ema,
                                scene_cut: *scene_cut,
                                region: None,
                            },
                        },
                    },
                ))
            }
            ScreenDeed::Choose => Some(Input::Room(
                room.clone(),
                RoomEvent::WatchChosen {
                    share: Some(self.shares.get(&key)?.share.clone()),
                },
            )),
            ScreenDeed::ChooseNobody => {
                Some(Input::Room(room.clone(), RoomEvent::WatchChosen { share: None }))
            }
        }
    }

    pub fn watch(&mut self, room: &RoomId, share: &ShareId) {
        self.watched.insert(room.clone(), share.clone());
    }

    pub fn unwatch(&mut self, room: &RoomId) {
        self.watched.remove(room);
    }

    /// The process ended, and every link with it.
    pub fn lose_all(&mut self) {
        self.shares.clear();
        self.watched.clear();
    }

    /// Whether somebody shares here.
    pub fn shares(&self, room: &RoomId, person: &PersonId) -> bool {
        self.shares.contains_key(&(room.clone(), person.clone()))
    }
}
