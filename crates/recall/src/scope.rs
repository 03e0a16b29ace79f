//! Who may see what, as integer comparisons: the viewpoint decides once per place, not once per record.

use vocabulary::{PersonId, Place, Viewpoint};

use crate::intern::{Interner, NONE};

/// The places and people of the index, by number.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub places: Interner<Place>,
    pub people: Interner<PersonId>,
}

/// What one viewpoint sees.
#[derive(Debug)]
pub struct Visibility {
    places: Vec<PlaceSight>,
    /// By person: whether memories of them follow them here.
    present: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlaceSight {
    Hidden,
    /// Only what is of people who are present.
    OfPeople,
    Open,
}

impl Scope {
    /// Asks the viewpoint about every place.
    pub fn sight(&self, view: &Viewpoint) -> Visibility {
        let people: &[PersonId] = match view {
            Viewpoint::Operator => &[],
            Viewpoint::Room { people, .. } => people,
        };
        let mut present = vec![false; self.people.len()];
        for person in people {
            if let Some(number) = self.people.find(person) {
                present[number as usize] = true;
            }
        }
        let places = self.places.values().iter();
        let places = places
            .map(|place| {
                if view.sees(place, None) {
                    PlaceSight::Open
                } else if people.iter().any(|person| view.sees(place, Some(person))) {
                    PlaceSight::OfPeople
                } else {
                    PlaceSight::Hidden
                }
            })
            .collect();
        Visibility { places, present }
    }
}

impl Visibility {
    /// Whether something of that place, about that person, may be seen.
    pub fn sees(&self, place: u32, person: u32) -> bool {
        match self.places[place as usize] {
            PlaceSight::Hidden => false,
            PlaceSight::Open => true,
            PlaceSight::OfPeople => person != NONE && self.present[person as usize],
        }
    }

    /// Whether everything of that place may be seen, so that neighbours need no look of their own.
    pub fn is_open(&self, place: u32) -> bool {
        self.places[place as usize] == PlaceSight::Open
    }
}
