//! Carries a state over that cannot be read as a whole: part by part, each where it stood. A part that does not fit is
//! tried in smaller parts; what is left over is named.

use serde_json::Value;

use crate::by_text;
use crate::mind::{Genesis, Mind};

/// How deep parts are taken apart.
const DEPTH_MAX: usize = 6;
/// Parts that are tried at most, so that a strange state cannot hold a start up.
const TRIES_MAX: usize = 3_000;
/// Names that are told at most.
const NAMED_MAX: usize = 60;

/// What became of a state that could not be read as a whole, by the names of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvage {
    pub carried: Vec<String>,
    pub lost: Vec<String>,
}

/// How a part fits into the state as it would be.
enum Fit {
    Whole,
    /// There is no such part any more.
    Unknown,
    /// It is of another shape, or some of it is not kept any more.
    Differs,
}

struct Graft {
    /// The state as it is so far; it can always be read.
    state: Value,
    tries: usize,
    salvage: Salvage,
}

pub(super) fn salvage(donor: &Value, genesis: Genesis) -> (Mind, Salvage) {
    let mut mind = Mind::new(genesis);
    let mut salvage = Salvage::default();
    // Rooms are read by themselves, however many there are; only those that do not fit are tried in smaller parts.
    let rooms = donor.get("rooms").and_then(Value::as_object);
    for (id, kept) in rooms.into_iter().flatten() {
        if mind.take_room(id, kept) {
            salvage.carried.push(format!("rooms.{id}"));
        }
    }
    let Ok(state) = by_text::written(&mind) else {
        return (mind, Salvage::default());
    };
    let mut graft = Graft {
        state,
        tries: 0,
        salvage,
    };
    if let Value::Object(parts) = donor {
        for (name, part) in parts {
            // Who and where it is was said by whoever starts it.
            if name != "community" && name != "denizen" {
                graft.carry(std::slice::from_ref(name), part);
            }
        }
    }
    if let Ok(carried) = by_text::read(&graft.state) {
        mind = carried;
    }
    graft.salvage.carried.truncate(NAMED_MAX);
    graft.salvage.lost.truncate(NAMED_MAX);
    (mind, graft.salvage)
}

impl Graft {
    fn carry(&mut self, path: &[String], part: &Value) {
        if is_nothing(part) || at(&self.state, path) == Some(part) {
            return;
        }
        let fit = match path == ["rooms"] {
            // Those that fit are there already.
            true => Fit::Differs,
            false => self.put(path, part),
        };
        match fit {
            Fit::Whole => self.salvage.carried.push(path.join(".")),
            Fit::Unknown => self.salvage.lost.push(path.join(".")),
            Fit::Differs => match part {
                Value::Object(parts) if path.len() < DEPTH_MAX && self.is_object(path) => {
                    for (name, part) in parts {
                        let mut path = path.to_vec();
                        path.push(name.clone());
                        self.carry(&path, part);
                    }
                }
                Value::Array(items) => self.carry_items(path, items),
                _ => self.salvage.lost.push(path.join(".")),
            },
        }
    }

    /// Carries those items of a list over that fit.
    fn carry_items(&mut self, path: &[String], items: &[Value]) {
        let mut kept = Vec::new();
        self.add_items(path, items, &mut kept);
        let (whole, lost) = (path.join("."), items.len() - kept.len());
        if !kept.is_empty() {
            self.salvage
                .carried
                .push(format!("{whole} ({} of {})", kept.len(), items.len()));
        }
        if lost > 0 {
            self.salvage
                .lost
                .push(format!("{whole} ({lost} of {})", items.len()));
        }
    }

    fn add_items(&mut self, path: &[String], items: &[Value], kept: &mut Vec<Value>) {
        if items.is_empty() || self.tries >= TRIES_MAX {
            return;
        }
        let more = kept.iter().chain(items).cloned().collect();
        match self.put(path, &Value::Array(more)) {
            Fit::Whole => kept.extend(items.iter().cloned()),
            _ if items.len() == 1 => {}
            _ => {
                let (first, second) = items.split_at(items.len() / 2);
                self.add_items(path, first, kept);
                self.add_items(path, second, kept);
            }
        }
    }

    /// Puts a part where it belongs, if the state can then still be read and still has it.
    fn put(&mut self, path: &[String], part: &Value) -> Fit {
        self.tries += 1;
        if self.tries > TRIES_MAX {
            return Fit::Unknown;
        }
        let mut state = self.state.clone();
        let Some(place) = place(&mut state, path) else {
            return Fit::Unknown;
        };
        *place = part.clone();
        let read: Result<Mind, _> = by_text::read(&state);
        let Some(state) = read.ok().and_then(|mind| by_text::written(&mind).ok()) else {
            return Fit::Differs;
        };
        match at(&state, path) {
            Some(kept) if kept == part => {
                self.state = state;
                Fit::Whole
            }
            Some(_) => Fit::Differs,
            None => Fit::Unknown,
        }
    }

    fn is_object(&self, path: &[String]) -> bool {
        at(&self.state, path).is_some_and(Value::is_object)
    }
}

fn is_nothing(part: &Value) -> bool {
    match part {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(parts) => parts.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn at<'a>(state: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(state, |part, name| part.get(name))
}

fn place<'a>(state: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    let (last, parents) = path.split_last()?;
    let parent = parents.iter().try_fold(state, |part, name| part.get_mut(name))?;
    Some(parent.as_object_mut()?.entry(last.clone()).or_insert(Value::Null))
}
